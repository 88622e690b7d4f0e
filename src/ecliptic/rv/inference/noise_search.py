r"""The noise that residuals ask for: a jitter per instrument and the process's amplitude.

With residuals r and covariance C, :math:`r^T C^{-1} r + \ln \det C` is lowered in

.. math:: \theta_k = \ln(u_k + \epsilon_k),

where the :math:`u_k` are the jitter variances, last the process's variance if there is one, and
:math:`\epsilon_k` is a small part of the quoted variance: logarithmic where a term matters, almost
linear near zero, which is the lower bound. Newton's method with damping; the gradient is analytic,
its derivative a difference.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.inference.celerite import factor, inverse_diagonal, unwhiten_transposed, whiten
from ecliptic.rv.inference.small_matrices import Array, factorise, freeze, solve_factored
from ecliptic.rv.jit import compiled

THETA_ROOM = 30.0  # how far theta may rise above ln(epsilon): a factor 3e6 in amplitude
STEP = 1e-4


@compiled
def set_diagonal(
    theta: Array, floors: Array, variances: Array, instruments: NDArray[np.int64], out: Array
) -> float:
    """Write the white variances, (n,), and return the process's variance (0 without one)."""
    n_instruments = int(instruments.max()) + 1
    for i in range(variances.size):
        s = instruments[i]
        out[i] = variances[i] + max(math.exp(theta[s]) - floors[s], 0.0)
    if theta.size == n_instruments:
        return 0.0
    # Never zero: the gradient divides by it.
    process: float = max(math.exp(theta[-1]) - floors[-1], 1e-4 * floors[-1])
    return process


@compiled
def value_and_gradient(
    theta: Array,
    floors: Array,
    residuals: Array,
    variances: Array,
    instruments: NDArray[np.int64],
    U: Array,
    V: Array,
    phi: Array,
    gradient: Array,
) -> float:
    """The objective in theta, and its gradient if that has entries."""
    n = residuals.size
    diagonal, d, W = np.empty(n), np.empty(n), np.empty(U.shape)
    A = set_diagonal(theta, floors, variances, instruments, diagonal)
    log_determinant = factor(diagonal, A, U, V, phi, d, W)
    if not log_determinant < math.inf:
        return math.inf
    column = np.empty((n, 1))
    for i in range(n):
        column[i, 0] = residuals[i]
    whiten(column, A, U, phi, d, W)
    chi2 = 0.0
    for i in range(n):
        chi2 += column[i, 0] * column[i, 0]
    if gradient.size:
        alpha, inverse = np.empty(n), np.empty(n)
        for i in range(n):
            alpha[i] = column[i, 0]
        unwhiten_transposed(alpha, A, U, phi, d, W)
        inverse_diagonal(A, U, phi, d, W, inverse)
        for k in range(gradient.size):
            gradient[k] = 0.0
        trace, square = 0.0, 0.0
        for i in range(n):
            slope = inverse[i] - alpha[i] * alpha[i]
            gradient[instruments[i]] += slope
            trace += diagonal[i] * inverse[i]
            square += diagonal[i] * alpha[i] * alpha[i]
        if U.shape[1]:  # A K = C - N
            gradient[-1] = ((n - trace) - (chi2 - square)) / A
        for k in range(gradient.size):
            gradient[k] *= math.exp(theta[k])
    return chi2 + log_determinant


@compiled
def improve_noise(
    theta: Array,
    floors: Array,
    residuals: Array,
    variances: Array,
    instruments: NDArray[np.int64],
    U: Array,
    V: Array,
    phi: Array,
    tolerance: float,
    max_steps: int,
) -> float:
    """Lower the objective in ``theta``, in place, for given residuals; returns its value."""
    m = theta.size
    gradient, other, none = np.empty(m), np.empty(m), np.empty(0)
    hessian, damped, R = np.empty((m, m)), np.empty((m, m)), np.zeros((m, m))
    step, trial = np.empty(m), np.empty(m)
    value = value_and_gradient(
        theta, floors, residuals, variances, instruments, U, V, phi, gradient
    )
    damping = 1e-3
    for _ in range(max_steps):
        for a in range(m):
            kept = theta[a]
            theta[a] = kept + STEP
            value_and_gradient(theta, floors, residuals, variances, instruments, U, V, phi, other)
            theta[a] = kept
            for b in range(m):
                hessian[a, b] = (other[b] - gradient[b]) / STEP
        gain = 0.0
        for _ in range(12):
            for a in range(m):
                step[a] = -gradient[a]
                for b in range(m):
                    damped[a, b] = 0.5 * (hessian[a, b] + hessian[b, a])
                # At least what the expected curvature of a scale is, were it known to 10 %.
                damped[a, a] = max(damped[a, a], 0.05) * (1.0 + damping) + damping
            for a in range(m):
                low = math.log(floors[a])
                if (theta[a] <= low and step[a] < 0.0) or (
                    theta[a] >= low + THETA_ROOM and step[a] > 0.0
                ):
                    freeze(damped, step, a)
            factorise(damped, R)
            solve_factored(R, step)
            for a in range(m):
                low = math.log(floors[a])
                bounded = min(max(step[a], -2.0), 2.0)
                trial[a] = min(max(theta[a] + bounded, low), low + THETA_ROOM)
            trial_value = value_and_gradient(
                trial, floors, residuals, variances, instruments, U, V, phi, none
            )
            if trial_value < value:
                gain = value - trial_value
                for a in range(m):
                    theta[a] = trial[a]
                damping = max(0.1 * damping, 1e-6)
                break
            predicted = 0.0
            for a in range(m):
                predicted -= gradient[a] * (trial[a] - theta[a])
            if not predicted > tolerance:
                break
            damping = max(10.0 * damping, 1e-2)
        if not gain > 0.0:
            break
        value = value_and_gradient(
            theta, floors, residuals, variances, instruments, U, V, phi, gradient
        )
        if gain < tolerance:
            break
    return value
