"""When a star is observed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

OBSERVATIONS = (30, 100)
SPAN_INNER_PERIODS = (2.0, 4.0)
TICKS_PER_DAY = 1_000_000


def draw_uniform_times_days(
    rng: np.random.Generator, inner_period_days: float
) -> NDArray[np.float64]:
    """30 to 100 times in days, uniform over 2 to 4 periods of the innermost planet.

    The published recipe (Stargazer: Liu et al. 2026, arXiv:2604.15664). Times are whole multiples
    of 1e-6 d (0.09 s) and strictly increasing; of two that coincide the later moves by 1e-6 d.
    """
    count, span = rng.random(2).tolist()
    low, high = OBSERVATIONS
    n = low + int(count * (high - low + 1))
    periods = SPAN_INNER_PERIODS[0] + span * (SPAN_INNER_PERIODS[1] - SPAN_INNER_PERIODS[0])
    ticks = np.rint(rng.random(n) * (periods * inner_period_days * TICKS_PER_DAY))
    ticks.sort()
    order = np.arange(n)
    # Strictly increasing is the same as non-decreasing after the index is taken off.
    times: NDArray[np.float64] = (np.maximum.accumulate(ticks - order) + order) / TICKS_PER_DAY
    return times
