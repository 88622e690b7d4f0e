"""Which log a run goes on from, whatever the clock says."""

from __future__ import annotations

import json
import os
import shutil
import time
from pathlib import Path

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log_sample_summaries

from ecliptic.cli.app import run_cli
from ecliptic.evals.log_order import ordered_by_content

OTHER = {"turn": 1, "text": "$E = m v^2/2$"}
FAILS = {"sample": "2010_Lee_4_b", "fault": "bad_request", "times": 9}


def helio(records: str, folder: Path, *lines: dict[str, object]) -> int:
    script = folder / "replies.jsonl"
    script.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    arguments = ["--records", records, "--model", f"scripted/{script}"]
    return run_cli(["run", "helio", *arguments, "--out", str(folder / "out")])


def logs(folder: Path) -> list[Path]:
    return sorted((folder / "out").glob("*.eval"))


def finished(folder: Path) -> set[str]:
    return {
        str(each.uuid)
        for log in list_eval_logs(str(folder / "out"))
        for each in read_eval_log_sample_summaries(log)
        if each.completed and each.error is None
    }


def test_a_log_from_the_future_is_gone_on_with_and_the_new_one_is_kept(
    records, tmp_path, capsys
) -> None:
    assert helio(records, tmp_path, FAILS, OTHER) == 1
    (first,) = logs(tmp_path)
    before = finished(tmp_path)
    os.utime(first, (time.time() + 3e7,) * 2)
    capsys.readouterr()
    assert helio(records, tmp_path, OTHER) == 0
    assert "answered 4" in capsys.readouterr().out
    after = finished(tmp_path)
    assert len(after) == 4
    assert before < after
    assert helio(records, tmp_path, {"fault": "bad_request", "times": 99}) == 0
    assert finished(tmp_path) == after


def test_an_older_log_that_came_back_is_not_gone_on_with(records, tmp_path) -> None:
    assert helio(records, tmp_path, FAILS, OTHER) == 1
    (first,) = logs(tmp_path)
    backup = Path(shutil.copy(first, tmp_path / "backup"))
    assert helio(records, tmp_path, OTHER) == 0
    after = finished(tmp_path)
    shutil.copy(backup, first)
    assert helio(records, tmp_path, {"fault": "bad_request", "times": 99}) == 0
    assert finished(tmp_path) == after


@pytest.mark.parametrize("ahead", [False, True])
def test_times_are_given_back_but_none_that_is_yet_to_come(ahead, records, tmp_path) -> None:
    assert helio(records, tmp_path, OTHER) == 0
    (log,) = logs(tmp_path)
    stamp = int(time.time()) + (10_000 if ahead else -10_000)
    os.utime(log, (stamp, stamp))
    with ordered_by_content(tmp_path / "out"):
        assert log.stat().st_mtime < stamp - 10**8
    assert log.stat().st_mtime == stamp if not ahead else log.stat().st_mtime <= time.time()
