r"""Two or three planets looked for at once.

Where two planets of like amplitude leave few points to each parameter, neither stands out before
the other is known: the highest peaks belong to neither. So the sinusoids at many peaks of the
periodogram are combined two by two. With orthonormal columns :math:`Q_k` for each peak, whitened
and orthogonal to what the model explains already, and :math:`r_k = Q_k^T y`,
:math:`B = Q_k^T Q_l`, the gain in log-likelihood of a pair is

.. math:: \tfrac12 \left[ r_k^2 + u^T (1 - B^T B)^{-1} u \right], \qquad u = r_l - B^T r_k.

Three such planets show when a third sinusoid, of any frequency, is added to each of the best pairs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.inference.fitting import Fit, whitened
from ecliptic.rv.inference.periodogram import Periodogram
from ecliptic.rv.inference.scan import explained, scan
from ecliptic.rv.inference.shapes import TWO_PI
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.solvers import reference_moves as moves

N_PEAKS = 150
PAIRS_OF_TRIPLES = 200
THIRDS = 4  # highest peaks beside each pair
BLOCK = 1024  # frequencies at a time
LEAST = 1e-6  # of 1 - B^T B: below, the data do not tell the two sinusoids apart


def pairs(base: Fit, count: int) -> list[Array]:
    """Shapes with two circular orbits more, the pairs that gain most first."""
    chosen = best_pairs(base, scan(base, 4.0).peaks(N_PEAKS, 1.0), count)
    return [added(base, frequencies) for frequencies, _ in chosen]


def triples(base: Fit, count: int) -> list[Array]:
    """Shapes with three circular orbits more, the triples that gain most first."""
    power = scan(base, 4.0)
    found: dict[tuple[float, ...], float] = {}
    chosen = best_pairs(base, power.peaks(N_PEAKS, 1.0), PAIRS_OF_TRIPLES)
    if not chosen:
        return []
    beside = gains_beside_pairs(base, np.array([pair for pair, _ in chosen]), power.frequencies)
    for (pair, pair_gain), gains in zip(chosen, beside, strict=True):
        thirds = Periodogram(power.frequencies, gains, power.resolution).peaks(THIRDS, 1.0)
        values = np.interp(thirds, power.frequencies, gains)
        for third, gain in zip(thirds.tolist(), values.tolist(), strict=True):
            found[tuple(sorted((*pair, third)))] = pair_gain + gain
    best = sorted(found, key=lambda triple: -found[triple])[:count]
    return [added(base, frequencies) for frequencies in best]


def gains_beside_pairs(base: Fit, chosen: Array, frequencies: Array) -> NDArray[np.float32]:
    """Gain of each frequency, (m,), beside each pair of frequencies, (n_pairs, 2).

    In blocks of frequencies, so that memory holds the sinusoids of one block only.
    """
    n, y = len(base.problem), unexplained(base)
    columns = sinusoids(base, chosen.ravel()).reshape(n, len(chosen), 4).transpose(1, 0, 2)
    Q = np.linalg.qr(columns)[0]
    gains = np.empty((len(chosen), len(frequencies)), dtype=np.float32)
    for first in range(0, len(frequencies), BLOCK):
        block = slice(first, first + BLOCK)
        gains[:, block] = gains_beside(Q, sinusoids(base, frequencies[block]), y)
    return gains


def added(base: Fit, frequencies: Sequence[float]) -> Array:
    """The base's shape with circular orbits more."""
    shape = base.shape
    for f in frequencies:
        shape = moves.with_orbit(shape, f)
    return shape


def best_pairs(
    base: Fit, frequencies: Array, count: int
) -> list[tuple[tuple[float, float], float]]:
    """The pairs of frequencies that gain most, and their gain."""
    if len(frequencies) < 2:
        return []
    gains = pair_gains(base, frequencies)
    first, second = np.triu_indices(len(frequencies), 1)
    values = gains[first, second]
    order = np.argsort(-values, kind="stable")[:count]
    return [
        ((float(frequencies[first[k]]), float(frequencies[second[k]])), float(values[k]))
        for k in order.tolist()
    ]


def unexplained(base: Fit) -> Array:
    """Whitened residuals without what the model could explain to first order, (n,)."""
    basis = explained(base)
    y = whitened(base.problem, base.theta, base.residuals_ms[:, np.newaxis])[:, 0]
    left: Array = y - basis @ (basis.T @ y)
    return left


def sinusoids(base: Fit, frequencies: Array) -> Array:
    """Cosine and sine of each frequency, treated likewise, (n, m, 2)."""
    problem, m = base.problem, len(frequencies)
    basis = explained(base)
    angles = TWO_PI * np.outer(problem.velocities.times_days, frequencies)
    columns = np.stack([np.cos(angles), np.sin(angles)], axis=2).reshape(len(problem), 2 * m)
    X = whitened(problem, base.theta, columns)
    X -= basis @ (basis.T @ X)
    return X.reshape(len(problem), m, 2)


def gains_beside(Q: Array, columns: Array, y: Array) -> Array:
    """Gain in log-likelihood of each sinusoid, (m,), beside each of several models.

    ``Q``, (n_models, n, k), holds orthonormal columns of what a model explains.
    """
    n_models, n, k = Q.shape
    flat = columns.reshape(n, -1)
    # One product of two matrices for all models: what the cost is.
    shared = (Q.transpose(0, 2, 1).reshape(n_models * k, n) @ flat).reshape(n_models, k, -1, 2)
    right = (y @ flat).reshape(-1, 2) - np.einsum("jk,jkmc->jmc", y @ Q, shared)
    norms = (columns**2).sum(axis=0)
    squares = norms - np.einsum("jkmc,jkmc->jmc", shared, shared)
    product = (columns[..., 0] * columns[..., 1]).sum(axis=0)
    product = product - np.einsum("jkm,jkm->jm", shared[..., 0], shared[..., 1])
    determinant = squares[..., 0] * squares[..., 1] - product**2
    gains = squares[..., 1] * right[..., 0] ** 2 + squares[..., 0] * right[..., 1] ** 2
    gains -= 2.0 * product * right[..., 0] * right[..., 1]
    apart = determinant > LEAST * norms.prod(axis=1)
    result: Array = np.where(apart, 0.5 * gains / np.where(apart, determinant, 1.0), 0.0)
    return result


def pair_gains(base: Fit, frequencies: Array) -> Array:
    """Gain in log-likelihood of two sinusoids, (m, m), the noise held."""
    n, m = len(base.problem), len(frequencies)
    X, y = sinusoids(base, frequencies), unexplained(base)
    blocks = np.stack([np.linalg.qr(X[:, k])[0] for k in range(m)])
    Q = blocks.transpose(1, 0, 2).reshape(n, 2 * m)
    r = (Q.T @ y).reshape(m, 2)
    B = (Q.T @ Q).reshape(m, 2, m, 2).transpose(0, 2, 1, 3)
    u = r[np.newaxis] - np.einsum("klab,ka->klb", B, r)
    S = np.eye(2) - np.einsum("klca,klcb->klab", B, B)
    determinant = S[..., 0, 0] * S[..., 1, 1] - S[..., 0, 1] ** 2
    second = S[..., 1, 1] * u[..., 0] ** 2 + S[..., 0, 0] * u[..., 1] ** 2
    second -= 2.0 * S[..., 0, 1] * u[..., 0] * u[..., 1]
    apart = determinant > LEAST
    second = np.where(apart, second / np.where(apart, determinant, 1.0), 0.0)
    gains: Array = 0.5 * ((r**2).sum(axis=1)[:, np.newaxis] + second)
    return gains
