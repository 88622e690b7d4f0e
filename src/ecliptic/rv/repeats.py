"""Submissions that hardly differ from an earlier one."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ecliptic.rv.submission import Submission, SubmittedPlanet

CLOSE_PERIOD, CLOSE_MASS, CLOSE_E, CLOSE_ANGLE_RAD = 1e-4, 0.01, 0.01, 0.02


def repeated(guess: Submission, earlier: Sequence[Submission]) -> int | None:
    """The number, from 1, of the first earlier submission with the same planets, in any order.

    The same to 0.01 % of the period, 1 % of the mass, 0.01 in e, and 0.02 rad (where e lets
    an angle matter). The assumed noise is not looked at.
    """
    for number, other in enumerate(earlier, start=1):
        if (
            len(other.planets) == len(guess.planets)
            and other.forward_model == guess.forward_model
            and all(_alike(a, b) for a, b in zip(_sorted(guess), _sorted(other), strict=True))
        ):
            return number
    return None


def _sorted(submission: Submission) -> list[SubmittedPlanet]:
    return sorted(submission.planets, key=lambda planet: planet.period_days)


def _alike(a: SubmittedPlanet, b: SubmittedPlanet) -> bool:
    heavier = max(a.m_sin_i_mjup, b.m_sin_i_mjup)
    return (
        abs(a.period_days - b.period_days) <= CLOSE_PERIOD * a.period_days
        and abs(a.m_sin_i_mjup - b.m_sin_i_mjup) <= CLOSE_MASS * heavier
        and abs(a.e - b.e) <= CLOSE_E
        and _turn(a.l_rad - a.Omega_rad, b.l_rad - b.Omega_rad) <= CLOSE_ANGLE_RAD
        and max(a.e, b.e) * _turn(a.omega_rad, b.omega_rad) <= CLOSE_ANGLE_RAD
    )


def _turn(a: float, b: float) -> float:
    return abs(math.remainder(a - b, math.tau)) if math.isfinite(a - b) else math.inf
