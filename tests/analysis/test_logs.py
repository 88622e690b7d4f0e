"""Folders of runs, and what is no log; logs that Inspect wrote are read in tests/evals."""

from __future__ import annotations

import json
import math
import zipfile
from pathlib import Path
from typing import Any

import pytest

from ecliptic import rv
from ecliptic.analysis import read_attempts, suite_bounds, to_pandas
from ecliptic.analysis.eval_archive import EvalArchive, elements
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


def mutated(path: Path, member: str, data: bytes) -> Path:
    with zipfile.ZipFile(path) as whole:
        members = {name: whole.read(name) for name in whole.namelist()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in (members | {member: data}).items():
            file.writestr(name, content)
    return path


@pytest.mark.parametrize("member", ["header.json", "summaries.json"])
@pytest.mark.parametrize(
    "data", [b"", b"null", b"[" * 100_000, b'{"a":' * 50_000, b"\xff", b"9" * 5000]
)
def test_a_member_that_is_no_json_is_one_line(member: str, data: bytes, tmp_path: Path) -> None:
    log = mutated(an_eval(tmp_path / "a.eval", sample("u", "C")), member, data)
    with pytest.raises(TaskError, match=r"a\.eval: .* cannot be read") as told:
        read_attempts(log)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2, 93])
def test_damaged_data_of_any_compression_are_one_line(method: int, tmp_path: Path) -> None:
    EvalArchive(an_eval(tmp_path / "b.eval", sample("u", "C"))).__exit__(None, None, None)
    log, text = tmp_path / "a.eval", json.dumps([sample(f"u{n}", "C", n % 60) for n in range(300)])
    with zipfile.ZipFile(log, "w", method) as file:
        file.writestr("summaries.json", text)
        file.writestr("header.json", json.dumps({"eval": {"task": "t", "model": "m"}, "plan": {}}))
    with zipfile.ZipFile(log) as file:
        size = file.getinfo("summaries.json").compress_size
    whole = bytearray(log.read_bytes())
    at = 30 + len("summaries.json") + size // 2
    whole[at : at + 40] = bytes(byte ^ 0x5A for byte in whole[at : at + 40])
    log.write_bytes(whole)
    with pytest.raises(TaskError, match=r"cannot be (unpacked|read)"):
        read_attempts(log)


def test_a_compression_that_nobody_writes_is_one_line(tmp_path: Path) -> None:
    log = an_eval(tmp_path / "a.eval", sample("u", "C"))
    # The method's number stands at byte 8 of a member's own head and at 10 of the directory's.
    text = log.read_bytes().replace(
        b"PK\x01\x02\x14\x03\x14\x00\x00\x00\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x00\x00\x63\x00"
    )
    assert text != log.read_bytes()
    log.write_bytes(text)
    with pytest.raises(TaskError, match="cannot be unpacked"):
        read_attempts(log)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_figures_that_are_not_finite_are_none(value: float, tmp_path: Path) -> None:
    usage = {"m": {"total_tokens": 5, "output_tokens": 2, "total_cost": value}}
    more = {"model_usage": usage, "total_time": value}
    (found,) = read_attempts(an_eval(tmp_path / "a.eval", sample("u", "C", **more)))
    assert (found.cost, found.seconds) == (0.0, 0.0)


@pytest.mark.parametrize("verdict", [{}, 3, {"passed": True, "criteria": 7}])
def test_a_record_of_another_form_is_one_line(verdict: object, tmp_path: Path) -> None:
    folder = a_run(tmp_path / "a", record("a", True), record("b", True, verdict=verdict))
    with pytest.raises(TaskError, match="line 2 is no result"):
        read_attempts(folder)


@pytest.mark.parametrize("source", ["~nobody-of-that-name/x", "a" * 5000, "\0", "", "."])
def test_a_suite_that_no_system_can_name_has_no_bounds(source: str) -> None:
    assert suite_bounds(source) == {}


@pytest.mark.parametrize(
    ("spec", "usage"),
    [
        ({"dataset": "x"}, {}),
        ({"dataset": {"sample_ids": 3}}, {}),
        ({}, {"m": {"total_tokens": math.inf}}),
        ({}, {"m": {"total_tokens": 10**400}}),
        ({}, {"m": {"output_tokens": -1}}),
    ],
)
def test_fields_of_another_form_are_one_line(
    spec: dict[str, Any], usage: dict[str, Any], tmp_path: Path
) -> None:
    log = an_eval(tmp_path / "a.eval", sample("u", "C", model_usage=usage))
    header = {"eval": {"task": "sums", "task_id": "r", "model": "m", **spec}, "plan": {}}
    with pytest.raises(TaskError, match="has a form that is not known"):
        read_attempts(mutated(log, "header.json", json.dumps(header).encode()))
