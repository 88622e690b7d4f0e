import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium

from ecliptic.errors import UsageError
from ecliptic.training import Curriculum

TIERS = ("easy", "medium", "hard")


def test_the_level_rises_at_the_stated_rate_and_never_falls() -> None:
    curriculum = Curriculum(TIERS, window=10, success_rate=0.7, review=0.0)
    for solved in [True] * 6 + [False] * 4:
        curriculum.record("easy", solved)
    assert curriculum.tier == "easy"
    curriculum.record("hard", True)  # of another tier: does not count
    assert curriculum.tier == "easy"
    for solved in [True] * 7 + [False] * 3:
        curriculum.record("easy", solved)
    assert curriculum.tier == "medium"
    for _ in range(10):
        curriculum.record("medium", False)
    assert curriculum.tier == "medium"
    for _ in range(40):
        curriculum.record(curriculum.tier, True)
    assert curriculum.tier == "hard"


def test_review_draws_earlier_tiers() -> None:
    curriculum = Curriculum(TIERS, window=1, success_rate=1.0, review=0.25)
    random = np.random.default_rng(0)
    assert {curriculum.draw(random) for _ in range(50)} == {"easy"}
    curriculum.record("easy", True)
    curriculum.record("medium", True)
    drawn = [curriculum.draw(random) for _ in range(2000)]
    assert set(drawn) == set(TIERS)
    assert 0.7 < drawn.count("hard") / 2000 < 0.8


@pytest.mark.parametrize(
    "arguments", [{"tiers": "easy"}, {"tiers": ()}, {"success_rate": 0.0}, {"review": 1.0}]
)
def test_a_mistake_is_one_line(arguments: dict[str, object]) -> None:
    with pytest.raises(UsageError, match="curriculum"):
        Curriculum(**arguments)  # type: ignore[arg-type]


def test_an_environment_moves_up_and_seeding_starts_anew() -> None:
    from ecliptic.suite import load_suite

    truths = {star.id: star.truth for star in load_suite("quick")}
    env = gymnasium.make(
        "ecliptic.training:ecliptic/RadialVelocity-Curriculum-v1",
        source="suite",
        curriculum={"tiers": ["easy", "medium"], "window": 2, "success_rate": 0.5, "review": 0.0},
    )
    tiers = []
    for number in range(6):
        _, info = env.reset(seed=1 if number == 0 else None)
        tiers.append(info["tier"])
        planets = [planet.model_dump() for planet in truths[info["task"]].planets]
        over = False
        while not over:
            *_, terminated, truncated, info = env.step({"planets": planets})
            over = terminated or truncated
    assert tiers[0] == "easy"
    assert tiers[-1] == "medium"
    assert env.reset(seed=1)[1]["tier"] == "easy"
    env.close()
