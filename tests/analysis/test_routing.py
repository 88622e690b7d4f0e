from __future__ import annotations

import numpy as np
import pytest

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.routing import compare_routing, routing_table
from ecliptic.errors import UsageError


def attempt(agent: str, task: str, passed: bool | None, **more) -> Attempt:
    given = {"model": "m", "world": "helio", "suite": "s", "cluster": task, "kind": "numeric"}
    return Attempt(agent=agent, task=task, passed=passed, **{**given, **more})


def rows(table: dict[str, str], **more) -> list[Attempt]:
    """``{"a": "1101"}``: agent a passes tasks 0, 1 and 3."""
    return [
        attempt(agent, str(task), mark == "1", **more)
        for agent, marks in table.items()
        for task, mark in enumerate(marks)
        if mark != "."
    ]


def choose(names: str) -> dict[tuple[str, str], str]:
    return {("s", str(task)): name for task, name in enumerate(names)}


def test_by_hand_with_one_problem_a_fold() -> None:
    # Without task 0, 1 or 2, a has 2 of 3 and b 1 of 3: a is chosen, and passes. Without task 3, a
    # has 3 of 3: a is chosen, and fails.
    found = compare_routing(rows({"a": "1110", "b": "0001"}), choose("aaab"))
    assert found.best_fixed.rate == 0.75
    assert found.chosen == {"a": 1.0, "b": 0.0}
    assert [(way.name, way.rate) for way in found.patterns] == [("a", 0.75), ("b", 0.25)]
    assert found.at_random.rate == 0.5
    assert found.router.rate == found.oracle.rate == 1.0
    assert [gain.difference for gain in found.gains] == [0.25, 0.0, 0.25]
    assert found.oracle_held_out is None
    assert (found.tasks, found.problems, found.not_graded, found.not_run) == (4, 4, 0, 0)


def test_the_choice_by_cross_validation_may_lose() -> None:
    # Without task 0: a 0/1, b 1/1, so b, which fails on it; without task 1: a, which fails.
    found = compare_routing(rows({"a": "10", "b": "01"}), choose("aa"))
    assert found.best_in_sample.rate == 0.5
    assert found.best_fixed.rate == 0.0
    assert found.chosen == {"a": 0.5, "b": 0.5}


def test_ties_share_the_choice() -> None:
    found = compare_routing(rows({"a": "111", "b": "111", "c": "000"}), choose("ccc"))
    assert found.chosen == {"a": 0.5, "b": 0.5, "c": 0.0}
    assert found.best_fixed.rate == 1.0
    assert found.router.rate == 0.0


def test_parts_of_a_problem_stay_in_one_fold_and_widen_the_interval() -> None:
    marks = {"a": "11110000", "b": "00001111"}
    alone = compare_routing(rows(marks), choose("aaaabbbb"))
    together = [
        attempt(row.agent, row.task, row.passed, cluster=str(int(row.task) // 4))
        for row in rows(marks)
    ]
    grouped = compare_routing(together, choose("aaaabbbb"))
    assert grouped.problems == 2
    assert grouped.best_fixed.rate == 0.0
    width = [r.patterns[0].interval[1] - r.patterns[0].interval[0] for r in (alone, grouped)]
    assert width[1] > width[0]


def test_errors_and_choices_that_were_not_run_leave_tasks_out() -> None:
    table = rows({"a": "1110", "b": "0111"})
    table[0] = attempt("a", "0", None)
    found = compare_routing(table, {**choose("aaab"), ("s", "1"): "react"})
    assert (found.tasks, found.not_graded, found.not_run) == (2, 1, 1)
    text = routing_table(found)
    assert (
        "2 tasks of 2 problems; 1 not graded for all patterns; 1 whose choice was not run" in text
    )


def test_epochs_count_by_their_mean_and_hold_the_oracle_out() -> None:
    both = [
        row
        for epoch, table in enumerate(({"a": "10", "b": "01"}, {"a": "00", "b": "01"}), 1)
        for row in rows(table, epoch=epoch)
    ]
    found = compare_routing(both, choose("ab"))
    assert [way.rate for way in found.patterns] == [0.5, 0.25]
    assert found.oracle.rate == 0.75
    # Task 0: chosen on epoch 2 (a tie of failures: half of a's pass on epoch 1) 0.5; chosen on
    # epoch 1 it is a, which fails on epoch 2. Task 1: b both times.
    assert found.oracle_held_out is not None
    assert found.oracle_held_out.rate == pytest.approx((0.25 + 1.0) / 2)


def test_choosing_among_equals_gains_nothing() -> None:
    rng = np.random.default_rng(7)
    fixed, best, oracle, covered = [], [], [], 0
    runs = 60
    for _ in range(runs):
        marks = {name: "".join("01"[int(hit)] for hit in rng.random(40) < 0.4) for name in "abcdef"}
        found = compare_routing(rows(marks), choose("a" * 40), repeats=2)
        fixed.append(found.best_fixed.rate)
        best.append(found.best_in_sample.rate)
        oracle.append(found.oracle.rate)
        low, high = found.router.interval
        covered += low <= 0.4 <= high
    assert abs(np.mean(fixed) - 0.4) < 3 * np.std(fixed) / np.sqrt(runs)
    assert np.mean(best) > 0.45
    assert np.mean(oracle) == pytest.approx(1 - 0.6**6, abs=0.01)
    assert covered / runs > 0.85


def test_a_router_that_knows_is_found_to_gain() -> None:
    rng = np.random.default_rng(8)
    gains, sure = [], 0
    for _ in range(30):
        kinds = rng.random(100) < 0.5
        chance = {"a": np.where(kinds, 0.8, 0.3), "b": np.where(kinds, 0.3, 0.8)}
        marks = {
            name: "".join("01"[int(hit)] for hit in rng.random(100) < p)
            for name, p in chance.items()
        }
        chosen = choose("".join("ba"[int(kind)] for kind in kinds))
        gain = compare_routing(rows(marks), chosen, repeats=2).gains[0]
        gains.append(gain.difference)
        sure += gain.interval[0] > 0
    # 0.8 against the 0.55 of either pattern alone.
    assert abs(np.mean(gains) - 0.25) < 3 * np.std(gains) / np.sqrt(30)
    assert sure > 20


@pytest.mark.parametrize(
    ("table", "choices", "message"),
    [
        (rows({"a": "11"}), choose("aa"), "two patterns or more"),
        (rows({"a": "11", "b": "11"}), choose("a"), "no choice is given for task '1' of s"),
        (rows({"a": "1", "b": "1"}), choose("a"), "at least two problems"),
        (
            [*rows({"a": "11"}), *rows({"b": "11"}, model="n")],
            choose("aa"),
            "of one model, not of m, n",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(table, choices, message) -> None:
    with pytest.raises(UsageError, match=message):
        compare_routing(table, choices)
