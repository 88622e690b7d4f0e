from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from ecliptic.errors import UsageError
from ecliptic.run.attempt import MAX_KEPT_BYTES, Attempt, Result
from ecliptic.run.plan import find_solver, plan_of
from ecliptic.run.worker import MAX_SUBMISSION_BYTES, solve, warm_up
from ecliptic.rv.protocols import PROTOCOLS
from ecliptic.rv.scoring import evaluate
from ecliptic.rv.submission import read_submission

TIMING = {"wall_s": 0.5, "cpu_s": 0.25}


def begin(entry: Any, solver: str = "run_support:good") -> Attempt:
    return Attempt(entry.key, entry.load(), plan_of(solver, PROTOCOLS["paper"], {}))


def record_of(result: Result) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(result.line)
    return record


def test_a_record_holds_the_whole_verdict(support: Any) -> None:
    entry = support.MemoryEntry("task003", 3)
    task = entry.load()
    submission = support.good(task.observation)
    result = begin(entry).graded(submission, TIMING)
    record = record_of(result)
    assert result == Result("task003", result.line, passed=True, failure=None)
    assert record["verdict"] == json.loads(json.dumps(evaluate(task, submission).to_dict()))
    assert record["submission"] == submission
    assert (record["key"], record["task_id"], record["source_id"]) == (
        "task003",
        task.id,
        "task003",
    )
    assert (record["status"], record["error"], record["tier"]) == ("done", None, "easy")
    assert (record["solver"], record["protocol"]) == ("run_support:good", "paper")
    assert (record["wall_s"], record["cpu_s"]) == (0.5, 0.25)


def test_what_an_agent_may_not_submit_is_not_graded(support: Any) -> None:
    entry = support.MemoryEntry("task003", 3)
    for submission in ({"planets": [{"period_days": 0.4}]}, [], None, {"planets": [{"e": 0.1}]}):
        record = record_of(begin(entry).graded(submission, TIMING))
        assert record["verdict"]["diagnosis"]["code"] == "malformed"
        assert record["verdict"]["passed"] is False
        assert record["submission"] == submission


def test_a_huge_submission_is_not_kept_in_full(support: Any) -> None:
    many = {"planets": [{"period_days": 10.0 + i} for i in range(MAX_KEPT_BYTES // 20)]}
    result = begin(support.MemoryEntry("task003", 3)).graded(many, TIMING)
    assert len(result.line) < 3000
    assert record_of(result)["verdict"]["diagnosis"]["code"] == "malformed"


def test_what_a_solver_returns_becomes_plain_data(support: Any) -> None:
    observation = support.make_task(1).observation
    plain = {"planets": [{"period_days": 7.0, "m_sin_i_mjup": 0.5}]}
    model = read_submission(plain)
    numpy_numbers = {"planets": [{"period_days": np.float64(7.0), "m_sin_i_mjup": np.float32(0.5)}]}
    for returned in (plain, numpy_numbers, MappingProxyType(plain)):
        assert solve(lambda _, value=returned: value, observation)["submission"] == plain
    assert read_submission(solve(lambda _: model, observation)["submission"]) == model
    text = json.dumps(plain)
    assert solve(lambda _: text.encode(), observation)["submission"] == text
    for odd in (object(), {"planets": [], "x": object()}, iter([]), {(1, 2): 3}):
        assert "not plain data" in solve(lambda _, value=odd: value, observation)["unreadable"]
    long = {"planets": "x" * MAX_SUBMISSION_BYTES}
    assert "longer than" in solve(lambda _: long, observation)["unreadable"]


def test_a_solver_never_sees_more_than_an_observation(support: Any) -> None:
    """Whatever a worker is sent is JSON, and holds nothing but the public part."""
    task = support.make_task(2)
    attempt = begin(support.MemoryEntry("task002", 2))
    assert attempt.observation == task.observation
    assert set(attempt.observation.model_dump()) <= set(type(task.observation).model_fields)


def test_an_exception_is_told_with_its_traceback(support: Any) -> None:
    observation = support.make_task(1).observation
    answer = solve(find_solver("run_support:faulty", {}), observation)
    assert answer["failure"] == "ValueError: a singular matrix"
    assert 'raise ValueError("a singular' in answer["traceback"]
    result = begin(support.MemoryEntry("task001", 1)).failed(
        answer["failure"], answer["traceback"], TIMING
    )
    record = record_of(result)
    assert result.failure == "ValueError: a singular matrix"
    assert (record["status"], record["verdict"], record["tier"]) == ("failed", None, "medium")


def test_a_users_own_usage_error_is_an_exception_like_others(support: Any) -> None:
    def solver(_: Any) -> dict[str, Any]:
        raise UsageError("of a library call")

    assert solve(solver, support.make_task(1).observation)["failure"] == "of a library call"


def test_options_reach_the_solver(support: Any, tmp_path: Path) -> None:
    solver = find_solver("run_support:counted", {"folder": str(tmp_path)})
    solve(solver, support.make_task(2).observation)
    assert len(list(tmp_path.iterdir())) == 1


def test_options_are_plain_values() -> None:
    assert plan_of("sine", PROTOCOLS["paper"], {"x": (1, 2)}).options == {"x": [1, 2]}
    for options in ({"x": float("nan")}, {"x": object()}):
        with pytest.raises(UsageError, match="plain JSON values"):
            plan_of("sine", PROTOCOLS["paper"], options)


def test_a_long_reason_is_cut_and_clean(support: Any) -> None:
    def wordy(_: Any) -> dict[str, Any]:
        raise OSError("\udcff" + "x" * 10_000)

    answer = solve(wordy, support.make_task(0).observation)
    assert len(answer["failure"]) == 300
    assert answer["failure"].startswith(r"OSError: \udcffxxx")


@pytest.mark.parametrize(
    ("solver", "message"),
    [
        ("clasical", "no solver 'clasical'; did you mean 'classical'"),
        (
            "x",
            "no solver 'x' (there are null, sine, classical, greedy, nested, reference, or module:",
        ),
        ("no_such_module:fit", "importing no_such_module: ModuleNotFoundError"),
        ("run_support:no_such_function", "run_support has no function 'no_such_function'"),
        ("run_support:TIERS", "run_support has no function 'TIERS'"),
        (":", "solver ':'"),
    ],
)
def test_unknown_solvers(support: Any, solver: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_solver(solver, {})
    assert message in str(caught.value)


def test_warming_up_calls_only_registered_solvers(tmp_path: Path) -> None:
    name = "run_support:counted"
    warm_up(name, find_solver(name, {"folder": str(tmp_path)}))
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(UsageError, match="no option 'no_such_option'"):
        warm_up("sine", find_solver("sine", {"no_such_option": 3}))
