"""Folders of runs, and what is no log; logs that Inspect wrote are read in tests/evals."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ecliptic import rv
from ecliptic.analysis import read_attempts, to_pandas
from ecliptic.analysis.eval_archive import elements
from ecliptic.analysis.verdict_figures import read_short, read_verdict, short_form
from ecliptic.errors import EclipticError, TaskError, UsageError
from ecliptic.run import run_suite
from ecliptic.suite import load_suite


def record(key: str, passed: bool | None, **more: Any) -> dict[str, Any]:
    criterion = {"value": 0.9, "threshold": 0.8, "passed": passed, "comparison": ">="}
    verdict = {"passed": passed, "score": 0.5, "protocol": "paper", "diagnosis": None,
               "criteria": {"match": criterion}}  # fmt: skip
    failed = passed is None
    return {"key": key, "task_id": key, "tier": "easy", "solver": "greedy", "protocol": "paper",
            "status": "failed" if failed else "done", "verdict": None if failed else verdict,
            "cpu_s": 2.0, "wall_s": 3.0, "error": {"reason": "boom"} if failed else None,
            **more}  # fmt: skip


def a_run(folder: Path, *records: dict[str, Any], end: str = "") -> Path:
    folder.mkdir(parents=True)
    identity = {"suite_checksum": "c", "options": {"gp": True}}
    (folder / "run.json").write_text(json.dumps({"suite": "quick", "identity": identity}))
    text = "".join(json.dumps(each) + "\n" for each in records)
    (folder / "results.jsonl").write_text(text + end)
    return folder


def an_eval(path: Path, *samples: dict[str, Any], run: str = "r") -> Path:
    """A log of somebody else's benchmark, as a zip that every Python reads."""
    spec = {"task": "sums", "task_id": run, "model": "m"}
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("header.json", json.dumps({"eval": spec, "plan": {}}))
        file.writestr("summaries.json", json.dumps(samples))
    return path


def sample(uuid: str, value: Any, minute: int = 0, **more: Any) -> dict[str, Any]:
    return {"id": 1, "epoch": 1, "uuid": uuid, "scores": {"match": {"value": value}},
            "completed_at": f"2026-01-01T00:{minute:02}:00+00:00", **more}  # fmt: skip


def test_a_run_of_a_solver(tmp_path: Path) -> None:
    torn = json.dumps(record("c", True))[:40]
    folder = a_run(
        tmp_path / "a" / "b", record("a", None), record("b", None), record("a", True), end=torn
    )
    found = read_attempts(tmp_path)
    assert [(a.task, a.passed, a.error) for a in found] == [("b", None, "boom"), ("a", True, "")]
    one = found[1]
    assert (one.agent, one.suite, one.protocol, one.kind) == (
        "greedy[gp=true]",
        "quick",
        "paper",
        "easy",
    )
    assert (one.values, one.criteria, one.seconds) == ({"match": 0.9}, {"match": True}, 2.0)
    assert read_attempts([folder, tmp_path, folder / "results.jsonl"]) == found


def test_a_real_run_reads_as_its_table_counts(tmp_path: Path) -> None:
    suite = load_suite("quick")
    run_suite(suite, "null", out=tmp_path / "out", workers=1)
    found = read_attempts(tmp_path / "out")
    assert [a.task for a in found] != []
    assert len(found) == 12
    assert not any(a.passed for a in found)
    assert {a.suite_checksum for a in found} == {suite.checksum}
    frame = to_pandas(found)
    assert frame.groupby("kind").size().to_dict() == {
        "easy": 3,
        "medium": 3,
        "hard": 3,
        "frontier": 3,
    }
    assert frame["criterion_count"].sum() == 0


