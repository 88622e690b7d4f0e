r"""Semi-amplitudes by design: each planet is made as strong as its tolerance asks.

A planet's **tolerance** is the :math:`1 - 0.01 / n_\mathrm{planets}` quantile of the distance
(:mod:`ecliptic.rv.matching`) between the truth and a fit, over fresh noise. In the linearised
posterior the parameters :math:`\theta = (\ln P, \ln K, e \cos\omega, e \sin\omega, \lambda)` of
all planets, the offsets, drifts and the trend have the covariance :math:`(J^T C^{-1} J)^{-1}`.
For a fixed noise :math:`C` the derivatives of a planet are proportional to its :math:`K`, so its
distance is inversely so, and the wanted :math:`K` follows at once; only an activity that is
scaled with the planets makes iterations necessary.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv import orbit
from ecliptic.rv.matching import AMPLITUDE_WEIGHT, CURVE_WEIGHT, E_WEIGHT, PERIOD_WEIGHT
from ecliptic.rv.redraw import Redraw
from ecliptic.rv.systems import Orbit

Array = NDArray[np.float64]
ITERATIONS = 12
SETTLED = 0.03
MAX_ACTIVITY = 8.0
MISS = 0.01
"""Chance of a miss that is shared out among the planets."""
DRAWS = 4096
K_MS = (0.4, 400.0)
K_DIGITS = 4
"""Significant digits of K, so few that the last bits of a matrix inverse never decide one."""
PARAMETERS = 5
_STEP = 1e-5
_WORST_CONDITION = 1e9


@dataclass(frozen=True, slots=True)
class Sky:
    """Everything about the data that the uncertainty of an orbit depends on.

    ``variance``: white noise and jitter of each point, shape (n,). ``correlation``: the activity's,
    shape (n, n), or ``None``. ``nuisance``: columns of the offsets, drifts and the trend.
    """

    times_days: Array
    t_ref_days: float
    variance: Array
    correlation: Array | None
    nuisance: Array


@dataclass(frozen=True, slots=True)
class Design:
    """Semi-amplitudes, the activity's amplitude, and the distances that they lead to."""

    K_ms: tuple[float, ...]
    activity_ms: float
    tolerances: tuple[float, ...]


def design_amplitudes(
    sky: Sky,
    orbits: Sequence[Orbit],
    targets: Sequence[float],
    activity_to_K: float,
    least_activity_to_K: float = 0.0,
) -> Design:
    """K of each planet such that its tolerance is the target.

    ``activity_to_K``: amplitude of the activity over the median K (unused without a correlation).
    The amplitude stays below ``MAX_ACTIVITY`` median errors: where the times do not resolve the
    rotation, planets and activity would otherwise grow together without end. If it then falls short
    of ``least_activity_to_K``, the draw is given up.

    Raises
    ------
    Redraw
        An amplitude out of range, or data that do not tell the planets apart.
    """
    rows = np.array([elements_row(each) for each in orbits])
    unit = [derivatives(sky.times_days, sky.t_ref_days, row) for row in rows]
    wanted = np.array(targets)
    level = math.sqrt(float(np.median(sky.variance)))
    most = 0.0 if sky.correlation is None else MAX_ACTIVITY * level
    amplitudes = np.full(len(orbits), 5.0 * level)
    for _ in range(ITERATIONS):
        activity = min(activity_to_K * float(np.median(amplitudes)), most)
        reached = distances(sky, unit, rows, amplitudes, activity)
        factor = reached / wanted
        amplitudes = amplitudes * factor
        if amplitudes.max() > 2.0 * K_MS[1]:
            raise Redraw("amplitude out of range")
        if 0.0 < most == activity < least_activity_to_K * float(np.median(amplitudes)):
            raise Redraw("activity too weak")
        if np.abs(np.log(factor)).max() < SETTLED:
            break
    else:
        raise Redraw("amplitudes do not settle")
    if amplitudes.min() < K_MS[0] or amplitudes.max() > K_MS[1]:
        raise Redraw("amplitude out of range")
    amplitudes = np.array([rounded(value) for value in amplitudes.tolist()])
    activity = rounded(min(activity_to_K * float(np.median(amplitudes)), most))
    if most and activity < least_activity_to_K * float(np.median(amplitudes)):
        raise Redraw("activity too weak")
    reached = distances(sky, unit, rows, amplitudes, activity)
    return Design(
        tuple(amplitudes.tolist()), activity, tuple(round(d, 3) for d in reached.tolist())
    )


