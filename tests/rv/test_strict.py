"""Protocol `strict` on stars made by hand: what passes, what fails, and by which criterion."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from ecliptic import rv
from ecliptic.errors import UsageError
from ecliptic.rv import noise, orbit, strict
from ecliptic.rv.auditing import with_recovery
from ecliptic.rv.diagnosis import RVDiagnosis
from ecliptic.rv.environment import Environment
from ecliptic.rv.oracle import as_submission
from ecliptic.rv.protocols import StrictProtocol
from ecliptic.rv.repeats import repeated
from ecliptic.rv.scoring import evaluate
from ecliptic.rv.submission import read_submission
from ecliptic.rv.tasks import (
    Indicator,
    Instrument,
    ModelFamily,
    Noise,
    Observation,
    Planet,
    RotationGP,
    RVTask,
    Truth,
)

SPOTS = RotationGP(sigma_ms=2.0, period_days=23.0, Q0=1.5, dQ=0.7, f=0.6)
INNER = Planet(period_days=7.3, m_sin_i_mjup=0.06, e=0.25, omega_rad=0.7, l_rad=2.0)
OUTER = Planet(period_days=61.0, m_sin_i_mjup=0.15, e=0.1, omega_rad=4.0, l_rad=5.0)
CRITERIA = {"detection", "residuals", "recovery", "periods", "count"}


def star(*planets: Planet, activity: bool = False, n: int = 80) -> RVTask:
    rng = np.random.default_rng(20)
    nights = np.sort(rng.choice(400, n, replace=False))
    times = 100.0 + nights + rng.uniform(-0.1, 0.1, n)
    sigmas = rng.uniform(0.8, 1.3, n)
    labels = tuple("ab"[i % 2] for i in range(n))
    rvs = orbit.radial_velocity_ms(times, planets, 0.9, times[0])
    rvs = rvs + np.hypot(sigmas, 0.5) * rng.standard_normal(n)
    rvs += np.where(np.array(labels) == "a", 30.0, -8.0)
    indicators: tuple[Indicator, ...] = ()
    if activity:
        spots = noise.draw_rotation_gp_ms(SPOTS, times, rng)
        rvs += spots
        values = 3.0 * spots + rng.standard_normal(n)
        indicators = (Indicator(name="fwhm", values_ms=values, sigmas_ms=np.ones(n)),)
    return RVTask.create(
        tier="medium",
        difficulty=3,
        observation=Observation(
            times_days=times,
            rvs_ms=rvs,
            sigmas_ms=sigmas,
            instruments=labels,
            star_mass_sun=0.9,
            indicators=indicators,
            family=ModelFamily(activity=activity, period_min_days=0.6, period_max_days=320.0),
        ),
        truth=Truth(
            planets=planets,
            instruments=tuple(Instrument(label=each, sigma_jitter_ms=0.5) for each in "ab"),
            noise=Noise(sigma_white_ms=1.0, sigma_jitter_ms=0.5, gp=SPOTS if activity else None),
        ),
    )


@pytest.fixture(scope="module", params=[False, True], ids=["white", "active"])
def task(request: pytest.FixtureRequest) -> RVTask:
    made = star(INNER, OUTER, activity=request.param)
    return with_recovery(made, strict.strict_prepared(made).recovery)


def submit(*planets: Planet, jitter_ms: float = 0.0) -> dict[str, Any]:
    return as_submission(planets, jitter_ms).to_dict()


def oracle(task: RVTask) -> tuple[Planet, ...]:
    assert task.truth.recovery is not None
    return task.truth.recovery.planets


def failed(task: RVTask, submission: object) -> set[str]:
    verdict = evaluate(task, submission, "strict")
    return {name for name, criterion in verdict.criteria.items() if not criterion.passed}


def massless(planet: Planet) -> Planet:
    return planet.model_copy(update={"m_sin_i_mjup": 0.0})


def moved(planet: Planet, **changes: float) -> Planet:
    return planet.model_copy(update=changes)


# --- what passes ---------------------------------------------------------------------------


def test_the_oracle_passes(task: RVTask) -> None:
    verdict = evaluate(task, submit(*oracle(task)), "strict")
    assert verdict.passed
    assert verdict.protocol == "strict"
    assert set(verdict.criteria) == CRITERIA
    assert verdict.diagnosis is None
    json.dumps(verdict.to_dict(), allow_nan=False)


def test_the_order_of_planets_is_free(task: RVTask) -> None:
    assert evaluate(task, submit(*reversed(oracle(task))), "strict").passed


def test_the_submitted_jitter_is_not_used(task: RVTask) -> None:
    quiet = evaluate(task, submit(*oracle(task)), "strict")
    loud = evaluate(task, submit(*oracle(task), jitter_ms=1e5), "strict")
    assert quiet.to_dict() == loud.to_dict()


def test_a_record_and_its_computation_agree() -> None:
    made = star(INNER)
    recorded = with_recovery(made, strict.strict_prepared(made).recovery)
    guess = submit(*oracle(recorded))
    assert (
        evaluate(made, guess, "strict").to_dict() == evaluate(recorded, guess, "strict").to_dict()
    )


def test_details_are_those_of_the_public_interface(task: RVTask) -> None:
    details = evaluate(task, submit(*oracle(task)), "strict").details
    assert details["delta_bic"] == pytest.approx(details["bic_null"] - details["bic"])
    assert min(details["delta_bic_per_planet"]) > 20.0
    assert details["gamma_per_instrument_ms"]["a"] == pytest.approx(30.0, abs=2.5)
    assert details["gamma_per_instrument_ms"]["b"] == pytest.approx(-8.0, abs=2.5)
    assert [pair[:2] for pair in details["pairs"]] == [[0, 0], [1, 1]]
    assert details["match_score"] == pytest.approx(
        np.mean([math.exp(-pair[2]) for pair in details["pairs"]])
    )
    assert details["unmatched_truth"] == details["unmatched_guess"] == []


# --- what fails ----------------------------------------------------------------------------


def test_nothing_submitted_fails(task: RVTask) -> None:
    assert {"residuals", "recovery", "count"} <= failed(task, {"planets": []})
    verdict = evaluate(task, {"planets": []}, "strict")
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.code is RVDiagnosis.NO_PLANETS


def test_planets_without_mass_are_no_help(task: RVTask) -> None:
    strongest, other = oracle(task)[1], oracle(task)[0]
    assert {"detection", "recovery"} <= failed(task, submit(strongest, massless(other)))


def test_a_jitter_hides_nothing(task: RVTask) -> None:
    guess = submit(*map(massless, oracle(task)), jitter_ms=1e4)
    assert {"detection", "residuals", "recovery"} <= failed(task, guess)


def test_a_planet_shared_out_is_detected_once(task: RVTask) -> None:
    inner, outer = oracle(task)
    half = moved(outer, m_sin_i_mjup=outer.m_sin_i_mjup / 2.0)
    other = moved(half, period_days=half.period_days * 1.0001)
    assert {"detection", "recovery"} <= failed(task, submit(half, other))
    assert {"detection", "count"} <= failed(task, submit(inner, half, other))


def test_a_duplicate_is_not_detected(task: RVTask) -> None:
    inner, outer = oracle(task)
    assert {"detection", "residuals", "count"} <= failed(task, submit(inner, outer, outer))


def test_a_missing_and_a_spurious_planet_fail_the_count(task: RVTask) -> None:
    inner, outer = oracle(task)
    assert {"residuals", "count"} <= failed(task, submit(outer))
    spurious = Planet(period_days=2.9, m_sin_i_mjup=0.004)
    verdict = evaluate(task, submit(inner, outer, spurious), "strict")
    assert not verdict.criteria["count"].passed
    assert not verdict.criteria["detection"].passed
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.code is RVDiagnosis.SPURIOUS_PLANET


def test_an_alias_fails_on_its_period(task: RVTask) -> None:
    inner, outer = oracle(task)
    alias = moved(inner, period_days=1.0 / (1.0 / 0.99726957 - 1.0 / inner.period_days))
    verdict = evaluate(task, submit(alias, outer), "strict")
    assert not verdict.criteria["periods"].passed
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.code is RVDiagnosis.ALIAS


def test_an_alias_fails_even_where_the_distance_is_forgiven(task: RVTask) -> None:
    inner, outer = oracle(task)
    beside = moved(inner, period_days=inner.period_days * 1.01)
    rules = StrictProtocol(max_tolerance=100.0, base_tolerance=100.0)
    verdict = evaluate(task, submit(beside, outer), rules)
    assert verdict.criteria["recovery"].passed
    assert not verdict.criteria["periods"].passed


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"l_rad": 1.2}, RVDiagnosis.WRONG_PHASE),
        ({"m_sin_i_mjup": 0.21}, RVDiagnosis.WRONG_AMPLITUDE),
    ],
)
def test_the_wrong_orbit_fails_the_recovery(
    task: RVTask, change: dict[str, float], code: RVDiagnosis
) -> None:
    inner, outer = oracle(task)
    verdict = evaluate(task, submit(inner, moved(outer, **change)), "strict")
    assert not verdict.criteria["recovery"].passed
    assert verdict.criteria["periods"].passed
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.code is code


def test_extreme_submissions_get_a_verdict(task: RVTask) -> None:
    for planet in (
        Planet(period_days=1e-300, m_sin_i_mjup=1.0),
        Planet(period_days=1e300, m_sin_i_mjup=1e300),
        Planet(period_days=20.0, m_sin_i_mjup=1e200, e=0.999999),
    ):
        verdict = evaluate(task, submit(planet), "strict")
        assert not verdict.passed
        json.dumps(verdict.to_dict(), allow_nan=False)


def test_tolerances_have_a_floor_and_a_cap(task: RVTask) -> None:
    assert task.truth.recovery is not None
    wide = task.truth.recovery.model_copy(update={"tolerances": (7.0, 0.01)})
    verdict = evaluate(with_recovery(task, wide), submit(*oracle(task)), "strict")
    assert verdict.details["tolerances"] == [1.0, 0.223]
    faint = with_recovery(task.model_copy(update={"tier": "faint"}), wide)
    assert evaluate(faint, submit(*oracle(task)), "strict").details["tolerances"] == [2.0, 0.223]


# --- episodes ------------------------------------------------------------------------------


def test_an_episode_tells_criteria_and_nothing_of_the_truth(task: RVTask) -> None:
    environment = Environment(task, protocol="strict")
    environment.reset()
    step = environment.step(submit(oracle(task)[1]))
    assert set(step.feedback.criteria) == CRITERIA
    verdict = environment.last_verdict
    assert verdict is not None
    told = json.dumps(step.feedback.to_dict())
    threshold = verdict.criteria["residuals"].threshold
    assert f"{threshold:.5g}" not in told
    assert repr(threshold) not in told
    assert not {"match_score", "pairs", "tolerances"} & set(step.feedback.figures)
    assert environment.step(submit(*oracle(task))).terminated


def test_feedback_is_the_same_for_another_truth(task: RVTask) -> None:
    """Below the criteria's bits, everything follows from the public part."""
    other = task.model_copy(update={"truth": star(moved(INNER, period_days=9.0), OUTER).truth})
    said = []
    for each in (task, other):
        environment = Environment(each, protocol="strict", feedback="statistical")
        environment.reset()
        said.append(environment.step(submit(OUTER)).feedback.to_dict())
    assert said[0] == said[1]
    assert set(said[0]["criteria"]) == {"detection"}


