"""Faults of the folder that logs are written to."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from ecliptic.analysis.eval_archive import EvalArchive
from ecliptic.cli.app import run_cli
from ecliptic.errors import OutputError, TaskError
from ecliptic.evals.log_folder import check_logs, check_written, storage_errors


def helio(records: str, folder: Path, reply: dict[str, object]) -> int:
    script = folder / "replies.jsonl"
    script.write_text(json.dumps(reply), encoding="utf-8")
    arguments = ["--records", records, "--limit", "1", "--out", str(folder / "out")]
    return run_cli(["run", "helio", "--model", f"scripted/{script}", *arguments])


def log_of(folder: Path) -> Path:
    return Path(list_eval_logs(str(folder / "out"))[0].name.removeprefix("file://"))


@pytest.mark.parametrize("kept_bytes", [0, 700])
def test_a_log_that_was_cut_short_is_one_line(kept_bytes, records, tmp_path, capsys) -> None:
    assert helio(records, tmp_path, {"turn": 1, "text": "400 km/s"}) == 0
    log = log_of(tmp_path)
    os.truncate(log, kept_bytes)
    capsys.readouterr()
    assert helio(records, tmp_path, {"turn": 1, "text": "400 km/s"}) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert log.name in line
    assert "move it away" in line


def rewritten(log: Path, changed: Callable[[str, dict[str, Any]], object]) -> None:
    """The log with each member as ``changed`` makes it, checksums and all."""
    with EvalArchive(log), ZipFile(log) as old:
        members = {name: json.loads(old.read(name)) for name in old.namelist()}
    with ZipFile(log, "w") as new:
        for name, data in members.items():
            changed(name, data)
            new.writestr(name, json.dumps(data))


def test_a_damaged_sample_is_told_before_anything_is_paid_for(records, tmp_path, capsys) -> None:
    assert helio(records, tmp_path, {"fault": "bad_request", "times": 9}) == 1
    log = log_of(tmp_path)
    with EvalArchive(log), ZipFile(log) as archive:
        (sample,) = [each for each in archive.infolist() if each.filename.startswith("samples/")]
    whole = bytearray(log.read_bytes())
    whole[sample.header_offset + 30 + len(sample.filename) + sample.compress_size // 2] ^= 16
    log.write_bytes(whole)
    capsys.readouterr()
    assert helio(records, tmp_path, {"turn": 1, "text": "400 km/s"}) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{sample.filename} cannot be unpacked" in line
    assert log_of(tmp_path) == log


def test_a_log_of_a_later_version_of_inspect_is_one_line(records, tmp_path, capsys) -> None:
    assert helio(records, tmp_path, {"fault": "bad_request", "times": 9}) == 1
    log = log_of(tmp_path)

    def later(name: str, data: dict[str, Any]) -> None:
        if name in {"header.json", "_journal/start.json"}:
            data["eval"]["packages"]["inspect_ai"] = "99.0"
        if name.startswith("samples/"):
            data["events"].append({"event": "warp"})

    rewritten(log, later)
    capsys.readouterr()
    assert helio(records, tmp_path, {"turn": 1, "text": "400 km/s"}) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "is not a log that this version of Inspect (" in line
    assert "'warp'" in line


@pytest.mark.parametrize("name", [".eval-set-id", "eval-set.json", "logs.json"])
def test_a_pipe_in_the_place_of_what_inspect_keeps_is_refused(name, tmp_path) -> None:
    os.mkfifo(tmp_path / name)
    with pytest.raises(TaskError, match=f"{name}: not a regular file; delete it"):
        check_logs(tmp_path)


def test_an_id_that_is_no_text_is_refused(tmp_path) -> None:
    (tmp_path / ".eval-set-id").write_bytes(b"\xff")
    with pytest.raises(TaskError, match="is not text in UTF-8; delete it"):
        check_logs(tmp_path)


def test_a_damaged_log_further_down_is_refused(tmp_path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "some.eval").write_bytes(b"")
    with pytest.raises(TaskError, match="is not a log of Inspect"):
        check_logs(tmp_path)


def test_a_log_that_inspect_would_pass_over_is_refused(records, tmp_path) -> None:
    assert helio(records, tmp_path, {"turn": 1, "text": "400 km/s"}) == 0
    log = log_of(tmp_path)
    log.rename(tmp_path / "elsewhere.eval")
    log.symlink_to(tmp_path / "elsewhere.eval")
    with pytest.raises(TaskError, match="is a symbolic link"):
        check_logs(tmp_path / "out")


@pytest.mark.parametrize("name", ["a#b", "a?b", "a%20b", "a\nb"])
def test_a_folder_that_inspect_does_not_find_again_is_refused(
    name, records, tmp_path, capsys
) -> None:
    script = tmp_path / "replies.jsonl"
    script.write_text(json.dumps({"turn": 1, "text": "400 km/s"}), encoding="utf-8")
    arguments = ["--records", records, "--model", f"scripted/{script}"]
    assert run_cli(["run", "helio", *arguments, "--out", str(tmp_path / name)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "choose another with --out" in line
    assert not list(tmp_path.rglob("*.eval"))


@pytest.mark.parametrize("name", ["100%", "a b", "ü", "a:b"])
def test_other_unusual_names_of_folders_are_fine(name, tmp_path) -> None:
    check_logs(tmp_path / name)


def test_an_address_is_no_folder(records, capsys) -> None:
    arguments = ["--records", records, "--model", "scripted/x", "--out", "s3://bucket/x"]
    assert run_cli(["run", "helio", *arguments]) == 2
    assert "'--out': s3://bucket/x is an address" in capsys.readouterr().err


def test_a_provider_that_has_died_does_not_hold_up_the_run(records, tmp_path, capsys) -> None:
    assert helio(records, tmp_path, {"fault": "server_error", "times": 10**6}) == 1
    assert "provider_error 1" in capsys.readouterr().out
    (sample,) = read_eval_log(str(log_of(tmp_path))).samples or []
    (score,) = (sample.scores or {}).values()
    assert "500 internal server error" in (score.metadata or {})["error"]


def test_a_log_that_could_not_be_written_is_told_with_its_reason(records, tmp_path) -> None:
    helio(records, tmp_path, {"turn": 1, "text": "400 km/s"})
    whole = read_eval_log(str(log_of(tmp_path)))
    check_written(tmp_path, [whole])
    full = {"message": "OSError(28, 'No space left on device')", "traceback": ""}
    error = {**full, "traceback_ansi": ""}
    broken = EvalLog.model_validate(
        {"eval": whole.eval.model_dump(), "status": "error", "error": error}
    )
    with pytest.raises(OutputError, match="cannot be written: no space left on device; free some"):
        check_written(tmp_path, [broken])


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "no space left on device; free some"),
        (sqlite3.OperationalError("database or disk is full"), "samplebuffer.*disk is full"),
    ],
)
def test_a_full_disk_is_one_line_that_says_how_to_go_on(fault, message, tmp_path) -> None:
    told = pytest.raises(OutputError, match=f"{message}.*goes on from there")
    with told, storage_errors(tmp_path):
        raise fault
