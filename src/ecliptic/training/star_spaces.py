"""What a policy for stars sees, as a Gymnasium space of fixed shapes.

All of it follows from the public part of the task, the submissions and the feedback. Data are
padded to ``max_points`` with zeros; ``mask`` is 1 where there is a datum.

================  ======================  ======================================================
key               shape                   content
================  ======================  ======================================================
``times_days``    (N,)                    days since the reference epoch of the angles
``rvs_ms``        (N,)                    velocities, m/s
``sigmas_ms``     (N,)                    their quoted errors, m/s
``instrument``    (N,)                    0, 1, ... by first appearance; 0 where padded
``mask``          (N,)                    1: a datum, 0: padding
``indicators``    (2, 2, N)               of up to two: values and errors; zeros where there is none
``star``          (6,)                    mass in solar masses; shortest and longest period
                                          declared, days (0: none declared); 1 where activity is
                                          part of the model; degree of the trend; number of
                                          indicators
``attempts``      (2,)                    submissions left, submissions in all
``last_action``   (43,)                   the last graded submission (:mod:`.star_actions`)
``criteria``      (9,)                    1 passed, -1 failed, 0 not told, in the order of
                                          :data:`CRITERIA`
``figures``       (5,)                    of the last graded submission, where told: RMS in m/s,
                                          MAE in m/s, chi-square a point, log-likelihood a point,
                                          delta-BIC a point; 0 where not told
================  ======================  ======================================================
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ecliptic.errors import UsageError
from ecliptic.rv import Feedback, Observation
from ecliptic.training.star_actions import SIZE, encode_submission

CRITERIA: Final = (
    "delta_bic",
    "rms",
    "match",
    "count",
    "detection",
    "residuals",
    "recovery",
    "periods",
    "amplitudes",
)
_PLACES: Final = {name: place for place, name in enumerate(CRITERIA)}
FIGURES: Final = ("rms_ms", "mae_ms", "chi_square", "log_likelihood", "delta_bic")
_A_POINT: Final = frozenset(("chi_square", "log_likelihood", "delta_bic"))
MAX_INSTRUMENTS: Final = 16
MAX_INDICATORS: Final = 2
TIME, VELOCITY, INDICATOR, FIGURE = 1e6, 1e6, 1e6, 1e9
"""Bounds of the spaces: days, m/s, and of values without a unit."""

Arrays = dict[str, NDArray[Any]]


def action_space() -> spaces.Box:
    """Shape (43,), each entry in [-1, 1]."""
    return spaces.Box(-1.0, 1.0, (SIZE,), np.float32)


def observation_space(max_points: int) -> spaces.Space[Arrays]:
    """The space of the table above, for at most ``max_points`` data."""
    n = max_points
    space: spaces.Space[Any] = spaces.Dict(
        {
            "times_days": spaces.Box(-TIME, TIME, (n,), np.float64),
            "rvs_ms": spaces.Box(-VELOCITY, VELOCITY, (n,), np.float64),
            "sigmas_ms": spaces.Box(0.0, VELOCITY, (n,), np.float64),
            "instrument": spaces.Box(0, MAX_INSTRUMENTS - 1, (n,), np.int8),
            "mask": spaces.MultiBinary(n),
            "indicators": spaces.Box(-INDICATOR, INDICATOR, (MAX_INDICATORS, 2, n), np.float64),
            "star": spaces.Box(0.0, TIME, (6,), np.float64),
            "attempts": spaces.Box(0.0, 1e6, (2,), np.float64),
            "last_action": spaces.Box(-1.0, 1.0, (SIZE,), np.float32),
            "criteria": spaces.Box(-1, 1, (len(CRITERIA),), np.int8),
            "figures": spaces.Box(-FIGURE, FIGURE, (len(FIGURES),), np.float64),
        }
    )
    return space


def star_arrays(observation: Observation, max_points: int) -> Arrays:
    """The part of an observation that stays the same through an episode.

    Raises
    ------
    UsageError
        The star has more data, instruments or indicators than the space holds, or values beyond
        its bounds.
    """
    n = len(observation.times_days)
    for what, have, most in (
        ("points (max_points)", n, max_points),
        ("instruments", len(observation.instrument_labels), MAX_INSTRUMENTS),
        ("indicators", len(observation.indicators), MAX_INDICATORS),
    ):
        if have > most:
            raise UsageError(f"a star with {have} {what}; the observation space holds {most}")

    def padded(values: NDArray[Any], bound: float) -> NDArray[Any]:
        if len(values) and float(np.abs(values).max()) > bound:
            raise UsageError(f"a star with a value beyond {bound:g}, the observation space's bound")
        filled = np.zeros(max_points, dtype=values.dtype)
        filled[:n] = values
        return filled

    indicators = np.zeros((MAX_INDICATORS, 2, max_points))
    for place, each in enumerate(observation.indicators):
        indicators[place, 0] = padded(each.values_ms, INDICATOR)
        indicators[place, 1] = padded(each.sigmas_ms, INDICATOR)
    family = observation.family
    declared = (
        (0.0, 0.0, 0.0, 0.0)
        if family is None
        else (
            family.period_min_days,
            family.period_max_days,
            float(family.activity),
            float(family.trend_order),
        )
    )
    return {
        "times_days": padded(observation.times_days - observation.t_ref_days, TIME),
        "rvs_ms": padded(observation.rvs_ms, VELOCITY),
        "sigmas_ms": padded(observation.sigmas_ms, VELOCITY),
        "instrument": padded(observation.instrument_index.astype(np.int8), MAX_INSTRUMENTS),
        "mask": padded(np.ones(n, dtype=np.int8), 1.0),
        "indicators": indicators,
        "star": np.array(
            [observation.star_mass_sun, *declared, float(len(observation.indicators))]
        ),
    }


def attempt_arrays(
    feedback: Feedback | None,
    submission: object,
    star_mass_sun: float,
    n_points: int,
    attempts: tuple[int, int],
) -> Arrays:
    """The part that tells of the last graded submission; neutral before the first."""
    criteria = np.zeros(len(CRITERIA), dtype=np.int8)
    figures = np.zeros(len(FIGURES))
    if feedback is not None:
        for name, passed in feedback.criteria.items():
            criteria[_PLACES[name]] = 1 if passed else -1
        for place, name in enumerate(FIGURES):
            figures[place] = _bounded(
                feedback.figures.get(name), n_points if name in _A_POINT else 1
            )
    if isinstance(submission, np.ndarray):
        # fmax takes the number where the other is none.
        last = np.fmin(np.fmax(submission, -1.0), 1.0).astype(np.float32)
    elif submission is None:
        last = np.full(SIZE, -1.0, dtype=np.float32)
    else:
        last = encode_submission(submission, star_mass_sun)
    return {
        "attempts": np.array(attempts, dtype=np.float64),
        "last_action": last,
        "criteria": criteria,
        "figures": figures,
    }


def _bounded(value: object, points: int) -> float:
    if not isinstance(value, int | float):  # not told, or not a finite number
        return 0.0
    number = float(value) / points
    return min(max(number, -FIGURE), FIGURE) if math.isfinite(number) else 0.0
