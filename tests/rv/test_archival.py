"""Protocol archival: what passes, what fails, and why; on a made-up star."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from ecliptic import rv
from ecliptic.errors import UsageError
from ecliptic.rv.archival import allowed_loss
from ecliptic.rv.archive.refitting import archival_task
from ecliptic.rv.archive.seeds import Seed
from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.inference.fitting import fit
from ecliptic.rv.oracle import as_submission
from ecliptic.rv.orbit import radial_velocity_ms
from ecliptic.rv.refit_records import PARAMETERS, Measured
from ecliptic.rv.tasks import ModelFamily, Observation, Planet, RVTask

PLANETS = (
    Planet(period_days=11.3, m_sin_i_mjup=0.1, e=0.1, omega_rad=1.0, l_rad=2.0),
    Planet(period_days=47.0, m_sin_i_mjup=0.3, e=0.3, omega_rad=4.0, l_rad=0.5),
    Planet(period_days=3.1, m_sin_i_mjup=0.016, l_rad=3.0),
)
PERIODS = {"b": (11.3, 0.02), "c": (47.0, 0.3), "d": (3.1, 0.002)}


def observation(seed: int = 1) -> Observation:
    """Ninety velocities of two instruments with jitter."""
    rng = np.random.default_rng(seed)
    times = np.sort(rng.uniform(0.0, 400.0, 90)) + 5000.0
    second = rng.random(90) < 0.4
    rvs = radial_velocity_ms(times, PLANETS, 0.9, float(times[0])) + 800.0 * second
    return Observation(
        times_days=times,
        rvs_ms=rvs + rng.normal(0.0, 1.6, 90),
        sigmas_ms=np.full(90, 1.2),
        instruments=tuple("B" if each else "A" for each in second),
        star_mass_sun=0.9,
        family=ModelFamily(period_min_days=0.6, period_max_days=900.0),
    )


@cache
def task() -> RVTask:
    """Planets b and c are expected, d is tolerated."""
    seeds = [
        Seed(
            letter,
            {"period_days": Measured(value=period, sigma=sigma)},
            role="tolerated" if letter == "d" else "expected",
        )
        for letter, (period, sigma) in PERIODS.items()
    ]
    return archival_task(observation(), seeds, source_id="made-up", source="nobody")


def submitted(*changes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The refit's planets, each with its changes."""
    planets = [
        planet.model_dump(exclude={"inc_rad"}) | (changes[place] if place < len(changes) else {})
        for place, planet in enumerate(task().truth.planets)
    ]
    return {"planets": planets, **more}


def test_the_refit_finds_the_planets_with_honest_uncertainties() -> None:
    refit = task().truth.refit
    assert refit is not None
    K = rv.semi_amplitude_ms(0.3, 47.0, 0.3, 0.9)
    for planet, (period, _) in zip(
        (*refit.planets, *refit.tolerated), PERIODS.values(), strict=True
    ):
        assert abs(planet.period_days.value - period) < 4.0 * (planet.period_days.sigma or 0.0)
    assert abs(refit.planets[1].semi_amplitude_ms.value - K) < 1.5
    covariance = np.array(refit.covariance)
    assert covariance.shape == (10, 10)
    assert (np.linalg.eigvalsh(covariance) > 0.0).all()
    place = PARAMETERS.index("semi_amplitude_ms")
    assert np.sqrt(covariance[place, place]) == pytest.approx(
        refit.planets[0].semi_amplitude_ms.sigma, rel=1e-3
    )
    gammas = [each.gamma_ms for each in task().truth.instruments]
    assert abs(gammas[0] - gammas[1]) == pytest.approx(800.0, abs=2.0)


def test_a_task_without_activity_is_written_as_before() -> None:
    data = task().to_dict()
    assert "rotation" not in data["public"]["observation"]["family"]
    assert RVTask.from_dict(data) == task()
    plain = task().model_copy(update={"truth": task().truth.model_copy(update={"refit": None})})
    assert "refit" not in plain.to_dict()["sealed"]["truth"]


def test_the_refit_itself_passes() -> None:
    verdict = rv.evaluate(task(), submitted(), "archival")
    assert verdict.passed
    assert verdict.score == 1.0
    assert list(verdict.criteria) == ["periods", "amplitudes", "residuals", "count"]


