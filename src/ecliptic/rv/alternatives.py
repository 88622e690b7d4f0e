r"""Other solutions of the same data: what a fit must be compared with before it is believed.

Starts for each planet of a fit:

* **shapes**: its orbit circular, or with e = 0.5 and periastron at four phases;
* **aliases**: its frequency f moved to :math:`|f \pm f_c|` for cycles of a sidereal and a solar
  day, two days, a lunar month and a year, and to f / 2 and 2 f, within the declared range;
* **peaks**: the planet taken out, all others refitted, and the highest peaks of a periodogram
  over the whole declared range.

Every start is searched briefly with the noise held; what comes near the best is then fitted with
everything free.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ecliptic.rv.inference.fitting import Fit, fit
from ecliptic.rv.inference.scan import scan
from ecliptic.rv.inference.small_matrices import Array

CYCLES_DAYS = (0.99726957, 1.0, 2.0, 29.530589, 365.25636)
SCREEN_STEPS = 8
SCREEN_DEPTH = 40.0  # in ln L with the noise held: deeper never comes within 5 of the best
FULL_TOLERANCE = 0.02
N_PEAKS = 5
SAME_RESOLUTION, SAME_SHAPE = 0.1, 0.02
MAX_IMPROVEMENTS = 4
RESONANT = 0.1
E_START = 0.5
PHASES = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


@dataclass(frozen=True, slots=True)
class Alternative:
    """A converged fit, and the move that led there: ``shape``, ``alias``, ``peak``, ``rival``."""

    fit: Fit
    move: str
    planet: int


@dataclass(frozen=True, slots=True)
class Exploration:
    """The best fit, the other optima, and for each planet the best fit without it."""

    best: Fit
    others: tuple[Alternative, ...]
    removals: tuple[Fit, ...]


def explore(first: Fit, extra: Sequence[Array] = ()) -> Exploration:
    """Search around a fit, and again around every better one that turns up.

    ``extra``: shape parameters, (any number of planets, 3), of rivals found elsewhere.
    """
    best = first
    found: list[Alternative] = []
    for _ in range(MAX_IMPROVEMENTS):
        removals = tuple(without(best, j) for j in range(best.n_planets))
        found += alternatives(best, removals, extra)
        better = max(found, key=_log_likelihood, default=None)
        if better is None or better.fit.n_planets != best.n_planets:
            break
        if better.fit.log_likelihood <= best.log_likelihood + FULL_TOLERANCE:
            break
        found.append(Alternative(best, "start", -1))
        best = fit(better.fit.problem, better.fit.shape, theta=better.fit.theta)
        if same_optimum(best, first.shape):
            break  # the same optimum, better converged
    else:
        removals = tuple(without(best, j) for j in range(best.n_planets))
    return Exploration(best, tuple(found), removals)


def alternatives(
    best: Fit, removals: Sequence[Fit], extra: Sequence[Array] = ()
) -> list[Alternative]:
    """All optima that the starts lead to and that come near the best."""
    found: list[Alternative] = []
    held = screened(best, best.shape)
    for move, planet, start in _starts(best, removals, extra):
        trial = screened(best, start)
        if trial.log_likelihood < held.log_likelihood - SCREEN_DEPTH:
            continue
        if same_optimum(best, trial.shape) or any(
            same_optimum(other.fit, trial.shape) for other in found
        ):
            continue
        full = fit(best.problem, trial.shape, theta=best.theta, tolerance=FULL_TOLERANCE)
        if same_optimum(best, full.shape) and (
            full.log_likelihood <= best.log_likelihood + FULL_TOLERANCE
        ):
            continue
        found.append(Alternative(full, move, planet))
    return found


def without(best: Fit, planet: int) -> Fit:
    """The best fit of all other planets.

    Where another planet's period is near twice or half of the one taken out, it is also started
    with eccentric orbits, since one of them looks like two planets in resonance.
    """
    rest = np.delete(best.shape, planet, axis=0)
    starts = [rest]
    for k in range(len(rest)):
        ratio = rest[k, 0] / best.shape[planet, 0]
        if min(abs(ratio - 0.5) / 0.5, abs(ratio - 2.0) / 2.0) < RESONANT:
            starts += list(reshaped(rest, k))
    fits = [fit(best.problem, rest, theta=best.theta, tolerance=FULL_TOLERANCE)]
    for start in starts[1:]:
        trial = screened(fits[0], start)
        if not same_optimum(fits[0], trial.shape):
            fits.append(
                fit(best.problem, trial.shape, theta=fits[0].theta, tolerance=FULL_TOLERANCE)
            )
    return max(fits, key=lambda each: each.log_likelihood)


def with_one_more(best: Fit, n_peaks: int = 4) -> Fit:
    """The best fit with a further planet, from the highest peaks of a scan of the residuals."""
    power = scan(best)
    fits = []
    for rank, frequency in enumerate(power.peaks(n_peaks, 1.0).tolist()):
        start = np.vstack([best.shape, [frequency, 0.0, 0.0]])
        starts = [start, *(reshaped(start, len(best.shape)) if rank < 1 else ())]
        trials = [screened(best, each) for each in starts]
        top = max(trials, key=lambda each: each.log_likelihood)
        fits.append(fit(best.problem, top.shape, theta=best.theta, tolerance=FULL_TOLERANCE))
    return max(fits, key=lambda each: each.log_likelihood, default=best)


def alias_frequencies(frequency: float, low: float, high: float) -> list[float]:
    """Frequencies in 1/day, between ``low`` and ``high``, that sampling confuses with one."""
    moved = [0.5 * frequency, 2.0 * frequency]
    for cycle in CYCLES_DAYS:
        moved += [frequency + 1.0 / cycle, abs(frequency - 1.0 / cycle)]
    return [f for f in moved if low <= f <= high]


def _starts(
    best: Fit, removals: Sequence[Fit], extra: Sequence[Array]
) -> Iterator[tuple[str, int, Array]]:
    family = best.problem.family
    low, high = 1.0 / family.period_max_days, 1.0 / family.period_min_days
    for shape in extra:
        yield "rival", -1, np.reshape(shape, (-1, 3))
    for j in range(best.n_planets):
        for start in reshaped(best.shape, j):
            yield "shape", j, start
        f, x, y = best.shape[j]
        for frequency in alias_frequencies(f, low, high):
            start = best.shape.copy()
            start[j] = frequency, 0.0, 0.0
            yield "alias", j, start
            if math.hypot(x, y) > 0.3:
                start = best.shape.copy()
                start[j, 0] = frequency
                yield "alias", j, start
        peaks = scan(removals[j]).peaks(N_PEAKS, 1.0).tolist()
        resolution = SAME_RESOLUTION / best.problem.velocities.span_days
        for frequency in peaks:
            if abs(frequency - f) > resolution:
                yield "peak", j, np.vstack([removals[j].shape, [frequency, 0.0, 0.0]])


def reshaped(shape: Array, planet: int) -> Iterator[Array]:
    """Starts with one planet's orbit circular, or eccentric at four phases."""
    e = float(np.hypot(shape[planet, 1], shape[planet, 2]))
    if e > 0.1:
        start = shape.copy()
        start[planet, 1:] = 0.0
        yield start
    for x, y in PHASES:
        start = shape.copy()
        start[planet, 1:] = E_START * x, E_START * y
        yield start


def screened(best: Fit, start: Array) -> Fit:
    """A short search from ``start`` with the noise of a fit held."""
    return fit(
        best.problem, start, theta=best.theta, free_noise=False, max_rounds=1, tolerance=0.3,
        max_steps=SCREEN_STEPS,
    )  # fmt: skip


def same_optimum(best: Fit, shape: Array) -> bool:
    """Whether shapes, in any order, are those of the fit."""
    if len(shape) != best.n_planets:
        return False
    resolution = SAME_RESOLUTION / best.problem.velocities.span_days
    mine = best.shape[np.argsort(best.shape[:, 0])]
    other = shape[np.argsort(shape[:, 0])]
    return bool(
        (np.abs(mine[:, 0] - other[:, 0]) < resolution).all()
        and (np.abs(mine[:, 1:] - other[:, 1:]) < SAME_SHAPE).all()
    )


def _log_likelihood(alternative: Alternative) -> float:
    return alternative.fit.log_likelihood
