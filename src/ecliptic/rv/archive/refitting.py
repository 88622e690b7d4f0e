"""From a series and published values to a task whose truth is a posterior.

All planets that the series shows are fitted together (:mod:`ecliptic.rv.archive.joint_fit`) under
the declared family. The truth is the most likely model; beside it stand medians, covariance and the
published values (:class:`~ecliptic.rv.refit_records.Refit`). The level of the residuals is
what the expected planets leave, without the tolerated ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ecliptic.rv.archive.joint_fit import DRAWS, E_SCALE, Solution, solve
from ecliptic.rv.archive.rivals import rivals_of
from ecliptic.rv.archive.seeds import Seed
from ecliptic.rv.archive.widening import widening
from ecliptic.rv.difficulty import difficulty
from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.inference.fitting import Fit, fit, start_of
from ecliptic.rv.inference.holding import hold, interacting
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.shapes import elements_of as elements_of_shapes
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.orbit import DAYS_PER_YEAR, curves, elements_of
from ecliptic.rv.refit_records import PARAMETERS, KnownPlanet, Measured, Refit, Rival
from ecliptic.rv.tasks import Instrument, Noise, Observation, Planet, RVTask, Truth

DIGITS = 8  # of what is stored: far below every uncertainty


def archival_task(
    observation: Observation,
    seeds: Sequence[Seed],
    *,
    source_id: str,
    source: str,
    remarks: Sequence[str] = (),
) -> RVTask:
    """A task of tier ``real`` for an observation with a declared family.

    Raises
    ------
    UsageError
        No orbit can be fitted to the data.
    """
    problem = problem_of(observation)
    everything = refit_solution(problem, seeds)
    expected = [index for index, seed in enumerate(seeds) if seed.role == "expected"]
    planets = tuple(_rounded_planet(everything.planets[index]) for index in expected)
    held = hold(problem, elements_of(planets, observation.star_mass_sun))
    known = [_known(seed, everything.draws[:, index]) for index, seed in enumerate(seeds)]
    median, covariance = _moments(everything.draws[:, expected])
    refit = Refit(
        planets=tuple(known[index] for index in expected),
        tolerated=tuple(known[index] for index in range(len(seeds)) if index not in expected),
        median=median,
        covariance=covariance,
        rms_ms=_digits(held.rms_ms),
        log_likelihood=_digits(held.log_likelihood),
        rivals=_rivals(everything, seeds, expected),
        source=source,
        remarks=tuple(remarks),
    )
    instruments, trend = _zero_points(observation, problem, planets)
    noise = _noise(observation, held)
    score, terms = difficulty(
        planets, noise, np.array(observation.times_days), observation.star_mass_sun
    )
    jitters = held.noise.jitters_ms
    return RVTask.create(
        tier="real",
        source_id=source_id,
        observation=observation,
        truth=Truth(
            planets=planets,
            instruments=tuple(
                each.model_copy(update={"sigma_jitter_ms": _digits(jitter)})
                for each, jitter in zip(instruments, jitters, strict=True)
            ),
            noise=noise,
            forward_model=problem.family.forward_model,
            trend=trend,
            refit=refit,
        ),
        difficulty=score,
        difficulty_terms=terms,
        meta={"origin": "archival"},
    )


def refit_solution(problem: Problem, seeds: Sequence[Seed]) -> Solution:
    """The joint fit, in the order of the seeds; held ones join at the end, circular."""
    free = [seed for seed in seeds if not seed.held]
    solution = solve(problem, free)
    if len(free) == len(seeds):
        return solution
    return _with_held(solution, seeds)


def _rivals(
    solution: Solution, seeds: Sequence[Seed], expected: Sequence[int]
) -> tuple[Rival, ...]:
    """None where the periods are those of transits, or the planets pull on each other."""
    problem = solution.problem
    if problem.family.forward_model == "nbody" or any(seed.held for seed in seeds):
        return ()
    start = start_of(problem, elements_of(solution.planets, problem.star_mass_sun))
    best = fit(problem, start, theta=solution.held.theta, e_scale=E_SCALE)
    return rivals_of(best, expected, widening(problem, len(seeds)))


def _with_held(solution: Solution, seeds: Sequence[Seed]) -> Solution:
    """Amplitudes and phases of all, the shapes of all orbits kept as they are."""
    problem = solution.problem
    rows = elements_of(solution.planets, problem.star_mass_sun)
    still = interacting(problem, rows)
    shapes = iter(start_of(problem, rows))
    start = np.array(
        [[1.0 / seed.period_days.value, 0.0, 0.0] if seed.held else next(shapes) for seed in seeds]
    )
    best = fit(still, start, theta=solution.held.theta, max_steps=0)
    own = _held_draws(best, seeds)
    free = [index for index, seed in enumerate(seeds) if not seed.held]
    own[:, free] = solution.draws
    planets = list(best.planets())
    for index, planet in zip(free, solution.planets, strict=True):
        planets[index] = planet
    held = hold(problem, elements_of(planets, problem.star_mass_sun))
    return replace(solution, planets=tuple(planets), held=held, draws=own)


def _held_draws(best: Fit, seeds: Sequence[Seed]) -> Array:
    """Draws of all amplitudes with the shapes known, and of each period by its publication."""
    rng = np.random.default_rng(1)
    count = best.n_planets
    chosen = [5 * j + k for j in range(count) for k in (3, 4)]
    covariance = np.linalg.inv(best.information()[np.ix_(chosen, chosen)])
    amplitudes = rng.multivariate_normal(best.amplitudes, covariance, DRAWS)
    reference = best.problem.velocities.reference_days
    draws = np.array([elements_of_shapes(best.shape, each, reference) for each in amplitudes])
    for index, seed in enumerate(seeds):
        draws[:, index, 0] += (seed.period_days.sigma or 0.0) * rng.standard_normal(DRAWS)
    return draws


def _known(seed: Seed, draws: Array) -> KnownPlanet:
    P, K, e = draws[:, 0], draws[:, 1], draws[:, 2]
    return KnownPlanet(
        name=seed.name,
        period_days=_measured(P),
        semi_amplitude_ms=_measured(K),
        e=Measured(value=0.0) if seed.held else _measured(e),
        published=seed.published,
        note=seed.note,
    )


def _measured(draws: Array) -> Measured:
    return Measured(value=_digits(float(np.median(draws))), sigma=_digits(float(draws.std())))


def _moments(draws: Array) -> tuple[tuple[float, ...], tuple[tuple[float, ...], ...]]:
    """Median and covariance of :data:`PARAMETERS`; ``draws`` (count, n_planets, 5)."""
    P, K, e, omega, M_0 = np.moveaxis(draws, 2, 0)
    longitude = omega + M_0
    middle = np.angle(np.exp(1j * longitude).mean(axis=0))
    longitude = middle + np.angle(np.exp(1j * (longitude - middle)))
    columns = np.stack([P, K, e * np.cos(omega), e * np.sin(omega), longitude], axis=2)
    flat = columns.reshape(len(draws), len(PARAMETERS) * draws.shape[1])
    median = tuple(_digits(each) for each in np.median(flat, axis=0).tolist())
    covariance = np.atleast_2d(np.cov(flat, rowvar=False)).tolist()
    return median, tuple(tuple(_digits(each, 5) for each in row) for row in covariance)


def _zero_points(
    observation: Observation, problem: Problem, planets: Sequence[Planet]
) -> tuple[list[Instrument], tuple[float, ...]]:
    """Offsets and drifts at the reference epoch, and the trend, by weighted least squares."""
    family, labels = problem.family, observation.instrument_labels
    rows = elements_of(planets, observation.star_mass_sun)
    times = np.array(observation.times_days)
    years = (times - observation.t_ref_days) / DAYS_PER_YEAR
    index = observation.instrument_index
    here = (index[:, np.newaxis] == np.arange(len(labels))).astype(np.float64)
    drifting = [labels.index(label) for label in family.drifting]
    powers = [years**order for order in range(1, family.trend_order + 1)]
    basis = np.column_stack([here, *(here[:, each] * years for each in drifting), *powers])
    held = hold(problem, rows)
    jitters = np.array(held.noise.jitters_ms)[index]
    weights = 1.0 / np.sqrt(observation.sigmas_ms**2 + jitters**2)
    pulled = interacting(problem, rows).velocities.rvs_ms - problem.velocities.rvs_ms
    rest = observation.rvs_ms + pulled - curves(times, observation.t_ref_days, rows).sum(axis=0)
    found = np.linalg.lstsq(basis * weights[:, np.newaxis], rest * weights)[0].tolist()
    drifts = dict(zip(drifting, found[len(labels) :], strict=False))
    instruments = [
        Instrument(
            label=label,
            gamma_ms=_digits(found[place]),
            sigma_white_ms=_digits(float(np.median(observation.sigmas_ms[index == place]))),
            drift_ms_per_year=_digits(drifts.get(place, 0.0)),
        )
        for place, label in enumerate(labels)
    ]
    trend = found[len(labels) + len(drifting) :]
    return instruments, tuple(_digits(each) for each in trend)


def _noise(observation: Observation, held: Fit) -> Noise:
    jitters = np.array(held.noise.jitters_ms)[observation.instrument_index]
    gp = held.problem.gp
    return Noise(
        sigma_white_ms=_digits(float(np.median(observation.sigmas_ms))),
        sigma_jitter_ms=_digits(math.sqrt(float(np.mean(jitters**2)))),
        gp=gp and gp.model_copy(update={"sigma_ms": max(_digits(held.noise.gp_ms), 1e-6)}),
    )


def _rounded_planet(planet: Planet) -> Planet:
    row = {name: getattr(planet, name) for name in ("m_sin_i_mjup", "e", "omega_rad", "l_rad")}
    short = {name: _digits(value) for name, value in row.items()}
    return planet.model_copy(update={**short, "period_days": _digits(planet.period_days, 11)})


def _digits(value: float, digits: int = DIGITS) -> float:
    return float(f"{value:.{digits}g}")
