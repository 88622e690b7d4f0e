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

import math

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.jit import compiled
from ecliptic.rv.kepler import solve_sincos
from ecliptic.rv.solvers.small_matrices import Array, centre, factorise, solve_factored

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
    n, k = Phi.shape
    fill_shapes(times, shape, H)
    for j in range(shape.shape[0]):
        for i in range(n):
            Phi[i, 2 * j] = H[i, 5 * j]
            Phi[i, 2 * j + 1] = H[i, 5 * j + 1]
    centre(Phi, weights, instruments, means)
    A = np.zeros((k, k))
    for a in range(k):
        amplitudes[a] = 0.0
    for i in range(n):
        for a in range(k):
            value = Phi[i, a]
            amplitudes[a] += value * target[i]
            for b in range(a + 1):
                A[a, b] += value * Phi[i, b]
    for a in range(k):
        A[a, a] += stiffness[1]
    factorise(A, L)
    solve_factored(L, amplitudes)
    total = 0.0
    for i in range(n):
        value = target[i]
        for a in range(k):
            value -= Phi[i, a] * amplitudes[a]
        residuals[i] = value
        total += value * value
    for a in range(k):
        total += stiffness[1] * amplitudes[a] ** 2
    for j in range(shape.shape[0]):
        total += stiffness[0] * (shape[j, 1] ** 2 + shape[j, 2] ** 2)
    return total


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
    n, k = Phi.shape
    m = G.shape[1]
    for j in range(shape.shape[0]):
        alpha, beta = amplitudes[2 * j], amplitudes[2 * j + 1]
        for i in range(n):
            slope = beta * H[i, 5 * j] - alpha * H[i, 5 * j + 1]
            for c in range(3):
                G[i, 3 * j + c] = slope * H[i, 5 * j + 2 + c]
    centre(G, weights, instruments, means)
    B = np.zeros((m, k))
    for a in range(m):
        g[a] = 0.0
        for b in range(m):
            S[a, b] = 0.0
    for i in range(n):
        for a in range(m):
            value = G[i, a]
            g[a] += value * residuals[i]
            for b in range(k):
                B[a, b] += value * Phi[i, b]
            for b in range(m):
                S[a, b] += value * G[i, b]
    solved = np.empty(k)
    for a in range(m):
        for c in range(k):
            solved[c] = B[a, c]
        solve_factored(L, solved)
        for b in range(m):
            for c in range(k):
                S[a, b] -= solved[c] * B[b, c]
    for j in range(shape.shape[0]):
        for c in range(1, 3):
            S[3 * j + c, 3 * j + c] += stiffness[0]
            g[3 * j + c] -= stiffness[0] * shape[j, c]


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
