"""Runs that are told to end, and runs that meet in one folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from evals.harness import call
from inspect_ai.log import list_eval_logs, read_eval_log_sample_summaries

from ecliptic.cli.app import run_cli
from ecliptic.run.folder import locked
from ecliptic.sandbox import why_no_bubblewrap

OTHER = {"turn": 1, "text": "$E = m v^2/2$"}
SLOW = {"sample": "2012_Kim_2", "turn": 1, "text": "late", "delay_seconds": 300}
ENDINGS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def script(folder: Path, *lines: dict[str, Any]) -> str:
    path = folder / "replies.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return f"scripted/{path}"


@contextmanager
def running(arguments: list[str], folder: Path, **options: Any) -> Iterator[subprocess.Popen[str]]:
    """The command in a process of its own; its stderr is in ``stderr`` of the folder."""
    command = [sys.executable, "-m", "ecliptic", "run", *arguments]
    options.setdefault("preexec_fn", as_in_a_terminal)
    with (
        (folder / "stderr").open("w") as said,
        subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=said, text=True, **options
        ) as child,
    ):
        try:
            yield child
        finally:
            child.kill()


def until(holds: Callable[[], bool], seconds: float = 90) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.2)
    return False


def finished(out: Path) -> set[str]:
    """Ids of the attempts in the logs that ended without an error, of logs that can be read."""
    found = set()
    for log in list_eval_logs(str(out)) if out.is_dir() else []:
        try:
            found |= {
                str(each.uuid)
                for each in read_eval_log_sample_summaries(log)
                if each.completed and not each.error
            }
        except (OSError, ValueError, KeyError, EOFError):
            continue  # is being written
        except Exception as error:
            if type(error).__name__ not in {"BadZipFile", "EvalLogReadError"}:
                raise
    return found


def as_in_a_terminal() -> None:
    """Whatever started the tests may ignore signals, and children would go on with that."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def ignore_interrupts() -> None:
    """As shells do for jobs in the background."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@pytest.mark.parametrize(
    ("ending", "prepare"),
    [*((ending, as_in_a_terminal) for ending in ENDINGS), (signal.SIGTERM, ignore_interrupts)],
    ids=["SIGTERM", "SIGHUP", "SIGINT", "SIGTERM in the background"],
)
def test_a_signal_during_a_call_keeps_what_is_finished(
    ending: signal.Signals, prepare: Callable[[], None], records, tmp_path, capsys
) -> None:
    out = tmp_path / "out"
    arguments = ["helio", "--records", records, "--model", script(tmp_path, SLOW, OTHER)]
    arguments += ["--out", str(out)]
    with running(arguments, tmp_path, preexec_fn=prepare) as child:
        assert until(lambda: len(finished(out)) == 3 or child.poll() is not None)
        child.send_signal(ending)
        assert child.wait(30) == 130
    last = (tmp_path / "stderr").read_text().splitlines()[-1]
    assert last.startswith("ecliptic: interrupted; finished attempts are in ")
    assert "the same command (without --fresh) goes on" in last
    before = finished(out)
    assert len(before) == 3

    script(tmp_path, OTHER)
    assert run_cli(["run", *arguments]) == 0
    assert "answered 4" in capsys.readouterr().out
    assert before < finished(out)


def descendants(pid: int) -> set[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(stat.rpartition(")")[2].split()[1])
    found, fresh = set[int](), {pid}
    while fresh:
        fresh = {child for child, parent in parents.items() if parent in fresh} - found
        found |= fresh
    return found


def lives(pid: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False


@pytest.mark.skipif(why_no_bubblewrap() is not None, reason="needs bubblewrap")
@pytest.mark.parametrize("ending", [*ENDINGS, signal.SIGKILL])
def test_a_signal_during_a_cell_leaves_no_process(
    ending: signal.Signals, suite, tmp_path, capsys
) -> None:
    out = tmp_path / "out"
    code = "import os, time\nos.fork() or os.setsid() or os.fork()\ntime.sleep(300)"
    cell = {"turn": 1, "text": "look", "tool_calls": call("python", code=code)}
    enough = {"text": "Enough.", "times": 9}
    arguments = ["stargazer", "--suite", suite, "--model", script(tmp_path, cell, enough)]
    arguments += ["--out", str(out)]
    with running(arguments, tmp_path) as child:
        # bubblewrap, nursery, supervisor, the session and its three
        assert until(lambda: len(descendants(child.pid)) >= 6 or child.poll() is not None)
        started = descendants(child.pid)
        child.send_signal(ending)
        assert child.wait(30) == (-9 if ending == signal.SIGKILL else 130)
        assert until(lambda: not any(map(lives, started)), 10)
    script(tmp_path, enough)
    assert run_cli(["run", *arguments]) == 0
    assert "gave_up 1" in capsys.readouterr().out


def test_an_ignored_hang_up_stays_ignored(records, tmp_path) -> None:
    out = tmp_path / "out"
    slow = {**SLOW, "delay_seconds": 3}
    arguments = ["helio", "--records", records, "--model", script(tmp_path, slow, OTHER)]
    ignore = lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)  # noqa: E731
    with running([*arguments, "--out", str(out)], tmp_path, preexec_fn=ignore) as child:
        assert until(lambda: len(finished(out)) == 3 or child.poll() is not None)
        os.kill(child.pid, signal.SIGHUP)
        assert child.wait(60) == 0
    assert len(finished(out)) == 4


@pytest.mark.parametrize("more", [[], ["--fresh"]])
def test_a_folder_where_another_run_writes_is_refused(more, records, tmp_path, capsys) -> None:
    out = tmp_path / "out"
    arguments = ["run", "helio", "--records", records, "--model", script(tmp_path, OTHER)]
    arguments += ["--out", str(out)]
    assert run_cli(arguments) == 0
    before = finished(out)
    capsys.readouterr()
    with locked(out):
        assert run_cli([*arguments, *more]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        f"ecliptic: {out}: another run is writing here; wait for it or choose another folder "
        "with --out"
    )
    assert finished(out) == before
    assert run_cli([*arguments, *more]) == 0


def test_models_whose_names_begin_alike_share_a_folder_unmixed(records, tmp_path, capsys) -> None:
    out = tmp_path / "out"
    rates = {}
    for name, answer in (("gpt-5", "$400$ km/s"), ("gpt-5.1", "$7$ km/s"), ("gpt-5", "never")):
        path = tmp_path / name
        path.write_text(json.dumps({"turn": 1, "text": answer}), encoding="utf-8")
        arguments = ["--types", "numeric", "--model", f"scripted/{path}", "--out", str(out)]
        assert run_cli(["run", "helio", "--records", records, *arguments]) == 0
        said = capsys.readouterr().out
        rates.setdefault(name, []).append("1/2 (50 %)" in said)
    assert rates == {"gpt-5": [True, True], "gpt-5.1": [False]}
    assert len(finished(out)) == 4
