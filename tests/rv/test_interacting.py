"""Truths whose planets pull on each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ecliptic.rv.amplitudes import Sky, design_amplitudes
from ecliptic.rv.redraw import Redraw
from ecliptic.rv.systems import Orbit
from ecliptic.rv.tasks import Planet

pytest.importorskip("rebound", reason="needs the extra 'nbody'")

from ecliptic.rv import interacting

BOUNDS = (0.15, 0.97)
MASS = 0.8
PAIR = [Orbit(20.0, 0.05, 1.0, 2.0), Orbit(41.0, 0.03, 4.0, 5.0)]


@pytest.fixture(scope="module")
def sky() -> Sky:
    times = np.sort(np.random.default_rng(2).uniform(0.0, 800.0, 90))
    return Sky(times, float(times[0]), np.full(90, 4.0), None, np.ones((90, 1)))


def test_tolerances_of_pulled_planets_lie_within_the_bounds(sky: Sky) -> None:
    targets = [0.6, 0.5]
    first = design_amplitudes(sky, PAIR, targets, 0.0)
    found = interacting.design_interacting(sky, PAIR, first, targets, BOUNDS, MASS)
    assert all(BOUNDS[0] <= each <= BOUNDS[1] for each in found.tolerances)
    assert found.activity_ms == first.activity_ms
    assert found.tolerances != first.tolerances  # the pull tells more, or less


def test_masses_that_data_cannot_tell_apart_are_drawn_anew(sky: Sky) -> None:
    targets = [0.02, 0.02]
    first = design_amplitudes(sky, PAIR, [0.9, 0.9], 0.0)
    with pytest.raises(Redraw):
        interacting.design_interacting(sky, PAIR, first, targets, (0.01, 0.03), MASS)


def test_a_pull_shows_only_beyond_the_errors(sky: Sky) -> None:
    planets = [
        Planet(
            period_days=each.period_days, m_sin_i_mjup=2.0, e=each.e, l_rad=each.l_rad,
            inc_rad=interacting.EDGE_ON_RAD,
        )
        for each in PAIR
    ]  # fmt: skip
    assert interacting.interact(sky.times_days, planets, MASS, 1.0)
    assert not interacting.interact(sky.times_days, planets, MASS, 1e4)
    assert not interacting.interact(sky.times_days, planets[:1], MASS, 0.0)
    assert math.sin(interacting.EDGE_ON_RAD) == pytest.approx(1.0, rel=1e-12)
