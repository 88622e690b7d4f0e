"""Amplitudes solved inside a fit of shapes (variable projection, Golub & Pereyra 1973).

Whatever makes the noise white and removes offsets is done to the columns before; it is the same
for every column. The derivative of the projector's inverse is dropped (Kaufman 1975), which leaves
the Gauss-Newton step of the full problem. ``H`` is what
:func:`~ecliptic.rv.inference.shapes.fill_shapes` wrote.
"""

from __future__ import annotations

import numpy as np

from ecliptic.rv.inference.small_matrices import Array, factorise, solve_factored
from ecliptic.rv.jit import compiled


@compiled
def fill_basis(H: Array, Phi: Array) -> None:
    """Two basis columns a planet into ``Phi``, (n, 2 p)."""
    for i in range(Phi.shape[0]):
        for j in range(Phi.shape[1] // 2):
            Phi[i, 2 * j] = H[i, 5 * j]
            Phi[i, 2 * j + 1] = H[i, 5 * j + 1]


@compiled
def fill_slopes(H: Array, amplitudes: Array, G: Array) -> None:
    """Derivatives of the model in f, x, y of every planet into ``G``, (n, 3 p)."""
    for j in range(G.shape[1] // 3):
        alpha, beta = amplitudes[2 * j], amplitudes[2 * j + 1]
        for i in range(G.shape[0]):
            slope = beta * H[i, 5 * j] - alpha * H[i, 5 * j + 1]
            for c in range(3):
                G[i, 3 * j + c] = slope * H[i, 5 * j + 2 + c]


@compiled
def best_amplitudes(
    target: Array,
    Phi: Array,
    shape: Array,
    stiffness: Array,
    L: Array,
    amplitudes: Array,
    residuals: Array,
) -> float:
    """Solve for the amplitudes of prepared columns; returns the penalised chi-square.

    ``stiffness`` holds the pair 1/s_e^2, 1/s_K^2.
    """
    n, k = Phi.shape
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
def projected_equations(
    shape: Array,
    stiffness: Array,
    Phi: Array,
    L: Array,
    residuals: Array,
    G: Array,
    S: Array,
    g: Array,
) -> None:
    """Gauss-Newton matrix ``S`` and downhill gradient ``g`` in the shape, amplitudes eliminated."""
    n, k = Phi.shape
    m = G.shape[1]
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
