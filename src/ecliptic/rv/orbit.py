r"""Velocity curves of a star with planets on Keplerian orbits.

.. math::
   v(t) = \gamma + \sum_j K_j [\cos(\nu_j + \omega_j) + e_j \cos \omega_j]

with true anomaly :math:`\nu`, argument of periastron of the **star's** orbit :math:`\omega` and

.. math::
   K = 28.4329\,\mathrm{m/s}\; \frac{m \sin i}{M_\mathrm{Jup}}
       \Bigl(\frac{M_\star}{M_\odot}\Bigr)^{-2/3}
       \Bigl(\frac{P}{365.25\,\mathrm{d}}\Bigr)^{-1/3} (1 - e^2)^{-1/2}

(Lovis & Fischer 2010, eq. 14, for a planet much lighter than its star). Angles refer to the epoch
``t_ref`` (the first observation): mean longitude ``l = Omega + omega + M0``.

Kernels take **elements**: a float64 array of shape (n_planets, 5) with the columns period in days,
K in m/s, e, omega and M0 in radians.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ecliptic.rv import kepler
from ecliptic.rv.jit import compiled
from ecliptic.rv.tasks import Planet

K_JUPITER_YEAR_MS = 28.4329
DAYS_PER_YEAR = 365.25
FloatOrArray = TypeVar("FloatOrArray", float, NDArray[np.float64])


def semi_amplitude_ms(
    m_sin_i_mjup: FloatOrArray, period_days: FloatOrArray, e: FloatOrArray, star_mass_sun: float
) -> FloatOrArray:
    """K in m/s of a minimum mass; arguments broadcast."""
    return m_sin_i_mjup * _k_per_mjup(period_days, e, star_mass_sun)


def minimum_mass_mjup(
    K_ms: FloatOrArray, period_days: FloatOrArray, e: FloatOrArray, star_mass_sun: float
) -> FloatOrArray:
    """m sin i in Jupiter masses of a semi-amplitude: the inverse of :func:`semi_amplitude_ms`."""
    return K_ms / _k_per_mjup(period_days, e, star_mass_sun)


def _k_per_mjup(period_days: FloatOrArray, e: FloatOrArray, star_mass_sun: float) -> FloatOrArray:
    per_period: FloatOrArray = (period_days / DAYS_PER_YEAR) ** (-1.0 / 3.0)
    root: FloatOrArray = (1.0 - e * e) ** 0.5
    scale: float = K_JUPITER_YEAR_MS * star_mass_sun ** (-2.0 / 3.0)
    return scale * per_period / root


def elements_of(planets: Sequence[Planet], star_mass_sun: float) -> NDArray[np.float64]:
    """Elements, shape (n_planets, 5), of planets at their reference epoch."""
    elements = np.empty((len(planets), 5))
    for row, planet in zip(elements, planets, strict=True):
        K_ms = semi_amplitude_ms(planet.m_sin_i_mjup, planet.period_days, planet.e, star_mass_sun)
        row[:] = (
            planet.period_days,
            K_ms,
            planet.e,
            planet.omega_rad,
            planet.l_rad - planet.Omega_rad - planet.omega_rad,
        )
    return elements


@compiled
def curves(
    times_days: NDArray[np.float64], t_ref_days: float, elements: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Velocity of each planet alone in m/s, shape (n_planets, n_times)."""
    out = np.empty((elements.shape[0], times_days.size))
    for j in range(elements.shape[0]):
        P, K, e, omega, M0 = elements[j]
        n = 2.0 * math.pi / P
        cos_omega, sin_omega = math.cos(omega), math.sin(omega)
        root = math.sqrt(1.0 - e * e)
        for i in range(times_days.size):
            E = kepler.solve(M0 + n * (times_days[i] - t_ref_days), e)
            cos_E, sin_E = math.cos(E), math.sin(E)
            r = 1.0 - e * cos_E
            cos_nu, sin_nu = (cos_E - e) / r, root * sin_E / r
            out[j, i] = K * (cos_nu * cos_omega - sin_nu * sin_omega + e * cos_omega)
    return out


def radial_velocity_ms(
    times_days: ArrayLike, planets: Sequence[Planet], star_mass_sun: float, t_ref_days: float
) -> NDArray[np.float64]:
    """Sum of the planets' velocities in m/s, shape (n_times,), without any offset."""
    times = np.ascontiguousarray(times_days, dtype=np.float64)
    velocities: NDArray[np.float64] = curves(
        times, t_ref_days, elements_of(planets, star_mass_sun)
    ).sum(axis=0)
    return velocities
