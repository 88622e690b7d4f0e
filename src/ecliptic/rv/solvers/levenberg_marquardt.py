"""Levenberg-Marquardt over the shapes of several orbits, within bounds.

What is minimised, and its parameters: :mod:`ecliptic.rv.solvers.variable_projection`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.inference.bounds import move, respect_bounds
from ecliptic.rv.inference.small_matrices import Array, change_damping, copy, damped_step
from ecliptic.rv.jit import compiled
from ecliptic.rv.solvers.variable_projection import normal_equations, project


@compiled
def minimise(
    times: Array,
    target: Array,
    weights: Array,
    instruments: NDArray[np.int64],
    n_instruments: int,
    start: Array,
    limits: Array,
    stiffness: Array,
    tolerance: float,
    max_steps: int,
) -> tuple[Array, Array, Array, float]:
    """Levenberg-Marquardt from one start.

    Parameters
    ----------
    times
        Days from the middle of the observations, shape (n,).
    target
        Velocities, centred an instrument and multiplied by the root of their weights.
    weights, instruments
        Inverse variances, and for each point the number of its instrument; an instrument without
        a point is not allowed.
    start
        Shape parameters, shape (n_planets, 3), inside the limits.
    limits
        Lowest and highest frequency, highest eccentricity.
    stiffness
        ``1 / s_e^2`` and ``1 / s_K^2``; zeros for plain least squares.
    tolerance
        Stop when a step lowers the penalised chi-square by less than this.

    Returns
    -------
    The shape, the amplitudes (a and b a planet), the scaled residuals, the penalised chi-square.
    """
    n, p = times.size, start.shape[0]
    H, Phi, G = np.empty((n, 5 * p)), np.empty((n, 2 * p)), np.empty((n, 3 * p))
    means = np.empty((n_instruments, 3 * p + 1))
    L = np.zeros((2 * p, 2 * p))
    S, damped, R = np.empty((3 * p, 3 * p)), np.empty((3 * p, 3 * p)), np.zeros((3 * p, 3 * p))
    g, step, turned = np.empty(3 * p), np.empty(3 * p), np.empty((p, 2))
    amplitudes, residuals = np.empty(2 * p), np.empty(n)
    shape, trial = start.copy(), np.empty((p, 3))
    best_amplitudes, best_residuals = np.empty(2 * p), np.empty(n)
    cost = project(
        times, target, weights, instruments, shape, stiffness,
        H, Phi, means, L, amplitudes, residuals,
    )  # fmt: skip
    copy(amplitudes, best_amplitudes)
    copy(residuals, best_residuals)
    damping, growth, fresh = 1e-2, 4.0, True
    for _ in range(max_steps):
        if fresh:
            normal_equations(
                weights, instruments, shape, stiffness,
                H, Phi, L, amplitudes, residuals, G, means, S, g,
            )  # fmt: skip
            respect_bounds(shape, limits, S, g, turned)
        if not damped_step(S, g, damping, damped, R, step) > tolerance:
            break
        move(shape, step, turned, limits, trial)
        trial_cost = project(
            times, target, weights, instruments, trial, stiffness,
            H, Phi, means, L, amplitudes, residuals,
        )  # fmt: skip
        if trial_cost < cost:
            gain = cost - trial_cost
            cost = trial_cost
            for j in range(p):
                copy(trial[j], shape[j])
            copy(amplitudes, best_amplitudes)
            copy(residuals, best_residuals)
            fresh = True
            damping, growth = change_damping(damping, growth, True)
            if gain < tolerance and damping < 1.0:
                break
        else:
            fresh = False
            damping, growth = change_damping(damping, growth, False)
            if damping > 1e8:
                break
    return shape, best_amplitudes, best_residuals, cost