@pytest.mark.parametrize(
    ("value", "passed"),
    [("C", True), ("I", False), ("P", False), (1, True), (0.5, False), (True, True), ("1.0", True),
     ({"pass": 1, "other": 0}, True), (float("nan"), None), ("odd", None)],
)  # fmt: skip
def test_marks_of_other_benchmarks(value: Any, passed: bool | None, tmp_path: Path) -> None:
    (found,) = read_attempts(an_eval(tmp_path / "a.eval", sample("u", value)))
    assert found.passed is passed
    assert bool(found.error) == (passed is None)


def test_errors_and_limits_of_other_benchmarks(tmp_path: Path) -> None:
    log = an_eval(
        tmp_path / "a.eval", sample("u", "C", error="lost"), sample("v", "I", limit="token", id=2)
    )
    found = {a.uuid: a for a in read_attempts(log)}
    assert (found["u"].passed, found["u"].error, found["u"].stop) == (None, "lost", "our_error")
    assert (found["v"].passed, found["v"].stop) == (False, "tokens")


def test_a_retry_takes_the_place_of_what_it_repeats(tmp_path: Path) -> None:
    an_eval(tmp_path / "2.eval", sample("u", "I", 1))
    an_eval(tmp_path / "1.eval", sample("v", "C", 2))
    (found,) = read_attempts(tmp_path)
    assert (found.uuid, found.passed) == ("v", True)
    an_eval(tmp_path / "copy.eval", sample("v", "C", 2), run="copied")
    assert len(read_attempts(tmp_path)) == 1
    an_eval(tmp_path / "other.eval", sample("w", "C", 2), run="another")
    assert len(read_attempts(tmp_path)) == 2


def test_what_is_no_log_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "x.eval").write_bytes(b"PK nonsense")
    (tmp_path / "y.json").write_text("[]")
    (tmp_path / "z.txt").write_text("")
    with zipfile.ZipFile(tmp_path / "headless.eval", "w") as file:
        file.writestr("summaries.json", "[]")
    odd = an_eval(tmp_path / "odd.eval", {"epoch": 1})
    short = tmp_path / "short.eval"
    with zipfile.ZipFile(short, "w") as file:
        file.writestr("header.json", json.dumps({"eval": {"task": "t"}}))
        file.writestr("summaries.json", json.dumps([sample("u", 1)])[:-9])
    a_run(tmp_path / "run", record("a", True), {"no": "record"})
    cases: list[tuple[Path, type[EclipticError], str]] = [
        (tmp_path / "empty", UsageError, "holds no log"),
        (tmp_path / "none", UsageError, "no such file"),
        (tmp_path / "x.eval", TaskError, "no zip file"),
        (tmp_path / "y.json", TaskError, "is not a log of Inspect"),
        (tmp_path / "z.txt", UsageError, "is no log"),
        (tmp_path / "headless.eval", TaskError, "it has no header"),
        (odd, TaskError, "has a form that is not known"),
        (short, TaskError, "summaries.json cannot be read"),
        (tmp_path / "run", TaskError, "line 2 is no result"),
    ]
    for path, kind, told in cases:
        with pytest.raises(kind, match=told) as caught:
            read_attempts(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("size", [1, 3, 1000])
def test_a_list_is_read_in_any_pieces(size: int) -> None:
    expected = [{"a": "ü ] ,", "b": [1.5, {"c": None}]}, 12, "x", [], 345]
    for text in (
        json.dumps(expected),
        json.dumps(expected, indent=2, ensure_ascii=False) + "\n",
        "[]",
    ):
        data = text.encode()
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        assert list(elements(pieces)) == json.loads(text)


def test_the_short_form_of_a_verdict_says_what_the_whole_one_says() -> None:
    task = rv.generate(1, recipe="paper")
    verdict = rv.evaluate(task, {"planets": []}, protocol="paper")
    short, whole = short_form(verdict), read_verdict(verdict.to_dict())
    assert read_short(json.loads(json.dumps(short)), {}, "") == whole
    assert whole["diagnosis"] == "no_planets"
    assert len(json.dumps(short)) < 700
    assert short_form(None) == {}
