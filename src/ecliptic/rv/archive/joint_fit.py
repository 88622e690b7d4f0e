"""Published planets fitted together to a series.

The published period says in which window to look (:meth:`Seed.window`), nothing else is taken
over: phases, eccentricities and amplitudes come from the velocities. Planets are added in the order
of their published amplitudes, each at the highest peak of its window, circular and eccentric at six
phases; then every orbit is tried in other shapes once more. The fits themselves are those of
:mod:`ecliptic.rv.inference`, everything free, with the population's prior on eccentricities
(normal in e cos M and e sin M, hence Rayleigh in e; Kipping 2013, MNRAS 434, L51): without it the
orbit of a weak planet follows the noise of a few points to the highest e that is allowed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ecliptic.errors import UsageError
from ecliptic.rv.alternatives import SCREEN_STEPS, reshaped
from ecliptic.rv.archive.dynamical_start import (
    carried_on,
    first_part,
    part,
    strongest,
    without_planets,
)
from ecliptic.rv.archive.seeds import Seed
from ecliptic.rv.archive.widening import widened, widening
from ecliptic.rv.inference.dynamical import draw_elements, fit_dynamical
from ecliptic.rv.inference.fitting import Fit, fit, fit_noise
from ecliptic.rv.inference.holding import hold
from ecliptic.rv.inference.posterior import Posterior
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.scan import scan
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.orbit import elements_of
from ecliptic.rv.tasks import Planet

DRAWS = 4000
E_STARTS, PHASES = (0.3, 0.6), 6
OVERSAMPLING = 10.0
ROUNDS = 3
GAIN = 0.05  # in ln L: a shape that gains less is the same optimum
DEPTH = 20.0
E_SCALE = 0.2
FINE, ROUND = 1e-3, 0.01
KEPLERIAN = {"forward_model": "keplerian"}


@dataclass(frozen=True, slots=True)
class Solution:
    """Planets in the order of their seeds, the fit of all else to what they leave, and draws.

    ``draws`` are of the posterior: elements P, K, e, omega, M0, (count, n_planets, 5).
    """

    problem: Problem
    planets: tuple[Planet, ...]
    held: Fit
    draws: Array

    @property
    def bic(self) -> float:
        """Bayesian information criterion of planets and noise together."""
        return self.problem.bic(self.held.log_likelihood, len(self.planets))


def fit_keplerian(problem: Problem, seeds: Sequence[Seed]) -> Fit:
    """The most likely Keplerian orbits in the windows of the seeds, in their order."""
    order = sorted(range(len(seeds)), key=lambda index: -seeds[index].strength_ms)
    best = fit_noise(problem)
    for count, index in enumerate(order, start=1):
        known = [seeds[each] for each in order[:count]]
        best = _with_planet(best, seeds[index], known)
    known = [seeds[each] for each in order]
    for _ in range(ROUNDS):
        better = _reshaped(best, known)
        if _plausibility(better) < _plausibility(best) + GAIN:
            break
        best = better
    place = np.argsort(order)
    return replace(
        best, shape=best.shape[place], amplitudes=best.amplitudes.reshape(-1, 2)[place].ravel()
    )


def _with_planet(base: Fit, seed: Seed, known: Sequence[Seed]) -> Fit:
    problem = base.problem
    low, high = seed.window(problem.velocities.span_days)
    narrow = {"period_min_days": 1.0 / high, "period_max_days": 1.0 / low}
    family = problem.family.model_copy(update=narrow)
    power = scan(replace(base, problem=replace(problem, family=family)), OVERSAMPLING)
    frequency = float(power.frequencies[int(np.argmax(power.power))])
    shapes = [(0.0, 0.0)] + [
        (e * math.cos(angle), e * math.sin(angle))
        for e in E_STARTS
        for angle in np.arange(PHASES) * (math.tau / PHASES)
    ]
    starts = [np.vstack([base.shape, [frequency, x, y]]) for x, y in shapes]
    trials = _inside((screened(base, start) for start in starts), known)
    if not trials:
        return _fit(problem, starts[0], base.theta)
    top = max(trials, key=_plausibility)
    found = _inside([_fit(problem, each.shape, base.theta) for each in (top, trials[0])], known)
    return max(found, key=_plausibility) if found else top


def _reshaped(best: Fit, known: Sequence[Seed]) -> Fit:
    held = screened(best, best.shape)
    found = [best]
    for planet in range(best.n_planets):
        for start in reshaped(best.shape, planet):
            trial = screened(best, start)
            if _plausibility(trial) > _plausibility(held) - DEPTH:
                found.append(_fit(best.problem, trial.shape, best.theta))
    return max(_inside(found, known) or [best], key=_plausibility)


def _inside(fits: Iterable[Fit], known: Sequence[Seed]) -> list[Fit]:
    """Those whose periods are all in the windows of their seeds, in the same order."""
    kept = []
    for each in fits:
        windows = [seed.window(each.problem.velocities.span_days) for seed in known]
        pairs = zip(each.shape[:, 0].tolist(), windows, strict=True)
        if all(low <= f <= high for f, (low, high) in pairs):
            kept.append(each)
    return kept


def _fit(problem: Problem, start: Array, theta: Array) -> Fit:
    return fit(problem, start, theta=theta, e_scale=E_SCALE)


def screened(best: Fit, start: Array) -> Fit:
    """A short search with the noise of a fit held."""
    return fit(
        best.problem, start, theta=best.theta, free_noise=False, max_rounds=1, tolerance=0.3,
        max_steps=SCREEN_STEPS, e_scale=E_SCALE,
    )  # fmt: skip


def _plausibility(each: Fit) -> float:
    """Log-likelihood and log-prior of the eccentricities."""
    return each.log_likelihood - 0.5 * float(np.sum(each.shape[:, 1:] ** 2)) / E_SCALE**2


def solve(problem: Problem, seeds: Sequence[Seed]) -> Solution:
    """The joint fit under the declared family; with ``nbody`` the planets pull on each other."""
    if problem.family.forward_model == "nbody" and len(seeds) > 1:
        return _solve_dynamical(problem, seeds)
    best = fit_keplerian(problem, seeds)
    planets = best.planets()
    draws = np.empty((DRAWS, 0, 5))
    if planets:
        draws = Posterior.of(best).draw(DRAWS, np.random.default_rng(0))
        draws = widened(draws, best.elements(), widening(problem, len(planets)))
    held = hold(problem, elements_of(planets, problem.star_mass_sun))
    return Solution(problem, planets, held, draws)


def _solve_dynamical(problem: Problem, seeds: Sequence[Seed]) -> Solution:
    """Planets in the order of their periods, as Jacobi coordinates ask for."""
    order = sorted(range(len(seeds)), key=lambda index: seeds[index].period_days.value)
    known = [seeds[index] for index in order]
    starts = list(_dynamical_starts(problem, known))
    start, left = min(starts, key=lambda each: each[1].rms_ms)
    found = fit_dynamical(problem, start, left.theta, tolerance=FINE)
    for _ in range(ROUNDS):
        again = fit_dynamical(problem, found.planets, found.held.theta, tolerance=FINE)
        gain, found = again.held.log_likelihood - found.held.log_likelihood, again
        if gain < GAIN:
            break
    rng = np.random.default_rng(0)
    draws, _ = draw_elements(problem, found.planets, found.held.theta, DRAWS, rng)
    likely = elements_of(found.planets, problem.star_mass_sun)
    draws = widened(draws, likely, widening(problem, len(likely)))
    held = hold(problem, elements_of(found.planets, problem.star_mass_sun))
    place = np.argsort(order)
    planets = tuple(found.planets[index] for index in place.tolist())
    return Solution(problem, planets, held, draws[:, place])


def _dynamical_starts(
    problem: Problem, seeds: Sequence[Seed]
) -> Iterator[tuple[tuple[Planet, ...], Fit]]:
    """Keplerian orbits of the whole series, and what those of its beginning lead to.

    With each, the fit of all else to what the planets leave.
    """
    still = replace(problem, family=problem.family.model_copy(update=KEPLERIAN))
    planets = fit_keplerian(still, seeds).planets()
    yield planets, fit_noise(without_planets(problem, planets))
    strong = strongest(seeds)
    governing = [seeds[index] for index in strong]
    days = first_part(problem, governing)
    if len(strong) < 2 or days >= problem.velocities.span_days:
        return
    first = fit_keplerian(part(still, days), governing)
    try:
        carried = carried_on(problem, first.planets(), days)
    except UsageError:  # orbits that cannot be integrated
        return
    rest = [index for index in range(len(seeds)) if index not in strong]
    left = without_planets(still, carried)
    others = fit_keplerian(left, [seeds[index] for index in rest])
    # Weak planets beside strong ones are stable on round orbits, whatever noise makes of them.
    round_orbits = others.shape * np.array([1.0, 0.0, 0.0])
    others = fit(left, round_orbits, theta=others.theta, e_max=ROUND)
    by_index = dict(zip([*strong, *rest], [*carried, *others.planets()], strict=True))
    start = tuple(by_index[index] for index in range(len(seeds)))
    yield start, fit_noise(without_planets(problem, start))
