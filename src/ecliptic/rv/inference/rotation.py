r"""The shape of a star's rotation process, from its activity indicators alone.

All indicators are fitted at once: the same period, Q0, dQ and f, and for each an amplitude, a
jitter and an offset per instrument. The likelihood's gradient is analytic in amplitudes and
jitters, a difference in the shape. Where the indicators say little of Q0, dQ and f, a weak prior
decides: normal in the logarithm, about 1, 0.5 and 0.5, with a standard deviation of 1.5. Starts:
the highest peaks of the indicators' summed periodograms, each as the rotation period and as half
of it; the best two of a short search each are searched to the end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ecliptic.errors import UsageError
from ecliptic.rv.inference.celerite import colour, factor, rotation_columns, whiten
from ecliptic.rv.inference.noise_search import set_diagonal, value_and_gradient
from ecliptic.rv.inference.periodogram import Periodogram, periodogram
from ecliptic.rv.inference.search import deflate, orthonormalise
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.jit import compiled
from ecliptic.rv.tasks import Observation, RotationGP

SHORTEST_DAYS, LONGEST_SPANS = 1.5, 0.5
Q0_RANGE, DQ_RANGE, F_RANGE = (0.02, 50.0), (0.01, 50.0), (0.02, 5.0)
CENTRES = (1.0, 0.5, 0.5)  # of the priors of Q0, dQ and f
PRIOR_SIGMA = 1.5
N_PEAKS = 4
SHORT_SEARCH, LONG_SEARCH = 12, 150  # steps of a search
TOLERANCE = 1e-4
N_FINALISTS = 2
SHAPE_STEP = 1e-5
FLOOR_SHARE = 0.05


@dataclass(frozen=True, slots=True)
class RotationFit:
    """The most likely rotation process of the indicators.

    ``gp.sigma_ms`` is 1: an amplitude belongs to a series, not to the shape. ``parameters`` are
    the optimum in the search's own coordinates, to start another search from.
    """

    gp: RotationGP
    log_likelihood: float
    amplitudes_ms: tuple[float, ...]
    parameters: Array


@compiled
def shape_objective(
    parameters: Array,
    gradient: Array,
    times: Array,
    values: Array,
    variances: Array,
    basis: Array,
    floors: Array,
) -> float:
    """-2 ln L of all series, (n_series, n), and the prior, without constants; writes the gradient.

    Parameters: ln period, ln Q0, ln dQ, ln f, and for each series the theta of jitter and
    amplitude (:mod:`ecliptic.rv.inference.noise_search`).
    """
    n_series, n = values.shape
    total = 0.0
    one = np.zeros(n, dtype=np.int64)
    d, W, diagonal = np.empty(n), np.empty((n, 4)), np.empty(n)
    column, Q = np.empty((n, 1)), np.empty(basis.shape)
    residuals, slopes, none = np.empty(n), np.empty(2), np.empty(0)
    for k in range(gradient.size):
        gradient[k] = 0.0
    shape = np.exp(parameters[:4])
    U, V, phi = rotation_columns(times, shape[0], shape[1], shape[2], shape[3])
    all_residuals = np.empty((n_series, n))
    parts = np.empty(n_series)
    for s in range(n_series):
        theta = parameters[4 + 2 * s : 6 + 2 * s]
        floor = floors[s]
        A = set_diagonal(theta, floor, variances[s], one, diagonal)
        if not factor(diagonal, A, U, V, phi, d, W) < math.inf:
            return math.inf
        for i in range(n):
            column[i, 0] = values[s, i]
            for b in range(basis.shape[1]):
                Q[i, b] = basis[i, b]
        whiten(Q, A, U, phi, d, W)
        orthonormalise(Q)
        whiten(column, A, U, phi, d, W)
        deflate(column, Q)
        for i in range(n):
            residuals[i] = column[i, 0]
        colour(residuals, A, U, phi, d, W)
        for i in range(n):
            all_residuals[s, i] = residuals[i]
        parts[s] = value_and_gradient(theta, floor, residuals, variances[s], one, U, V, phi, slopes)
        total += parts[s]
        gradient[4 + 2 * s], gradient[5 + 2 * s] = slopes[0], slopes[1]
    # By the envelope theorem the residuals may be held while the shape moves.
    for k in range(4):
        shape[k] *= math.exp(SHAPE_STEP)
        U, V, phi = rotation_columns(times, shape[0], shape[1], shape[2], shape[3])
        for s in range(n_series):
            value = value_and_gradient(
                parameters[4 + 2 * s : 6 + 2 * s], floors[s], all_residuals[s], variances[s], one,
                U, V, phi, none,
            )  # fmt: skip
            gradient[k] += (value - parts[s]) / SHAPE_STEP
        shape[k] = math.exp(parameters[k])
    for k in range(3):
        pull = (parameters[1 + k] - math.log(CENTRES[k])) / PRIOR_SIGMA
        gradient[1 + k] += 2.0 * pull / PRIOR_SIGMA
        total += pull * pull
    return total


@compiled
def lower_shape_objective(
    parameters: Array,
    limits: Array,
    times: Array,
    values: Array,
    variances: Array,
    basis: Array,
    floors: Array,
    max_steps: int,
) -> float:
    """Quasi-Newton search (BFGS) within ``limits``, (n_parameters, 2); ``parameters`` in place.

    Returns :func:`shape_objective` with the prior's penalty.
    """
    m = parameters.size
    B, g, new_g = np.eye(m), np.empty(m), np.empty(m)
    direction, trial, change = np.empty(m), np.empty(m), np.empty(m)
    value = shape_objective(parameters, g, times, values, variances, basis, floors)
    fresh = True
    for _ in range(max_steps):
        if fresh:
            largest = 1e-300
            for a in range(m):
                largest = max(largest, abs(g[a]))
            for a in range(m):
                for b in range(m):
                    B[a, b] = 0.0
                B[a, a] = min(1.0, 0.5 / largest)
        slope, longest = 0.0, 0.0
        for a in range(m):
            direction[a] = 0.0
            held = (parameters[a] <= limits[a, 0] and g[a] > 0.0) or (
                parameters[a] >= limits[a, 1] and g[a] < 0.0
            )
            if not held:
                for b in range(m):
                    direction[a] -= B[a, b] * g[b]
            slope += direction[a] * g[a]
            longest = max(longest, abs(direction[a]))
        if not slope < 0.0:
            if fresh:
                break
            fresh = True
            continue
        length = min(1.0, 1.5 / longest)
        gain, moved = 0.0, False
        for _ in range(20):
            predicted = 0.0
            for a in range(m):
                trial[a] = parameters[a] + length * direction[a]
                trial[a] = min(max(trial[a], limits[a, 0]), limits[a, 1])
                predicted -= (trial[a] - parameters[a]) * g[a]
            trial_value = shape_objective(trial, new_g, times, values, variances, basis, floors)
            if trial_value <= value - 1e-4 * max(predicted, 0.0) and trial_value < value:
                gain, moved = value - trial_value, True
                break
            length *= 0.3
        if not moved:
            if fresh:
                break
            fresh = True
            continue
        product = 0.0
        for a in range(m):
            direction[a] = trial[a] - parameters[a]
            change[a] = new_g[a] - g[a]
            product += direction[a] * change[a]
            parameters[a], g[a] = trial[a], new_g[a]
        value = trial_value
        if gain < TOLERANCE and not fresh:
            break
        fresh = False
        if product > 1e-12:
            Bc, curvature = np.zeros(m), 0.0
            for a in range(m):
                for b in range(m):
                    Bc[a] += B[a, b] * change[b]
                curvature += change[a] * Bc[a]
            for a in range(m):
                for b in range(m):
                    B[a, b] += (
                        (1.0 + curvature / product) * direction[a] * direction[b]
                        - Bc[a] * direction[b]
                        - direction[a] * Bc[b]
                    ) / product
    return value


def fit_rotation(observation: Observation, start: Array | None = None) -> RotationFit:
    """The rotation process of an observation's indicators.

    ``start`` is an earlier fit's ``parameters``; without it the period is searched for, from
    1.5 d to half the time span.

    Raises
    ------
    UsageError
        There are no indicators, or too few points in time.
    """
    series = _Series.of(observation)
    if start is None:
        found = [series.optimum(parameters, SHORT_SEARCH) for parameters in series.starts()]
        starts = [parameters for _, parameters in sorted(found, key=_value)[:N_FINALISTS]]
    else:
        starts = [np.asarray(start, dtype=np.float64)]
    best_value, best = min((series.optimum(first, LONG_SEARCH) for first in starts), key=_value)
    best_value -= _penalty(best)
    period, Q0, dQ, f = np.exp(best[:4]).tolist()
    n = series.values.size
    amplitudes = np.exp(0.5 * best[5::2]) * series.scales
    log_likelihood = -0.5 * (best_value + n * math.log(2.0 * math.pi))
    log_likelihood -= float(np.log(series.scales).sum()) * series.values.shape[1]
    gp = RotationGP(sigma_ms=1.0, period_days=period, Q0=Q0, dQ=dQ, f=f)
    return RotationFit(gp, log_likelihood, tuple(amplitudes.tolist()), best)


def _value(found: tuple[float, Array]) -> float:
    return found[0]


def _penalty(parameters: Array) -> float:
    centre = np.log(CENTRES)
    return float(np.sum(((parameters[1:4] - centre) / PRIOR_SIGMA) ** 2))


@dataclass(frozen=True, slots=True)
class _Series:
    """Indicators in units of their own spread; (n_series, n)."""

    times: Array
    values: Array
    variances: Array
    basis: Array
    floors: Array
    scales: Array
    instruments: NDArray[np.int64]

    @classmethod
    def of(cls, observation: Observation) -> _Series:
        indicators = observation.indicators
        times = observation.times_days - 0.5 * (
            observation.times_days[0] + observation.times_days[-1]
        )
        if not indicators or not times[-1] > times[0]:
            raise UsageError("observation.indicators: a rotation needs at least one, over time")
        index = observation.instrument_index
        basis = np.equal.outer(index, np.arange(len(observation.instrument_labels)))
        values, variances, scales = [], [], []
        for indicator in indicators:
            centred = indicator.values_ms - np.median(indicator.values_ms)
            weight = np.bincount(index)
            centred = centred - (np.bincount(index, centred) / weight)[index]
            scale = max(float(centred.std()), 1e-12)
            values.append(centred / scale)
            variances.append((indicator.sigmas_ms / scale) ** 2)
            scales.append(scale)
        medians = np.median(np.array(variances), axis=1)
        floors = np.column_stack([FLOOR_SHARE**2 * medians] * 2)
        return cls(
            np.ascontiguousarray(times),
            np.array(values),
            np.array(variances),
            np.ascontiguousarray(basis.astype(np.float64)),
            floors,
            np.array(scales),
            np.array(index),
        )

    def range_days(self) -> tuple[float, float]:
        span = float(self.times[-1] - self.times[0])
        return SHORTEST_DAYS, max(LONGEST_SPANS * span, 2.0 * SHORTEST_DAYS)

    def starts(self) -> list[Array]:
        low, high = self.range_days()
        power: Periodogram | None = None
        total = np.zeros(0)
        for values, variances in zip(self.values, self.variances, strict=True):
            power = periodogram(self.times, values, variances, low, 2.0 * high)
            total = power.power + (total if total.size else 0.0)
        assert power is not None
        peaks = Periodogram(power.frequencies, total, power.resolution).peaks(N_PEAKS, 1.0)
        periods = [1.0 / f for f in peaks.tolist()] or [math.sqrt(low * high)]
        theta = []
        for variances in self.variances:
            theta += [math.log(0.1 * float(np.median(variances))), 0.0]
        shape = np.log(CENTRES).tolist()
        return [
            np.array([math.log(period), *shape, *theta])
            for peak in periods
            for period in (peak, 2.0 * peak)
            if low <= period <= high
        ] or [np.array([math.log(math.sqrt(low * high)), *shape, *theta])]

    def optimum(self, start: Array, steps: int) -> tuple[float, Array]:
        ranges = [self.range_days(), Q0_RANGE, DQ_RANGE, F_RANGE]
        bounds = [(math.log(low), math.log(high)) for low, high in ranges]
        for floor in np.log(self.floors).tolist():
            bounds += [(floor[0], floor[0] + 25.0), (floor[1] + 0.1, floor[1] + 25.0)]
        limits = np.array(bounds)
        found = np.clip(start, limits[:, 0], limits[:, 1])
        value = lower_shape_objective(
            found, limits, self.times, self.values, self.variances, self.basis, self.floors, steps
        )
        return float(value), found
