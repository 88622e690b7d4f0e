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
from typing import TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ecliptic.errors import UsageError
from ecliptic.model import short
from ecliptic.rv import kepler
from ecliptic.rv.jit import compiled
from ecliptic.rv.tasks import Planet

K_JUPITER_YEAR_MS = 28.4329
DAYS_PER_YEAR = 365.25
FloatOrArray = TypeVar("FloatOrArray", float, NDArray[np.float64])


def semi_amplitude_ms(
    m_sin_i_mjup: FloatOrArray, period_days: FloatOrArray, e: FloatOrArray, star_mass_sun: float
) -> FloatOrArray:
    """K in m/s of a minimum mass; arguments broadcast.

    Raises
    ------
    UsageError
        An orbit that is no ellipse, a period or stellar mass that is not > 0 and finite, or
        shapes that do not broadcast.
    """
    m_sin_i_mjup, period_days, e = _checked(m_sin_i_mjup, period_days, e, star_mass_sun)
    return m_sin_i_mjup * _k_per_mjup(period_days, e, _k_year_ms(star_mass_sun))


def minimum_mass_mjup(
    K_ms: FloatOrArray, period_days: FloatOrArray, e: FloatOrArray, star_mass_sun: float
) -> FloatOrArray:
    """m sin i in Jupiter masses of a semi-amplitude: the inverse of :func:`semi_amplitude_ms`.

    Raises
    ------
    UsageError
        As there.
    """
    K_ms, period_days, e = _checked(K_ms, period_days, e, star_mass_sun)
    return K_ms / _k_per_mjup(period_days, e, _k_year_ms(star_mass_sun))


def _checked(
    size: FloatOrArray, period_days: FloatOrArray, e: FloatOrArray, star_mass_sun: float
) -> tuple[FloatOrArray, FloatOrArray, FloatOrArray]:
    number = isinstance(star_mass_sun, (float, int, np.number))
    if not number or not 0.0 < star_mass_sun < math.inf:
        raise UsageError(f"star_mass_sun: must be > 0 and finite, not {short(star_mass_sun)}")
    if (
        isinstance(size, float)
        and isinstance(period_days, float)
        and isinstance(e, float)
        # The quotient, as a period of 1e-322 d rounds to no part of a year.
        and 0.0 < period_days / DAYS_PER_YEAR < math.inf
        and 0.0 <= e < 1.0
    ):
        return size, period_days, e
    try:
        arrays = [np.asarray(values, dtype=np.float64) for values in (size, period_days, e)]
        np.broadcast_shapes(*(array.shape for array in arrays))
    except (TypeError, ValueError) as error:
        raise UsageError(f"mass or K, period_days and e: {error}") from None
    years, ecc = arrays[1] / DAYS_PER_YEAR, arrays[2]
    if not np.all((years > 0.0) & (years < math.inf)):
        raise UsageError("period_days: must be > 0 and finite")
    if not np.all((ecc >= 0.0) & (ecc < 1.0)):
        raise UsageError("e: must be in [0, 1), the orbit an ellipse")
    return cast("tuple[FloatOrArray, FloatOrArray, FloatOrArray]", tuple(arrays))


def _k_year_ms(star_mass_sun: float) -> float:
    """K of one Jupiter mass on a circular orbit of one year."""
    scale: float = K_JUPITER_YEAR_MS * star_mass_sun ** (-2.0 / 3.0)
    return scale


def _k_per_mjup(period_days: FloatOrArray, e: FloatOrArray, k_year_ms: float) -> FloatOrArray:
    per_period: FloatOrArray = (period_days / DAYS_PER_YEAR) ** (-1.0 / 3.0)
    root: FloatOrArray = (1.0 - e * e) ** 0.5
    return k_year_ms * per_period / root


def elements_of(planets: Sequence[Planet], star_mass_sun: float) -> NDArray[np.float64]:
    """Elements, shape (n_planets, 5), of planets at their reference epoch."""
    k_year_ms = _k_year_ms(star_mass_sun)
    rows = [
        (
            planet.period_days,
            planet.m_sin_i_mjup * _k_per_mjup(planet.period_days, planet.e, k_year_ms),
            planet.e,
            planet.omega_rad,
            planet.l_rad - planet.Omega_rad - planet.omega_rad,
        )
        for planet in planets
    ]
    return np.array(rows, dtype=np.float64).reshape(-1, 5)


@compiled
def curves(
    times_days: NDArray[np.float64], t_ref_days: float, elements: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Velocity of each planet alone in m/s, shape (n_planets, n_times).

    With the eccentric anomaly E, ``cos nu = (cos E - e) / (1 - e cos E)`` and ``sin nu =
    sqrt(1 - e^2) sin E / (1 - e cos E)``: no further trigonometric function of the times.
    """
    out = np.empty((elements.shape[0], times_days.size))
    M = np.empty(times_days.size)
    for j in range(elements.shape[0]):
        P, K, e, omega, M0 = elements[j]
        n = 2.0 * math.pi / P
        for i in range(times_days.size):
            M[i] = kepler.wrap(M0 + n * (times_days[i] - t_ref_days))
        E = out[j]  # solved in place, then overwritten by the velocity
        kepler.solve_wrapped(M, e, E)
        along = K * math.cos(omega)
        across = K * math.sin(omega) * math.sqrt(1.0 - e * e)
        for i in range(times_days.size):
            s, c = kepler.half_angle(E[i])
            cos_E = 1.0 - 2.0 * s * s
            r = (1.0 - e) + 2.0 * e * s * s
            E[i] = ((cos_E - e) * along - 2.0 * s * c * across) / r + e * along
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
