r"""Search for the most likely orbits: a beam over the number of planets, and moves around its best.

``grow`` adds one planet to a model in every way that may pay: the highest peaks of two periodograms
(sinusoids, :mod:`ecliptic.rv.inference.scan`; eccentric orbits,
:mod:`ecliptic.rv.solvers.reference_scan`), their aliases, and splits of an eccentric orbit into
two; ``grow_twice`` adds two, or three in the place of one (:mod:`reference_pairs`). ``improve``
replaces planets one by one, in the way of :mod:`reference_moves`, until nothing gains. In all, a
start is first searched briefly with the noise held; the best are then fitted with all planets,
jitters and the activity's amplitude free.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ecliptic.rv.inference.fitting import Fit, fit, fit_noise
from ecliptic.rv.inference.periodogram import Periodogram
from ecliptic.rv.inference.scan import scan
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.solvers import reference_moves as moves
from ecliptic.rv.solvers.reference_pairs import pairs, triples
from ecliptic.rv.solvers.reference_scan import harmonic_scan

SAME_RESOLUTION, SAME_SHAPE = 0.15, 0.04
SCREEN_STEPS = 8
N_PAIRS = 30
N_TRIPLES = 30
ROUGH, FINE = 0.05, 1e-4
ROUNDS = 4
DEPTH = 30.0  # in ln L with the noise held: a deeper start never becomes the best


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is tried; ``peaks`` and ``overtones`` of the two periodograms.

    ``e_scale``: standard deviation of a prior on e cos M and e sin M while planets are added. As
    long as some are missing, an eccentric orbit would take up what belongs to them.
    """

    beam: int = 3
    peaks: int = 8
    overtones: int = 4
    refined: int = 5
    e_scale: float = 0.2


def screened(base: Fit, start: Array, e_scale: float = math.inf) -> Fit:
    """A short search with the noise of a fit held."""
    return fit(
        base.problem, start, theta=base.theta, free_noise=False, max_rounds=1, tolerance=0.3,
        max_steps=SCREEN_STEPS, e_scale=e_scale,
    )  # fmt: skip


def refined(trial: Fit, theta: Array, tolerance: float = ROUGH, e_scale: float = math.inf) -> Fit:
    """A search with everything free."""
    return fit(trial.problem, trial.shape, theta=theta, tolerance=tolerance, e_scale=e_scale)


def same(one: Fit, other: Fit) -> bool:
    """Whether two fits are the same optimum, whatever the order of the planets."""
    if one.n_planets != other.n_planets:
        return False
    resolution = SAME_RESOLUTION / one.problem.velocities.span_days
    a, b = (each.shape[np.argsort(each.shape[:, 0])] for each in (one, other))
    return bool(
        (np.abs(a[:, 0] - b[:, 0]) < resolution).all()
        and (np.abs(a[:, 1:] - b[:, 1:]) < SAME_SHAPE).all()
    )


def best_distinct(fits: Iterable[Fit], count: int, e_scale: float = math.inf) -> list[Fit]:
    """The most likely ones, no two of them the same optimum."""
    chosen: list[Fit] = []
    for each in sorted(fits, key=lambda each: plausibility(each, e_scale), reverse=True):
        if not any(same(each, other) for other in chosen):
            chosen.append(each)
        if len(chosen) == count:
            break
    return chosen


def likelihood(each: Fit) -> float:
    """The key to sort by."""
    return each.log_likelihood


def plausibility(each: Fit, e_scale: float) -> float:
    """Log-likelihood and log-prior of the eccentricities."""
    return each.log_likelihood - 0.5 * float(np.sum(each.shape[:, 1:] ** 2)) / e_scale**2


def candidates(base: Fit, effort: Effort) -> list[Fit]:
    """Brief searches with one more planet, the most likely first; the noise is that of ``base``."""
    family, data = base.problem.family, base.problem.velocities
    power = scan(base, 4.0)
    peaks = power.peaks(effort.peaks, 1.0).tolist()
    overtones = harmonic_scan(base).peaks(effort.overtones, 1.0).tolist()
    frequencies = list(peaks)
    for f in peaks[:2]:
        frequencies += _resolved(moves.aliases(f, family), power, 0.3)
    circles = [screened(base, moves.with_orbit(base.shape, f), effort.e_scale) for f in frequencies]
    found = list(circles)
    for f in [*peaks[:3], *overtones]:
        for x, y in moves.eccentric(0.5, 4):
            found.append(screened(base, moves.with_orbit(base.shape, f, x, y), effort.e_scale))
    for f in overtones:
        for x, y in moves.eccentric(0.75, 8):
            found.append(screened(base, moves.with_orbit(base.shape, f, x, y), effort.e_scale))
    for j in range(base.n_planets):
        for start in moves.splits(base.shape, j, 1.0 / data.span_days, family):
            found.append(screened(base, start, effort.e_scale))
    return found


