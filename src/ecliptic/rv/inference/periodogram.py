"""The floating-mean (generalised) Lomb-Scargle periodogram and its peaks.

Power is that of Zechmeister & Kürster (2009): the share of the chi-square about the weighted mean
that one sinusoid with a free mean removes, between 0 and 1. Computed with nifty-ls (Garrison et
al. 2024), whose cost hardly depends on the number of frequencies.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
MAX_FREQUENCIES = 1 << 19
MIN_POINTS = 4  # one more than a sinusoid with a mean has parameters


@dataclass(frozen=True, slots=True)
class Periodogram:
    """Power on an even grid of frequencies in 1/day, from low to high."""

    frequencies: Array
    power: Array
    resolution: float

    def peaks(self, count: int, separation: float = 0.5) -> Array:
        """Frequencies of the ``count`` highest local maxima, the highest first.

        A peak nearer to a higher one than ``separation`` times the resolution (the inverse of the
        time span) is left out. The ends of the grid count: what varies more slowly than any
        frequency searched still rises towards the lowest.
        """
        power = self.power
        if not len(power):
            return np.empty(0)
        above = np.concatenate(([-np.inf], power[:-1])), np.concatenate((power[1:], [-np.inf]))
        maxima = np.flatnonzero((power > above[0]) & (power >= above[1]))
        chosen: list[float] = []
        for index in maxima[np.argsort(-power[maxima], kind="stable")]:
            f = self._vertex(int(index))
            if all(abs(f - other) >= separation * self.resolution for other in chosen):
                chosen.append(f)
            if len(chosen) == count:
                break
        return np.array(chosen)

    def _vertex(self, index: int) -> float:
        """Top of the parabola through a maximum and its neighbours."""
        f = float(self.frequencies[index])
        if not 0 < index < len(self.power) - 1:
            return f
        left, top, right = self.power[index - 1 : index + 2]
        curvature = left - 2.0 * top + right
        step = float(self.frequencies[1] - self.frequencies[0])
        return f if curvature >= 0.0 else f + 0.5 * step * float((left - right) / curvature)


def periodogram(
    times_days: Array,
    rvs_ms: Array,
    variances: Array,
    period_min_days: float,
    period_max_days: float,
    oversampling: float = 8.0,
) -> Periodogram:
    """Power between two periods; empty where nothing can be said.

    Nothing can be said with fewer than four points, no time span, no variation, or an empty range
    of periods. The grid has ``oversampling`` points in the inverse of the time span, and at most
    2^19: where more would be needed, the shortest periods are left out.
    """
    span = float(times_days[-1] - times_days[0])
    low, high = 1.0 / period_max_days, 1.0 / period_min_days
    variation = float(np.ptp(rvs_ms))
    if len(times_days) < MIN_POINTS or not span > 0.0 or not variation > 0.0 or not high > low:
        return Periodogram(np.empty(0), np.empty(0), np.inf)
    import nifty_ls

    step = 1.0 / (oversampling * span)
    count = int(min(max((high - low) / step, 8.0), MAX_FREQUENCIES - 1.0)) + 1
    frequencies = low + step * np.arange(count, dtype=np.float64)
    # The velocities in units of their range, the errors in units of the best: no overflow inside.
    errors = np.sqrt(variances / variances.min())
    result = nifty_ls.lombscargle(
        times_days - times_days[0],
        rvs_ms / variation,
        errors,
        fmin=float(frequencies[0]),
        fmax=float(frequencies[-1]),
        Nf=count,
        nthreads=1,
    )
    power = np.nan_to_num(np.asarray(result.power, dtype=np.float64), nan=0.0)
    return Periodogram(frequencies, np.clip(power, 0.0, 1.0), 1.0 / span)
