"""The code of the skills for radial velocities, executed as an agent would."""

from __future__ import annotations

from typing import Any

import matplotlib
import numpy as np
import pytest
from skills.laboratory import observed, preloaded, run

from ecliptic import rv
from ecliptic.rv.orbit import (
    curves,
    elements_of,
    minimum_mass_mjup,
    radial_velocity_ms,
    semi_amplitude_ms,
)
from ecliptic.rv.tasks import Planet

ECCENTRIC = Planet(period_days=31.7, m_sin_i_mjup=0.5, e=0.55, omega_rad=1.1, l_rad=4.0)
ROUND = Planet(period_days=9.13, m_sin_i_mjup=0.2, e=0.0, omega_rad=0.0, l_rad=2.0)


@pytest.fixture(autouse=True)
def _no_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    matplotlib.use("Agg")
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: None)


@pytest.fixture(scope="module")
def one() -> dict[str, Any]:
    """A session in which one eccentric planet was searched and fitted, with two instruments."""
    session = preloaded(observed([ECCENTRIC], seed=1, labels=("a", "b")))
    return run("keplerian-fit", run("period-search", session))


def angle(value: float) -> float:
    return float(np.mod(value + np.pi, 2 * np.pi) - np.pi)


def test_the_fit_recovers_an_eccentric_orbit(one: dict[str, Any]) -> None:
    (fitted,) = one["elements"](one["x"], one["sigma"])
    truth = elements_of([ECCENTRIC], 0.9)[0]
    assert fitted[0] == pytest.approx(truth[0], rel=1e-3)
    assert fitted[1] == pytest.approx(truth[1], rel=0.02)
    assert fitted[2] == pytest.approx(truth[2], abs=0.02)
    assert abs(angle(fitted[3] - truth[3])) < 0.05
    assert abs(angle(fitted[4] - truth[4])) < 0.05


@pytest.mark.parametrize("e", [1e-9, 0.3, 0.79])
def test_the_model_agrees_with_the_forward_model(one: dict[str, Any], e: float) -> None:
    P, K, omega, M0 = 17.3, 8.0, 2.5, 1.2
    t = one["t"]
    expected = curves(t, 0.0, np.array([[P, K, e, omega, M0]]))[0]
    x = np.array(one["start"](P, e, M0 + 2 * np.pi * one["mid"] / P))
    wave = one["columns"](x)[:, -2:] @ [K * np.cos(omega), K * np.sin(omega)]
    assert np.max(np.abs(wave - expected)) < 1e-6


def test_offsets_of_two_instruments_come_out_of_the_fit(one: dict[str, Any]) -> None:
    session = run("instrument-offsets", dict(one))
    (first, s1), (second, s2) = session["offsets"](session["x"], session["sigma"]).values()
    assert abs(second - first - 50.0) < 4 * np.hypot(s1, s2) < 2.0
    assert all(jitter < 0.6 for jitter in session["jitters"](session["sigma"]).values())
    assert session["best"] == "none"


def test_a_drift_is_found_and_taken_out() -> None:
    data = observed([ECCENTRIC], seed=2, labels=("a", "b"))
    session = preloaded(data)
    late = np.array([label == "b" for label in data.instruments])
    session["rvs_ms"] = session["rvs_ms"] + late * 0.1 * (data.times_days - 2300.0)
    session = run("instrument-offsets", run("keplerian-fit", run("period-search", session)))
    assert session["best"] == "drift of b"
    coefficients = session["solve"](session["x"], session["sigma"])[0]
    assert coefficients[2] / session["span"] == pytest.approx(0.1, rel=0.2)


def test_an_eccentricity_that_is_there_is_told_from_one_that_is_not(one: dict[str, Any]) -> None:
    session = run("eccentricity-checks", dict(one))
    assert session["gain"] > 100
    assert session["two"] - session["one"] < 2.5 * np.log(90)
    assert session["errors"](session["x"], session["sigma"])[0][1] < 0.02
    flat = run("keplerian-fit", run("period-search", preloaded(observed([ROUND], seed=3))))
    flat = run("eccentricity-checks", flat)
    assert flat["gain"] < 9


def test_two_planets_near_two_to_one_beat_an_eccentric_one() -> None:
    inner = Planet(period_days=15.75, m_sin_i_mjup=0.1, l_rad=1.0)
    outer = Planet(period_days=31.7, m_sin_i_mjup=0.4, l_rad=4.0)
    session = preloaded(observed([inner, outer], seed=4))
    session = run("eccentricity-checks", run("keplerian-fit", run("period-search", session)))
    assert session["two"] - session["one"] > 2.5 * np.log(90)
    periods = sorted(P for P, _, _ in session["orbits"](session["pair"]))
    assert periods == pytest.approx([15.75, 31.7], rel=5e-3)


