"""The published difficulty of a task, 1 to 10, and the tier it falls into.

.. math:: \\mathrm{clip}(\\mathrm{base} + \\mathrm{snr} + \\mathrm{resonance} + \\mathrm{coverage}
          + \\mathrm{observations} + \\mathrm{red},\\; 1,\\; 10)

==============  ===================================================================================
base            the number of planets, at most 4
snr             smallest K over (white + jitter): above 5: 0, above 2: 1, above 1: 2, else 3
resonance       neighbours within 3 % of 2:1, 3:2 or 5:3, at most 2
coverage        span of the times over the inner period: from 3: 0, from 2: 1, else 2
observations    from 80: 0, from 50: 1, from 30: 2, else 3
red             amplitude of the GP over the white noise: no GP: 0, below 0.5: 1, below 1: 2, else 3
==============  ===================================================================================

Source: Stargazer (Liu et al. 2026, arXiv:2604.15664), evaluated on the published files.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ecliptic.errors import UsageError
from ecliptic.rv.orbit import semi_amplitude_ms
from ecliptic.rv.tasks import Noise, Planet

GeneratedTier = Literal["easy", "medium", "hard"]
TIERS: tuple[GeneratedTier, ...] = ("easy", "medium", "hard")
RESONANCES = (2.0, 3.0 / 2.0, 5.0 / 3.0)
RESONANCE_WIDTH = 0.03
_FLOOR_MS = 1e-12  # of a noise level that is divided by


def difficulty(
    planets: Sequence[Planet], noise: Noise, times_days: NDArray[np.float64], star_mass_sun: float
) -> tuple[int, dict[str, Any]]:
    """Score of 1 to 10, and how it came about.

    The second value holds ``inputs`` (what was measured of the task) and ``points`` (the six
    parts), ready for JSON.

    Raises
    ------
    UsageError
        Without a planet, or without a time: the score is not defined.
    """
    if not planets or not len(times_days):
        raise UsageError("the difficulty of a task needs at least one planet and one observation")
    periods = sorted(planet.period_days for planet in planets)
    K_min_ms = min(
        semi_amplitude_ms(planet.m_sin_i_mjup, planet.period_days, planet.e, star_mass_sun)
        for planet in planets
    )
    white_ms = max(noise.sigma_white_ms, _FLOOR_MS)
    snr = K_min_ms / max(noise.sigma_white_ms + noise.sigma_jitter_ms, _FLOOR_MS)
    resonances = sum(near_resonance(outer / inner) for inner, outer in pairwise(periods))
    coverage = float(times_days[-1] - times_days[0]) / periods[0]
    n = len(times_days)
    gp_to_white = noise.gp.sigma_ms / white_ms if noise.gp else None
    points = {
        "base": min(4, len(planets)),
        "snr": 0 if snr > 5 else 1 if snr > 2 else 2 if snr > 1 else 3,
        "resonance": min(2, resonances),
        "coverage": 0 if coverage >= 3 else 1 if coverage >= 2 else 2,
        "observations": 0 if n >= 80 else 1 if n >= 50 else 2 if n >= 30 else 3,
        "red": _red(gp_to_white),
    }
    inputs = {
        "planets": len(planets),
        "K_min_ms": K_min_ms,
        "snr": snr,
        "resonances": resonances,
        "coverage_inner_periods": coverage,
        "observations": n,
        "gp_to_white": gp_to_white,
    }
    score = min(max(sum(points.values()), 1), 10)
    return score, {"inputs": inputs, "points": points}


def tier_of(score: int) -> GeneratedTier:
    """Easy for 1 and 2, medium for 3 to 6, hard for 7 to 10."""
    return "easy" if score <= 2 else "medium" if score <= 6 else "hard"


def near_resonance(period_ratio: float) -> bool:
    """Whether a ratio of periods (outer over inner) is within 3 % of 2:1, 3:2 or 5:3."""
    return any(abs(period_ratio / exact - 1.0) < RESONANCE_WIDTH for exact in RESONANCES)


def _red(gp_to_white: float | None) -> int:
    if gp_to_white is None:
        return 0
    return 1 if gp_to_white < 0.5 else 2 if gp_to_white < 1.0 else 3
