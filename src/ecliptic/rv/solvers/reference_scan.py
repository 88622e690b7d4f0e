r"""A periodogram for eccentric orbits: several harmonics of one frequency on top of a fit.

A planet of high eccentricity puts most of its signal into overtones, and a search by sinusoids
finds one of those or nothing. Here cosine and sine of f, 2 f, ... are added together to the model
of a fit, all else as in :mod:`ecliptic.rv.inference.scan`: the noise held, linear terms and orbits
free to first order. The figure is the gain in log-likelihood (multi-harmonic periodogram,
Schwarzenberg-Czerny 1996).
"""

from __future__ import annotations

import math

import numpy as np

from ecliptic.rv.inference.celerite import whiten
from ecliptic.rv.inference.fitting import Fit, whitened, whitening
from ecliptic.rv.inference.periodogram import Periodogram
from ecliptic.rv.inference.scan import explained
from ecliptic.rv.inference.search import deflate
from ecliptic.rv.inference.shapes import TWO_PI
from ecliptic.rv.inference.small_matrices import Array, factorise, solve_factored
from ecliptic.rv.jit import compiled

HARMONICS = 3
SHORTEST_DAYS = 4.0  # tides make closer orbits round
MAX_FREQUENCIES = 1 << 15


@compiled
def harmonic_gains(
    times: Array, frequencies: Array, harmonics: int, residuals: Array, Q: Array, A: float,
    U: Array, phi: Array, d: Array, W: Array,
) -> Array:  # fmt: skip
    """Gain in log-likelihood at each frequency; residuals whitened."""
    n, m = times.size, 2 * harmonics
    gains = np.zeros(frequencies.size)
    X, S, L = np.empty((n, m)), np.empty((m, m)), np.zeros((m, m))
    right, solved = np.empty(m), np.empty(m)
    for k in range(frequencies.size):
        for i in range(n):
            angle = TWO_PI * frequencies[k] * times[i]
            c, s = math.cos(angle), math.sin(angle)
            X[i, 0], X[i, 1] = c, s
            for h in range(1, harmonics):
                X[i, 2 * h] = X[i, 2 * h - 2] * c - X[i, 2 * h - 1] * s
                X[i, 2 * h + 1] = X[i, 2 * h - 1] * c + X[i, 2 * h - 2] * s
        whiten(X, A, U, phi, d, W)
        deflate(X, Q)
        for a in range(m):
            right[a] = 0.0
            for b in range(m):
                S[a, b] = 0.0
        for i in range(n):
            for a in range(m):
                value = X[i, a]
                right[a] += value * residuals[i]
                for b in range(a + 1):
                    S[a, b] += value * X[i, b]
        for a in range(m):
            S[a, a] *= 1.0 + 1e-6
            S[a, a] += 1e-12
            solved[a] = right[a]
        factorise(S, L)
        solve_factored(L, solved)
        gain = 0.0
        for a in range(m):
            gain += 0.5 * right[a] * solved[a]
        gains[k] = gain
    return gains


def harmonic_scan(fit: Fit, oversampling: float = 6.0, harmonics: int = HARMONICS) -> Periodogram:
    """Gain in log-likelihood of one more eccentric planet, from 4 d to the longest period."""
    problem = fit.problem
    family, data = problem.family, problem.velocities
    low = 1.0 / family.period_max_days
    high = 1.0 / max(family.period_min_days, SHORTEST_DAYS)
    if high <= low:
        return Periodogram(np.empty(0), np.empty(0), math.inf)
    count = int(min((high - low) * data.span_days * oversampling, MAX_FREQUENCIES - 2.0)) + 2
    frequencies = np.linspace(low, high, count)
    A, d, W, _ = whitening(problem, fit.theta)
    U, _, phi = problem.kernel
    Q = explained(fit)
    residuals = whitened(problem, fit.theta, fit.residuals_ms[:, np.newaxis])[:, 0]
    gains = harmonic_gains(
        data.times_days, frequencies, harmonics, residuals, Q, A, U, phi, d, W
    )  # fmt: skip
    return Periodogram(frequencies, gains, 1.0 / data.span_days)
