"""Runs with real worker processes, which take a second or two to start."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ecliptic.errors import EclipticError, OutputError, SuiteError, UsageError
from ecliptic.run import Progress, RunSummary, read_results, run_suite

FATES = {
    "task001": "ValueError: a singular matrix",
    "task002": "worker died (SIGKILL)",
    "task003": "worker died (SIGSEGV)",
    "task005": "SystemExit: no licence",
    "task008": "worker died (exit code 4)",
    "task010": "task010.json: observation.rvs_ms must be finite at index 3",
}
UNGRADED = {
    "task004": ("over_budget", "no submission within 2 s, the time budget"),
    "task006": ("malformed", "planets[0].period_days must be"),
    "task007": ("malformed", "is not plain data"),
}


def comparable(records: Any) -> dict[str, Any]:
    """Records by key without their timings; every key must be there once."""
    records = [
        {name: value for name, value in record.items() if name not in ("wall_s", "cpu_s")}
        for record in records
    ]
    assert max(Counter(record["key"] for record in records).values()) == 1
    return {record["key"]: record for record in records}


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: Any) -> tuple[RunSummary, list[Progress]]:
    """One run in which every kind of fault happens."""
    out = tmp_path_factory.mktemp("faulty")
    sys.path.insert(0, str(Path(__file__).parent / "support"))
    import run_support

    events: list[Progress] = []
    summary = run_suite(
        run_support.MemorySuite(13, damaged=(10,)),
        run_support.faulty,
        out=out / "results",
        options={"folder": str(out)},
        seconds=2,
        progress=events.append,
    )
    return summary, events


def test_each_fault_is_recorded_with_its_reason(faulty: Any) -> None:
    summary, _ = faulty
    assert summary.failures == FATES
    recorded = {r["key"]: r["error"]["reason"] for r in summary.records() if r["error"]}
    assert recorded == summary.failures


def test_faults_cost_no_other_task(faulty: Any) -> None:
    summary, _ = faulty
    records = comparable(summary.records())
    assert len(records) == 13
    done = {key for key, record in records.items() if record["status"] == "done"}
    assert done == set(records) - set(summary.failures)
    assert "task009" in done  # its worker died once, and it was tried again
    assert all(records[key]["verdict"]["passed"] for key in done - set(UNGRADED))


def test_an_agents_own_fault_is_a_verdict(faulty: Any) -> None:
    """Were it left out of the rate, a solver could raise its rate by answering nonsense."""
    records = comparable(faulty[0].records())
    for key, (code, message) in UNGRADED.items():
        verdict = records[key]["verdict"]
        assert (verdict["outcome"], verdict["passed"], verdict["score"]) == ("incorrect", False, 0)
        assert verdict["diagnosis"]["code"] == code
        assert message in verdict["diagnosis"]["message"]
    assert records["task006"]["submission"] == {"planets": [{"period_days": -1.0}]}
    assert records["task007"]["submission"] is None  # JSON cannot hold it


def test_a_failed_record_says_what_is_known_of_its_task(faulty: Any) -> None:
    records = comparable(faulty[0].records())
    for key, tier in (("task002", "hard"), ("task004", "medium"), ("task010", None)):
        assert records[key]["tier"] == tier
    stopped = next(r for r in faulty[0].records() if r["key"] == "task004")
    assert 2.0 <= stopped["wall_s"] < 10.0


def test_progress_counts_up_to_the_end(faulty: Any) -> None:
    summary, events = faulty
    assert [event.done for event in events] == list(range(14))
    assert events[0] == Progress(total=13, done=0, resumed=0)
    assert events[-1].failed == len(summary.failures)
    assert events[-1].passed == 13 - len(summary.failures) - len(UNGRADED)


def test_the_table_counts_failures_apart(faulty: Any) -> None:
    table = faulty[0].table()
    last = table.rows[-1]
    assert (last.graded, last.failed, last.passed) == (7, 6, 4)
    assert [row.tier for row in table.rows] == ["easy", "medium", "hard", "unread", "all"]


def test_stacks_of_crashed_workers_are_kept(faulty: Any) -> None:
    assert "Segmentation fault" in (faulty[0].out / "workers.log").read_text()


def test_failed_tasks_run_again(faulty: Any) -> None:
    summary, _ = faulty
    before = comparable(r for r in summary.records() if r["status"] == "done")
    import run_support

    again = run_suite(
        run_support.MemorySuite(13, damaged=(10,)),
        run_support.faulty,
        out=summary.out,
        options={"folder": str(summary.out.parent)},
        seconds=1,
    )
    assert again.resumed == 7
    assert again.failures.keys() == summary.failures.keys()
    records = comparable(again.records())
    assert len(records) == 13
    assert {key: records[key] for key in before} == before


def test_workers_have_one_thread_and_a_session_of_their_own(support: Any, tmp_path: Path) -> None:
    summary = run_suite(support.MemorySuite(2), support.environment, workers=1, out=tmp_path)
    assert summary.failures == {}
    assert (tmp_path / "workers.log").read_text().count("a word from the solver\n") == 2


SCRIPT = """
import signal
import run_support
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
from ecliptic.run import run_suite
run_suite(run_support.MemorySuite(30), run_support.counted, out={out!r},
          options={{"folder": {calls!r}}})
