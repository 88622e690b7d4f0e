r"""Likelihood of orbits' shapes with amplitudes and linear terms integrated out.

In the coordinates of :mod:`ecliptic.rv.inference.shapes` the velocities are linear in the two
amplitudes :math:`a, b` of every planet and in the offsets (drifts, trend). With
:math:`a, b \sim N(0, \tau_j^2)` and flat linear terms the integral over all of them is that of a
Gaussian: with the whitened columns :math:`X` of the p planets and q linear terms,
:math:`M = X^T X + \mathrm{diag}(\tau^{-2}, 0)` and :math:`b = X^T y`,

.. math::
   \ln L = -\tfrac12 [n \ln 2\pi + \ln |C| + y^T y - b^T M^{-1} b + \ln |M|]
           + \tfrac q2 \ln 2\pi - 2 \sum_j \ln \tau_j .

A covariance with a dense part is brought to diagonal form once: ``rotation`` (n, n) holds the
transposed eigenvectors of the dense part with the quoted variances, ``variances`` the eigenvalues;
a jitter adds its square to them. Without a dense part ``rotation`` has shape (0, 0).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.inference.celerite import factor, whiten
from ecliptic.rv.inference.shapes import TWO_PI
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.jit import compiled
from ecliptic.rv.kepler import half_angle, solve_wrapped

LN_TWO_PI = math.log(2.0 * math.pi)


@compiled
def fill_columns(times: Array, shape: Array, out: Array) -> None:
    """cos(nu - M_c) and sin(nu - M_c) of every planet, into ``out`` (n, 2 p)."""
    n = times.size
    M, E = np.empty(n), np.empty(n)
    for j in range(shape.shape[0]):
        f, x, y = shape[j, 0], shape[j, 1], shape[j, 2]
        e = math.sqrt(x * x + y * y)
        phase = math.atan2(y, x) / TWO_PI
        cos_M, sin_M = 1.0, 0.0
        if e > 0.0:
            cos_M, sin_M = x / e, y / e
        root = math.sqrt(1.0 - e * e)
        for i in range(n):
            turns = phase + f * times[i]
            M[i] = TWO_PI * (turns - math.floor(turns + 0.5))
        solve_wrapped(M, e, E)
        for i in range(n):
            s, c = half_angle(E[i])
            sin_E, cos_E = 2.0 * s * c, 1.0 - 2.0 * s * s
            r = 1.0 - e * cos_E
            cos_nu, sin_nu = (cos_E - e) / r, root * sin_E / r
            out[i, 2 * j] = cos_nu * cos_M + sin_nu * sin_M
            out[i, 2 * j + 1] = sin_nu * cos_M - cos_nu * sin_M


@compiled
def set_covariance(
    sigmas: Array, variances: Array, instruments: NDArray[np.int64], n_jitters: int, diagonal: Array
) -> float:
    """Write the diagonal with jitters; return the variance of the process (0 without one)."""
    for i in range(variances.size):
        jitter = sigmas[instruments[i]]
        diagonal[i] = variances[i] + jitter * jitter
    if sigmas.size > n_jitters:
        return float(sigmas[n_jitters]) ** 2
    return 0.0


@compiled
def normal_equations(X: Array, precisions: Array, L: Array, b: Array) -> float:
    """Factor of M and right-hand side for whitened ``X`` = [y, columns].

    Overwrites ``L`` (k, k) with the lower Cholesky factor and ``b`` (k,) with L^(-1) X^T y. Returns
    y^T y - b^T M^(-1) b + ln |M|, infinite where M is not positive.
    """
    n, k = X.shape[0], X.shape[1] - 1
    yy = 0.0
    for i in range(n):
        yy += X[i, 0] * X[i, 0]
    for a in range(k):
        b[a] = 0.0
        for c in range(a + 1):
            L[a, c] = 0.0
    for i in range(n):
        for a in range(k):
            value = X[i, a + 1]
            b[a] += value * X[i, 0]
            for c in range(a + 1):
                L[a, c] += value * X[i, c + 1]
    total = yy
    for a in range(k):
        L[a, a] += precisions[a]
        for c in range(a + 1):
            value = L[a, c]
            for m in range(c):
                value -= L[a, m] * L[c, m]
            if c < a:
                L[a, c] = value / L[c, c]
            else:
                if not value > 0.0:
                    return math.inf
                L[a, a] = math.sqrt(value)
        value = b[a]
        for m in range(a):
            value -= L[a, m] * b[m]
        b[a] = value / L[a, a]
        total += 2.0 * math.log(L[a, a]) - b[a] * b[a]
    return total


@compiled
def ln_marginal(
    times: Array, rvs: Array, basis: Array, variances: Array, instruments: NDArray[np.int64],
    n_jitters: int, U: Array, V: Array, phi: Array, rotation: Array,
    shape: Array, taus: Array, sigmas: Array, L: Array, b: Array,
) -> float:  # fmt: skip
    """ln L of the module's head; ``L`` and ``b`` as :func:`normal_equations` leaves them.

    The order of the columns is linear terms, then the planets; ``rvs`` and ``basis`` are rotated
    already.
    """
    n, q, p = rvs.size, basis.shape[1], shape.shape[0]
    X, d, W = np.empty((n, 1 + q + 2 * p)), np.empty(n), np.empty(U.shape)
    diagonal, precisions = np.empty(n), np.zeros(q + 2 * p)
    A = set_covariance(sigmas, variances, instruments, n_jitters, diagonal)
    ln_determinant = factor(diagonal, A, U, V, phi, d, W)
    if not ln_determinant < math.inf:
        return -math.inf
    columns = np.empty((n, 2 * p))
    fill_columns(times, shape, columns)
    if rotation.shape[0] and p:
        columns = np.dot(rotation, columns)
    for i in range(n):
        X[i, 0] = rvs[i]
        for a in range(q):
            X[i, 1 + a] = basis[i, a]
        for a in range(2 * p):
            X[i, 1 + q + a] = columns[i, a]
    whiten(X, A, U, phi, d, W)
    ln_taus = 0.0
    for j in range(p):
        ln_taus += math.log(taus[j])
        precisions[q + 2 * j] = precisions[q + 2 * j + 1] = taus[j] ** -2.0
    total = normal_equations(X, precisions, L, b)
    if not total < math.inf:
        return -math.inf
    value: float = -0.5 * ((n - q) * LN_TWO_PI + ln_determinant + total) - 2.0 * ln_taus
    return value


@compiled
def gains(
    X: Array, table: Array, precisions: Array, tau_nodes: Array, ln_weights: Array
) -> Array:  # fmt: skip
    """Gain in ln L of one more circular orbit at every frequency, its amplitude integrated out.

    ``X`` as in :func:`ln_marginal`, whitened; ``table`` (m, n, 2) holds the whitened cosines and
    sines. The scale tau is summed over its nodes with ``ln_weights``.
    """
    n, k = X.shape[0], X.shape[1] - 1
    m, nodes = table.shape[0], tau_nodes.size
    L, b, out = np.empty((k, k)), np.empty(k), np.empty(m)
    normal_equations(X, precisions, L, b)
    u, w = np.empty(k), np.empty(k)
    for g in range(m):
        for a in range(k):
            u[a], w[a] = 0.0, 0.0
        yc, ys, cc, cs, ss = 0.0, 0.0, 0.0, 0.0, 0.0
        for i in range(n):
            c, s, y = table[g, i, 0], table[g, i, 1], X[i, 0]
            yc += c * y
            ys += s * y
            cc += c * c
            cs += c * s
            ss += s * s
            for a in range(k):
                u[a] += X[i, a + 1] * c
                w[a] += X[i, a + 1] * s
        for a in range(k):
            for h in range(a):
                u[a] -= L[a, h] * u[h]
                w[a] -= L[a, h] * w[h]
            u[a] /= L[a, a]
            w[a] /= L[a, a]
            yc -= u[a] * b[a]
            ys -= w[a] * b[a]
            cc -= u[a] * u[a]
            cs -= u[a] * w[a]
            ss -= w[a] * w[a]
        best, total = -math.inf, 0.0
        for t in range(nodes):
            p = tau_nodes[t] ** -2.0
            first, last = max(cc, 0.0) + p, max(ss, 0.0) + p
            determinant = first * last - cs * cs
            value = ln_weights[t] + math.log(p) - 0.5 * math.log(determinant)
            value += 0.5 * (yc * yc * last - 2.0 * yc * ys * cs + ys * ys * first) / determinant
            if value > best:
                total = total * math.exp(best - value) + 1.0
                best = value
            else:
                total += math.exp(value - best)
        out[g] = best + math.log(total)
    return out
