"""Planets that pull on each other, where the declared forward model is ``nbody``.

The search is Keplerian; what it leaves is taken up here. An interaction that no Keplerian orbit
describes looks like noise, or like a further planet. So the planets are refined with their pull,
the least needed is put to the test against the model without it, refined in the same way, and with
the interaction held the star is searched once more for planets that it had hidden.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ecliptic.errors import UsageError
from ecliptic.rv import nbody
from ecliptic.rv.inference.dynamical import DynamicalFit, fit_dynamical, without_interaction
from ecliptic.rv.inference.fitting import Fit, fit, start_of
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.shapes import TWO_PI
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.orbit import elements_of
from ecliptic.rv.solvers.reference_count import WORTH, is_loud, settled
from ecliptic.rv.solvers.reference_search import Effort, same, without
from ecliptic.rv.tasks import Planet

INTERACTION_ROUNDS = 2
SEARCHES = 2
MOST_PULLED_E = 0.3  # that a pull can feign
SWUNG_E = 0.2
ROUGH, ROUGH_STEPS = 0.5, 10
TURNS_GAINED = 0.02  # over the observations: below, a mean motion is that of the epoch
MEAN_ROUNDS = 8
MOST_CHANGED = (0.98, 1.02)  # of a period, at once


def with_pull(best: Fit, max_planets: int, effort: Effort) -> DynamicalFit | None:
    """The refined model near a Keplerian one; ``None`` where its orbits cannot be integrated.

    ``best`` is a fit of the problem as observed.
    """
    problem = best.problem
    pulled = refined_with_pull(problem, best.shape, best.theta)
    for _ in range(SEARCHES):
        if pulled is None:
            return None
        pulled = pruned(problem, pulled)
        start = held_interaction(problem, pulled)
        more = settled(start, max_planets, effort)
        if same(more, start):
            break
        other = refined_with_pull(problem, more.shape, more.theta, more.planets())
        if other is None or not _bic(problem, other) < _bic(problem, pulled):
            break
        pulled = other
    return pulled


def pruned(problem: Problem, pulled: DynamicalFit) -> DynamicalFit:
    """Planets taken out, the least missed first, as long as they are not worth their parameters."""
    while len(pulled.planets) > 1:
        start = held_interaction(problem, pulled)
        removals = [without(start, j) for j in range(start.n_planets)]
        least = min(removals, key=lambda each: each.bic)
        fewer = refined_with_pull(problem, least.shape, least.theta, least.planets())
        if fewer is None or _bic(problem, fewer) - _bic(problem, pulled) > WORTH:
            break
        pulled = fewer
    return pulled


def held_interaction(problem: Problem, pulled: DynamicalFit) -> Fit:
    """The Keplerian fit that starts from planets, their interaction held."""
    still = without_interaction(problem, pulled.planets)
    rows = elements_of(pulled.planets, problem.star_mass_sun)
    return fit(still, start_of(still, rows), theta=pulled.held.theta)


def refined_with_pull(
    problem: Problem, shape: Array, theta: Array, planets: Sequence[Planet] = ()
) -> DynamicalFit | None:
    """The most likely of several refinements.

    A Keplerian fit puts part of the pull into eccentricities, and the integrated model has several
    optima. So the refinement starts from the fit without interaction, from fits with the
    interaction of the last one held, from the last one's orbits made circular, from circular orbits
    with the Keplerian mean motions (:func:`steady`), and from ``planets``; where much noise is
    left, also from eccentric orbits at several phases.
    """
    starts: list[tuple[Planet, ...]] = [tuple(planets)] if planets else []
    last = fit(problem, shape, theta=theta)
    keplerian = last.planets()
    starts.append(keplerian)
    try:
        for _ in range(INTERACTION_ROUNDS if last.n_planets > 1 else 0):
            still = without_interaction(problem, starts[-1])
            last = fit(still, last.shape, theta=last.theta)
            starts.append(last.planets())
    except UsageError:  # orbits that cannot be integrated
        pass
    starts.append(tuple(circular(planet) for planet in starts[-1]))
    starts += steady_starts(problem, [tuple(circular(planet) for planet in keplerian)])
    best = best_of(problem, starts, last.theta)
    if best is not None and is_loud(best.held):
        more = [each for j in range(len(best.planets)) for each in swung(starts[-1], j)]
        best = best_of(problem, more, last.theta, best)
    return None if best is None else fit_dynamical(problem, best.planets, best.held.theta)


def best_of(
    problem: Problem,
    starts: Sequence[tuple[Planet, ...]],
    theta: Array,
    best: DynamicalFit | None = None,
) -> DynamicalFit | None:
    """The most likely of rough refinements of starts, or ``best`` if none is better."""
    slopes = None if best is None else best.slopes
    for start in starts:
        try:
            found = fit_dynamical(
                problem, start, theta, ROUGH, slopes, max_steps=ROUGH_STEPS, noise_rounds=1
            )
        except UsageError:
            continue
        slopes = found.slopes  # of the interaction: they serve at the other starts as well
        if best is None or found.held.log_likelihood > best.held.log_likelihood:
            best = found
    return best


def steady_starts(
    problem: Problem, models: Sequence[tuple[Planet, ...]]
) -> list[tuple[Planet, ...]]:
    """Those models whose planets have other mean motions than at the epoch, made :func:`steady`."""
    starts = []
    for model in models:
        try:
            moved = steady(problem, model)
        except UsageError:  # orbits that cannot be integrated
            continue
        if moved is not None:
            starts.append(moved)
    return starts


def steady(problem: Problem, planets: Sequence[Planet]) -> tuple[Planet, ...] | None:
    """Planets that on average, under their pull, move as the orbits given would without it.

    A Keplerian fit tells mean motions. Near a resonance the period at the epoch is another one, by
    up to a turn and more over the observations: too far for a search to find. ``None`` where no
    planet gains or loses as much as ``TURNS_GAINED``, or no such orbits come closer.
    """
    if len(planets) < 2:
        return None
    span = problem.velocities.span_days
    wanted = sorted(planets, key=lambda planet: planet.period_days)
    moved, best = wanted, None
    least = math.inf
    for _ in range(MEAN_ROUNDS):
        lines = nbody.mean_longitudes(moved, problem.star_mass_sun, span).tolist()
        ratios = [n * goal.period_days / TWO_PI for (_, n), goal in zip(lines, wanted, strict=True)]
        gained = max(
            abs(ratio - 1.0) * span / goal.period_days
            for ratio, goal in zip(ratios, wanted, strict=True)
        )
        if gained < least:
            least = gained
            best = None if moved is wanted else tuple(moved)
        if gained < TURNS_GAINED:
            break
        moved = [
            planet.model_copy(
                update={
                    "period_days": planet.period_days
                    * min(max(ratio, MOST_CHANGED[0]), MOST_CHANGED[1]),
                    "l_rad": (goal.l_rad - ahead) % TWO_PI,
                }
            )
            for (ahead, _), ratio, planet, goal in zip(lines, ratios, moved, wanted, strict=True)
        ]
    return best


def swung(planets: tuple[Planet, ...], number: int) -> Iterator[tuple[Planet, ...]]:
    """One planet's orbit made eccentric, with periastron at four phases."""
    for turn in range(4):
        update = {"e": SWUNG_E, "omega_rad": 0.5 * math.pi * turn}
        yield tuple(
            planet.model_copy(update=update) if k == number else planet
            for k, planet in enumerate(planets)
        )


def circular(planet: Planet) -> Planet:
    """The planet without eccentricity, unless it is a large one."""
    return planet if planet.e > MOST_PULLED_E else planet.model_copy(update={"e": 0.0})


def _bic(problem: Problem, pulled: DynamicalFit) -> float:
    return problem.bic(pulled.held.log_likelihood, len(pulled.planets))
