"""Submissions as vectors: what a policy for stars puts out.

An action has shape (43,), each entry in [-1, 1]: six for each of seven slots, and one for jitter.

=======  ===============  =========================================================
entry    of a slot        meaning of a in [-1, 1]
=======  ===============  =========================================================
0        presence         a planet is submitted where a > 0
1        period           0.5 to 10,000 d, even in the logarithm
2        semi-amplitude   0.1 to 1,000 m/s, even in the logarithm
3        eccentricity     0 to 0.8, even
4        omega            -pi to pi rad
5        mean longitude   -pi to pi rad, at the reference epoch
=======  ===============  =========================================================

Jitter: 0 to 50 m/s, as the square of (a + 1) / 2. The minimum mass follows from semi-amplitude,
period, eccentricity and the star's mass (:func:`ecliptic.rv.minimum_mass_mjup`). Entries outside of
[-1, 1] are taken as the nearest bound; one that is not a number as -1.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ecliptic.errors import UsageError
from ecliptic.model import short
from ecliptic.rv import minimum_mass_mjup, read_submission, semi_amplitude_ms
from ecliptic.rv.submission import AGENT_LIMITS

SLOTS: Final = AGENT_LIMITS.max_planets
PER_SLOT: Final = 6
SIZE: Final = SLOTS * PER_SLOT + 1
PERIODS_DAYS: Final = (0.5, 10_000.0)
AMPLITUDES_MS: Final = (0.1, 1_000.0)
MAX_E: Final = AGENT_LIMITS.max_e or 0.8
MAX_JITTER_MS: Final = 50.0

_LOG_P0, _LOG_P = math.log(PERIODS_DAYS[0]), math.log(PERIODS_DAYS[1] / PERIODS_DAYS[0])
_LOG_K0, _LOG_K = math.log(AMPLITUDES_MS[0]), math.log(AMPLITUDES_MS[1] / AMPLITUDES_MS[0])
# The lower bound itself is not a period that may be submitted.
_SHORTEST = math.nextafter(AGENT_LIMITS.period_above_days, math.inf)


def decode_action(action: object, star_mass_sun: float) -> dict[str, Any]:
    """The submission that an action stands for; always one that can be graded.

    Raises
    ------
    UsageError
        The action has not 43 entries, or they are no real numbers.
    """
    try:
        values = np.asarray(action)
        if values.dtype.kind == "c":
            raise TypeError
        values = values.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"action: must have {SIZE} real numbers, not {short(action)}") from None
    if values.shape != (SIZE,):
        raise UsageError(f"action: must have shape ({SIZE},), not {values.shape}")
    # NaN compares false and so becomes the lower bound.
    shares = [0.5 * (min(a, 1.0) + 1.0) if a > -1.0 else 0.0 for a in values.tolist()]
    planets = []
    for start in range(0, SIZE - 1, PER_SLOT):
        presence, period, amplitude, e, omega, longitude = shares[start : start + PER_SLOT]
        if presence <= 0.5:
            continue
        period_days = max(math.exp(_LOG_P0 + _LOG_P * period), _SHORTEST)
        eccentricity = min(MAX_E * e, MAX_E)
        K_ms = math.exp(_LOG_K0 + _LOG_K * amplitude)
        planets.append(
            {
                "period_days": period_days,
                "m_sin_i_mjup": float(
                    minimum_mass_mjup(K_ms, period_days, eccentricity, star_mass_sun)
                ),
                "e": eccentricity,
                "omega_rad": math.pi * (2.0 * omega - 1.0),
                "l_rad": math.pi * (2.0 * longitude - 1.0),
            }
        )
    return {"planets": planets, "noise": {"sigma_jitter_ms": MAX_JITTER_MS * shares[-1] ** 2}}


def encode_submission(submission: object, star_mass_sun: float) -> NDArray[np.float32]:
    """The action that stands for a submission: for demonstrations, such as those of a solver.

    Values outside of the ranges above become the nearest bound.

    Raises
    ------
    SubmissionError
        The submission is malformed, or holds more than seven planets.
    """
    guess = read_submission(submission, AGENT_LIMITS)
    action = np.full(SIZE, -1.0)
    for slot, planet in enumerate(guess.planets):
        K_ms = float(
            semi_amplitude_ms(planet.m_sin_i_mjup, planet.period_days, planet.e, star_mass_sun)
        )
        longitude = planet.l_rad - planet.Omega_rad
        start = slot * PER_SLOT
        action[start : start + PER_SLOT] = (
            1.0,
            2.0 * (math.log(planet.period_days) - _LOG_P0) / _LOG_P - 1.0,
            2.0 * (math.log(max(K_ms, AMPLITUDES_MS[0])) - _LOG_K0) / _LOG_K - 1.0,
            2.0 * planet.e / MAX_E - 1.0,
            math.remainder(planet.omega_rad, math.tau) / math.pi,
            math.remainder(longitude, math.tau) / math.pi,
        )
    action[-1] = 2.0 * math.sqrt(guess.sigma_jitter_ms / MAX_JITTER_MS) - 1.0
    bounded: NDArray[np.float32] = np.clip(action, -1.0, 1.0).astype(np.float32)
    return bounded


def is_array(action: object) -> bool:
    """Whether it is an array, of whatever library: numpy, torch, jax."""
    return hasattr(action, "__array__") and not isinstance(action, np.generic)


def submission_of(action: object, star_mass_sun: float) -> object:
    """An action as a submission: a vector is decoded, anything else is one already.

    Raises
    ------
    UsageError
        A list or an array that is no action.
    """
    if is_array(action):
        return decode_action(action, star_mass_sun)
    if isinstance(action, list | tuple):
        if len(action) != SIZE:
            raise UsageError(f"action: must have {SIZE} entries, not {short(action)}")
        return decode_action(action, star_mass_sun)
    return action