def off(quantity: str, share: float) -> float:
    refit = task().truth.refit
    assert refit is not None
    return refit.planets[0].allowed(quantity, 3.0) * share


@pytest.mark.parametrize(("share", "passes"), [(0.9, True), (1.2, False), (-1.2, False)])
def test_a_period_may_be_off_by_the_larger_three_sigma(share: float, passes: bool) -> None:
    refit = task().truth.refit
    assert refit is not None
    P = refit.planets[0].period_days.value + off("period_days", share)
    verdict = rv.evaluate(task(), submitted({"period_days": P}), "archival")
    assert verdict.criteria["periods"].passed is passes
    assert verdict.criteria["periods"].value == pytest.approx(abs(share), rel=1e-6)


@pytest.mark.parametrize(("share", "passes"), [(0.9, True), (1.2, False), (-1.2, False)])
def test_an_amplitude_too(share: float, passes: bool) -> None:
    refit = task().truth.refit
    assert refit is not None
    planet, K = task().truth.planets[0], refit.planets[0].semi_amplitude_ms.value
    mass = planet.m_sin_i_mjup * (K + off("semi_amplitude_ms", share)) / K
    verdict = rv.evaluate(task(), submitted({"m_sin_i_mjup": mass}), "archival")
    assert verdict.criteria["amplitudes"].passed is passes


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        (({"m_sin_i_mjup": 0.2},), "wrong_amplitude"),
        (({"l_rad": 2.4},), "poor_residuals"),
        (({"period_days": 1 / (1 / 11.3 + 1.0)},), "alias"),
        (({"period_days": 19.0},), "wrong_period"),
    ],
)
def test_what_is_wrong_has_a_name(changes: tuple[dict[str, Any], ...], code: str) -> None:
    verdict = rv.evaluate(task(), submitted(*changes), "archival")
    assert verdict.diagnosis is not None
    assert str(verdict.diagnosis.code) == code


def test_a_planet_more_or_less_is_a_wrong_count() -> None:
    both = submitted()["planets"]
    more = [*both, {"period_days": 29.0, "m_sin_i_mjup": 0.001}]
    for planets, code in (
        ([], "no_planets"),
        (both[:1], "missed_planet"),
        (more, "spurious_planet"),
    ):
        verdict = rv.evaluate(task(), {"planets": planets}, "archival")
        assert not verdict.criteria["count"].passed
        assert verdict.diagnosis is not None
        assert str(verdict.diagnosis.code) == code


def test_a_tolerated_planet_counts_neither_for_nor_against() -> None:
    refit = task().truth.refit
    assert refit is not None
    third = {
        "period_days": refit.tolerated[0].period_days.value,
        "m_sin_i_mjup": 0.016,
        "l_rad": 3.0,
    }
    verdict = rv.evaluate(task(), {"planets": [third, *submitted()["planets"]]}, "archival")
    assert verdict.passed
    assert verdict.details["tolerated"] == [0]
    assert [pair[:2] for pair in verdict.details["pairs"]] == [[0, 1], [1, 2]]
    twice = rv.evaluate(task(), {"planets": [third, third, *submitted()["planets"]]}, "archival")
    assert not twice.criteria["count"].passed


def nightly() -> Observation:
    """Forty velocities at one hour of the night: periods and their daily aliases are alike."""
    rng = np.random.default_rng(3)
    times = 5000.0 + np.sort(rng.choice(200, 40, replace=False)) + rng.normal(0.0, 0.004, 40)
    return Observation(
        times_days=times,
        rvs_ms=radial_velocity_ms(times, PLANETS[2:], 0.9, 5000.0) + rng.normal(0.0, 1.2, 40),
        sigmas_ms=np.full(40, 1.2),
        instruments=("A",) * 40,
        star_mass_sun=0.9,
        family=ModelFamily(period_min_days=0.6, period_max_days=400.0),
    )