def test_folding_tells_the_true_period_from_a_wrong_one() -> None:
    session = run("phase-folding", preloaded(observed([ROUND], seed=5)))
    v, s, inst = session["v"], session["s"], session["inst"]
    right, wrong = (np.std(session["harmonic_residuals"](v, s, P, inst)[0]) for P in (9.13, 10.4))
    assert right < 1.3 < 5 < wrong
    assert session["largest_gap"](np.array([0.1, 0.2, 0.7])) == pytest.approx(0.5)
    _, binned = session["fold"](v, s, 9.13)
    assert binned[:, 3].sum() == len(v)
    assert np.ptp(binned[:, 1]) > 20
    first, second = session["half_amplitudes"](v, s, 9.13, inst)
    assert np.hypot(*(first - second)) < 3


def test_aliases_of_a_period_are_listed(one: dict[str, Any]) -> None:
    rivals = np.array(one["alias_periods"](9.13))
    for alias in (1 / (1 - 1 / 9.13), 1 / (1 + 1 / 9.13), 1 / (1 / 9.13 - 1 / 365.25), 18.26):
        assert np.min(np.abs(rivals / alias - 1)) < 1e-9


@pytest.mark.parametrize("mass", [0.4, 1.3])
@pytest.mark.parametrize("planet", [ECCENTRIC, ROUND])
def test_conversions_agree_with_the_forward_model(planet: Planet, mass: float) -> None:
    data = observed([planet], seed=6)
    session = run("submitting-planets", preloaded(data))
    P, K, e, omega, M0 = elements_of([planet], mass)[0]
    assert session["m_sin_i"](K, P, e, mass) == pytest.approx(
        minimum_mass_mjup(float(K), float(P), float(e), mass), rel=1e-6
    )
    assert session["semi_amplitude"](planet.m_sin_i_mjup, P, e, mass) == pytest.approx(
        semi_amplitude_ms(planet.m_sin_i_mjup, float(P), float(e), mass), rel=1e-6
    )
    sent = session["planet"](P, K, e, omega, M0, mass)
    assert sent["m_sin_i_mjup"] == pytest.approx(planet.m_sin_i_mjup, rel=1e-6)
    assert abs(angle(sent["l_rad"] - planet.l_rad)) < 1e-6
    curve = session["submitted_curve"]([sent], mass)
    t = data.times_days
    assert np.max(np.abs(curve - radial_velocity_ms(t, [planet], mass, t[0]))) < 1e-6


def test_epochs_turn_into_the_anomaly_at_the_first_observation() -> None:
    data = observed([ECCENTRIC], seed=7)
    session = run("submitting-planets", preloaded(data))
    P, K, e, omega, M0 = elements_of([ECCENTRIC], 0.9)[0]
    periastron = data.times_days[0] - M0 * P / (2 * np.pi)
    assert abs(angle(session["M0_from_periastron"](periastron, P) - M0)) < 1e-6
    around = np.linspace(data.times_days[0], data.times_days[0] + P, 200_001)
    wave = curves(around, data.times_days[0], np.array([[P, K, e, omega, M0]]))[0]
    still = wave - K * e * np.cos(omega)
    falls = np.flatnonzero((still[:-1] > 0) & (still[1:] <= 0))[0]
    assert abs(angle(session["M0_from_conjunction"](around[falls], P, e, omega) - M0)) < 1e-3


def test_the_whole_way_solves_a_generated_star_with_two_planets() -> None:
    """Search, joint fits, count, submission: graded by the strict protocol."""
    star = rv.generate(seed=11, recipe="ecliptic", tier="easy")
    assert len(star.truth.planets) == 2
    session = preloaded(star.observation)
    for name in (
        "period-search",
        "keplerian-fit",
        "several-planets",
        "number-of-planets",
        "submitting-planets",
    ):
        run(name, session)
    rows = session["elements"](session["x"], session["sigma"])
    planets = [session["planet"](*row, star.observation.star_mass_sun) for row in rows]
    rms = session["submission_rms"](planets, star.observation.star_mass_sun)
    fitted = np.std(session["solve"](session["x"], session["sigma"])[1])
    assert rms == pytest.approx(fitted, rel=0.02)
    verdict = rv.evaluate(star, {"planets": planets}, protocol="strict")
    assert verdict.passed, verdict.diagnosis
