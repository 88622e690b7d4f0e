r"""Where one more planet would help: a periodogram on top of a fit.

For every frequency a cosine and a sine are added to the model, with the fit's noise held and all
its other parameters, orbits included, free to first order: the columns are taken orthogonal to
the linear terms and to the derivatives of the model. The figure is the gain in log-likelihood.
"""

from __future__ import annotations

import math

import numpy as np

from ecliptic.rv.inference.celerite import whiten
from ecliptic.rv.inference.fitting import Fit, whitened, whitening
from ecliptic.rv.inference.periodogram import Periodogram
from ecliptic.rv.inference.search import deflate, orthonormalise
from ecliptic.rv.inference.shapes import TWO_PI, fill_shapes
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.jit import compiled

MAX_FREQUENCIES = 1 << 17
BLOCK = 16


@compiled
def scan_gains(
    times: Array, frequencies: Array, residuals: Array, Q: Array, A: float, U: Array, phi: Array,
    d: Array, W: Array,
) -> Array:  # fmt: skip
    """Gain in log-likelihood of a sinusoid at each frequency; residuals whitened."""
    n, count = times.size, frequencies.size
    gains = np.zeros(count)
    X = np.empty((n, 2 * BLOCK))
    for first in range(0, count, BLOCK):
        for i in range(n):
            for k in range(BLOCK):
                f = frequencies[min(first + k, count - 1)]
                angle = TWO_PI * f * times[i]
                X[i, 2 * k], X[i, 2 * k + 1] = math.cos(angle), math.sin(angle)
        whiten(X, A, U, phi, d, W)
        deflate(X, Q)
        for k in range(min(BLOCK, count - first)):
            cc, cs, ss, yc, ys = 0.0, 0.0, 0.0, 0.0, 0.0
            for i in range(n):
                c, s, y = X[i, 2 * k], X[i, 2 * k + 1], residuals[i]
                cc += c * c
                cs += c * s
                ss += s * s
                yc += y * c
                ys += y * s
            determinant = cc * ss - cs * cs
            if determinant > 1e-9 * cc * ss:
                gain = (yc * yc * ss - 2.0 * yc * ys * cs + ys * ys * cc) / determinant
                gains[first + k] = 0.5 * gain
    return gains


def tangent(fit: Fit) -> Array:
    """Derivatives of the fit's orbits in f, x, y, a, b of every planet, (n, 5 p)."""
    n, p = len(fit.problem), fit.n_planets
    H = np.empty((n, 5 * p))
    fill_shapes(fit.problem.velocities.times_days, fit.shape, H)
    columns = np.empty((n, 5 * p))
    for j in range(p):
        a, b = fit.amplitudes[2 * j : 2 * j + 2]
        slope = b * H[:, 5 * j] - a * H[:, 5 * j + 1]
        columns[:, 5 * j : 5 * j + 3] = slope[:, np.newaxis] * H[:, 5 * j + 2 : 5 * j + 5]
        columns[:, 5 * j + 3 : 5 * j + 5] = H[:, 5 * j : 5 * j + 2]
    return columns


def explained(fit: Fit) -> Array:
    """Orthonormal basis of what a fit explains: its linear terms and orbits, whitened; (n, q)."""
    A, d, W, Q = whitening(fit.problem, fit.theta)
    if not fit.n_planets:
        return Q
    columns = tangent(fit)
    columns /= np.maximum(np.abs(columns).max(axis=0), 1e-300)
    U, _, phi = fit.problem.kernel
    whiten(columns, A, U, phi, d, W)
    basis = np.ascontiguousarray(np.hstack([Q, columns]))
    orthonormalise(basis)
    return basis


def scan(fit: Fit, oversampling: float = 5.0) -> Periodogram:
    """Gain in log-likelihood of one more planet, over the declared range of periods.

    The grid has ``oversampling`` points in the inverse of the time span, at most 2^17.
    """
    problem = fit.problem
    family, data = problem.family, problem.velocities
    low, high = 1.0 / family.period_max_days, 1.0 / family.period_min_days
    count = int(min((high - low) * data.span_days * oversampling, MAX_FREQUENCIES - 2.0)) + 2
    frequencies = np.linspace(low, high, count)
    A, d, W, _ = whitening(problem, fit.theta)
    U, _, phi = problem.kernel
    Q = explained(fit)
    residuals = whitened(problem, fit.theta, fit.residuals_ms[:, np.newaxis])[:, 0]
    gains = scan_gains(data.times_days, frequencies, residuals, Q, A, U, phi, d, W)
    return Periodogram(frequencies, gains, 1.0 / data.span_days)