def test_the_published_feedback_is_refused(task: RVTask) -> None:
    with pytest.raises(UsageError, match="paper"):
        Environment(task, protocol="strict", feedback="paper")


def test_residual_peaks_show_the_missing_planet(task: RVTask) -> None:
    environment = Environment(task, protocol="strict")
    environment.reset()
    assert environment.residual_peaks() == []
    environment.step(submit(oracle(task)[0]))
    assert environment.residual_peaks(1)[0][0] == pytest.approx(61.0, rel=0.05)


def test_a_repeated_submission_is_recognised(task: RVTask) -> None:
    environment = Environment(task, protocol="strict")
    environment.reset()
    environment.step(submit(INNER))
    step = environment.step(submit(moved(INNER, period_days=INNER.period_days * (1 + 1e-6))))
    assert "hardly differs from submission 1" in step.feedback.text
    assert environment.history[1].repeat_of == 1
    environment.step(submit(moved(INNER, l_rad=2.5)))
    assert environment.history[2].repeat_of is None


def test_repeats_know_no_order_and_no_turns() -> None:
    first = read_submission(submit(INNER, OUTER))
    turned = moved(INNER, l_rad=INNER.l_rad + math.tau)
    assert repeated(read_submission(submit(OUTER, turned)), [first]) == 1
    assert repeated(read_submission(submit(OUTER)), [first]) is None


def test_a_star_without_planets_is_solved_by_saying_so() -> None:
    quiet = star()
    assert evaluate(quiet, {"planets": []}, "strict").passed
    assert not evaluate(quiet, submit(INNER), "strict").passed


def test_thresholds_are_spelt_in_the_label() -> None:
    assert rv.StrictProtocol().label == "strict"
    assert rv.StrictProtocol(min_delta_bic=10.0).label == "strict(min_delta_bic=10.0)"