"""


def lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_kill_9_and_resume(support: Any, tmp_path: Path, eventually: Any) -> None:
    out, calls = tmp_path / "out", tmp_path / "calls"
    calls.mkdir()
    # The script has no `if __name__ == "__main__"`: workers must not run it again.
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(out=str(out), calls=str(calls)))
    process = subprocess.Popen([sys.executable, str(script)])
    eventually(lambda: lines(out / "results.jsonl") >= 8)
    process.kill()
    process.wait()
    finished = {record["key"] for record in read_results(out)}
    assert 8 <= len(finished) < 30
    with (out / "results.jsonl").open("ab") as file:
        file.write(b'{"key":"task029","status":"do')

    events: list[Progress] = []
    options = {"folder": str(calls)}
    suite = support.MemorySuite(30)
    summary = run_suite(suite, support.counted, out=out, options=options, progress=events.append)
    assert (summary.resumed, summary.dropped_lines) == (len(finished), 1)
    assert events[0].done == len(finished)
    called = Counter(f"task{int(path.name.partition('.')[0]):03d}" for path in calls.iterdir())
    assert {key for key in finished if called[key] != 1} == set()
    assert all(count <= 2 for count in called.values())

    calm = run_suite(suite, support.counted, out=tmp_path / "calm", options=options)
    assert comparable(summary.records()) == comparable(calm.records())
    assert len(comparable(summary.records())) == 30
    import pyarrow.parquet as pq

    timeless = [
        pq.read_table(folder / "results.parquet").drop_columns(["wall_s", "cpu_s"])
        for folder in (out, tmp_path / "calm")
    ]
    assert timeless[0].equals(timeless[1])


def alive(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_busy_workers_end_with_a_killed_parent(
    support: Any, tmp_path: Path, eventually: Any
) -> None:
    script = textwrap.dedent(f"""
        import run_support
        from ecliptic.run import run_suite
        run_suite(run_support.MemorySuite(2), run_support.deaf, out={str(tmp_path / "out")!r},
                  options={{"folder": {str(tmp_path)!r}}})
    """)
    process = subprocess.Popen([sys.executable, "-c", script])
    eventually(lambda: len(list(tmp_path.glob("pid*"))) == 2)
    workers = [int(path.name[3:]) for path in tmp_path.glob("pid*")]
    assert all(map(alive, workers))
    process.kill()
    process.wait()
    eventually(lambda: not any(map(alive, workers)), seconds=10)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_keeps_its_results(
    support: Any, tmp_path: Path, eventually: Any, number: signal.Signals
) -> None:
    out, calls = tmp_path / "out", tmp_path / "calls"
    calls.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(out=str(out), calls=str(calls))],
        stderr=subprocess.PIPE,
        text=True,
    )
    eventually(lambda: lines(out / "results.jsonl") >= 3)
    process.send_signal(number)
    _, errors = process.communicate(timeout=20)
    assert process.returncode != 0
    assert "KeyboardInterrupt" in errors
    kept = list(read_results(out))
    assert 3 <= len(kept) < 30
    assert (out / "results.jsonl").read_bytes().endswith(b"\n")


def test_full_disk_then_resume(support: Any, tmpfs: Any) -> None:
    folder = tmpfs("size=48k")
    suite = support.MemorySuite(60)
    with pytest.raises(OutputError, match="no space left on device"):
        run_suite(suite, support.good, out=folder / "out")
    kept = list(read_results(folder / "out"))
    assert 5 < len(kept) < 60
    tmpfs("size=4m")
    summary = run_suite(suite, support.good, out=folder / "out")
    assert summary.resumed == len(kept)
    assert len(comparable(summary.records())) == 60


def test_parquet_follows_the_suite_and_has_types(support: Any, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    suite = support.MemorySuite(5, damaged=(3,))
    summary = run_suite(suite, "run_support:slow", out=tmp_path)
    table = pq.read_table(tmp_path / "results.parquet")
    assert table["key"].to_pylist() == [f"task{index:03d}" for index in range(5)]
    assert table["passed"].to_pylist() == [False, True, False, None, False]
    assert table["status"].to_pylist() == ["done"] * 3 + ["failed", "done"]
    types = {field.name: str(field.type) for field in table.schema}
    assert types["difficulty"] == "int16"
    assert types["rms_value"] == types["cpu_s"] == types["score"] == "double"
    assert types["match_passed"] == "bool"
    by_key = {record["key"]: record for record in summary.records()}
    for row in table.to_pylist():
        record = by_key[row["key"]]
        assert row["wall_s"] == record["wall_s"]
        if record["verdict"]:
            for name, criterion in record["verdict"]["criteria"].items():
                for part in ("value", "threshold", "passed"):
                    assert row[f"{name}_{part}"] == criterion[part]
            assert json.loads(row["submission"]) == record["submission"]
            assert json.loads(row["details"]) == record["verdict"]["details"]
            assert row["diagnosis"] == (record["verdict"]["diagnosis"] or {}).get("code")
        else:
            assert row["error"] == record["error"]["reason"]


def test_limit_grows_and_fresh_starts_anew(support: Any, tmp_path: Path) -> None:
    suite = support.MemorySuite(4)

    def run(**options: Any) -> RunSummary:
        return run_suite(suite, "run_support:good", workers=1, out=tmp_path, **options)

    assert (run(limit=2).total, run(limit=3).resumed) == (2, 2)
    whole = run()
    assert (whole.total, whole.resumed) == (4, 3)
    assert sorted(comparable(whole.records())) == [f"task{index:03d}" for index in range(4)]
    assert run(fresh=True, limit=1).resumed == 0
    assert list(comparable(read_results(tmp_path))) == ["task000"]


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"workers": 0}, UsageError, "workers must be at least 1"),
        ({"limit": 0}, UsageError, "limit must be at least 1"),
        ({"protocol": "papr"}, UsageError, "no protocol 'papr'"),
        ({"solver": lambda observation: {}}, UsageError, "module of your own"),
        ({"seconds": 0}, UsageError, "seconds must be positive"),
    ],
)
def test_mistakes_are_found_before_anything_is_written(
    support: Any, tmp_path: Path, changes: dict[str, Any], error: Any, message: str
) -> None:
    given = {"solver": "run_support:good", "out": tmp_path / "out"} | changes
    with pytest.raises(error, match=message):
        run_suite(support.MemorySuite(2), **given)
    assert not (tmp_path / "out").exists()


def test_a_suite_without_tasks(support: Any, tmp_path: Path) -> None:
    with pytest.raises(SuiteError, match="no tasks"):
        run_suite(support.MemorySuite(0), "run_support:good", out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_option_that_the_solver_refuses_ends_the_run(support: Any, tmp_path: Path) -> None:
    for solver, options, message in (
        ("sine", {"depth": 0}, "no option 'depth'"),
        ("no_such_module:fit", {}, "importing no_such_module"),
    ):
        with pytest.raises(UsageError, match=message):
            run_suite(support.MemorySuite(3), solver, out=tmp_path / "out", options=options)
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("trick", ["forks", "writes_to_the_line", "leaves"])
def test_tricks_of_a_solver_cost_no_task(support: Any, tmp_path: Path, trick: str) -> None:
    (tmp_path / "out").mkdir()
    summary = run_suite(
        support.MemorySuite(5), f"run_support:{trick}", workers=2, out=tmp_path / "out"
    )
    records = comparable(summary.records())
    assert set(records) == {f"task00{index}" for index in range(5)}
    if trick == "writes_to_the_line":  # garbage ends the worker, hence the task, not the run
        assert {record["status"] for record in records.values()} == {"failed"}
    else:
        assert all(record["verdict"]["passed"] for record in records.values())


def test_a_solver_cannot_change_the_data_that_it_is_graded_on(support: Any, tmp_path: Path) -> None:
    summary = run_suite(support.MemorySuite(2), support.spoils, workers=1, out=tmp_path)
    for record in summary.records():
        assert record["verdict"]["criteria"]["rms"]["threshold"] == 1.5  # its errors are 1 m/s
        assert not record["verdict"]["passed"]


def test_a_path_or_a_name_for_the_suite(tmp_path: Path) -> None:
    from ecliptic.run import read_manifest

    summary = run_suite("quick", "null", workers=1, out=tmp_path, limit=1)
    assert (summary.total, summary.failures) == (1, {})
    assert read_manifest(tmp_path)["suite_source"] == "quick"
    with pytest.raises(SuiteError, match="no suite at"):
        run_suite(tmp_path / "nowhere", "null")


def test_workers_that_cannot_start(support: Any, tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "hostile.py").write_text(
        "import os\n"
        "if 'OMP_NUM_THREADS' in os.environ and os.getsid(0) == os.getpid():\n"
        "    os._exit(7)\n"
        "def fit(observation):\n"
        "    return {'planets': []}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(EclipticError, match=r"exit code 7.*workers\.log"):
        run_suite(support.MemorySuite(2), "hostile:fit", out=tmp_path / "out")


def test_an_interpreter_in_a_thread_can_run_too(support: Any, tmp_path: Path) -> None:
    from concurrent.futures import ThreadPoolExecutor

    before = signal.getsignal(signal.SIGTERM)
    with ThreadPoolExecutor(1) as executor:
        summary = executor.submit(
            run_suite, support.MemorySuite(1), "run_support:good", workers=1, out=tmp_path
        ).result()
    assert summary.failures == {}
    assert signal.getsignal(signal.SIGTERM) is before
    assert os.path.exists(tmp_path / "results.parquet")  # noqa: PTH110
