from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from ecliptic.errors import UsageError
from ecliptic.run.attempt import Result, attempt, warm_up
from ecliptic.run.plan import Plan, find_solver
from ecliptic.rv.protocols import PROTOCOLS
from ecliptic.rv.quick import quick_suite
from ecliptic.rv.scoring import evaluate
from ecliptic.suite import load_suite


def plan(solver: str, **options: Any) -> Plan:
    return Plan(solver, PROTOCOLS["paper"], options)


def run_one(entry: Any, solver: str, **options: Any) -> tuple[Result, dict[str, Any], list[Any]]:
    started: list[Any] = []
    the_plan = plan(solver, **options)
    result = attempt(entry, the_plan, find_solver(the_plan), started.append)
    return result, json.loads(result.line), started


def test_a_record_holds_the_whole_verdict(support: Any) -> None:
    entry = support.MemoryEntry("task003", 3)
    result, record, started = run_one(entry, "run_support:good")
    task = entry.load()
    verdict = evaluate(task, support.good(task.observation))
    assert result == Result("task003", result.line, passed=True, failure=None)
    assert record["verdict"] == json.loads(json.dumps(verdict.to_dict()))
    assert record["submission"] == support.good(task.observation)
    assert (record["key"], record["task_id"], record["source_id"]) == (
        "task003",
        task.id,
        "task003",
    )
    assert (record["status"], record["error"], record["tier"]) == ("done", None, "easy")
    assert (record["solver"], record["protocol"]) == ("run_support:good", "paper")
    assert record["wall_s"] >= 0
    assert record["cpu_s"] >= 0
    assert started == [{name: record[name] for name in started[0]}]


def test_an_exception_becomes_a_failed_record(support: Any) -> None:
    result, record, started = run_one(support.MemoryEntry("task001", 1), "run_support:faulty")
    assert result.failure == "ValueError: a singular matrix"
    assert record["status"] == "failed"
    assert record["error"]["reason"] == result.failure
    assert 'raise ValueError("a singular' in record["error"]["traceback"]
    assert record["verdict"] is None
    assert record["tier"] == "medium"
    assert len(started) == 1


def test_a_damaged_task_becomes_a_failed_record(support: Any) -> None:
    result, record, started = run_one(support.MemoryEntry("task004", -1), "run_support:good")
    assert result.failure == "task004.json: observation.rvs_ms must be finite at index 3"
    assert record["task_id"] is None
    assert started == []


def test_options_reach_the_solver(support: Any, tmp_path: Path) -> None:
    run_one(support.MemoryEntry("task002", 2), "run_support:counted", folder=str(tmp_path))
    assert len(list(tmp_path.iterdir())) == 1


def test_a_long_reason_is_cut(support: Any, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "wordy.py").write_text("def fit(observation):\n    raise OSError('x' * 10_000)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    result, _, _ = run_one(support.MemoryEntry("task000", 0), "wordy:fit")
    assert result.failure is not None
    assert len(result.failure) == 300
    del sys.modules["wordy"]


@pytest.mark.parametrize(
    ("solver", "message"),
    [
        ("clasical", "no solver 'clasical'; did you mean 'classical'"),
        ("x", "no solver 'x' (there are null, sine, classical, or module:function"),
        ("no_such_module:fit", "importing no_such_module: ModuleNotFoundError"),
        ("run_support:no_such_function", "run_support has no function 'no_such_function'"),
        ("run_support:TIERS", "run_support has no function 'TIERS'"),
        (":", "solver ':'"),
    ],
)
def test_unknown_solvers(support: Any, solver: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_solver(plan(solver))
    assert message in str(caught.value)


def test_warming_up_calls_only_registered_solvers(tmp_path: Path) -> None:
    calls = plan("run_support:counted", folder=str(tmp_path))
    warm_up(calls, find_solver(calls))
    assert list(tmp_path.iterdir()) == []
    refused = plan("sine", no_such_option=3)
    with pytest.raises(UsageError, match="no option 'no_such_option'"):
        warm_up(refused, find_solver(refused))


def test_the_quick_suite_is_the_same_everywhere() -> None:
    suite = quick_suite()
    tiers = [task.tier for task in suite]
    assert tiers == ["easy"] * 4 + ["medium"] * 4 + ["hard"] * 4
    assert suite.checksum == quick_suite().checksum == load_suite("quick").checksum
