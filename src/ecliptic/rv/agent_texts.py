"""What an agent is told of a star and of its tools: the public part of a task, in words.

Every harness uses these: Inspect, the verifiers library, and the server.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ecliptic.rv.observations import Observation
from ecliptic.rv.protocols import AnyProtocol, ArchivalProtocol, PaperProtocol
from ecliptic.rv.submission import AGENT_LIMITS

MOST_ROWS = 400
"""Observations that are written out where the model has no laboratory."""


def submit_text() -> str:
    """Description of the tool ``submit``."""
    return (
        "Hand in a model of the planets and learn how it was judged. The number of submissions is "
        "limited; one that does not follow the schema costs none. planets is a list of objects: "
        f"period_days (> {AGENT_LIMITS.period_above_days:g}), m_sin_i_mjup (minimum mass in "
        f"Jupiter masses, >= 0), e (eccentricity, 0 to {AGENT_LIMITS.max_e:g}), omega_rad "
        "(argument of periastron of the star), l_rad (mean longitude omega + M at t_ref_days); at "
        f"most {AGENT_LIMITS.max_planets} planets. noise is optional: "
        '{"sigma_jitter_ms": white noise in m/s beyond the quoted errors}. Instrument offsets are '
        "fitted for you."
    )


PYTHON_TEXT = (
    "Run Python and return what it prints, with the value of a last expression. Variables, "
    "imports and files are kept from call to call. numpy (as np), scipy, astropy, matplotlib and "
    "sympy can be imported."
)
"""Description of the tool ``python``, whatever data it holds."""


def python_text(indicators: bool) -> str:
    """The same with the names of a star's variables (:func:`session_variables`)."""
    more = ", indicators (a dict of dicts with values_ms and sigmas_ms)" if indicators else ""
    return (
        f"{PYTHON_TEXT} The data are there already: times_days, rvs_ms, sigmas_ms (arrays), "
        f"instruments (one label a point), star_mass_sun, t_ref_days{more}."
    )


def session_variables(observation: Observation) -> dict[str, Any]:
    """The public part as variables of a laboratory's session."""
    variables: dict[str, Any] = {
        "times_days": observation.times_days,
        "rvs_ms": observation.rvs_ms,
        "sigmas_ms": observation.sigmas_ms,
        "instruments": list(observation.instruments),
        "star_mass_sun": observation.star_mass_sun,
        "t_ref_days": observation.t_ref_days,
    }
    if observation.indicators:
        variables["indicators"] = {
            each.name: {"values_ms": each.values_ms.tolist(), "sigmas_ms": each.sigmas_ms.tolist()}
            for each in observation.indicators
        }
    return variables


def data_summary(observation: Observation) -> str:
    """How many points over how long, from which instruments, with which indicators."""
    times = observation.times_days
    lines = [
        f"- {len(times)} velocities over {np.ptp(times):.1f} days",
        f"- stellar mass {observation.star_mass_sun:.4g} solar masses",
    ]
    for label in observation.instrument_labels:
        here = np.array([each == label for each in observation.instruments])
        error = float(np.median(observation.sigmas_ms[here]))
        lines.append(f"- instrument {label}: {here.sum()} points, median error {error:.3g} m/s")
    names = ", ".join(each.name for each in observation.indicators)
    if names:
        lines.append(f"- activity indicators at the same times: {names}")
    return "\n".join(lines)


def data_rows(observation: Observation) -> str:
    """The velocities written out, the first :data:`MOST_ROWS` of them."""
    rows = [
        f"{time:.4f} {velocity:.2f} {sigma:.2f} {label}"
        for time, velocity, sigma, label in zip(
            observation.times_days,
            observation.rvs_ms,
            observation.sigmas_ms,
            observation.instruments,
            strict=True,
        )
    ]
    left_out = len(rows) - MOST_ROWS
    note = [f"({left_out} later observations are left out)"] if left_out > 0 else []
    return "\n".join(["time_days rv_ms sigma_ms instrument", *rows[:MOST_ROWS], *note])


def family_in_words(observation: Observation) -> str:
    """The declared models: what the grader fits beside planets, and the range of periods."""
    family = observation.family
    if family is None:
        return (
            "The noise is Gaussian with the quoted errors, to which a white jitter may be added; "
            "there may be correlated noise of the star."
        )
    parts = ["An offset and a white jitter of each instrument are fitted by the grader."]
    if family.activity:
        parts.append(
            "So is a quasi-periodic Gaussian process of the star's activity, whose shape follows "
            "from the indicators."
        )
    if family.trend_order:
        parts.append(f"So is a trend of degree {family.trend_order} in time.")
    if family.drifting:
        parts.append(f"A linear drift of its own has: {', '.join(family.drifting)}.")
    if family.forward_model == "nbody":
        parts.append("The planets pull on each other noticeably.")
    parts.append(
        f"Every period lies between {family.period_min_days:g} and {family.period_max_days:g} days."
    )
    return " ".join(parts)


def criteria_in_words(protocol: AnyProtocol) -> str:
    """What a submission must meet to pass."""
    if isinstance(protocol, PaperProtocol):
        return (
            "A submission passes when its BIC is better than that of no planets by more than "
            f"{protocol.min_delta_bic:g}, the RMS of its residuals is at most "
            f"{protocol.rms_factor:g} times the median error, and planets and their number agree "
            "with the true system."
        )
    if isinstance(protocol, ArchivalProtocol):
        return (
            "This is a real star. A submission passes when periods and semi-amplitudes agree with "
            f"the published planets within {protocol.sigmas:g} standard deviations, their number "
            "is right, and the residuals are as small as those of the best fit."
        )
    return (
        f"A submission passes when every planet improves the BIC by more than "
        f"{protocol.min_delta_bic:g}, the residuals are as small as they can be, the planets agree "
        "with the true system as well as the data permit, every period is right (no alias), and "
        "their number is right."
    )
