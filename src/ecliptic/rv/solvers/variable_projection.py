r"""Least-squares fits of several Keplerian orbits with one velocity offset an instrument.

Variable projection (Golub & Pereyra 1973). With the frequency :math:`f`, the mean anomaly
:math:`M_c` at the middle :math:`t_c` of the observations and :math:`L_c = M_c + \omega`, a
planet's velocity is, up to a constant that the offsets absorb,

.. math::
   v(t) = a \cos(\nu - M_c) + b \sin(\nu - M_c), \qquad
   a = K \cos L_c, \quad b = -K \sin L_c,

where the true anomaly :math:`\nu(t)` depends on :math:`f`, :math:`x = e \cos M_c` and
:math:`y = e \sin M_c` alone. Three parameters a planet are searched, smooth through e = 0; the
amplitudes and offsets are solved inside, at each step. The search is Levenberg-Marquardt on the
projected residuals with an analytic Jacobian (Kaufman 1975: the term with the derivative of the
projector's inverse is dropped, which leaves the Gauss-Newton step of the full problem).

What is minimised is :math:`\chi^2` plus two weak penalties, which only matter where the data say
little: :math:`(e/s_e)^2`, and :math:`(K/s_K)^2` against the huge amplitudes that an orbit longer
than the observations may take.

**Shape** parameters: float64 of shape (n_planets, 3), columns f in 1/day, x and y.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.inference.projection import (
    best_amplitudes,
    fill_basis,
    fill_slopes,
    projected_equations,
)
from ecliptic.rv.inference.shapes import fill_shapes
from ecliptic.rv.inference.small_matrices import Array, centre
from ecliptic.rv.jit import compiled


@compiled
def project(
    times: Array,
    target: Array,
    weights: Array,
    instruments: NDArray[np.int64],
    shape: Array,
    stiffness: Array,
    H: Array,
    Phi: Array,
    means: Array,
    L: Array,
    amplitudes: Array,
    residuals: Array,
) -> float:
    """Best amplitudes for a shape; returns the penalised chi-square.

    ``target`` holds the centred and scaled velocities, ``stiffness`` the pair 1/s_e^2, 1/s_K^2.
    """
    fill_shapes(times, shape, H)
    fill_basis(H, Phi)
    centre(Phi, weights, instruments, means)
    return best_amplitudes(target, Phi, shape, stiffness, L, amplitudes, residuals)


@compiled
def normal_equations(
    weights: Array,
    instruments: NDArray[np.int64],
    shape: Array,
    stiffness: Array,
    H: Array,
    Phi: Array,
    L: Array,
    amplitudes: Array,
    residuals: Array,
    G: Array,
    means: Array,
    S: Array,
    g: Array,
) -> None:
    """Gauss-Newton matrix ``S`` and downhill gradient ``g`` in the shape, amplitudes eliminated."""
    fill_slopes(H, amplitudes, G)
    centre(G, weights, instruments, means)
    projected_equations(shape, stiffness, Phi, L, residuals, G, S, g)


@compiled
def gauss_newton(
    times: Array,
    weights: Array,
    instruments: NDArray[np.int64],
    n_instruments: int,
    shape: Array,
    amplitudes: Array,
    stiffness: Array,
) -> Array:
    """Information matrix of shape and amplitudes, the offsets eliminated; (5 p, 5 p).

    A planet's rows: f, x, y, a, b.
    """
    n, p = times.size, shape.shape[0]
    H, J = np.empty((n, 5 * p)), np.empty((n, 5 * p))
    fill_shapes(times, shape, H)
    for j in range(p):
        alpha, beta = amplitudes[2 * j], amplitudes[2 * j + 1]
        for i in range(n):
            slope = beta * H[i, 5 * j] - alpha * H[i, 5 * j + 1]
            for c in range(3):
                J[i, 5 * j + c] = slope * H[i, 5 * j + 2 + c]
            J[i, 5 * j + 3], J[i, 5 * j + 4] = H[i, 5 * j], H[i, 5 * j + 1]
    centre(J, weights, instruments, np.empty((n_instruments, 5 * p + 1)))
    information = np.zeros((5 * p, 5 * p))
    for i in range(n):
        for a in range(5 * p):
            for b in range(5 * p):
                information[a, b] += J[i, a] * J[i, b]
    for j in range(p):
        for c in range(1, 3):
            information[5 * j + c, 5 * j + c] += stiffness[0]
        for c in range(3, 5):
            information[5 * j + c, 5 * j + c] += stiffness[1]
    return information
