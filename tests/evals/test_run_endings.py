"""A run with a model that another run, a signal or a number without meaning must not harm."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from ecliptic.cli.app import run_cli
from ecliptic.run.folder import locked
from ecliptic.run.termination import terminable

RIGHT = {"when": "How fast is the wind", "text": "$400$ km/s"}


def model(folder: Path, *lines: dict[str, object]) -> str:
    path = folder / "replies.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return f"scripted/{path}"


@pytest.mark.parametrize(
    "option", ["--max-cost", "--max-tokens", "--price-in", "--price-out", "--temperature"]
)
@pytest.mark.parametrize("value", ["nan", "inf"])
def test_a_limit_that_would_stop_nothing_is_refused(option, value, tmp_path, capsys) -> None:
    name = model(tmp_path, RIGHT)
    out = tmp_path / "out"
    assert run_cli(["run", "helio", "--model", name, "--out", str(out), option, value]) == 2
    assert "finite number" in capsys.readouterr().err
    assert not out.exists()


def test_a_second_run_into_a_folder_is_refused_and_touches_nothing(
    records, tmp_path, capsys
) -> None:
    out = tmp_path / "out"
    command = ["run", "helio", "--records", records, "--model", model(tmp_path, RIGHT),
               "--out", str(out), "--limit", "1"]  # fmt: skip
    assert run_cli(command) == 0
    capsys.readouterr()
    logs = [info.name for info in list_eval_logs(str(out))]
    with locked(out):
        assert run_cli([*command, "--fresh"]) == 2
    assert "another run is writing here" in capsys.readouterr().err
    assert [info.name for info in list_eval_logs(str(out))] == logs


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_a_run_as_ctrl_c_does_and_it_can_be_resumed(
    number, records, tmp_path, capsys
) -> None:
    out = tmp_path / "out"
    name = model(tmp_path, {**RIGHT, "delay_seconds": 0.0}, {"text": "$1$", "delay_seconds": 60.0})
    command = [sys.executable, "-m", "ecliptic", "run", "helio", "--records", records,
               "--model", name, "--out", str(out), "--max-connections", "1"]  # fmt: skip
    process = subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not list(out.glob("*.eval")) and time.monotonic() < deadline:
        time.sleep(0.2)
    time.sleep(3)
    process.send_signal(number)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "the same command" in said
    model(tmp_path, RIGHT, {"text": "$1$"})
    assert run_cli(command[3:]) == 0
    newest = read_eval_log(list_eval_logs(str(out))[0])
    assert newest.status == "success"
    capsys.readouterr()


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with terminable():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)
