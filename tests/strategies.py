"""Hypothesis strategies of the whole test suite."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from ecliptic.rv.tasks import (
    Indicator,
    Instrument,
    ModelFamily,
    Noise,
    Observation,
    Planet,
    Recovery,
    RotationGP,
    RVTask,
    Truth,
)

finite = st.floats(allow_nan=False, allow_infinity=False)
positive = st.floats(min_value=0, exclude_min=True, allow_infinity=False)
not_negative = st.floats(min_value=0, allow_infinity=False)
eccentricities = st.floats(min_value=0, max_value=1, exclude_max=True)
angles = st.floats(min_value=-10 * math.pi, max_value=10 * math.pi)
texts = st.text(st.characters(codec="utf-8"), max_size=20)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | finite | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
json_objects = st.dictionaries(texts, json_values, max_size=4)

planets = st.builds(
    Planet,
    period_days=positive,
    m_sin_i_mjup=not_negative,
    e=eccentricities,
    omega_rad=finite,
    l_rad=finite,
    Omega_rad=finite,
    inc_rad=st.none() | finite,
)
rotation_gps = st.builds(
    RotationGP,
    sigma_ms=positive,
    period_days=positive,
    Q0=positive,
    dQ=not_negative,
    f=not_negative,
)
noises = st.builds(
    Noise,
    sigma_white_ms=not_negative,
    sigma_jitter_ms=not_negative,
    gp=st.none() | rotation_gps,
)


@st.composite
def families(draw: st.DrawFn, labels: list[str]) -> ModelFamily:
    low, high = sorted(draw(st.lists(positive, min_size=2, max_size=2, unique=True)))
    return ModelFamily(
        activity=draw(st.booleans()),
        trend_order=draw(st.sampled_from([0, 1, 2])),
        drifting=tuple(draw(st.lists(st.sampled_from(labels), max_size=2, unique=True))),
        period_min_days=low,
        period_max_days=high,
        forward_model=draw(st.sampled_from(["keplerian", "nbody"])),
    )


@st.composite
def truths(draw: st.DrawFn, instruments: tuple[Instrument, ...]) -> Truth:
    true = tuple(draw(st.lists(planets, max_size=3)))
    n = len(true)
    figures = st.lists(positive, min_size=n, max_size=n).map(tuple)
    recoveries = st.builds(
        Recovery,
        planets=st.lists(planets, min_size=n, max_size=n).map(tuple),
        rms_ms=not_negative,
        log_likelihood=finite,
        tolerances=figures,
        period_sigmas_days=figures,
    )
    return Truth(
        planets=true,
        instruments=instruments,
        noise=draw(noises),
        forward_model=draw(st.sampled_from(["keplerian", "nbody"])),
        trend=tuple(draw(st.lists(finite, max_size=2))),
        recovery=draw(st.none() | recoveries),
    )


@st.composite
def observations(draw: st.DrawFn, labels: list[str]) -> Observation:
    n = draw(st.integers(1, 12))
    times = sorted(draw(st.lists(finite, min_size=n, max_size=n)))
    data: dict[str, Any] = {
        "times_days": times,
        "rvs_ms": draw(st.lists(finite, min_size=n, max_size=n)),
        "sigmas_ms": draw(st.lists(positive, min_size=n, max_size=n)),
        "instruments": draw(st.lists(st.sampled_from(labels), min_size=n, max_size=n)),
        "star_mass_sun": draw(positive),
    }
    if draw(st.booleans()):
        data["t_ref_days"] = draw(finite)
    if draw(st.booleans()):
        data["indicators"] = [
            Indicator(
                name=name,
                values_ms=draw(st.lists(finite, min_size=n, max_size=n)),
                sigmas_ms=draw(st.lists(positive, min_size=n, max_size=n)),
            )
            for name in draw(st.lists(texts, max_size=2, unique=True))
        ]
    if draw(st.booleans()):
        data["family"] = draw(families(data["instruments"]))
    return Observation(**data)


@st.composite
def rv_tasks(draw: st.DrawFn) -> RVTask:
    """Any valid task, physical or not: what can be read must be written exactly."""
    labels = draw(st.lists(texts, min_size=1, max_size=3, unique=True))
    instruments = tuple(
        draw(
            st.builds(
                Instrument,
                label=st.just(label),
                gamma_ms=finite,
                sigma_white_ms=not_negative,
                sigma_jitter_ms=not_negative,
                drift_ms_per_year=st.just(0.0) | finite,
            )
        )
        for label in labels
    )
    return RVTask.create(
        tier=draw(st.sampled_from(["easy", "medium", "hard", "frontier", "faint", "real"])),
        source_id=draw(st.none() | texts),
        observation=draw(observations(labels)),
        truth=draw(truths(instruments)),
        difficulty=draw(st.integers(1, 10)),
        difficulty_terms=draw(json_objects),
        meta=draw(json_objects),
    )
