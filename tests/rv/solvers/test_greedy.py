"""The simple pipeline: what it finds, and what misleads it."""

from __future__ import annotations

import numpy as np
from rv.inference.stars import THREE, observe

from ecliptic.rv import orbit
from ecliptic.rv.solvers import solve
from ecliptic.rv.tasks import Observation, Planet

WIDE = THREE[[0, 2]]


def found(observation: Observation, **options: object) -> np.ndarray:
    planets = [Planet(**each) for each in solve(observation, "greedy", **options)["planets"]]
    return orbit.elements_of(planets, observation.star_mass_sun)


def test_planets_that_stand_out_are_found() -> None:
    planets = found(observe(WIDE, n_instruments=2, drift_ms=10.0, trend_ms=8.0))
    assert np.abs(planets[:, 0] / WIDE[:, 0] - 1.0).max() < 0.02
    assert np.abs(planets[:, 1] / WIDE[:, 1] - 1.0).max() < 0.15


def test_a_declared_activity_is_fitted_where_asked_for() -> None:
    observation = observe(WIDE, activity=True)
    planets = found(observation, activity=True)
    assert len(planets) == 2
    assert np.abs(planets[:, 0] / WIDE[:, 0] - 1.0).max() < 0.03
    assert not np.array_equal(planets, found(observation))
    quiet = observe(WIDE)
    assert np.array_equal(found(quiet, activity=True), found(quiet))


def test_at_most_as_many_planets_as_asked_for() -> None:
    assert len(found(observe(WIDE), max_planets=1)) == 1
    assert len(found(observe(WIDE), delta_bic=1e6)) == 0
