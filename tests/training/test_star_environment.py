import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env, data_equivalence

import ecliptic.training as training
from ecliptic import rv
from ecliptic.errors import UsageError
from ecliptic.suite import load_suite

EASY = "ecliptic/RadialVelocity-Easy-v1"
Make = Callable[..., gymnasium.Env[Any, Any]]


@pytest.fixture
def make() -> Iterator[Make]:
    made: list[gymnasium.Env[Any, Any]] = []

    def one(name: str = EASY, **arguments: Any) -> gymnasium.Env[Any, Any]:
        made.append(gymnasium.make(name, **{"source": "suite", **arguments}))
        return made[-1]

    yield one
    for env in made:
        env.close()


def truth(star: rv.RVTask) -> dict[str, Any]:
    return {"planets": [planet.model_dump() for planet in star.truth.planets]}


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (EASY, {}),
        (EASY, {"source": "generator", "recipe": "paper"}),
        ("ecliptic/RadialVelocity-Hard-v1", {"protocol": "paper", "feedback": "paper"}),
        ("ecliptic/RadialVelocity-Faint-v1", {"source": "generator"}),
        ("ecliptic/RadialVelocity-Curriculum-v1", {"reward": "protocol", "protocol": "paper"}),
    ],
)
def test_the_checker_of_gymnasium_has_no_complaint(
    make: Make, name: str, arguments: dict[str, Any]
) -> None:
    check_env(make(name, **arguments).unwrapped)


def test_the_module_in_the_id_is_enough() -> None:
    env = gymnasium.make(f"ecliptic.training:{EASY}", source="suite")
    assert env.spec is not None
    assert gymnasium.make(env.spec.from_json(env.spec.to_json())).reset(seed=1)[1]["tier"] == "easy"


def episode(env: gymnasium.Env[Any, Any], seed: int | None) -> list[Any]:
    env.action_space.seed(5)
    seen: list[Any] = list(env.reset(seed=seed))
    over = False
    while not over:
        observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
        assert observation in env.observation_space
        seen += [observation, reward, terminated, truncated, info]
        over = terminated or truncated
    return seen


@pytest.mark.parametrize("arguments", [{}, {"source": "generator", "recipe": "paper"}])
def test_a_seed_reproduces_episodes_bit_for_bit(make: Make, arguments: dict[str, Any]) -> None:
    one, other = make(**arguments), make(**arguments)
    for seed in (11, None, None):
        first, second = episode(one, seed), episode(other, seed)
        assert len(first) == len(second)
        assert all(data_equivalence(a, b, exact=True) for a, b in zip(first, second, strict=True))


def test_the_last_submission_terminates_and_a_solution_does(make: Make) -> None:
    env = make(protocol="strict", submissions=2)
    wrong = np.full(43, -1.0, dtype=np.float32)
    env.reset(seed=0)
    assert env.step(wrong)[2:4] == (False, False)
    *_, terminated, truncated, info = env.step(wrong)
    assert (terminated, truncated, info["is_success"]) == (True, False, False)
    passing = [
        star for star in load_suite("quick") if rv.evaluate(star, truth(star), "strict").passed
    ]
    assert passing
    for star in passing[:3]:
        env.reset(options={"task": star})
        assert env.step(truth(star))[1:4] == (1.0, True, False)


def test_time_and_malformed_submissions_truncate(make: Make) -> None:
    env = make(seconds=1e-9)
    env.reset(seed=0)
    assert env.step(env.action_space.sample())[2:4] == (False, True)
    env = training.PlainSubmissions(make(submissions=1))
    env.reset(seed=0)
    ends = [env.step({"planets": [{"period_days": -1.0}]})[2:4] for _ in range(4)]
    assert ends == [(False, False)] * 3 + [(False, True)]


@pytest.mark.parametrize("reward", ["sparse", "shaped", "protocol"])
def test_the_return_is_that_of_the_best_submission(make: Make, reward: str) -> None:
    env = make(reward=reward, protocol="paper", submissions=50)
    random = np.random.default_rng(0)
    _, info = env.reset(seed=3)
    planets = truth(load_suite("quick").find(info["task"]).load())["planets"]
    near = {"planets": [{**each, "e": each["e"] / 2 + 0.2} for each in planets]}
    dummies = {"planets": [*near["planets"], {"period_days": 400.0, "m_sin_i_mjup": 0.0}]}
    offered = [near, dummies, near, {"planets": []}, near]
    offered += [env.action_space.sample() for _ in range(20)]
    once = env.step(near)[1]
    rewards = [env.step(offered[index])[1] for index in random.permutation(len(offered))]
    assert min(rewards) >= 0.0
    again = [env.step(each)[1] for each in offered]
    assert again == [0.0] * len(offered)
    assert once + sum(rewards) < 1.0 or reward == "protocol"


def test_an_empty_submission_and_zero_mass_planets_earn_nothing(make: Make) -> None:
    env = make(protocol="paper")
    for padding in (0, 1, 4):
        env.reset(seed=1)
        dummies = [{"period_days": 20.0 + n, "m_sin_i_mjup": 0.0} for n in range(padding)]
        assert env.step({"planets": dummies})[1] < 0.02


