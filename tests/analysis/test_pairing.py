from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from attempt_rows import attempts

from ecliptic.analysis import compare, compare_all, pair, tasks_needed
from ecliptic.errors import UsageError


def epochs(agent: str, *marks: str, **more: Any) -> list[Any]:
    return [
        each for n, one in enumerate(marks, 1) for each in attempts(agent, one, epoch=n, **more)
    ]


def test_tasks_are_paired_and_errors_left_out_and_told() -> None:
    (found,) = pair(attempts("react", "110x0"), attempts("mentor", "10110"))
    assert found.tasks == ("t0", "t1", "t2", "t4")
    assert found.left_out == ("t3",)
    assert (found.first_errors, found.second_errors) == (1, 0)
    assert found.differences == [0.0, 1.0, -1.0, 0.0]
    assert found.independent


def test_repeats_count_by_task() -> None:
    (found,) = pair(epochs("a", "10", "1x"), epochs("b", "00", "10"))
    assert found.first_rates == (1.0, 0.0)
    assert found.second_rates == (0.5, 0.0)
    assert not found.independent


REFUSALS = [
    ("other tasks", "1111", "110", {}, {},
     r"s: the tasks differ: a has 4, b has 3; 1 only of a \(t3\); run the missing ones, or add "
     r"--common to compare on the 3 that both have"),
    ("other suite", "11", "11", {}, {"suite": "t"},
     "a was run on s, b on t; run both on the same suites$"),
    ("other version", "11", "11", {"suite_checksum": "c" * 64}, {"suite_checksum": "d" * 64},
     "not run on the same version of the suite .checksum cccccccccccc and dddddddddddd"),
    ("other protocol", "11", "11", {}, {"protocol": "paper"},
     "a was graded by protocol strict, b by paper; run both with the same --protocol"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("ours", "theirs", "mine", "yours", "told"),
    [case[1:] for case in REFUSALS],
    ids=[c[0] for c in REFUSALS],
)
def test_what_does_not_compare_is_refused(
    ours: str, theirs: str, mine: Any, yours: Any, told: str
) -> None:
    with pytest.raises(UsageError, match=told):
        pair(attempts("a", ours, **mine), attempts("b", theirs, **yours))


def test_other_numbers_of_attempts_are_refused() -> None:
    told = r"numbers of attempts differ on 2 of 2 tasks \(a made 2, b 1 on t0, t1\).* same --epochs"
    with pytest.raises(UsageError, match=told):
        pair(epochs("a", "11", "00"), attempts("b", "11"))


def test_only_what_both_have_is_compared_where_that_is_asked_for() -> None:
    (found,) = pair(epochs("a", "111", "000"), attempts("b", "01"), common=True)
    assert found.tasks == ("t0", "t1")
    assert found.differences == [1.0, 0.0]
    assert found.epochs == 1


def test_a_log_that_does_not_tell_the_version_is_taken_at_its_word() -> None:
    told = attempts("a", "11", suite_checksum="c" * 64)
    assert len(pair(told, attempts("b", "10"))) == 1


def test_mcnemar_for_independent_tasks_and_sign_flips_else() -> None:
    ours, theirs = attempts("a", "1" * 12 + "0" * 8), attempts("b", "0" * 11 + "1" + "0" * 8)
    (single,) = compare(ours, theirs)
    assert (single.test, single.only_first, single.only_second, single.both) == (
        "mcnemar",
        11,
        0,
        1,
    )
    assert single.settled
    assert single.needed is None
    assert single.words().startswith("a is better than b, by 55.0 points (95 % CI +3")
    paired = [
        [replace(e, cluster=f"q{int(e.task[1:]) // 2}") for e in side] for side in (ours, theirs)
    ]
    (parts,) = compare(*paired)
    assert parts.test == "sign_flip"
    assert parts.p_value == pytest.approx(2 / 2**6)
    (many,) = compare(epochs("a", "10", "11"), epochs("b", "00", "00"))
    assert (many.test, many.only_first, many.p_value) == ("sign_flip", None, 0.5)


def test_what_is_not_settled_says_how_many_tasks_would() -> None:
    (found,) = compare(
        attempts("a", "1" * 6 + "0" * 34), attempts("b", "0" * 4 + "1" * 4 + "0" * 32)
    )
    assert not found.settled
    assert found.needed == tasks_needed(4 / 40, 2 / 40)
    assert "no difference settled (seen +5.0 points, 95 % CI -" in found.words()
    assert found.words().endswith("about 510 tasks would settle one as large as that seen")


def test_where_none_is_seen_it_says_what_one_of_ten_points_would_take() -> None:
    (found,) = compare(attempts("a", "1100"), attempts("b", "1100"))
    assert found.needed == tasks_needed(0.1, 0.0)
    assert "tasks would settle one of 10 points" in found.words()
    assert found.interval[0] == -found.interval[1] < -0.3


def test_no_fewer_tasks_are_asked_for_than_the_test_can_settle() -> None:
    (found,) = compare(epochs("a", "111", "111"), epochs("b", "000", "000"))
    assert found.test == "sign_flip"
    assert found.p_value == 0.25  # of three tasks it cannot be less
    assert found.needed == 6  # 2 / 2**6 is the first below 5 %
    assert found.interval[0] < found.difference == 1.0


def test_several_comparisons_are_adjusted_together() -> None:
    arms = {
        "a": attempts("a", "1" * 8 + "0" * 4),
        "b": attempts("b", "0" * 12),
        "c": attempts("c", "1" * 7 + "0" * 5),
    }
    found = {(c.pairing.first, c.pairing.second): c for c in compare_all(arms)}
    assert set(found) == {("a", "b"), ("a", "c"), ("b", "c")}
    raw = found["a", "b"].p_value
    assert raw == pytest.approx(2 / 2**8)
    assert found["a", "b"].p_adjusted == pytest.approx(3 * raw)
    assert found["b", "c"].p_adjusted == pytest.approx(2 * 2 / 2**7)
    assert found["b", "c"].words().startswith("c is better than b")


def test_an_agent_of_whom_nothing_was_graded_is_told() -> None:
    with pytest.raises(
        UsageError, match="no task was graded for both a and b; 2 ended in an error"
    ):
        compare(attempts("a", "xx"), attempts("b", "11"))
