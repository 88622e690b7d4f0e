r"""The likelihood of several orbits in correlated noise, maximised in everything at once.

The model of :mod:`ecliptic.rv.inference.problem`. In turn, until neither gains: orbits by
Levenberg-Marquardt on whitened residuals for the noise at hand, with amplitudes and all linear
terms solved inside (:mod:`ecliptic.rv.inference.projection`); noise by Newton's method for the
residuals at hand (:mod:`ecliptic.rv.inference.noise_search`). The expected information of a
Gaussian likelihood has no cross terms between mean and covariance, so few rounds are needed.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.inference.bounds import move, respect_bounds
from ecliptic.rv.inference.celerite import colour, factor, whiten
from ecliptic.rv.inference.noise_search import improve_noise, set_diagonal
from ecliptic.rv.inference.projection import (
    best_amplitudes,
    fill_basis,
    fill_slopes,
    projected_equations,
)
from ecliptic.rv.inference.shapes import fill_shapes
from ecliptic.rv.inference.small_matrices import Array, change_damping, copy, damped_step
from ecliptic.rv.jit import compiled


@compiled
def orthonormalise(Q: Array) -> None:
    """Overwrite the columns of ``Q``, (n, q), by an orthonormal basis; dependent ones by zeros."""
    n, q = Q.shape
    for a in range(q):
        before = 0.0
        for i in range(n):
            before += Q[i, a] * Q[i, a]
        for _ in range(2):
            for b in range(a):
                product = 0.0
                for i in range(n):
                    product += Q[i, a] * Q[i, b]
                for i in range(n):
                    Q[i, a] -= product * Q[i, b]
        norm = 0.0
        for i in range(n):
            norm += Q[i, a] * Q[i, a]
        scale = 1.0 / math.sqrt(norm) if norm > 1e-18 * before and norm > 0.0 else 0.0
        for i in range(n):
            Q[i, a] *= scale


@compiled
def deflate(X: Array, Q: Array) -> None:
    """Take from every column of ``X``, (n, k), what lies in the span of ``Q``, (n, q)."""
    n, k = X.shape
    product = np.empty(k)
    for b in range(Q.shape[1]):
        for c in range(k):
            product[c] = 0.0
        for i in range(n):
            value = Q[i, b]
            for c in range(k):
                product[c] += value * X[i, c]
        for i in range(n):
            value = Q[i, b]
            for c in range(k):
                X[i, c] -= value * product[c]


@compiled
def _project(
    times: Array, target: Array, Q: Array, A: float, U: Array, phi: Array, d: Array, W: Array,
    shape: Array, stiffness: Array, H: Array, Phi: Array, L: Array, amplitudes: Array,
    residuals: Array,
) -> float:  # fmt: skip
    fill_shapes(times, shape, H)
    fill_basis(H, Phi)
    whiten(Phi, A, U, phi, d, W)
    deflate(Phi, Q)
    return best_amplitudes(target, Phi, shape, stiffness, L, amplitudes, residuals)


@compiled
def search_shapes(
    times: Array, target: Array, Q: Array, A: float, U: Array, phi: Array, d: Array, W: Array,
    shape: Array, amplitudes: Array, residuals: Array, limits: Array, stiffness: Array,
    tolerance: float, max_steps: int,
) -> float:  # fmt: skip
    """Levenberg-Marquardt for fixed noise; ``shape``, ``amplitudes``, ``residuals`` in place.

    ``target`` and the residuals are whitened, with the span of ``Q`` taken out; ``limits`` holds
    the lowest and highest frequency and the highest eccentricity. Returns the penalised
    chi-square.
    """
    n, p = times.size, shape.shape[0]
    H, Phi, G = np.empty((n, 5 * p)), np.empty((n, 2 * p)), np.empty((n, 3 * p))
    L = np.zeros((2 * p, 2 * p))
    S, damped, R = np.empty((3 * p, 3 * p)), np.empty((3 * p, 3 * p)), np.zeros((3 * p, 3 * p))
    g, step, turned = np.empty(3 * p), np.empty(3 * p), np.empty((p, 2))
    trial, trial_amplitudes, trial_residuals = np.empty((p, 3)), np.empty(2 * p), np.empty(n)
    cost = _project(
        times, target, Q, A, U, phi, d, W, shape, stiffness, H, Phi, L, amplitudes, residuals
    )
    damping, growth, fresh = 1e-2, 4.0, True
    for _ in range(max_steps if p else 0):
        if fresh:
            fill_slopes(H, amplitudes, G)
            whiten(G, A, U, phi, d, W)
            deflate(G, Q)
            projected_equations(shape, stiffness, Phi, L, residuals, G, S, g)
            respect_bounds(shape, limits, S, g, turned)
        if not damped_step(S, g, damping, damped, R, step) > tolerance:
            break
        move(shape, step, turned, limits, trial)
        trial_cost = _project(
            times, target, Q, A, U, phi, d, W, trial, stiffness, H, Phi, L,
            trial_amplitudes, trial_residuals,
        )  # fmt: skip
        if trial_cost < cost:
            gain = cost - trial_cost
            cost = trial_cost
            for j in range(p):
                copy(trial[j], shape[j])
            copy(trial_amplitudes, amplitudes)
            copy(trial_residuals, residuals)
            fresh = True
            damping, growth = change_damping(damping, growth, True)
            if gain < tolerance and damping < 1.0:
                break
        else:
            fresh = False
            damping, growth = change_damping(damping, growth, False)
            if damping > 1e8:
                break
    return cost


@compiled
def maximise(
    times: Array,
    rvs: Array,
    variances: Array,
    instruments: NDArray[np.int64],
    basis: Array,
    U: Array,
    V: Array,
    phi: Array,
    start: Array,
    start_theta: Array,
    floors: Array,
    limits: Array,
    stiffness: Array,
    free_noise: bool,
    tolerance: float,
    max_rounds: int,
    max_steps: int,
) -> tuple[Array, Array, Array, Array, float, float]:
    """The optimum near a start.

    Parameters
    ----------
    times, rvs, variances, instruments
        Days from the middle of the observations, m/s, (m/s)^2 and instrument numbers, shape (n,).
    basis
        Linear terms beside the orbits: offsets, drifts, trend; shape (n, q).
    U, V, phi
        The process's kernel (:mod:`ecliptic.rv.inference.celerite`), (n, 4) or (n, 0).
    start
        Shape parameters, (n_planets, 3), inside the limits.
    start_theta, floors
        Noise parameters and their epsilons (:mod:`ecliptic.rv.inference.noise_search`).
    limits, stiffness
        As in :func:`search_shapes`; stiffness ``1 / s_e^2``, ``1 / s_K^2``.
    tolerance
        Stop when a round lowers the objective by less than this.

    Returns
    -------
    Shape, amplitudes, theta, residuals in m/s, -2 ln L without n ln 2 pi, penalty.
    """
    n, p = times.size, start.shape[0]
    shape, theta = start.copy(), start_theta.copy()
    amplitudes, residuals = np.zeros(2 * p), np.empty(n)
    diagonal, d, W = np.empty(n), np.empty(n), np.empty(U.shape)
    Q, target, column = np.empty(basis.shape), np.empty(n), np.empty((n, 1))
    value, penalty, last_gain = math.inf, 0.0, 1.0
    for number in range(max_rounds):
        A = set_diagonal(theta, floors, variances, instruments, diagonal)
        log_determinant = factor(diagonal, A, U, V, phi, d, W)
        for i in range(n):
            column[i, 0] = rvs[i]
            for b in range(basis.shape[1]):
                Q[i, b] = basis[i, b]
        whiten(Q, A, U, phi, d, W)
        orthonormalise(Q)
        whiten(column, A, U, phi, d, W)
        deflate(column, Q)
        for i in range(n):
            target[i] = column[i, 0]
        enough = max(0.3 * tolerance, min(0.1 * last_gain, 0.1)) if free_noise else tolerance
        cost = search_shapes(
            times, target, Q, A, U, phi, d, W, shape, amplitudes, residuals, limits, stiffness,
            enough, max_steps,
        )  # fmt: skip
        chi2 = 0.0
        for i in range(n):
            chi2 += residuals[i] * residuals[i]
        penalty = cost - chi2
        before, value = value, chi2 + log_determinant
        colour(residuals, A, U, phi, d, W)
        if not free_noise:
            break
        last_gain = before - value
        if number and last_gain < tolerance and enough <= tolerance:
            break
        if number + 1 < max_rounds:
            improve_noise(
                theta, floors, residuals, variances, instruments, U, V, phi, 0.1 * tolerance,
                20 if p == 0 else 6,
            )  # fmt: skip
    return shape, amplitudes, theta, residuals, value, penalty


@compiled
def information(
    times: Array, A: float, U: Array, phi: Array, d: Array, W: Array, Q: Array,
    shape: Array, amplitudes: Array,
) -> Array:  # fmt: skip
    """Fisher matrix of f, x, y, a, b a planet, the linear terms marginalised; (5 p, 5 p)."""
    n, p = times.size, shape.shape[0]
    H, J = np.empty((n, 5 * p)), np.empty((n, 5 * p))
    G, Phi = np.empty((n, 3 * p)), np.empty((n, 2 * p))
    fill_shapes(times, shape, H)
    fill_slopes(H, amplitudes, G)
    fill_basis(H, Phi)
    for i in range(n):
        for j in range(p):
            for c in range(3):
                J[i, 5 * j + c] = G[i, 3 * j + c]
            J[i, 5 * j + 3], J[i, 5 * j + 4] = Phi[i, 2 * j], Phi[i, 2 * j + 1]
    whiten(J, A, U, phi, d, W)
    deflate(J, Q)
    out = np.zeros((5 * p, 5 * p))
    for i in range(n):
        for a in range(5 * p):
            for b in range(a + 1):
                out[a, b] += J[i, a] * J[i, b]
    for a in range(5 * p):
        for b in range(a):
            out[b, a] = out[a, b]
    return out
