r"""Two planets looked for at once.

Where two planets of like amplitude leave few points to each parameter, neither stands out before
the other is known: the highest peaks belong to neither. So the sinusoids at many peaks of the
periodogram are combined two by two. With orthonormal columns :math:`Q_k` for each peak, whitened
and orthogonal to what the model explains already, and :math:`r_k = Q_k^T y`,
:math:`B = Q_k^T Q_l`, the gain in log-likelihood of a pair is

.. math:: \tfrac12 \left[ r_k^2 + u^T (1 - B^T B)^{-1} u \right], \qquad u = r_l - B^T r_k.
"""

from __future__ import annotations

import numpy as np

from ecliptic.rv.inference.fitting import Fit, whitened
from ecliptic.rv.inference.scan import explained, scan
from ecliptic.rv.inference.shapes import TWO_PI
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.solvers import reference_moves as moves

N_PEAKS = 150
LEAST = 1e-6  # of 1 - B^T B: below, the data do not tell the two sinusoids apart


def pairs(base: Fit, count: int) -> list[Array]:
    """Shapes with two circular orbits more, the pairs that gain most first."""
    frequencies = scan(base, 4.0).peaks(N_PEAKS, 1.0)
    if len(frequencies) < 2:
        return []
    gains = pair_gains(base, frequencies)
    first, second = np.triu_indices(len(frequencies), 1)
    order = np.argsort(-gains[first, second], kind="stable")
    chosen = zip(first[order[:count]].tolist(), second[order[:count]].tolist(), strict=True)
    return [
        moves.with_orbit(moves.with_orbit(base.shape, frequencies[k]), frequencies[j])
        for k, j in chosen
    ]


def pair_gains(base: Fit, frequencies: Array) -> Array:
    """Gain in log-likelihood of two sinusoids, (m, m), the noise held."""
    problem, m = base.problem, len(frequencies)
    basis = explained(base)
    angles = TWO_PI * np.outer(problem.velocities.times_days, frequencies)
    columns = np.stack([np.cos(angles), np.sin(angles)], axis=2).reshape(len(problem), 2 * m)
    X = whitened(problem, base.theta, columns)
    X = X - basis @ (basis.T @ X)
    y = whitened(problem, base.theta, base.residuals_ms[:, np.newaxis])[:, 0]
    y = y - basis @ (basis.T @ y)
    blocks = np.stack([np.linalg.qr(X[:, 2 * k : 2 * k + 2])[0] for k in range(m)])
    Q = blocks.transpose(1, 0, 2).reshape(len(problem), 2 * m)
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
