"""Kepler's equation, E - e sin E = M, for elliptic orbits."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ecliptic.rv.jit import compiled

TWO_PI = 2.0 * math.pi


@compiled
def solve(mean_anomaly: float, e: float) -> float:
    """Eccentric anomaly in [-pi, pi] of one mean anomaly, for 0 <= e < 1."""
    M = mean_anomaly - TWO_PI * math.floor(mean_anomaly / TWO_PI + 0.5)
    negative = M < 0.0
    if negative:
        M = -M
    E = M + 0.85 * e if M + 0.85 * e < math.pi else math.pi
    for _ in range(30):
        s, c = e * math.sin(E), e * math.cos(E)
        f, f1 = E - s - M, 1.0 - c
        step = -f / f1
        step = -f / (f1 + 0.5 * step * s)
        step = -f / (f1 + 0.5 * step * s + step * step * c / 6.0)
        E += step
        if abs(step) < 1e-14:
            break
    return -E if negative else E


@compiled
def _solve_all(mean_anomaly: NDArray[np.float64], e: NDArray[np.float64]) -> NDArray[np.float64]:
    out = np.empty_like(mean_anomaly)
    for i in range(mean_anomaly.size):
        out[i] = solve(mean_anomaly[i], e[i])
    return out


def eccentric_anomaly(mean_anomaly: ArrayLike, e: ArrayLike) -> NDArray[np.float64]:
    """Eccentric anomaly E of mean anomaly M: the root of ``E - e sin E = M``.

    Arguments of any shapes that broadcast; the result has the broadcast shape, in radians.
    """
    M, ecc = np.broadcast_arrays(np.asarray(mean_anomaly, float), np.asarray(e, float))
    return _solve_all(M.ravel(), ecc.ravel()).reshape(M.shape)
