"""Where a fit of planets that pull on each other begins: on a few orbits, then on more and more.

Orbits in resonance precess, so that Keplerian ones fit a long series badly and are no start for it.
The strongest planets are fitted to the first orbits, where they are still Keplerian; their N-body
model is then carried on to longer and longer parts of the series. What they leave shows the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ecliptic.errors import UsageError
from ecliptic.rv.archive.seeds import Seed
from ecliptic.rv.inference.dynamical import dynamical_velocities_ms, fit_dynamical
from ecliptic.rv.inference.fitting import NO_PLANETS, fit
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.tasks import Planet

STRONG = 0.2  # of the largest amplitude
FIRST_ORBITS, GROWTH = 6.0, 1.6
MIN_POINTS_PER_PLANET = 8


def strongest(seeds: Sequence[Seed]) -> list[int]:
    """Positions of the planets that govern the others' motion and stand out in a few orbits."""
    most = max(seed.strength_ms for seed in seeds)
    return [index for index, seed in enumerate(seeds) if seed.strength_ms >= STRONG * most]


def first_part(problem: Problem, seeds: Sequence[Seed]) -> float:
    """Days from the start that hold some orbits of the outer planet and enough points."""
    times = problem.velocities.times_days - problem.velocities.times_days[0]
    enough = min(MIN_POINTS_PER_PLANET * len(seeds), len(times)) - 1
    orbits = FIRST_ORBITS * max(seed.period_days.value for seed in seeds)
    return max(orbits, float(times[enough]))


def part(problem: Problem, days: float) -> Problem:
    """The first ``days`` of a series; the clock stays."""
    data = problem.velocities
    keep = data.times_days <= data.times_days[0] + days
    present = np.unique(data.instruments[keep])
    columns = np.abs(problem.basis[keep]).max(axis=0) > 0.0
    n_linear = problem.basis.shape[1]
    columns[data.n_instruments : n_linear] = False  # drifts and trend need the whole series
    velocities = replace(
        data,
        times_days=data.times_days[keep],
        rvs_ms=data.rvs_ms[keep],
        variances=data.variances[keep],
        instruments=np.searchsorted(present, data.instruments[keep]),
        n_instruments=len(present),
    )
    return replace(
        problem,
        velocities=velocities,
        basis=np.ascontiguousarray(problem.basis[keep][:, columns]),
        kernel=(
            np.ascontiguousarray(problem.kernel[0][keep]),
            np.ascontiguousarray(problem.kernel[1][keep]),
            np.ascontiguousarray(problem.kernel[2][keep]),
        ),
        floors=np.concatenate([problem.floors[present], problem.floors[data.n_instruments :]]),
    )


def carried_on(problem: Problem, planets: Sequence[Planet], days: float) -> tuple[Planet, ...]:
    """The N-body model of a first part, fitted to longer parts up to the whole series.

    Raises
    ------
    UsageError
        The orbits cannot be integrated.
    """
    found = tuple(planets)
    span = problem.velocities.span_days
    while True:
        here = part(problem, days) if days < span else problem
        rest = here.velocities.rvs_ms - dynamical_velocities_ms(here, found)
        theta = fit(here.with_velocities(rest), NO_PLANETS).theta
        found = fit_dynamical(here, found, theta, tolerance=1e-2).planets
        if here is problem:
            return found
        days = min(GROWTH * days, span) if days < span else math.inf


def without_planets(problem: Problem, planets: Sequence[Planet]) -> Problem:
    """The problem less the N-body velocities of some planets.

    Raises
    ------
    UsageError
        The orbits cannot be integrated.
    """
    if not planets:
        raise UsageError("without_planets: needs at least one planet")
    rest = problem.velocities.rvs_ms - dynamical_velocities_ms(problem, planets)
    return problem.with_velocities(rest)
