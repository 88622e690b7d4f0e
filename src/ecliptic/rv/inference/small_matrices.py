"""Small linear algebra for compiled fits.

Plain loops in a fixed order: the result does not depend on the number of threads, and matrices of
at most 35 rows pay no overhead of a call.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.jit import compiled

Array = NDArray[np.float64]
SINGULAR = 1e-13  # of a column's squared norm: below this it is taken for a combination of others


@compiled
def centre(columns: Array, weights: Array, instruments: NDArray[np.int64], means: Array) -> None:
    """Subtract each instrument's weighted mean from each column, then scale by sqrt(weight)."""
    n, k = columns.shape
    for s in range(means.shape[0]):
        for a in range(k + 1):
            means[s, a] = 0.0
    for i in range(n):
        s = instruments[i]
        for a in range(k):
            means[s, a] += weights[i] * columns[i, a]
        means[s, k] += weights[i]
    for s in range(means.shape[0]):
        for a in range(k):
            means[s, a] /= means[s, k]
    for i in range(n):
        root = math.sqrt(weights[i])
        for a in range(k):
            columns[i, a] = root * (columns[i, a] - means[instruments[i], a])


@compiled
def factorise(A: Array, L: Array) -> None:
    """Write the Cholesky factor of ``A`` into the lower triangle of ``L``.

    A pivot that vanishes is replaced by one so large that its variable stays 0.
    """
    k = A.shape[0]
    for a in range(k):
        for b in range(a + 1):
            total = A[a, b]
            for c in range(b):
                total -= L[a, c] * L[b, c]
            if a == b:
                if total <= SINGULAR * A[a, a] or not total > 0.0:
                    total = 1e30 * (A[a, a] + 1.0)
                L[a, a] = math.sqrt(total)
            else:
                L[a, b] = total / L[b, b]


@compiled
def solve_factored(L: Array, vector: Array) -> None:
    """Overwrite ``vector`` with the solution of ``L L^T z = vector``."""
    k = L.shape[0]
    for a in range(k):
        total = vector[a]
        for c in range(a):
            total -= L[a, c] * vector[c]
        vector[a] = total / L[a, a]
    for a in range(k - 1, -1, -1):
        total = vector[a]
        for c in range(a + 1, k):
            total -= L[c, a] * vector[c]
        vector[a] = total / L[a, a]


@compiled
def freeze(S: Array, g: Array, row: int) -> None:
    """Take a variable out of the equations ``S step = g``: its step is 0."""
    for a in range(S.shape[0]):
        S[row, a] = 0.0
        S[a, row] = 0.0
    S[row, row] = 1.0
    g[row] = 0.0


@compiled
def copy(source: Array, target: Array) -> None:
    """``target[:] = source``, which itself would take numba seconds to compile."""
    for i in range(source.size):
        target[i] = source[i]


@compiled
def damped_step(S: Array, g: Array, damping: float, damped: Array, R: Array, step: Array) -> float:
    """Levenberg-Marquardt: solve ``(S + damping diag S) step = g``; returns ``g . step``.

    ``damped`` and ``R`` are work space of the shape of ``S``. The result is what the step would
    gain if the problem were linear and not damped.
    """
    k = g.size
    for a in range(k):
        copy(S[a], damped[a])
        damped[a, a] += damping * S[a, a] + 1e-300
        step[a] = g[a]
    factorise(damped, R)
    solve_factored(R, step)
    predicted = 0.0
    for a in range(k):
        predicted += g[a] * step[a]
    return predicted


@compiled
def change_damping(damping: float, growth: float, better: bool) -> tuple[float, float]:
    """Damping after a step, and the factor by which it grows after the next that fails."""
    if better:
        return max(0.2 * damping, 1e-9), 4.0
    return damping * growth, 2.0 * growth