def distances(
    sky: Sky, unit: Sequence[Array], rows: Array, amplitudes: Array, activity_ms: float
) -> Array:
    """The tolerance of each planet, for K in ``amplitudes`` and an activity.

    ``unit``: :func:`derivatives` of each planet for K = 1 m/s; ``rows``: elements for K = 1 m/s.
    """
    covariances = posterior_covariances(sky, unit, activity_ms)
    quantile = 1.0 - MISS / len(unit)
    out = [
        distance_quantile(jacobian, covariance / K**2, row, quantile)
        for jacobian, covariance, row, K in zip(
            unit, covariances, rows, amplitudes.tolist(), strict=True
        )
    ]
    return np.array(out)


def posterior_covariances(sky: Sky, unit: Sequence[Array], activity_ms: float) -> list[Array]:
    """Covariance of each planet's parameters for K = 1 m/s, the others' marginalised.

    Raises
    ------
    Redraw
        The data do not tell the parameters apart.
    """
    columns = np.concatenate([*unit, sky.nuisance], axis=1)
    if sky.correlation is None or activity_ms == 0.0:
        white = columns / np.sqrt(sky.variance)[:, np.newaxis]
    else:
        noise = activity_ms**2 * sky.correlation + np.diag(sky.variance)
        white = np.linalg.solve(np.linalg.cholesky(noise), columns)
    scale = np.sqrt((white * white).sum(axis=0))
    triangle = np.linalg.qr(white / scale, mode="r")
    if np.linalg.cond(triangle) > _WORST_CONDITION:
        raise Redraw("planets that the data do not tell apart")
    inverse = np.linalg.inv(triangle) / scale[:, np.newaxis]
    blocks = [
        inverse[first : first + PARAMETERS]
        for first in range(0, PARAMETERS * len(unit), PARAMETERS)
    ]
    return [block @ block.T for block in blocks]


def distance_quantile(jacobian: Array, covariance: Array, row: Array, quantile: float) -> float:
    """Quantile of the distance over a planet's posterior; ``jacobian`` is for K = 1 m/s."""
    centred = jacobian - jacobian.mean(axis=0)
    shifts = _normals() @ np.linalg.cholesky(covariance).T
    gram = np.linalg.cholesky(centred.T @ centred / len(centred))
    curve = np.sqrt(((shifts @ gram) ** 2).sum(axis=1))  # over K, as the derivatives are for K = 1
    h, k = row[2] * math.cos(row[3]), row[2] * math.sin(row[3])
    change_e = np.hypot(h + shifts[:, 2], k + shifts[:, 3]) - row[2]
    total = (
        CURVE_WEIGHT * curve
        + PERIOD_WEIGHT * np.abs(shifts[:, 0])
        + AMPLITUDE_WEIGHT * np.abs(shifts[:, 1])
        + E_WEIGHT * np.abs(change_e)
    )
    rank = math.ceil(quantile * DRAWS) - 1
    return float(np.partition(total, rank)[rank])


def derivatives(times_days: Array, t_ref_days: float, row: Array) -> Array:
    """Derivatives of one planet's curve, K = 1 m/s, by ln P, ln K, h, k, lambda; shape (n, 5)."""
    P, _, e, omega, M0 = row.tolist()
    base = np.array([math.log(P), 0.0, e * math.cos(omega), e * math.sin(omega), omega + M0])
    span = float(times_days[-1] - times_days[0])
    steps = np.full(PARAMETERS, _STEP)
    steps[0] *= min(1.0, P / (math.tau * span))  # so that the phase moves as little
    both = np.empty((2 * PARAMETERS, PARAMETERS))
    for j in range(PARAMETERS):
        for side, sign in enumerate((1.0, -1.0)):
            ln_P, ln_K, h, k, longitude = base + sign * steps * (np.arange(PARAMETERS) == j)
            w = math.atan2(k, h)
            both[2 * j + side] = (
                math.exp(ln_P), math.exp(ln_K), math.hypot(h, k), w, longitude - w
            )  # fmt: skip
    curves = orbit.curves(times_days, t_ref_days, both)
    slopes: Array = (curves[0::2] - curves[1::2]).T / (2.0 * steps)
    return slopes


def elements_row(orbit_: Orbit) -> Array:
    """Elements as in :mod:`ecliptic.rv.orbit`, for K = 1 m/s."""
    return np.array(
        [
            orbit_.period_days,
            1.0,
            orbit_.e,
            orbit_.omega_rad,
            orbit_.l_rad - orbit_.omega_rad,
        ]
    )


def rounded(value: float) -> float:
    """``value`` to four significant digits."""
    return float(f"%.{K_DIGITS - 1}e" % value)


@cache
def _normals() -> Array:
    """The same standard normal draws for every planet, shape (4096, 5)."""
    return np.random.default_rng(0).standard_normal((DRAWS, PARAMETERS))
