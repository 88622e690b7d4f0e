"""Fits of planets that pull on each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ecliptic.rv.inference import dynamical
from ecliptic.rv.inference.fitting import default_theta
from ecliptic.rv.inference.holding import hold
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.orbit import elements_of
from ecliptic.rv.tasks import ModelFamily, Observation, Planet

pytest.importorskip("rebound", reason="needs the extra 'nbody'")

PAIR = (
    Planet(period_days=30.1, m_sin_i_mjup=0.7, e=0.2, omega_rad=0.6, l_rad=1.0),
    Planet(period_days=61.0, m_sin_i_mjup=2.3, e=0.05, omega_rad=2.0, l_rad=4.0),
)


@pytest.fixture(scope="module")
def problem() -> Problem:
    rng = np.random.default_rng(8)
    times = np.sort(rng.uniform(0.0, 900.0, 60))
    blank = Observation(
        times_days=times,
        rvs_ms=np.zeros(60),
        sigmas_ms=np.ones(60),
        instruments=("A",) * 60,
        star_mass_sun=0.35,
        family=ModelFamily(period_min_days=5.0, period_max_days=700.0, forward_model="nbody"),
    )
    empty = Problem.of(blank)
    velocities = dynamical.dynamical_velocities_ms(empty, PAIR) + rng.standard_normal(60)
    return empty.with_velocities(velocities)


def test_the_interaction_is_what_keplerian_orbits_lack(problem: Problem) -> None:
    assert np.std(dynamical.interaction_ms(problem, PAIR)) > 10.0
    assert not dynamical.interaction_ms(problem, PAIR[:1]).any()
    held = hold(problem, elements_of(PAIR, problem.star_mass_sun))
    assert held.rms_ms == pytest.approx(1.0, abs=0.25)


def test_the_order_of_the_planets_does_not_matter(problem: Problem) -> None:
    forth = dynamical.dynamical_velocities_ms(problem, PAIR)
    back = dynamical.dynamical_velocities_ms(problem, PAIR[::-1])
    np.testing.assert_array_equal(forth, back)


def test_a_fit_reaches_the_noise(problem: Problem) -> None:
    start = [
        planet.model_copy(update={"period_days": planet.period_days * 1.0005, "e": planet.e + 0.01})
        for planet in PAIR
    ]
    found = dynamical.fit_dynamical(problem, start, default_theta(problem))
    truth = hold(problem, elements_of(PAIR, problem.star_mass_sun))
    gain = found.held.log_likelihood - truth.log_likelihood
    assert 0.0 < gain < 15.0  # ten parameters take five on average
    for planet, true in zip(found.planets, PAIR, strict=True):
        assert planet.period_days == pytest.approx(true.period_days, rel=2e-3)
        assert planet.m_sin_i_mjup == pytest.approx(true.m_sin_i_mjup, rel=0.05)


def test_derivatives_are_those_of_the_integrated_velocities(problem: Problem) -> None:
    step = 1e-4
    slopes = dynamical.derivatives(problem, PAIR)
    moved = [
        (PAIR[0].model_copy(update={"l_rad": PAIR[0].l_rad + sign * step}), PAIR[1])
        for sign in (1.0, -1.0)
    ]
    forth, back = (dynamical.dynamical_velocities_ms(problem, each) for each in moved)
    numerical = (forth - back) / (2.0 * step)
    assert slopes[:, 4] == pytest.approx(numerical, abs=0.01 * float(np.abs(numerical).max()))


def test_derivatives_of_the_interaction_from_nearby_lead_to_the_same_optimum(
    problem: Problem,
) -> None:
    theta = default_theta(problem)
    slopes = dynamical.interaction_slopes(problem, PAIR)
    quick = dynamical.fit_dynamical(problem, PAIR, theta, slopes=slopes)
    full = dynamical.fit_dynamical(problem, PAIR, theta, tolerance=1e-4)
    loss = full.held.log_likelihood - quick.held.log_likelihood
    assert loss < 0.1
    for one, other in zip(quick.planets, full.planets, strict=True):
        assert one.period_days == pytest.approx(other.period_days, rel=1e-4)


def test_draws_scatter_around_the_planets(problem: Problem) -> None:
    draws, sigmas = dynamical.draw_elements(
        problem, PAIR, default_theta(problem), 500, np.random.default_rng(1)
    )
    rows = elements_of(PAIR, problem.star_mass_sun)
    assert draws.shape == (500, 2, 5)
    assert np.median(draws[:, :, 1], axis=0) == pytest.approx(rows[:, 1], rel=0.02)
    assert draws[:, :, 0].std(axis=0) == pytest.approx(sigmas, rel=0.15)
    assert math.isfinite(float(sigmas.max()))
