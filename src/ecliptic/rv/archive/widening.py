r"""Uncertainties that count what was fitted.

A jitter at its most likely value takes up what the fitted parameters leave, which is too little by
:math:`(n - k) / n` in variance, with k orbital and linear parameters. The covariance is multiplied
by the inverse, as an unbiased estimate of the variance of residuals would have it.
"""

from __future__ import annotations

import math

import numpy as np

from ecliptic.rv.inference.fitting import E_MAX
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.small_matrices import Array


def widening(problem: Problem, n_planets: int) -> float:
    """What standard deviations are multiplied by."""
    n = len(problem)
    k = 5 * n_planets + int(problem.basis.shape[1])
    return math.sqrt(n / max(n - k, 1))


def widened(draws: Array, likely: Array, factor: float) -> Array:
    """Draws of elements P, K, e, omega, M0, (count, n_planets, 5), spread by ``factor``.

    The middle is the most likely elements, (n_planets, 5); P and K are spread in their logarithms,
    e and omega as e cos(omega) and e sin(omega).
    """
    P, K = (likely[:, k] * (draws[:, :, k] / likely[:, k]) ** factor for k in (0, 1))
    orbit, middle = (e * np.exp(1j * omega) for e, omega in (_shape(draws), _shape(likely)))
    orbit = middle + factor * (orbit - middle)
    longitude, centre = draws[:, :, 3] + draws[:, :, 4], likely[:, 3] + likely[:, 4]
    off = np.angle(np.exp(1j * (longitude - centre)))
    omega = np.angle(orbit)
    e = np.minimum(np.abs(orbit), E_MAX)
    return np.stack([P, K, e, omega, centre + factor * off - omega], axis=2)


def _shape(elements: Array) -> tuple[Array, Array]:
    return elements[..., 2], elements[..., 3]