def _resolved(frequencies: Sequence[float], power: Periodogram, share: float) -> list[float]:
    """Those where the power is at least a share of the highest."""
    if not frequencies or not len(power.power):
        return []
    here = np.interp(frequencies, power.frequencies, power.power)
    limit = share * float(power.power.max())
    return [f for f, value in zip(frequencies, here.tolist(), strict=True) if value >= limit]


def grow(base: Fit, effort: Effort) -> list[Fit]:
    """Fits with one more planet, the most likely first."""
    e_scale = effort.e_scale
    chosen = best_distinct(candidates(base, effort), effort.refined, e_scale)
    fits = [refined(each, base.theta, e_scale=e_scale) for each in chosen]
    return best_distinct(fits, effort.refined, e_scale)


def grow_twice(base: Fit, effort: Effort) -> list[Fit]:
    """Fits with two planets more that were looked for together, the most likely first.

    A lone planet may be none of theirs: then three are also looked for in its place.
    """
    starts = pairs(base, N_PAIRS)
    if base.n_planets == 1:
        starts += triples(fit_noise(base.problem), N_TRIPLES)
    trials = [screened(base, start, effort.e_scale) for start in starts]
    chosen = best_distinct(trials, effort.refined, effort.e_scale)
    fits = [refined(each, base.theta, e_scale=effort.e_scale) for each in chosen]
    return best_distinct(fits, effort.refined, effort.e_scale)


def without(best: Fit, planet: int) -> Fit:
    """The best fit of all other planets, one of them eccentric where it stands in for a pair."""
    rest = np.delete(best.shape, planet, axis=0)
    starts = [rest]
    f = float(best.shape[planet, 0])
    for k in range(len(rest)):
        for multiple in (0.5, 2.0):
            if abs(rest[k, 0] / (multiple * f) - 1.0) < moves.RESONANT:
                for base in {float(rest[k, 0]), min(float(rest[k, 0]), f)}:
                    for e in (0.3, 0.6):
                        for x, y in moves.eccentric(e, 4):
                            starts.append(moves.moved(rest, k, base, x, y))
    trials = best_distinct([screened(best, start) for start in starts], 2)
    return max((refined(each, best.theta) for each in trials), key=likelihood)


def replacements(best: Fit, planet: int, removal: Fit, effort: Effort, e_scale: float) -> list[Fit]:
    """Brief searches with one planet in another place; the noise is that of ``best``."""
    family = best.problem.family
    f = float(best.shape[planet, 0])
    x, y = best.shape[planet, 1:].tolist()
    starts = [moves.moved(best.shape, planet, f)]
    starts += [moves.moved(best.shape, planet, f, *each) for each in moves.eccentric(0.5, 4)]
    if f < 0.2:
        starts += [moves.moved(best.shape, planet, f, *each) for each in moves.eccentric(0.75, 4)]
    for other in moves.aliases(f, family):
        starts.append(moves.moved(best.shape, planet, other))
        if np.hypot(x, y) > 0.3:
            starts.append(moves.moved(best.shape, planet, other, x, y))
    starts += [
        moves.with_orbit(removal.shape, other)
        for other in scan(removal, 4.0).peaks(effort.peaks, 1.0).tolist()
    ]
    resolution = 1.0 / best.problem.velocities.span_days
    for j in range(removal.n_planets):
        starts += list(moves.splits(removal.shape, j, resolution, family))
    return [screened(best, start, e_scale) for start in starts]


def improve(best: Fit, effort: Effort, rounds: int = ROUNDS, e_scale: float = math.inf) -> Fit:
    """The best model with as many planets that single replacements lead to."""
    for _ in range(rounds):
        held = screened(best, best.shape, e_scale)
        trials: list[Fit] = []
        for j in range(best.n_planets):
            removal = without(best, j)
            trials += replacements(best, j, removal, effort, e_scale)
        trials = [
            each
            for each in best_distinct(trials, 2 * effort.refined, e_scale)
            if each.log_likelihood > held.log_likelihood - DEPTH and not same(each, best)
        ]
        found = [refined(each, best.theta, e_scale=e_scale) for each in trials[: effort.refined]]
        found = best_distinct(found, 1, e_scale)
        if not found:
            break
        top = found[0]
        if plausibility(top, e_scale) <= plausibility(best, e_scale) + ROUGH:
            break
        best = top
    return best
