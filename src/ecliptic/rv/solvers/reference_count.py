"""How many planets: the levels of the beam, and the tests that each planet must stand.

A planet is believed if it is worth a delta-BIC of more than 20 against the best model without it,
the public rule of protocol ``strict``, and if the evidence (Laplace, with the population's priors)
speaks strongly for it too: an orbit with e = 0.8 through a few points of noise reaches a delta-BIC
of 30, at odds with everything that is known of eccentricities. Above a delta-BIC of 60 the data
have spoken; Laplace's approximation, poor where two orbits nearly coincide, is then not asked.
Where the star's activity is declared, a planet at its rotation period or at half of it must reach
that mark in any case.

Orbits that could not last are no planets, however well they fit: models with a pair that is not
Hill stable (:mod:`ecliptic.rv.stability`) are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from ecliptic.rv.inference.evidence import ln_evidence
from ecliptic.rv.inference.fitting import Fit, fit_noise
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.solvers.reference_search import (
    FINE,
    ROUNDS,
    Effort,
    best_distinct,
    grow,
    grow_twice,
    improve,
    likelihood,
    refined,
    without,
)
from ecliptic.rv.stability import is_stable

WORTH, BEYOND_DOUBT = 20.0, 60.0
HOPELESS = 40.0
LN_Z = 3.0  # 20 to 1: strong evidence (Kass & Raftery 1995, JASA 90, 773)
POINTS_PER_PARAMETER = 1.2
LEVELS_BEYOND, LEVELS_BEYOND_LOUD = 2, 5
BEAM_ROUNDS = 2
LOUD = 1.0  # scatter beside the quoted errors, in units of these
AT_ROTATION = 0.05
HARMONICS = (1.0, 2.0)


def most_credible(problem: Problem, max_planets: int, effort: Effort) -> Fit:
    """The model that is handed in.

    Much noise that no error explains means that something was missed, or that the star is so: a
    wider beam is then tried as well, unless planet after planet was tried in vain.
    """
    levels = beam_levels(problem, max_planets, effort)
    best = settled(chosen(levels), max_planets, effort)
    if is_loud(best) and not is_hopeless(levels):
        wide = replace(
            effort, beam=3 * effort.beam, peaks=2 * effort.peaks, refined=2 * effort.refined
        )
        other = settled(chosen(beam_levels(problem, max_planets, wide)), max_planets, wide)
        best = min(best, other, key=cost)
    return refined(best, best.theta, FINE)


def settled(best: Fit, max_planets: int, effort: Effort) -> Fit:
    """Replacements, removals and additions in turn, until the number of planets stays."""
    problem = best.problem
    for _ in range(4):
        improved = improved_stably(best, effort, ROUNDS)
        best = prune(improved)
        if best.n_planets < improved.n_planets:
            continue
        if best.n_planets >= max_planets or not room(problem, best.n_planets + 1):
            break
        grown = grow(best, effort)
        free = [refined(each, each.theta) for each in stable(grown)[:2]]
        more = max(free, key=likelihood, default=best)
        if not is_worth(more, best):
            break
        best = more
    return best


def beam_levels(problem: Problem, max_planets: int, effort: Effort) -> list[Fit]:
    """The best model of each number of planets, up to some beyond the last that pays.

    One of many planets is hardly worth its parameters as long as the others count as noise: so
    with much noise left, two are looked for at once as well, and the beam goes on for longer,
    unless it has lost so much that no further planet can be worth it: a star that is restless.
    """
    null = fit_noise(problem)
    levels, states = [null], [null]
    ahead: list[Fit] = []
    for n_planets in range(1, max_planets + 1):
        if not room(problem, n_planets):
            break
        grown = [*ahead, *(each for state in states for each in grow(state, effort))]
        together = is_loud(states[0]) and n_planets < max_planets and room(problem, n_planets + 1)
        ahead = grow_twice(states[0], effort) if together else []
        states = best_distinct(stable(grown), effort.beam, effort.e_scale)
        if not states:
            break
        if n_planets > 1 and is_loud(states[0]):
            better = improved_stably(states[0], effort, BEAM_ROUNDS, effort.e_scale)
            states = best_distinct([better, *states], effort.beam, effort.e_scale)
        levels.append(refined(states[0], states[0].theta))
        best = chosen(levels)
        beyond = LEVELS_BEYOND_LOUD if is_loud(best) else LEVELS_BEYOND
        if n_planets - best.n_planets >= beyond or is_hopeless(levels):
            break
    return levels


def stable(models: Iterable[Fit]) -> list[Fit]:
    """Those whose planets could last."""
    return [each for each in models if is_stable(each)]


def improved_stably(best: Fit, effort: Effort, rounds: int, e_scale: float = math.inf) -> Fit:
    """Round after round of replacements, as long as they lead to planets that could last."""
    for _ in range(rounds):
        better = improve(best, effort, 1, e_scale)
        if better is best or not is_stable(better):
            break
        best = better
    return best


def chosen(levels: list[Fit]) -> Fit:
    """The model of most planets that is worth them, each step against the last such model."""
    best = levels[0]
    for level in levels[1:]:
        if is_worth(level, best):
            best = level
    return best


def cost(model: Fit) -> float:
    """What counts against a model: its BIC and what each planet must be worth."""
    return model.bic + WORTH * model.n_planets


def is_hopeless(levels: list[Fit]) -> bool:
    """Whether the last planets have cost so much that the next will not make up for it."""
    return cost(levels[-1]) > cost(chosen(levels)) + HOPELESS


def is_loud(model: Fit) -> bool:
    """Whether jitters and activity exceed the quoted errors."""
    data, noise = model.problem.velocities, model.noise
    jitters = np.array(noise.jitters_ms)[data.instruments]
    extra = float(np.mean(jitters**2)) + noise.gp_ms**2
    return extra > LOUD**2 * float(np.median(data.variances))


def is_worth(more: Fit, fewer: Fit, at_rotation: bool = False) -> bool:
    """Whether a model earns its further planets; one ``at_rotation`` must be beyond doubt."""
    added = max(more.n_planets - fewer.n_planets, 1)
    gain = fewer.bic - more.bic
    if gain > BEYOND_DOUBT * added:
        return True
    if at_rotation or not gain > WORTH * added:
        return False
    return ln_evidence(more) - ln_evidence(fewer) > LN_Z


def is_at_rotation(model: Fit, planet: int) -> bool:
    """Whether a planet stands at the period of the declared activity, or at half of it."""
    gp = model.problem.gp
    if gp is None:
        return False
    turns = float(model.shape[planet, 0]) * gp.period_days
    return any(abs(turns / harmonic - 1.0) < AT_ROTATION for harmonic in HARMONICS)


def room(problem: Problem, n_planets: int) -> bool:
    """Whether the data have points enough for so many planets."""
    return len(problem) >= POINTS_PER_PARAMETER * (5 * n_planets + problem.n_common)


def prune(best: Fit) -> Fit:
    """Planets taken out, the least missed first, until each is worth its parameters."""
    while best.n_planets:
        removals = [without(best, j) for j in range(best.n_planets)]
        doubtful = [
            removal
            for j, removal in enumerate(removals)
            if not is_worth(best, removal, is_at_rotation(best, j))
        ]
        if not doubtful:
            break
        best = min(doubtful, key=lambda each: each.bic)
    return best
