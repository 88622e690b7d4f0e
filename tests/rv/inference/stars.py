"""Stars made by hand, for tests of fits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv import noise, orbit
from ecliptic.rv.tasks import Indicator, ModelFamily, Observation, RotationGP

Array = NDArray[np.float64]
SPOTS = RotationGP(sigma_ms=3.0, period_days=23.0, Q0=1.5, dQ=0.7, f=0.6)
THREE = np.array(
    [[4.3, 6.0, 0.0, 1.0, 2.0], [17.7, 8.0, 0.8, 2.0, 3.0], [95.0, 8.0, 0.3, 4.0, 1.0]]
)
OFFSETS = np.array([-3.0, 4200.0, 17.0])


def observe(
    elements: Array,
    n: int = 100,
    span: float = 600.0,
    *,
    activity: bool = False,
    n_instruments: int = 2,
    drift_ms: float = 0.0,
    trend_ms: float = 0.0,
    jitter_ms: float = 0.5,
    seed: int = 1,
) -> Observation:
    """Orbits (P, K, e, omega, M0) with errors near 1 m/s; drift of "B" and trend over the span."""
    rng = np.random.default_rng(seed)
    times = np.sort(rng.uniform(0.0, span, n)) + 5000.0
    sigmas = rng.uniform(0.7, 1.4, n)
    index = rng.integers(0, n_instruments, n)
    rvs = orbit.curves(times, float(times[0]), np.ascontiguousarray(elements)).sum(axis=0)
    rvs += OFFSETS[index] + np.hypot(sigmas, jitter_ms) * rng.standard_normal(n)
    rvs += ((index == 1) * drift_ms + trend_ms) * (times - times[0]) / span
    indicators: tuple[Indicator, ...] = ()
    if activity:
        spots = noise.draw_rotation_gp_ms(SPOTS, times, rng)
        rvs += spots
        indicators = tuple(
            Indicator(
                name=name,
                values_ms=factor * spots + OFFSETS[index] + rng.standard_normal(n),
                sigmas_ms=np.ones(n),
            )
            for name, factor in (("fwhm", 3.0), ("bisector", -1.0))
        )
    labels = tuple("ABC"[i] for i in index)
    return Observation(
        times_days=times,
        rvs_ms=rvs,
        sigmas_ms=sigmas,
        instruments=labels,
        star_mass_sun=1.0,
        indicators=indicators,
        family=ModelFamily(
            activity=activity,
            trend_order=1 if trend_ms else 0,
            drifting=("B",) if drift_ms else (),
            period_min_days=1.1,
            period_max_days=1000.0,
        ),
    )
