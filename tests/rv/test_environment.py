"""Episodes: budget, attempts, what ends them, and that nothing an agent sends breaks them."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ecliptic.errors import UsageError
from ecliptic.rv.budget import Budget, budget_of
from ecliptic.rv.environment import Environment
from ecliptic.rv.orbit import radial_velocity_ms
from ecliptic.rv.protocols import PaperProtocol
from ecliptic.rv.tasks import Instrument, Noise, Observation, Planet, RVTask, Truth

TRUTH = (
    Planet(period_days=9.0, m_sin_i_mjup=0.5, e=0.2, omega_rad=1.0, l_rad=2.0),
    Planet(period_days=31.0, m_sin_i_mjup=0.8, e=0.1, omega_rad=3.0, l_rad=4.0),
)


def star(difficulty: int = 2) -> RVTask:
    rng = np.random.default_rng(8)
    times = np.sort(rng.uniform(0.0, 120.0, 50))
    velocities = radial_velocity_ms(times, TRUTH, 1.0, times[0]) + rng.normal(0.0, 0.5, 50)
    return RVTask.create(
        tier="easy",
        difficulty=difficulty,
        observation=Observation(
            times_days=times,
            rvs_ms=velocities,
            sigmas_ms=np.full(50, 0.5),
            instruments=("a",) * 50,
            star_mass_sun=1.0,
        ),
        truth=Truth(
            planets=TRUTH,
            instruments=(Instrument(label="a"),),
            noise=Noise(sigma_white_ms=0.5),
        ),
    )


def submission(*planets: Planet) -> dict[str, Any]:
    return {"planets": [planet.model_dump(exclude={"inc_rad"}) for planet in planets]}


RIGHT, HALF, EMPTY = submission(*TRUTH), submission(TRUTH[1]), submission()
MALFORMED = {"planets": [{"P_days": 3.0, "e": 0.9}]}


class Clock:
    """Seconds that pass only when told."""

    def __init__(self) -> None:
        self.now = 1e6

    def __call__(self) -> float:
        return self.now


def started(**options: Any) -> Environment:
    environment = Environment(star(), **options)
    environment.reset()
    return environment


# --- the budget ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("difficulties", "budget"),
    [
        ((1, 2), Budget(tokens=200_000, seconds=600, submissions=3)),
        ((3, 4, 5, 6), Budget(tokens=450_000, seconds=900, submissions=5)),
        ((7, 8, 9, 10), Budget(tokens=900_000, seconds=1500, submissions=10)),
    ],
)
def test_tiers(difficulties: tuple[int, ...], budget: Budget) -> None:
    for difficulty in difficulties:
        assert budget_of(difficulty) == budget
        assert Environment(star(difficulty)).budget == budget


@pytest.mark.parametrize("difficulty", [0, 11])
def test_a_difficulty_out_of_range_is_a_mistake(difficulty: int) -> None:
    with pytest.raises(UsageError, match="1 to 10"):
        budget_of(difficulty)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tokens", 0),
        ("seconds", -1.0),
        ("seconds", math.nan),
        ("submissions", 2.5),
        ("submissions", True),
        ("tokens", "9"),
    ],
)
def test_budgets_are_checked(field: str, value: Any) -> None:
    with pytest.raises(UsageError, match=field):
        Budget(**{"tokens": 1, "seconds": 1, "submissions": 1, field: value})


# --- an episode ----------------------------------------------------------------------------


def test_reset_hands_out_the_public_part() -> None:
    environment = Environment(star())
    assert environment.reset() == environment.task.observation


def test_success_terminates() -> None:
    environment = started()
    assert not environment.step(HALF).terminated
    step = environment.step(RIGHT)
    assert (step.terminated, step.truncated, step.counted) == (True, False, True)
    assert step.reason == "success"
    assert environment.over
    assert environment.best is not None
    assert environment.best.verdict is environment.last_verdict
    assert environment.last_verdict is not None
    assert environment.last_verdict.passed


def test_the_last_submission_truncates() -> None:
    environment = started()
    steps = [environment.step(EMPTY) for _ in range(3)]
    assert [step.truncated for step in steps] == [False, False, True]
    assert [step.reason for step in steps] == ["", "", "submissions"]
    assert [step.feedback.submissions_left for step in steps] == [2, 1, 0]
    assert "all 3 submissions are used" in steps[-1].feedback.text


def test_success_with_the_last_submission_is_success() -> None:
    environment = started(budget=Budget(tokens=10, seconds=10, submissions=1))
    step = environment.step(RIGHT)
    assert (step.terminated, step.truncated) == (True, False)


def test_a_submission_in_time_is_graded_and_a_late_one_is_not() -> None:
    clock = Clock()
    environment = started(clock=clock)
    clock.now += 600.0
    assert environment.step(HALF).counted
    clock.now += 0.001
    step = environment.step(RIGHT)
    assert (step.terminated, step.truncated, step.counted) == (False, True, False)
    assert step.reason == "seconds"
    assert step.feedback.status == "over"
    assert "not graded" in step.feedback.text
    assert "600 s" in step.feedback.text
    assert environment.best is not None
    assert environment.best.submission == environment.history[0].submission


def test_tokens_beyond_the_budget_end_the_episode() -> None:
    environment = started()
    environment.spend(200_000)
    assert environment.step(EMPTY).counted
    environment.spend(1)
    assert environment.over
    step = environment.step(RIGHT)
    assert (step.truncated, step.counted, step.reason) == (True, False, "tokens")
    assert "200000 tokens" in step.feedback.text


def test_who_runs_the_agent_can_see_the_end_without_a_step() -> None:
    clock = Clock()
    environment = started(clock=clock)
    assert not environment.over
    clock.now += 601.0
    assert environment.reason == "seconds"


@pytest.mark.parametrize("end", [RIGHT, EMPTY])
def test_a_step_after_the_end_says_so_and_changes_nothing(end: dict[str, Any]) -> None:
    environment = started(budget=Budget(tokens=10, seconds=1e9, submissions=1))
    ended = environment.step(end)
    best = environment.best
    environment.spend(100)
    for late in (RIGHT, EMPTY, MALFORMED, "rubbish"):
        step = environment.step(late)
        assert step.reason == ended.reason
        assert (step.terminated, step.truncated) == (ended.terminated, ended.truncated)
        assert not step.counted
        assert step.feedback.status == "over"
    assert environment.best is best


def test_step_before_reset_is_a_mistake() -> None:
    with pytest.raises(UsageError, match=r"reset\(\)"):
        Environment(star()).step(EMPTY)


def test_reset_starts_afresh() -> None:
    clock = Clock()
    environment = started(clock=clock)
    environment.spend(5)
    environment.step(RIGHT)
    clock.now += 1e4
    environment.reset()
    assert (environment.history, environment.tokens, environment.left) == ([], 0, 3)
    assert environment.best is environment.last_verdict is None
    assert not environment.over


def test_the_best_submission_counts() -> None:
    environment = started(budget=Budget(tokens=1, seconds=1e9, submissions=9))
    for data in (EMPTY, HALF, EMPTY):
        environment.step(data)
    assert environment.best is environment.history[1]


def test_the_reward_decides_between_equal_scores_and_the_earlier_of_equals_stays() -> None:
    worse = submission(TRUTH[1].model_copy(update={"l_rad": 4.5}))
    environment = started(budget=Budget(tokens=1, seconds=1e9, submissions=9))
    for data in (worse, HALF, HALF, worse):
        environment.step(data)
    scores = {attempt.verdict.score for attempt in environment.history if attempt.verdict}
    assert len(scores) == 1
    assert environment.best is environment.history[1]


def test_an_overflown_reward_is_never_the_best() -> None:
    huge = submission(TRUTH[1].model_copy(update={"m_sin_i_mjup": 1e300}))
    environment = started()
    environment.step(huge)
    environment.step(EMPTY)
    assert environment.best is environment.history[1]


def test_the_protocol_is_the_one_that_was_asked_for() -> None:
    environment = started(protocol=PaperProtocol(rms_factor=0.01))
    assert not environment.step(RIGHT).terminated
    with pytest.raises(UsageError, match="protocol 'loose'"):
        Environment(star(), protocol="loose")
    with pytest.raises(UsageError, match="feedback level 'all'"):
        Environment(star(), feedback="all")


@pytest.mark.parametrize("tokens", [-1, 1.5, True, None])
def test_tokens_are_whole(tokens: Any) -> None:
    with pytest.raises(UsageError, match="tokens"):
        started().spend(tokens)


# --- malformed submissions -----------------------------------------------------------------


@pytest.mark.parametrize("level", ["none", "statistical", "criteria", "paper"])
def test_a_malformed_submission_costs_no_attempt_and_loses_nothing(level: str) -> None:
    environment = started(feedback=level)
    environment.step(HALF)
    best = environment.best
    for _ in range(50):
        step = environment.step(MALFORMED)
        assert (step.terminated, step.truncated, step.counted) == (False, False, False)
    assert step.feedback.status == "malformed"
    assert step.feedback.submissions_left == 2
    for words in ("planets[0].e", "0 <= e <= 0.8", "0.9", "no attempt", "2 submissions left"):
        assert words in step.feedback.text
    assert environment.best is best
    assert environment.step(RIGHT).terminated


def test_endless_malformed_submissions_end_by_time_or_tokens() -> None:
    clock = Clock()
    environment = started(clock=clock)
    steps = []
    while not steps or not steps[-1].truncated:
        steps.append(environment.step(MALFORMED))
        clock.now += 60.0
    assert len(steps) == 12
    assert steps[-1].reason == "seconds"

    environment.reset()
    steps.clear()
    while not steps or not steps[-1].truncated:
        steps.append(environment.step(MALFORMED))
        environment.spend(50_000)
    assert len(steps) == 6
    assert steps[-1].reason == "tokens"


def test_text_of_a_language_model_may_be_passed_on() -> None:
    environment = started()
    step = environment.step('{"planets": [{"P_days": 9.0,]}')
    assert "line 1 column 29" in step.feedback.text
    assert environment.step(json.dumps(RIGHT)).terminated


GARBAGE = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=12)
    | st.binary(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["planets", "P_days", "e", "noise"]), inner, max_size=3)
    ),
)


@settings(deadline=None)
@given(GARBAGE | st.builds(object) | st.fixed_dictionaries({"planets": st.lists(GARBAGE)}))
def test_nothing_that_is_sent_raises(data: object) -> None:
    environment = started()
    step = environment.step(data)
    assert step.feedback.text
    json.dumps(step.feedback.to_dict(), allow_nan=False)
    assert environment.left == 3 - step.counted


def test_data_that_hold_themselves_are_refused() -> None:
    loop: dict[str, Any] = {"planets": []}
    loop["planets"].append(loop)
    assert started().step(loop).feedback.status == "malformed"


# --- what an agent is given, and what it may send ------------------------------------------


def test_nothing_done_to_the_observation_reaches_the_task() -> None:
    environment = Environment(star())
    before = environment.task.to_dict()
    observation = environment.reset()
    observation.__dict__["rvs_ms"] = np.zeros(50)
    observation.__dict__["star_mass_sun"] = 5.0
    for array in (observation.times_days, observation.sigmas_ms, observation.instrument_index):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 9.0
    assert environment.task.to_dict() == before
    assert environment.reset() == environment.task.observation
    assert environment.step(RIGHT).terminated


def test_constants_are_built_before_anything_is_handed_out() -> None:
    environment = Environment(star())
    environment.reset()
    environment.task.observation.__dict__["rvs_ms"] = np.zeros(50)  # by whatever way
    assert environment.step(RIGHT).terminated
