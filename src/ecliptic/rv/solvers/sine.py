"""One sinusoid at the highest peak of the periodogram: what a first look gives."""

from __future__ import annotations

from typing import Any

import numpy as np

from ecliptic.rv.inference.periodogram import periodogram
from ecliptic.rv.inference.velocities import Velocities
from ecliptic.rv.solvers import null
from ecliptic.rv.solvers.keplerian_fit import fit
from ecliptic.rv.solvers.options import search_limits
from ecliptic.rv.solvers.submissions import submission_of
from ecliptic.rv.tasks import Observation


def solve(
    observation: Observation,
    *,
    period_min_days: float = 1.1,
    period_max_days: float | None = None,
) -> dict[str, Any]:
    """One planet on a circular orbit, however weak the peak; none where there is no periodogram.

    The period is the peak's, the amplitude and phase are the best for it with a free offset an
    instrument. ``period_max_days`` is four times the time span unless given.
    """
    velocities = Velocities.of(observation)
    limits = search_limits(velocities, period_min_days, period_max_days)
    if velocities is None or limits is None:
        return null.solve(observation)
    peaks = periodogram(
        velocities.times_days,
        velocities.rvs_ms,
        velocities.variances,
        limits.period_min_days,
        limits.period_max_days,
    ).peaks(1)
    if not len(peaks):
        return null.solve(observation)
    start = np.array([[limits.nearest(float(peaks[0])), 0.0, 0.0]])
    sinusoid = fit(velocities, start, limits, max_steps=0)
    return submission_of(sinusoid, velocities, observation.star_mass_sun)
