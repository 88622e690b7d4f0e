"""N-body velocities: the published conversion, and physics that has to come out."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from ecliptic.errors import MissingExtraError, UsageError
from ecliptic.rv import kepler, nbody, orbit
from ecliptic.rv.nbody import nbody_velocities_ms
from ecliptic.rv.tasks import Planet

TIMES = np.linspace(0.0, 120.0, 80)
PAIR = (  # near 2:1, so that the planets pull each other off their ellipses by 39 m/s
    Planet(period_days=20.0, m_sin_i_mjup=1.0, e=0.1, omega_rad=1.0, l_rad=2.0),
    Planet(period_days=41.0, m_sin_i_mjup=1.5, e=0.05, omega_rad=4.0, l_rad=0.3),
)
needs_rebound = pytest.mark.skipif(
    importlib.util.find_spec("rebound") is None, reason="the extra 'nbody' is not installed"
)


def light_planet(**elements: float) -> Planet:
    return Planet(
        **(
            {"period_days": 20.0, "m_sin_i_mjup": 1e-6, "e": 0.4, "omega_rad": 1.0, "l_rad": 2.0}
            | elements
        )
    )


def light_semi_amplitude_ms(planet: Planet, star_mass_sun: float) -> float:
    """K for the constants of the integration; the planet's share of the mass is below 1e-9."""
    gm = nbody.GM_SUN_SI * star_mass_sun
    speed = (2.0 * math.pi * gm / (planet.period_days * nbody.DAY_S)) ** (1 / 3)
    mass_ratio = planet.m_sin_i_mjup * nbody.MJUP_IN_SUN / star_mass_sun
    return speed * mass_ratio / math.sqrt(1.0 - planet.e**2)


def published_planet(fields: dict[str, Any]) -> Planet:
    names = {"P_days": "period_days"}
    return Planet(**{names.get(k, k): v for k, v in fields.items() if k != "m_true_mjup"})


@needs_rebound
def test_published_conversion_of_every_file(stargazer_data: Path) -> None:
    lines = (stargazer_data / "expected_observations.jsonl").read_text().splitlines()
    expected = {row["task_id"]: row for row in map(json.loads, lines)}
    files = sorted((stargazer_data / "synthetic").glob("*.json"))
    assert len(files) == len(expected) == 70
    for file in files:
        data = json.loads(file.read_text())
        times = np.array(data["observations"]["times_days"])
        star_mass_sun = data["config"]["star"]["M_star_sun"]
        planets = tuple(published_planet(fields) for fields in data["config"]["planets"])
        unturned = tuple(
            planet.model_copy(update={"l_rad": planet.l_rad - planet.Omega_rad, "Omega_rad": 0.0})
            for planet in planets
        )
        converted = (
            np.array(data["observations"]["rvs_ms"])
            - nbody_velocities_ms(times, planets, star_mass_sun)
            + orbit.radial_velocity_ms(times, unturned, star_mass_sun, times[0])
        )
        row = expected[data["task_id"]]
        scale = np.abs(row["rvs_ms"]).max()
        assert_allclose(converted, row["rvs_ms"], rtol=0, atol=1e-9 * scale, err_msg=file.name)
        longitudes = [planet.l_rad % (2.0 * math.pi) for planet in unturned]
        assert longitudes == pytest.approx([p["l_rad"] for p in row["planets"]], abs=1e-14)


@needs_rebound
@pytest.mark.parametrize("Omega", [0.0, 0.7, 4.0])
@pytest.mark.parametrize("inc", [None, 0.5, 1.2])
def test_sky_frame_of_a_light_planet_is_the_keplerian_curve(
    Omega: float, inc: float | None
) -> None:
    planet = light_planet(Omega_rad=Omega, inc_rad=inc)
    K = light_semi_amplitude_ms(planet, 0.8)
    _, K_rounded, e, omega, M0 = orbit.elements_of((planet,), 0.8)[0]
    # The constant 28.4329 and the masses differ by 4.2e-5 (test_orbit bounds the constant).
    assert pytest.approx(K, rel=1e-4) == K_rounded
    curve = orbit.curves(TIMES, 3.0, np.array([[planet.period_days, K, e, omega, M0]]))[0]
    velocities = nbody_velocities_ms(TIMES, (planet,), 0.8, frame="sky", t_ref_days=3.0)
    # The mass ratio of 2e-9 changes speed and period at that order; 6 orbits add up the phase.
    assert_allclose(velocities, curve, rtol=0, atol=1e-7 * K)


