"""Semi-amplitudes by design for planets that pull on each other.

As in :mod:`ecliptic.rv.amplitudes`, with the derivatives of the integrated velocities in place of
the Keplerian ones: near a resonance they tell more of a planet, or less. They change with the
masses, so the Keplerian design is moved until it holds.

The orbits are edge-on. A submission states m sin i and no inclination, and graders, oracle and
agents integrate it as it stands: for no other inclination would the truth be one of their models.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ecliptic.errors import UsageError
from ecliptic.rv import nbody, priors
from ecliptic.rv.amplitudes import (
    K_MS,
    MISS,
    PARAMETERS,
    Design,
    Sky,
    derivatives,
    distance_quantile,
    elements_row,
    posterior_covariances,
    rounded,
)
from ecliptic.rv.inference import dynamical
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.orbit import minimum_mass_mjup, radial_velocity_ms
from ecliptic.rv.redraw import Redraw
from ecliptic.rv.systems import Orbit
from ecliptic.rv.tasks import Observation, Planet

Array = NDArray[np.float64]
INTERACTION = 0.3
"""Planets interact where N-body and Keplerian velocities differ by this share of the errors."""
EDGE_ON_RAD = priors.significant(math.pi / 2.0)
LINEAR = 0.75
"""Of the upper bound: the posterior of planets that pull is less linear than that of orbits."""
ITERATIONS = 3
HOPELESS = 1.6  # beyond the bounds: two that pull hard confuse each other's masses
LARGEST_STEP = 1.6


def pulled_velocities_ms(
    times_days: Array, planets: Sequence[Planet], star_mass_sun: float
) -> Array:
    """Integrated velocities; the epoch is the first time.

    Raises
    ------
    Redraw
        The system does not last that long.
    """
    try:
        return nbody.nbody_velocities_ms(
            times_days, planets, star_mass_sun, frame="sky", t_ref_days=float(times_days[0])
        )
    except UsageError:
        raise Redraw("not integrable") from None


def interact(
    times_days: Array, planets: Sequence[Planet], star_mass_sun: float, level_ms: float
) -> bool:
    """Whether the pull shows in data with errors of ``level_ms``."""
    if len(planets) < 2:
        return False
    difference = pulled_velocities_ms(times_days, planets, star_mass_sun) - radial_velocity_ms(
        times_days, planets, star_mass_sun, float(times_days[0])
    )
    return float(np.std(difference)) >= INTERACTION * level_ms


def design_interacting(
    sky: Sky,
    orbits: Sequence[Orbit],
    first: Design,
    targets: Sequence[float],
    bounds: tuple[float, float],
    star_mass_sun: float,
) -> Design:
    """K of each planet such that its tolerance lies well within the bounds; the activity stays.

    A planet outside of them moves towards its target. The targets themselves are not insisted on:
    with every mass the interaction changes, and what all planets tell of each other.

    Raises
    ------
    Redraw
        An amplitude out of range, data that do not tell the planets apart, orbits that cannot be
        integrated, or no convergence.
    """
    n = len(sky.times_days)
    blank = Observation(
        times_days=sky.times_days,
        rvs_ms=np.zeros(n),
        sigmas_ms=np.ones(n),
        instruments=("",) * n,
        star_mass_sun=star_mass_sun,
    )
    problem = Problem.of(blank)
    rows = [elements_row(each) for each in orbits]
    own = [derivatives(sky.times_days, sky.t_ref_days, row) for row in rows]
    low, high = bounds[0], LINEAR * bounds[1]
    wanted = np.maximum(LINEAR * np.array(targets), low)
    quantile = 1.0 - MISS / len(orbits)
    amplitudes = np.array([rounded(K / LINEAR) for K in first.K_ms])
    for _ in range(ITERATIONS):
        planets = [
            each.planet(minimum_mass_mjup(K, each.period_days, each.e, star_mass_sun), EDGE_ON_RAD)
            for each, K in zip(orbits, amplitudes.tolist(), strict=True)
        ]
        try:
            columns = dynamical.derivatives(problem, planets)
        except UsageError:
            raise Redraw("not integrable") from None
        blocks = np.split(columns, range(PARAMETERS, columns.shape[1], PARAMETERS), axis=1)
        covariances = posterior_covariances(sky, blocks, first.activity_ms)
        reached = np.array(
            [
                distance_quantile(jacobian, covariance, row, quantile)
                for jacobian, covariance, row in zip(own, covariances, rows, strict=True)
            ]
        )
        factor = np.where((reached < low) | (reached > high), reached / wanted, 1.0)
        if (factor == 1.0).all():
            return replace(
                first,
                K_ms=tuple(amplitudes.tolist()),
                tolerances=tuple(round(d, 3) for d in reached.tolist()),
            )
        if reached.max() > HOPELESS * high:
            break
        moved = amplitudes * np.clip(factor, 1.0 / LARGEST_STEP, LARGEST_STEP)
        if moved.min() < K_MS[0] or moved.max() > K_MS[1]:
            raise Redraw("amplitude out of range")
        amplitudes = np.array([rounded(K) for K in moved.tolist()])
    raise Redraw("amplitudes do not settle")
