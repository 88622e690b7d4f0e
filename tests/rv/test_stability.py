"""Which orbits could last."""

from __future__ import annotations

import numpy as np
import pytest

from ecliptic.rv.archive.shipped_tasks import read_task
from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.inference.fitting import fit, start_of
from ecliptic.rv.oracle import true_elements
from ecliptic.rv.stability import are_stable, is_pair_stable, is_stable


@pytest.mark.parametrize(("radii", "stable"), [(3.40, False), (3.52, True)])
def test_light_planets_on_circles_need_two_root_three_hill_radii(
    radii: float, stable: bool
) -> None:
    mu = 1e-6
    half = 0.5 * radii * (2.0 * mu / 3.0) ** (1.0 / 3.0)
    axes = (1.0 + half) / (1.0 - half)
    assert is_pair_stable((1.0, mu, 0.0), (axes**1.5, mu, 0.0)) is stable


def test_a_far_planet_of_high_eccentricity_is_no_danger() -> None:
    assert is_pair_stable((3.0, 1e-5, 0.1), (95.0, 1e-4, 0.6))
    assert not is_pair_stable((3.0, 1e-5, 0.1), (6.5, 1e-3, 0.6))


@pytest.mark.parametrize(
    ("outer_days", "e", "stable"),
    [(165.0, 0.0, True), (165.0, 0.5, False), (200.0, 0.5, True), (104.0, 0.0, False)],
)
def test_giants_may_cross_near_a_resonance_alone(outer_days: float, e: float, stable: bool) -> None:
    rows = np.array([[100.0, 30.0, e], [outer_days, 30.0, e]])
    assert are_stable(rows, 1.0) is stable
    assert are_stable(rows[::-1].copy(), 1.0) is stable


@pytest.mark.parametrize("name", ["eta Cet", "HD 128311", "HD 82943", "GJ 581", "CoRoT-7"])
def test_known_systems_last(name: str) -> None:
    task = read_task(name)
    problem = problem_of(task.observation)
    assert is_stable(fit(problem, start_of(problem, true_elements(task))))


def test_two_giants_on_nearly_one_orbit_do_not() -> None:
    problem = problem_of(read_task("eta Cet").observation)
    close = np.array([[1.0 / 792.0, 0.0, 0.0], [1.0 / 826.0, 0.0, 0.0]])
    assert not is_stable(fit(problem, close))
