"""Which family of models a series asks for, beside its planets.

What the published fit had (trend, activity) is declared, and the planets' mutual pull where orbits
seen edge-on explain the series better with it. Of what it may have lacked, a
term is added as long as it is worth a delta-BIC of more than 20 to the published planets: a
trend (of first or second order), a drift of one instrument of several, the star's rotation as
a Gaussian process where its period was published. The shape of the process comes from
the velocities that the planets leave, taken as an indicator.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ecliptic.rv.archive.joint_fit import fit_keplerian, solve
from ecliptic.rv.archive.literature import PublishedStar
from ecliptic.rv.archive.seeds import Seed
from ecliptic.rv.inference.fitting import Fit
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.rotation import CENTRES, RotationFit, fit_rotation
from ecliptic.rv.tasks import Indicator, ModelFamily, Observation, RotationGP

WORTH = 20.0
SHORTEST_DAYS = 0.5  # of what an agent may submit
SPANS, LONGEST = 2.0, 1.5
COHERENT = (10.0, 0.5, 2.0)  # Q0, dQ, f of spots that live for many rotations


def declared_family(
    observation: Observation, seeds: Sequence[Seed], star: PublishedStar | None = None
) -> ModelFamily:
    """The family with which a task of the series is graded."""
    span = float(observation.times_days[-1] - observation.times_days[0])
    periods = [seed.period_days.value for seed in seeds]
    shortest = min(SHORTEST_DAYS, 0.9 * min(periods, default=SHORTEST_DAYS))
    longest = max(SPANS * span, LONGEST * max(periods, default=0.0))
    family = ModelFamily(
        period_min_days=_short(shortest),
        period_max_days=_short(longest),
        trend_order=1 if star is not None and star.trend else 0,
        forward_model="keplerian" if star is None else star.forward_model,
    )
    free = [seed for seed in seeds if not seed.held]
    if family.forward_model == "nbody" and not _pulls(observation, family, free):
        family = family.model_copy(update={"forward_model": "keplerian"})
    best = _fitted(observation, family, free)
    if star is not None and star.activity is not None and star.activity.gaussian_process:
        family = _with_rotation(observation, family, best, star.activity.rotation_days.value)
        best = _fitted(observation, family, free)
    while True:
        further = [(each, _fitted(observation, each, free)) for each in _further(
            observation, family, best, star
        )]  # fmt: skip
        top = min(further, key=lambda pair: pair[1].bic, default=None)
        if top is None or best.bic - top[1].bic <= WORTH:
            return family
        family, best = top


def _pulls(observation: Observation, family: ModelFamily, seeds: Sequence[Seed]) -> bool:
    """Whether the mutual pull of edge-on orbits explains the series better than none."""
    log_likelihoods = []
    for model in ("nbody", "keplerian"):
        asked = family.model_copy(update={"forward_model": model})
        problem = Problem.of(observation.model_copy(update={"family": asked}))
        log_likelihoods.append(solve(problem, seeds).held.log_likelihood)
    return log_likelihoods[0] > log_likelihoods[1]


def _fitted(observation: Observation, family: ModelFamily, seeds: Sequence[Seed]) -> Fit:
    """The choice among terms of noise is made with Keplerian orbits."""
    still = family.model_copy(update={"forward_model": "keplerian"})
    return fit_keplerian(Problem.of(observation.model_copy(update={"family": still})), seeds)


def _further(
    observation: Observation, family: ModelFamily, best: Fit, star: PublishedStar | None
) -> Iterator[ModelFamily]:
    if family.trend_order < 2:
        yield family.model_copy(update={"trend_order": family.trend_order + 1})
    labels = observation.instrument_labels
    for label in labels if len(labels) > 1 else ():
        if label not in family.drifting and len(family.drifting) < len(labels) - 1:
            yield family.model_copy(update={"drifting": (*family.drifting, label)})
    if star is not None and star.activity is not None and not family.activity:
        yield _with_rotation(observation, family, best, star.activity.rotation_days.value)


def _with_rotation(
    observation: Observation, family: ModelFamily, best: Fit, rotation_days: float
) -> ModelFamily:
    shape = rotation_shape(observation, best, rotation_days)
    return family.model_copy(update={"activity": True, "rotation": shape})


def rotation_shape(observation: Observation, best: Fit, rotation_days: float) -> RotationGP:
    """The shape of the process in what a fit leaves, near a published period of rotation."""
    rest = Indicator(name="residuals", values_ms=best.residuals_ms, sigmas_ms=observation.sigmas_ms)
    alone = observation.model_copy(update={"indicators": (rest,), "family": None})
    variance = float(np.median(observation.sigmas_ms**2)) / max(float(np.var(rest.values_ms)), 1e-9)
    starts = [
        np.array([math.log(rotation_days), *np.log(centres), math.log(0.1 * variance), -1.0])
        for centres in (CENTRES, COHERENT)
    ]
    shape = max((fit_rotation(alone, start) for start in starts), key=_log_likelihood).gp
    rounded = {name: _short(getattr(shape, name)) for name in ("period_days", "Q0", "dQ", "f")}
    return shape.model_copy(update=rounded)


def _log_likelihood(found: RotationFit) -> float:
    return found.log_likelihood


def _short(value: float) -> float:
    """Four digits: the same on every machine."""
    return float(f"{value:.4g}")
