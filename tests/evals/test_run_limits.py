"""Limits that would stop nothing, and signals that are ignored."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from ecliptic.cli.app import run_cli
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


def test_an_ignored_signal_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with terminable():
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)