def test_nothing_is_earned_after_too_many_malformed_submissions(make: Make) -> None:
    star = load_suite("quick")[0]
    env = make(tier=star.tier, submissions=1)
    env.reset(options={"task": star})
    for _ in range(4):
        assert env.step("no submission")[1] == 0.0
    _, reward, terminated, truncated, info = env.step(truth(star))
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert (info["status"], info["is_success"]) == ("over", False)


def test_the_last_action_is_kept_when_its_array_is_written_anew(make: Make) -> None:
    env = make(protocol="paper")
    env.reset(seed=0)
    action = np.zeros(43, dtype=np.float32)
    env.step(action)
    action[:] = 1.0
    assert not env.step("no submission")[0]["last_action"].any()


def test_nothing_public_tells_of_the_truth(make: Make) -> None:
    env = make(source="generator", recipe="paper", feedback="none")
    observation, info = env.reset(seed=9)
    assert set(info) == {
        "task",
        "tier",
        "submissions_left",
        "status",
        "counted",
        "feedback",
        "instruments",
    }
    first = env.step(env.action_space.sample())[0]
    changed = {name for name in first if not np.array_equal(first[name], observation[name])}
    assert changed == {"attempts", "last_action"}


def test_vectors_and_submissions_are_the_same_thing() -> None:
    random = np.random.default_rng(2)
    for _ in range(50):
        action = random.uniform(-1, 1, 43)
        submission = training.decode_action(action, 0.8)
        rv.read_submission(submission)
        again = training.decode_action(training.encode_submission(submission, 0.8), 0.8)
        assert len(again["planets"]) == len(submission["planets"])
        for one, other in zip(submission["planets"], again["planets"], strict=True):
            assert other == pytest.approx(one, rel=1e-4, abs=1e-5)


def test_bounds_of_the_action_can_all_be_submitted(make: Make) -> None:
    env = make(protocol="paper")
    for value in (-1.0, 1.0, math.nan, math.inf, -math.inf):
        env.reset(seed=0)
        action = np.full(43, value)
        action[0] = 1.0
        assert env.step(action)[4]["counted"]
    with pytest.raises(UsageError, match="shape"):
        env.step(np.zeros(7))


@pytest.mark.parametrize("entry", ["x", 1j, {}, 10**400])
def test_what_is_no_number_is_no_action(make: Make, entry: object) -> None:
    env = make()
    env.reset(seed=0)
    for action in ([entry] * 43, np.array([entry] * 43)):
        with pytest.raises(UsageError, match="real numbers"):
            env.step(action)


def test_arrays_of_other_libraries_are_actions(make: Make) -> None:
    class Tensor:
        def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
            return np.zeros(43, dtype=dtype)

    env = make()
    env.reset(seed=0)
    observation, *_, info = env.step(Tensor())
    assert info["counted"]
    assert not observation["last_action"].any()
    assert env.step(np.array([None] * 43))[4]["counted"]  # as entries that are no numbers
    assert not env.step(np.str_("[]"))[4]["counted"]  # text is a submission
    plain = training.PlainSubmissions(make())
    plain.reset(seed=0)
    assert not plain.step(Tensor())[4]["counted"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"source": "sky"}, "source"),
        ({"reward": "gold"}, "reward"),
        ({"feedback": "all"}, "feedback"),
        ({"tier": "faint"}, "faint"),
        ({"source": "generator", "recipe": "paper", "audited": True}, "audited"),
        ({"max_points": 10}, "max_points"),
        ({"curriculum": {"window": 0}}, "window"),
        ({"curriculum": {"speed": 1}}, "speed"),
        ({"submissions": 0}, "submissions"),
        ({"recipe": "paper"}, "source='generator'"),
        ({"audited": True}, "source='generator'"),
        ({"source": "generator", "suite": "quick"}, "source='suite'"),
    ],
)
def test_a_mistake_is_one_line(make: Make, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        make(**arguments).reset(seed=0)


def test_a_star_of_ones_own_can_be_played(make: Make) -> None:
    task = rv.generate(4, recipe="paper", tier="medium")
    _, info = make().reset(options={"task": task})
    assert (info["task"], info["tier"]) == (task.id, "medium")
    some = load_suite("quick")[0]
    assert make().reset(options={"task": some.id})[1]["task"] == some.id


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vectors_of_environments_are_the_environments(make: Make, mode: str) -> None:
    many = gymnasium.make_vec(EASY, 3, vectorization_mode=mode, source="suite", protocol="paper")
    actions = np.random.default_rng(1).uniform(-1, 1, (3, 43)).astype(np.float32)
    _, infos = many.reset(seed=4)
    observations, rewards, *_ = many.step(actions)
    many.close()
    for place in range(3):
        env = make(protocol="paper")
        assert env.reset(seed=4 + place)[1]["task"] == infos["task"][place]
        observation, reward, *_ = env.step(actions[place])
        assert reward == rewards[place]
        assert all(np.array_equal(observations[k][place], observation[k]) for k in observation)


def test_pictures(make: Make) -> None:
    image, text = make(render_mode="rgb_array"), make(render_mode="ansi")
    for env in (image, text):
        env.reset(seed=1)
    before: Any = image.render()
    image.step(image.action_space.sample())
    after: Any = image.render()
    assert before.dtype == np.uint8
    assert before.ndim == after.ndim == 3
    assert before.shape != after.shape or bool((before != after).any())
    assert "No submission yet" in str(text.render())