def test_an_alias_that_fits_as_well_is_as_right() -> None:
    seed = Seed("b", {"period_days": Measured(value=3.1, sigma=1e-4)})
    made = archival_task(nightly(), [seed], source_id="nightly", source="nobody")
    refit = made.truth.refit
    assert refit is not None
    alias = next(each for each in refit.rivals if 1.4 < each.periods_days[0].value < 1.6)
    assert 1.0 / alias.periods_days[0].value == pytest.approx(1.0 - 1.0 / 3.1, abs=0.01)
    assert RVTask.from_dict(made.to_dict()) == made
    # The solution itself, fitted from its period.
    problem = problem_of(made.observation)
    shape = np.array([[1.0 / alias.periods_days[0].value, 0.0, 0.0]])
    planets = as_submission(fit(problem, shape, e_scale=0.2).planets())
    verdict = rv.evaluate(made, planets, "archival")
    assert verdict.passed
    assert verdict.details["rival"] == refit.rivals.index(alias)
    none = refit.model_copy(update={"rivals": ()})
    plain = made.model_copy(update={"truth": made.truth.model_copy(update={"refit": none})})
    assert not rv.evaluate(plain, planets, "archival").criteria["periods"].passed
    wrong = planets.planets[0].model_copy(update={"period_days": 1.57})
    assert not rv.evaluate(made, {"planets": [wrong.model_dump()]}, "archival").passed


def test_a_unique_solution_has_no_rival() -> None:
    refit = task().truth.refit
    assert refit is not None
    assert refit.rivals == ()
    assert "rivals" not in task().to_dict()["sealed"]["truth"]["refit"]


def test_the_agents_jitter_is_not_used() -> None:
    one = rv.evaluate(task(), submitted(), "archival")
    other = rv.evaluate(task(), submitted(noise={"sigma_jitter_ms": 500.0}), "archival")
    assert one.details == other.details


def test_a_submission_may_ask_for_the_other_forward_model() -> None:
    pytest.importorskip("rebound")
    plain = rv.evaluate(task(), submitted(), "archival")
    pulled = rv.evaluate(task(), submitted(forward_model="nbody"), "archival")
    assert plain.details["forward_model"] == "keplerian"
    assert pulled.details["forward_model"] == "nbody"
    assert pulled.details["log_likelihood"] != plain.details["log_likelihood"]
    assert pulled.passed  # planets this light hardly pull
    strict = [rv.evaluate(task(), each, "strict").details["log_likelihood"] for each in
              (submitted(), submitted(forward_model="nbody"))]  # fmt: skip
    assert strict[0] == strict[1]


def test_the_loss_allowed_is_that_of_the_chi_square() -> None:
    assert 2.0 * allowed_loss(1, 3.0) == pytest.approx(18.205, abs=1e-3)
    assert allowed_loss(3, 3.0) > allowed_loss(2, 3.0) > allowed_loss(1, 3.0)


def test_a_task_without_a_refit_is_refused() -> None:
    plain = rv.generate(3, recipe="paper", tier="easy")
    with pytest.raises(UsageError, match=r"truth\.refit is missing: protocol archival"):
        rv.evaluate(plain, {"planets": []}, "archival")


@pytest.mark.parametrize(
    ("level", "criteria"),
    [
        ("none", set()),
        ("statistical", set()),
        ("criteria", {"periods", "amplitudes", "residuals", "count"}),
    ],
)
def test_feedback_tells_no_figure_of_the_refit(level: str, criteria: set[str]) -> None:
    env = rv.Environment(task(), protocol="archival", feedback=level)
    env.reset()
    step = env.step(submitted({"period_days": 11.4}))
    assert set(step.feedback.criteria) == criteria
    verdict = env.last_verdict
    assert verdict is not None
    secrets = [verdict.criteria["residuals"].threshold, verdict.criteria["periods"].value]
    assert not any(secret in step.feedback.figures.values() for secret in secrets)
    assert not {"pairs", "period_ratios", "tolerated", "match_score"} & step.feedback.figures.keys()


def test_an_impossible_submission_fails_without_an_error() -> None:
    wild = {"planets": [{"period_days": 1e-3, "m_sin_i_mjup": 1e300}]}
    verdict = rv.evaluate(task(), wild, "archival")
    assert not verdict.passed
    assert verdict.details["log_likelihood"] is None


def test_the_oracle_of_the_audit_passes() -> None:
    assert rv.evaluate(task(), as_submission(task().truth.planets), "archival").passed
    audit = rv.audit(task(), "archival", draws=4)
    assert audit.oracle.passed
    assert audit.ceiling is not None
    assert audit.ceiling.passed >= 3
    assert not any(audit.floor.values())
