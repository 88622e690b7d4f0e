"""Faults of the folder that logs are written to."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from pathlib import Path

import pytest
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from ecliptic.cli.app import run_cli
from ecliptic.errors import OutputError
from ecliptic.evals.log_folder import check_written, storage_errors


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
