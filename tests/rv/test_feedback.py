"""What an agent is told at each level, and that no more than that reaches it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ecliptic.errors import UsageError
from ecliptic.rv.environment import Environment, Step
from ecliptic.rv.feedback import LEVELS, Feedback, level_of
from ecliptic.rv.orbit import radial_velocity_ms
from ecliptic.rv.tasks import Instrument, Noise, Observation, Planet, RVTask, Truth

SEALED_LEVELS = [level for level in LEVELS if level != "paper"]
PLANET = Planet(period_days=13.7391, m_sin_i_mjup=0.41873, e=0.27164, omega_rad=0.7531, l_rad=2.113)


def observation() -> Observation:
    rng = np.random.default_rng(5)
    times = np.sort(rng.uniform(0.0, 90.0, 40))
    return Observation(
        times_days=times,
        rvs_ms=radial_velocity_ms(times, [PLANET], 1.0, times[0]) + rng.normal(0.0, 1.0, 40),
        sigmas_ms=np.full(40, 1.0),
        instruments=("HARPS", "HIRES") * 20,
        star_mass_sun=1.0,
    )


OBSERVATION = observation()


def task(*planets: Planet, difficulty: int = 4, gamma_ms: float = 3.21987) -> RVTask:
    return RVTask.create(
        tier="medium",
        difficulty=difficulty,
        observation=OBSERVATION,
        truth=Truth(
            planets=planets,
            instruments=tuple(
                Instrument(label=label, gamma_ms=gamma_ms) for label in ("HARPS", "HIRES")
            ),
            noise=Noise(sigma_white_ms=0.98765),
        ),
    )


def submission(*planets: Planet) -> dict[str, Any]:
    return {"planets": [planet.model_dump(exclude={"inc_rad"}) for planet in planets]}


def answer(task: RVTask, level: str, data: object) -> Step:
    environment = Environment(task, feedback=level)
    environment.reset()
    return environment.step(data)


def frozen(step: Step) -> bytes:
    """Everything that a step holds, as bytes."""
    flags = [step.terminated, step.truncated, step.counted, step.reason]
    return json.dumps([step.feedback.to_dict(), flags], sort_keys=True).encode()


# --- the levels ----------------------------------------------------------------------------


def test_none_says_that_it_was_received() -> None:
    feedback = answer(task(PLANET), "none", submission()).feedback
    assert feedback.text == "Submission 1 was received.\n4 submissions left."
    assert feedback.criteria == feedback.figures == {}


def test_statistical_speaks_of_the_residuals_alone() -> None:
    wrong = PLANET.model_copy(update={"l_rad": 2.4})
    feedback = answer(task(PLANET), "statistical", submission(wrong)).feedback
    assert feedback.criteria == {"delta_bic": True, "rms": False}
    assert feedback.figures["max_rms_ms"] == 1.5
    assert set(feedback.figures["gamma_per_instrument_ms"]) == {"HARPS", "HIRES"}
    for word in ("match:", "count:"):
        assert word not in feedback.text
    assert "rms: FAIL" in feedback.text
    assert "m/s, must be <= 1.5 m/s" in feedback.text


def test_criteria_say_whether_match_and_count_pass_and_no_more() -> None:
    feedback = answer(task(PLANET), "criteria", submission(PLANET, PLANET)).feedback
    assert feedback.criteria["count"] is False
    assert feedback.criteria["match"] is False
    assert "count: FAIL (the number of planets is right: no)" in feedback.text
    assert "match: FAIL (the planets agree with the true system: no)" in feedback.text
    hidden = {"reward", "match_score", "pairs", "unmatched_truth", "unmatched_guess"}
    assert not hidden & set(feedback.figures)


def test_paper_shows_all_figures() -> None:
    wrong = PLANET.model_copy(update={"l_rad": 2.4})
    environment = Environment(task(PLANET), feedback="paper")
    environment.reset()
    feedback = environment.step(submission(wrong)).feedback
    verdict = environment.last_verdict
    assert verdict is not None
    assert feedback.figures == dict(verdict.details)
    distance = verdict.details["pairs"][0][2]
    assert f"(0, 0) {distance:.3g}" in feedback.text
    assert f"Match score {math.exp(-distance):.5g}" in feedback.text


def test_chi_square_is_that_of_the_residuals() -> None:
    wrong = PLANET.model_copy(update={"l_rad": 2.4})
    guess = {**submission(wrong), "noise": {"sigma_jitter_ms": 0.75}}
    figures = answer(task(PLANET), "criteria", guess).feedback.figures
    # All errors are equal, so chi-square follows from the RMS.
    assert figures["chi_square"] == pytest.approx(40 * figures["rms_ms"] ** 2 / (1 + 0.75**2))


def test_success_is_said_at_every_level() -> None:
    for level in LEVELS:
        step = answer(task(PLANET), level, submission(PLANET))
        assert step.terminated
        assert "the task is solved" in step.feedback.text


def test_figures_that_overflow_are_said_to_be_none() -> None:
    huge = PLANET.model_copy(update={"m_sin_i_mjup": 1e300})
    for level in LEVELS:
        feedback = answer(task(PLANET), level, submission(huge)).feedback
        json.dumps(feedback.to_dict(), allow_nan=False)
        assert ("not a finite number" in feedback.text) is (level != "none")


def test_one_submission_left_is_singular() -> None:
    environment = Environment(task(PLANET, difficulty=1))
    environment.reset()
    texts = [environment.step(submission()).feedback.text for _ in range(2)]
    assert texts[0].endswith("2 submissions left.")
    assert texts[1].endswith("1 submission left.")


@pytest.mark.parametrize("name", ["full", "", "Criteria", None])
def test_an_unknown_level_is_a_mistake(name: Any) -> None:
    with pytest.raises(UsageError, match="available: 'none', 'statistical', 'criteria', 'paper'"):
        level_of(name)


# --- the seal ------------------------------------------------------------------------------

PLANETS = st.builds(
    Planet,
    period_days=st.floats(1.0, 300.0),
    m_sin_i_mjup=st.floats(0.01, 1.0),
    e=st.floats(0.0, 0.8),
    omega_rad=st.floats(0.0, 6.28),
    l_rad=st.floats(0.0, 6.28),
)
SYSTEMS = st.lists(PLANETS, max_size=4)


@settings(max_examples=200, deadline=None)
@given(SYSTEMS, SYSTEMS, SYSTEMS, st.floats(0.0, 5.0), st.sampled_from(SEALED_LEVELS))
def test_only_pass_and_fail_of_the_truth_reach_the_agent(
    truth: list[Planet], other: list[Planet], guess: list[Planet], jitter: float, level: str
) -> None:
    data = {**submission(*guess), "noise": {"sigma_jitter_ms": jitter}}
    environments = [
        Environment(task(*planets, gamma_ms=gamma), feedback=level)
        for planets, gamma in ((truth, 1.0), (other, 2.0))
    ]
    steps = []
    for environment in environments:
        environment.reset()
        steps.append(environment.step(data))
    first, second = (
        {name: criterion.passed for name, criterion in environment.last_verdict.criteria.items()}
        for environment in environments
        if environment.last_verdict is not None
    )
    assume(first == second)
    assert frozen(steps[0]) == frozen(steps[1])


@pytest.mark.parametrize("level", SEALED_LEVELS)
def test_an_equal_count_and_an_unequal_one_differ_in_one_word_at_most(level: str) -> None:
    guess = submission(PLANET.model_copy(update={"period_days": 40.0}))
    right = answer(task(PLANET), level, guess).feedback
    for n_true in (2, 3, 4):
        wrong = answer(task(*[PLANET] * n_true), level, guess).feedback
        if level == "criteria":
            said = wrong.text.replace(
                "count: FAIL (the number of planets is right: no)",
                "count: pass (the number of planets is right: yes)",
            )
            assert said == right.text
        else:
            assert wrong == right
        assert wrong.figures == right.figures


def numbers(value: object) -> Iterator[float]:
    if isinstance(value, dict):
        for item in value.values():
            yield from numbers(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from numbers(item)
    elif isinstance(value, float) and value:
        yield value


@pytest.mark.parametrize("level", SEALED_LEVELS)
def test_no_number_of_the_truth_or_the_matching_is_told(level: str) -> None:
    wrong = PLANET.model_copy(update={"l_rad": 2.35, "period_days": 13.702, "e": 0.3})
    environment = Environment(task(PLANET), feedback=level)
    environment.reset()
    feedback = environment.step(submission(wrong)).feedback
    verdict = environment.last_verdict
    assert verdict is not None
    assert verdict.diagnosis is not None
    hidden = {name: verdict.details[name] for name in ("reward", "match_score", "pairs")}
    sealed = {*numbers(environment.task.truth.model_dump()), *numbers(hidden)}
    sealed |= set(numbers(dict(verdict.diagnosis.evidence)))
    assert len(sealed) > 10
    assert not sealed & set(numbers(feedback.to_dict()))
    for number in sealed:
        assert f"{number:.4g}" not in feedback.text
    for word in (verdict.diagnosis.code, verdict.diagnosis.message):
        assert word not in feedback.text


def test_a_step_holds_only_what_is_declared() -> None:
    step = answer(task(PLANET), "criteria", submission())
    assert set(Step.__slots__) == {"feedback", "terminated", "truncated", "counted", "reason"}
    assert type(step.feedback) is Feedback
    declared = {"status", "text", "submissions_left", "criteria", "figures"}
    assert set(Feedback.__slots__) == declared == set(step.feedback.to_dict())
