"""Starts for planets whose periods sway: what Keplerian fits tell of them are mean motions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ecliptic.rv.inference.fitting import default_theta
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.tasks import ModelFamily, Observation, Planet

pytest.importorskip("rebound", reason="needs the extra 'nbody'")

from ecliptic.rv import nbody
from ecliptic.rv.solvers import reference_pull
from ecliptic.rv.solvers.reference_pull import best_of, steady

MASS, SPAN = 0.62, 520.0
PAIR = (
    Planet(period_days=3.4962, m_sin_i_mjup=0.477, e=0.011, omega_rad=1.0, l_rad=0.533),
    Planet(period_days=7.0265, m_sin_i_mjup=0.598, e=0.012, omega_rad=4.0, l_rad=3.249),
)


@pytest.fixture(scope="module")
def problem() -> Problem:
    rng = np.random.default_rng(4)
    times = np.sort(np.concatenate([[0.0, SPAN], rng.uniform(0.0, SPAN, 48)]))
    rvs = nbody.nbody_velocities_ms(times, PAIR, MASS, frame="sky")
    family = ModelFamily(period_min_days=0.6, period_max_days=400.0, forward_model="nbody")
    return Problem.of(
        Observation(
            times_days=times,
            rvs_ms=rvs + 2.0 * rng.standard_normal(50),
            sigmas_ms=np.full(50, 2.0),
            instruments=("A",) * 50,
            star_mass_sun=MASS,
            family=family,
        )
    )


def mean_orbits() -> tuple[Planet, ...]:
    """Circular orbits along the lines that the true mean longitudes follow."""
    lines = nbody.mean_longitudes(PAIR, MASS, SPAN).tolist()
    return tuple(
        planet.model_copy(
            update={"period_days": math.tau / n, "l_rad": planet.l_rad + ahead, "e": 0.0}
        )
        for planet, (ahead, n) in zip(PAIR, lines, strict=True)
    )


def turns_off(planets: tuple[Planet, ...], others: tuple[Planet, ...]) -> float:
    pairs = zip(planets, others, strict=True)
    return max(abs(1.0 / a.period_days - 1.0 / b.period_days) * SPAN for a, b in pairs)


def test_periods_at_the_epoch_are_not_those_of_a_keplerian_fit(problem: Problem) -> None:
    start = steady(problem, mean_orbits())
    assert start is not None
    assert turns_off(mean_orbits(), PAIR) > 0.2
    assert turns_off(start, PAIR) < 0.6 * turns_off(mean_orbits(), PAIR)
    lines = nbody.mean_longitudes(start, MASS, SPAN)
    means = [2.0 * math.pi / planet.period_days for planet in mean_orbits()]
    gained = np.abs(lines[:, 1] - means) / math.tau * SPAN
    assert gained.max() < reference_pull.TURNS_GAINED


def test_only_such_starts_lead_to_the_planets(problem: Problem) -> None:
    theta = default_theta(problem)
    start = steady(problem, mean_orbits())
    assert start is not None
    found, lost = (best_of(problem, [each], theta) for each in (start, mean_orbits()))
    assert found is not None
    assert lost is not None
    assert found.held.log_likelihood > lost.held.log_likelihood + 50.0
    assert turns_off(found.planets, PAIR) < 0.05


def test_planets_that_keep_their_orbits_need_no_other_start(problem: Problem) -> None:
    light = [planet.model_copy(update={"m_sin_i_mjup": 1e-3}) for planet in PAIR]
    assert steady(problem, light) is None
    assert steady(problem, PAIR[:1]) is None
