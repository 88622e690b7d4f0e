from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env

from ecliptic.errors import UsageError
from ecliptic.helio import generate, load

NAME = "ecliptic.training:ecliptic/Heliophysics-v1"


def test_the_checker_of_gymnasium_has_no_complaint() -> None:
    check_env(gymnasium.make(NAME).unwrapped)


def test_a_correct_answer_earns_one_and_ends_the_episode() -> None:
    env = gymnasium.make(NAME, attempts=3)
    record = generate("parker_wind", 5)
    view, _ = env.reset(options={"record": record})
    assert record.question in view["question"]
    assert record.final not in view["question"]
    assert env.step("12 furlongs")[1:4] == (0.0, False, False)
    _, reward, terminated, truncated, info = env.step(f"So the final answer is {record.final}")
    assert (reward, terminated, truncated, info["is_success"]) == (1.0, True, False, True)
    assert env.step(record.final)[1:3] == (0.0, True)
    assert record.final not in str(info)


def test_the_last_attempt_terminates() -> None:
    env = gymnasium.make(NAME, attempts=2, feedback="none")
    env.reset(seed=1)
    assert env.step("?")[2] is False
    _, reward, terminated, truncated, info = env.step("?")
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert info["feedback"] == ""


def test_a_seed_reproduces_the_questions() -> None:
    def questions() -> list[Any]:
        env = gymnasium.make(NAME)
        return [env.reset(seed=3 if n == 0 else None)[0]["question"] for n in range(5)]

    first = questions()
    assert first == questions()
    assert len(set(first)) == 5


def test_families_forms_and_records_are_chosen() -> None:
    env = gymnasium.make(NAME, families=["parker_wind"], forms=["numeric"])
    assert {int(env.reset(seed=n)[0]["type"]) for n in range(4)} == {0}
    known = {record.question for record in load("helio-v1")}
    view, _ = gymnasium.make(NAME, records="helio-v1", hints=False).reset(seed=0)
    assert any(question in view["question"] for question in known)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"forms": ["sung"]}, "form"),
        ({"families": ["no_such"]}, "no_such"),
        ({"records": "helio-v1", "families": ["parker_wind"]}, "families"),
        ({"max_question": 10}, "max_question"),
        ({"attempts": 0}, "attempts"),
        ({"families": "parker_wind"}, "list of names"),
    ],
)
def test_a_mistake_is_one_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        gymnasium.make(NAME, **arguments).reset(seed=0)


@pytest.mark.parametrize("record", ["parker_wind", {"question": "?"}])
def test_what_is_no_record_is_not_passed_over(record: object) -> None:
    with pytest.raises(UsageError, match="record"):
        gymnasium.make(NAME).reset(options={"record": record})


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vectors_of_environments(mode: str) -> None:
    many = gymnasium.make_vec(NAME, 2, vectorization_mode=mode, families=["parker_wind"])
    views, _ = many.reset(seed=1)
    assert len(views["question"]) == 2
    _, rewards, terminated, *_ = many.step(["1 km", "no idea"])
    many.close()
    assert np.array_equal(rewards, [0.0, 0.0])
    assert terminated.all()
