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


def test_a_call_that_does_not_end_is_given_up(records, tmp_path, monkeypatch, capsys) -> None:
    pytest.importorskip("inspect_ai")
    from ecliptic.evals import models_by_name

    limits = models_by_name._LIMITS
    assert limits.attempt_timeout == limits.timeout == models_by_name.CALL_SECONDS
    soon = limits.model_copy(update={"attempt_timeout": 1, "timeout": 1})
    monkeypatch.setattr(models_by_name, "_LIMITS", soon)
    name = model(tmp_path, {"text": "late", "delay_seconds": 300, "times": 99})
    arguments = ["--records", records, "--limit", "1", "--out", str(tmp_path / "out")]
    assert run_cli(["run", "helio", "--model", name, *arguments]) == 1
    said = capsys.readouterr()
    assert "provider_error 1" in said.out
    assert "attempt_timeout" in said.err