@needs_rebound
@pytest.mark.parametrize(("inc", "Omega"), [(0.4, 0.3), (1.3, 2.0), (math.pi / 2, 0.0)])
def test_published_frame_in_closed_form(inc: float, Omega: float) -> None:
    """The lone planet's velocity along x for the tilt and node that ``ix`` and ``iy`` amount to."""
    planet = light_planet(inc_rad=inc, Omega_rad=Omega)
    tilt, node = 2.0 * math.asin(0.5 * math.sin(inc / 2.0)), math.pi / 2.0 - Omega
    e, omega = planet.e, planet.omega_rad - node
    M = planet.l_rad - planet.omega_rad + 2.0 * math.pi * TIMES / planet.period_days
    E = kepler.eccentric_anomaly(M, e)
    nu = 2.0 * np.arctan2(math.sqrt(1 + e) * np.sin(E / 2), math.sqrt(1 - e) * np.cos(E / 2))
    star_x = math.cos(node) * (np.sin(nu + omega) + e * math.sin(omega)) + math.sin(
        node
    ) * math.cos(tilt) * (np.cos(nu + omega) + e * math.cos(omega))
    K = light_semi_amplitude_ms(planet, 1.0) / math.sin(inc)
    velocities = nbody_velocities_ms(TIMES, (planet,), 1.0)
    assert_allclose(velocities, K * star_x, rtol=0, atol=1e-7 * K)


@needs_rebound
def test_step_length_converges_at_second_order_to_the_exact_integration() -> None:
    exact = nbody_velocities_ms(TIMES, PAIR, 1.0, frame="sky", integrator="ias15")
    interaction = np.abs(exact - orbit.radial_velocity_ms(TIMES, PAIR, 1.0, 0.0)).max()
    errors = [
        np.abs(
            nbody_velocities_ms(TIMES, PAIR, 1.0, frame="sky", steps_per_period=steps) - exact
        ).max()
        for steps in (50, 100, 200)
    ]
    assert interaction > 10.0
    assert errors[0] < 1e-4 * interaction
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.15)
    assert errors[1] / errors[2] == pytest.approx(4.0, rel=0.15)


@needs_rebound
def test_times_before_the_epoch_and_out_of_order() -> None:
    times = np.array([7.0, -30.0, 2.0, -5.0])
    together = nbody_velocities_ms(times, PAIR, 1.0, integrator="ias15")
    alone = [nbody_velocities_ms([time], PAIR, 1.0, integrator="ias15")[0] for time in times]
    assert_allclose(together, alone, rtol=0, atol=1e-8)


@needs_rebound
def test_epoch_only_shifts_time() -> None:
    shifted = nbody_velocities_ms(TIMES + 1000.0, PAIR, 1.0, t_ref_days=1000.0)
    assert_allclose(shifted, nbody_velocities_ms(TIMES, PAIR, 1.0), rtol=0, atol=1e-6)


@needs_rebound
def test_mean_longitudes_of_light_planets_run_evenly() -> None:
    lines = nbody.mean_longitudes([light_planet(e=0.0), light_planet(period_days=47.0)], 1.0, 900.0)
    assert_allclose(lines[:, 0], 0.0, atol=1e-3)
    assert_allclose(math.tau / lines[:, 1], [20.0, 47.0], rtol=1e-5)


@needs_rebound
def test_planets_that_pull_move_at_other_mean_rates_than_at_the_epoch() -> None:
    lines = nbody.mean_longitudes(PAIR, 1.0, 900.0)
    gained = [
        n / math.tau - 1.0 / each.period_days for (_, n), each in zip(lines, PAIR, strict=True)
    ]
    assert min(abs(each) for each in gained) * 900.0 > 0.02


@needs_rebound
def test_edges() -> None:
    assert nbody_velocities_ms(TIMES, (), 1.0).tolist() == [0.0] * TIMES.size
    assert nbody_velocities_ms([], PAIR, 1.0).shape == (0,)


@needs_rebound
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"times_days": [0.0, math.nan]}, "times_days: must be a flat list of finite numbers"),
        ({"times_days": [[0.0]]}, "times_days: must be a flat list of finite numbers"),
        ({"steps_per_period": 0.0}, "steps_per_period: must be > 0, not 0"),
        ({"planets": (light_planet(inc_rad=0.0),)}, r"planets\[0\].inc_rad: a face-on orbit"),
    ],
)
def test_impossible_requests_are_refused(change: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"times_days": TIMES, "planets": PAIR, "star_mass_sun": 1.0}
    with pytest.raises(UsageError, match=message):
        nbody_velocities_ms(**(arguments | change))


def test_without_rebound_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"N-body velocities .* 'ecliptic\[nbody\]'"):
        nbody_velocities_ms(TIMES, PAIR, 1.0)
