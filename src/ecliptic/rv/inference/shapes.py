r"""The basis of one orbit's velocity curve, and how it changes with the orbit's shape.

With the frequency :math:`f`, the mean anomaly :math:`M_c` at the middle :math:`t_c` of the
observations and :math:`L_c = M_c + \omega`, a planet's velocity is, up to a constant that the
offsets absorb,

.. math::
   v(t) = a \cos(\nu - M_c) + b \sin(\nu - M_c), \qquad
   a = K \cos L_c, \quad b = -K \sin L_c,

where the true anomaly :math:`\nu(t)` depends on :math:`f`, :math:`x = e \cos M_c` and
:math:`y = e \sin M_c` alone: three parameters that are smooth through e = 0.

**Shape** parameters: float64 of shape (n_planets, 3), columns f in 1/day, x and y.
"""

from __future__ import annotations

import math

import numpy as np

from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.jit import compiled
from ecliptic.rv.kepler import solve_sincos

TWO_PI = 2.0 * math.pi


@compiled
def fill_shapes(times: Array, shape: Array, H: Array) -> None:
    """Basis and derivative factors of every planet at every time, into ``H`` (n, 5 planets).

    Columns of one planet: cos(nu - M_c), sin(nu - M_c), and d nu / d f, d nu / d x, d nu / d y, the
    last two less the explicit dependence of the basis on M_c.
    """
    for j in range(shape.shape[0]):
        f, x, y = shape[j, 0], shape[j, 1], shape[j, 2]
        e = math.sqrt(x * x + y * y)
        M_c = math.atan2(y, x)
        cos_M, sin_M = math.cos(M_c), math.sin(M_c)
        square = 1.0 - e * e
        root = math.sqrt(square)
        c = 5 * j
        for i in range(times.size):
            angle = TWO_PI * times[i]
            _, sin_E, cos_E = solve_sincos(M_c + f * angle, e)
            r = 1.0 - e * cos_E
            cos_nu, sin_nu = (cos_E - e) / r, root * sin_E / r
            nu_M = root / (r * r)
            nu_e = sin_nu * (2.0 + e * cos_nu) / square
            near_circle = 2.0 * cos_nu + e * (cos_nu * cos_nu + 1.5)
            q = (nu_M - 1.0) / e if e > 1e-5 else near_circle
            H[i, c] = cos_nu * cos_M + sin_nu * sin_M
            H[i, c + 1] = sin_nu * cos_M - cos_nu * sin_M
            H[i, c + 2] = nu_M * angle
            H[i, c + 3] = cos_M * nu_e - sin_M * q
            H[i, c + 4] = sin_M * nu_e + cos_M * q


def shapes_of(elements: Array, reference_days: float) -> Array:
    """Shape parameters, (n_planets, 3), of elements P, K, e, omega, M0 at ``reference_days``.

    ``reference_days`` counts from the middle of the observations.
    """
    P, _, e, _, M_0 = np.reshape(np.asarray(elements, dtype=np.float64), (-1, 5)).T
    M_c = M_0 - TWO_PI * reference_days / P
    return np.column_stack([1.0 / P, e * np.cos(M_c), e * np.sin(M_c)])


def elements_of(shape: Array, amplitudes: Array, reference_days: float) -> Array:
    """Elements P in days, K in m/s, e, omega, M0 at ``reference_days``; (n_planets, 5)."""
    f, x, y = shape.T
    a, b = amplitudes.reshape(-1, 2).T
    M_c, L_c = np.arctan2(y, x), np.arctan2(-b, a)
    M_0 = M_c + TWO_PI * f * reference_days
    columns = [1.0 / f, np.hypot(a, b), np.hypot(x, y), (L_c - M_c) % TWO_PI, M_0 % TWO_PI]
    return np.column_stack(columns)
