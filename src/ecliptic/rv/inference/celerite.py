r"""Linear algebra with the rotation process's covariance, in time proportional to n.

The covariance is :math:`C = N + A K`, with N diagonal, A an amplitude squared and K the unit
variance kernel of :mod:`ecliptic.rv.noise`: four exponentials times cosines and sines, so that
:math:`K_{nm} = U_n \cdot (\prod \phi) V_m` for n > m. Its factor :math:`C = L D L^T` follows by the
recursion of Foreman-Mackey et al. (2017, AJ 154, 220; Foreman-Mackey 2018, RNAAS 2, 31). A kernel
with no column (shape (n, 0)) leaves white noise: the same functions serve both.

Arrays named ``U``, ``V``, ``phi`` and ``W`` have shape (n, J) with J = 4, or 0 without a process.
"""

from __future__ import annotations

import math

import numpy as np

from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.jit import compiled
from ecliptic.rv.tasks import RotationGP


def rotation_kernel(gp: RotationGP | None, times_days: Array) -> tuple[Array, Array, Array]:
    """``U``, ``V`` and ``phi`` of the process with unit variance; empty columns for ``None``.

    The times, shape (n,), may not decrease; ``gp.sigma_ms`` is not used.
    """
    if gp is None:
        empty = np.empty((len(times_days), 0))
        return empty, empty.copy(), empty.copy()
    return rotation_columns(times_days, gp.period_days, gp.Q0, gp.dQ, gp.f)


@compiled
def rotation_columns(
    times_days: Array, period_days: float, Q0: float, dQ: float, f: float
) -> tuple[Array, Array, Array]:
    """Columns of the rotation kernel of unit variance."""
    n = times_days.size
    U, V, phi = np.empty((n, 4)), np.empty((n, 4)), np.empty((n, 4))
    for term in range(2):
        Q = 0.5 + Q0 + (dQ if term == 0 else 0.0)
        share = (1.0 if term == 0 else f) / (1.0 + f)
        root = math.sqrt(max(4.0 * Q * Q - 1.0, 1e-10))
        rate = 2.0 * math.pi * (term + 1) / period_days
        decay = rate / root
        for i in range(n):
            c, s = math.cos(rate * times_days[i]), math.sin(rate * times_days[i])
            U[i, 2 * term] = share * (c + s / root)
            U[i, 2 * term + 1] = share * (s - c / root)
            V[i, 2 * term], V[i, 2 * term + 1] = c, s
            step = times_days[i] - times_days[i - 1] if i else 0.0
            phi[i, 2 * term] = phi[i, 2 * term + 1] = math.exp(-decay * step)
    return U, V, phi


@compiled
def factor(diagonal: Array, A: float, U: Array, V: Array, phi: Array, d: Array, W: Array) -> float:
    """Write ``D`` and ``W`` of ``diag(diagonal) + A K`` and return its log determinant.

    Infinite where the matrix is not positive.
    """
    n, J = U.shape
    S, v = np.zeros((J, J)), np.zeros(J)
    total = 0.0
    for i in range(n):
        if i:
            before = d[i - 1]
            for a in range(J):
                for b in range(a + 1):
                    value = S[a, b] + before * W[i - 1, a] * W[i - 1, b]
                    value *= phi[i, a] * phi[i, b]
                    S[a, b] = value
                    S[b, a] = value
        pivot = diagonal[i]
        for a in range(J):
            product = 0.0
            for b in range(J):
                product += S[a, b] * U[i, b]
            v[a] = V[i, a] - A * product
            pivot += A * U[i, a] * v[a]
        if not pivot > 0.0:
            return math.inf
        d[i] = pivot
        for a in range(J):
            W[i, a] = v[a] / pivot
        total += math.log(pivot)
    return total


@compiled
def whiten(X: Array, A: float, U: Array, phi: Array, d: Array, W: Array) -> None:
    """Overwrite every column of ``X``, (n, k), with ``D^(-1/2) L^(-1)`` times it."""
    n, k = X.shape
    J = U.shape[1]
    F = np.zeros((J, k))
    for i in range(n):
        for j in range(J):
            u, p = A * U[i, j], phi[i, j]
            for c in range(k):
                value = p * F[j, c]
                F[j, c] = value
                X[i, c] -= u * value
        for j in range(J):
            w = W[i, j]
            for c in range(k):
                F[j, c] += w * X[i, c]
        root = 1.0 / math.sqrt(d[i])
        for c in range(k):
            X[i, c] *= root


@compiled
def colour(z: Array, A: float, U: Array, phi: Array, d: Array, W: Array) -> None:
    """Overwrite ``z``, (n,), with ``L D^(1/2) z``: undoes :func:`whiten`."""
    n, J = U.shape
    F = np.zeros(J)
    for i in range(n):
        value = z[i] * math.sqrt(d[i])
        z[i] = value
        for j in range(J):
            F[j] *= phi[i, j]
            z[i] += A * U[i, j] * F[j]
            F[j] += W[i, j] * value


@compiled
def unwhiten_transposed(z: Array, A: float, U: Array, phi: Array, d: Array, W: Array) -> None:
    """Overwrite whitened ``z``, (n,), with ``L^(-T) D^(-1/2) z``, hence C^(-1) times the data."""
    n, J = U.shape
    F = np.zeros(J)
    for i in range(n - 1, -1, -1):
        value = z[i] / math.sqrt(d[i])
        for j in range(J):
            value -= W[i, j] * F[j]
        z[i] = value
        for j in range(J):
            F[j] = phi[i, j] * (F[j] + A * U[i, j] * value)


@compiled
def inverse_diagonal(A: float, U: Array, phi: Array, d: Array, W: Array, out: Array) -> None:
    """Write the diagonal of C^(-1), (n,): the derivative of ln det C in the diagonal of C.

    The recursion of :func:`factor` differentiated backwards.
    """
    n, J = U.shape
    S_bar, W_bar, row = np.zeros((J, J)), np.zeros(J), np.zeros(J)
    d_bar = 0.0
    for i in range(n - 1, -1, -1):
        d_bar += 1.0 / d[i]
        for a in range(J):
            d_bar -= W_bar[a] * W[i, a] / d[i]
        out[i] = d_bar
        for a in range(J):
            row[a] = A * U[i, a]
        for a in range(J):
            for b in range(J):
                S_bar[a, b] -= d_bar * row[a] * row[b]
                S_bar[a, b] -= 0.5 * (W_bar[a] * row[b] + W_bar[b] * row[a]) / d[i]
        d_bar = 0.0
        if i:
            for a in range(J):
                for b in range(J):
                    S_bar[a, b] *= phi[i, a] * phi[i, b]
            for a in range(J):
                product = 0.0
                for b in range(J):
                    product += S_bar[a, b] * W[i - 1, b]
                d_bar += W[i - 1, a] * product
                W_bar[a] = 2.0 * d[i - 1] * product
