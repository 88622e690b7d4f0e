"""Faults of published real tasks are found by measurement; none where there is none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ecliptic.cli.app import run_cli
from ecliptic.rv.archive.seeds import seeds_of_planets
from ecliptic.rv.orbit import radial_velocity_ms
from ecliptic.rv.published_real.known import KnownStar, known_stars
from ecliptic.rv.published_real.mending import mended
from ecliptic.rv.published_real.page import published_page, summary_line
from ecliptic.rv.published_real.review import review, review_bank
from ecliptic.rv.published_real.zero_points import in_transit, later_copies, repeated_points
from ecliptic.rv.tasks import Instrument, Noise, Observation, Planet, RVTask, Truth

PLANETS = (
    Planet(period_days=9.4, m_sin_i_mjup=0.4, e=0.1, omega_rad=1.0, l_rad=2.0),
    Planet(period_days=71.0, m_sin_i_mjup=0.5, e=0.1, omega_rad=3.0, l_rad=1.0),
)


def star(
    planets: tuple[Planet, ...] = PLANETS,
    stated: tuple[Planet, ...] | None = None,
    *,
    step_ms: float = 0.0,
    scatter_ms: float = 1.0,
) -> RVTask:
    """Eighty velocities of ``planets`` in two seasons, published as ``stated``."""
    rng = np.random.default_rng(11)
    times = np.sort(np.concatenate([rng.uniform(0, 150, 40), rng.uniform(300, 450, 40)]))
    rvs = radial_velocity_ms(times, planets, 1.0, float(times[0])) + step_ms * (times > 200)
    return RVTask.create(
        tier="real",
        source_id="real_900",
        observation=Observation(
            times_days=times,
            rvs_ms=rvs + rng.normal(0.0, scatter_ms, 80),
            sigmas_ms=np.full(80, 1.0),
            instruments=("A",) * 80,
            star_mass_sun=1.0,
        ),
        truth=Truth(
            planets=planets if stated is None else stated,
            instruments=(Instrument(label="A"),),
            noise=Noise(sigma_white_ms=1.0),
        ),
        difficulty=3,
    )


def moved(planet: Planet, **changes: float) -> Planet:
    return planet.model_copy(update=changes)


CASES = {
    "none": (star(), set(), True),
    "quarter_turn": (
        star(stated=tuple(moved(p, l_rad=p.l_rad + np.pi / 2) for p in PLANETS)),
        {"quarter_turn"},
        False,
    ),
    "phase": (star(stated=(PLANETS[0], moved(PLANETS[1], l_rad=3.9))), {"phase"}, False),
    "mixed_zero_points": (star(step_ms=12.0), {"mixed_zero_points"}, True),
    "further_signal": (star(stated=PLANETS[:1]), {"further_signal", "jitter"}, True),
    "amplitude": (
        star(stated=(PLANETS[0], moved(PLANETS[1], m_sin_i_mjup=0.7))),
        {"amplitude"},
        False,
    ),
    "unsupported_planet": (
        star(planets=PLANETS[:1], stated=(PLANETS[0], moved(PLANETS[1], m_sin_i_mjup=0.01))),
        {"unsupported_planet"},
        True,
    ),
    "jitter": (star(scatter_ms=2.5), {"jitter"}, True),
}


@pytest.mark.parametrize("name", CASES)
def test_a_fault_is_found_and_the_refit_passes(name: str) -> None:
    task, codes, truth_passes = CASES[name]
    found = review(task)
    assert {str(fault.code) for fault in found.faults} == codes
    assert found.oracle.passed
    assert found.truth.passed is (truth_passes and name != "unsupported_planet")
    assert summary_line(found).startswith("real_900: ")
    assert f"`{next(iter(codes), 'no fault')}`".strip("`") in published_page([found])


@pytest.mark.parametrize(("nbody", "found"), [(False, ["mixed_zero_points"]), (True, [])])
def test_zero_points_stay_whole_where_the_planets_pull_on_each_other(
    nbody: bool, found: list[str]
) -> None:
    task, faults = star(step_ms=12.0), []
    seeds = list(seeds_of_planets(PLANETS, 1.0))
    known = KnownStar(star="made-up", source="nobody", nbody=nbody)
    observation = mended(task.observation, seeds, known, faults)
    assert [str(fault.code) for fault in faults] == found
    assert len(observation.instrument_labels) == 1 + len(found)


def test_rows_that_go_back_are_told() -> None:
    faults = review(star(), unsorted_rows=3).faults
    assert [(str(fault.code), fault.text[:6]) for fault in faults] == [("unsorted", "3 rows")]


def test_repeated_points_are_those_with_the_same_velocity() -> None:
    whole = star().observation
    twice = Observation(
        times_days=[0.0, 0.0, 0.0, 1.0],
        rvs_ms=[1.0, 1.0, 2.0, 1.0],
        sigmas_ms=[1.0] * 4,
        instruments=("A",) * 4,
        star_mass_sun=1.0,
    )
    assert repeated_points(whole) == 0
    assert repeated_points(twice) == 1
    assert later_copies(twice).tolist() == [False, True, False, False]


def test_a_transit_is_where_the_velocity_falls_through_zero() -> None:
    elements = np.array([3.0, 50.0, 0.0, 0.0, 0.5 * np.pi])  # l = pi / 2 at the epoch
    observation = Observation(
        times_days=[0.0, 0.03, 0.1, 1.5, 2.97, 3.0],
        rvs_ms=[0.0] * 6,
        sigmas_ms=[1.0] * 6,
        instruments=("A",) * 6,
        star_mass_sun=1.0,
    )
    inside = in_transit(observation, elements, transit_hours=2.0)
    assert inside.tolist() == [True, True, False, False, True, True]


def test_every_known_star_has_a_source() -> None:
    assert all(star.source for star in known_stars().values())


def test_the_bank_is_reviewed_from_its_own_files(stargazer_data: Path, tmp_path: Path) -> None:
    path = stargazer_data / "real" / "real_017.json"
    (found,) = review_bank(path)
    assert found.oracle.passed
    assert not found.truth.passed
    assert not found.paper.passed
    page = tmp_path / "page.md"
    assert run_cli(["archive", "published", str(path), "--out", str(page)]) == 0
    assert "real_017, HD 45364" in page.read_text()
