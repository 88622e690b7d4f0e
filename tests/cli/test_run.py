from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ecliptic.cli.app import run_cli
from ecliptic.cli.progress import ProgressDisplay
from ecliptic.run import Progress

SOLVERS = """
import time

def fit(observation):
    return {"planets": []}

def fragile(observation):
    if observation.star_mass_sun > 1.0:
        raise RuntimeError("too heavy a star")
    return {"planets": []}

def slow(observation):
    time.sleep(0.3)
    return {"planets": []}
"""


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, with solvers of one's own."""
    (tmp_path / "mine.py").write_text(SOLVERS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    return tmp_path


@pytest.mark.parametrize("words", [["run"], ["run", "stargazer"]])
def test_the_main_job(bench: Path, capsys: Any, words: list[str]) -> None:
    assert run_cli(words) == 0
    output, errors = capsys.readouterr()
    lines = output.splitlines()
    assert [line.split()[:3] for line in lines[2:7]] == [
        ["easy", "3", "0"],
        ["medium", "3", "0"],
        ["hard", "3", "0"],
        ["frontier", "3", "0"],
        ["all", "12", "0"],
    ]
    assert "12 tasks; " in output
    assert "s wall, " in output
    assert "12 of 12 tasks done" in errors
    out = Path("results") / "quick-classical"
    assert f"results: {out / 'results.jsonl'}" in output
    assert f"picture: {out / 'fit.png'}" in output
    assert f"ecliptic report {out} -o report" in output
    assert (out / "fit.png").read_bytes().startswith(b"\x89PNG")
    records = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    passed = [record for record in records if record["verdict"]["passed"]]
    assert len(records) == 12
    assert int(lines[6].split()[3]) == len(passed) > 0
    assert {record["protocol"] for record in records} == {"strict"}


def test_resumes_and_reports_failures(bench: Path, capsys: Any) -> None:
    command = ["run", "--solver", "mine:fragile", "--out", "here"]
    assert run_cli(command) == 1
    _, errors = capsys.readouterr()
    complaint = errors.splitlines()[-1]
    assert complaint.startswith("ecliptic: ")
    assert "failed to run: rv-" in complaint
    assert "(RuntimeError: too heavy a star)" in complaint
    records = [json.loads(line) for line in Path("here/results.jsonl").read_text().splitlines()]
    done = sum(record["status"] == "done" for record in records)
    assert 0 < done < 12
    assert run_cli([*command, "--workers", "1"]) == 1
    output, _ = capsys.readouterr()
    assert f"12 tasks, {done} of them earlier" in output


def test_interrupted_from_the_terminal(bench: Path) -> None:
    code = "from ecliptic.cli import main; main()"
    command = [sys.executable, "-c", code, "run", "--suite", "quick-paper"]
    command += ["--solver", "mine:slow", "--out", "here"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    journal = Path("here/results.jsonl")
    end = time.monotonic() + 60
    while not journal.exists() or not journal.read_bytes():
        assert time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert "interrupted with " in errors.splitlines()[-1]
    assert "the same command goes on from there" in errors.splitlines()[-1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--suite", "nowhere"], "no suite at nowhere"),
        (["--suite", ""], "a suite needs a path"),
        (["--suite", "empty"], "holds no task files"),
        (["--solver", "clasical"], "did you mean 'classical'"),
        (["--solver", "absent:fit"], "importing absent: ModuleNotFoundError"),
        (["--solver", "mine:nothing"], "mine has no function 'nothing'"),
        (["--protocol", "papr"], "no protocol 'papr'"),
        (["--workers", "0"], "'--workers'"),
        (["--limit", "0"], "'--limit'"),
        (["--time-limit", "0"], "'--time-limit'"),
        (["--option", "peaks"], "is not of the form NAME=VALUE"),
        (["--option", "=3"], "is not of the form NAME=VALUE"),
        (["--out", "mine.py"], "mine.py: is not a folder"),
        (["--out", "mine.py/below"], "is not a folder"),
        (["--out", "/proc/here"], "/proc/here: cannot be written"),
        (["--out", "other"], "holds other results (solver: classical there, sine here)"),
        (["--no-such-option"], "No such option"),
        (["heliox"], "No such command 'heliox'"),
        (["helio"], "name a language model: --model PROVIDER/MODEL"),
    ],
)
def test_mistakes_are_one_line(
    bench: Path, capsys: Any, arguments: list[str], message: str
) -> None:
    Path("empty").mkdir()
    if arguments[-1] == "other":
        from ecliptic.run.folder import open_manifest
        from ecliptic.suite import load_suite

        Path("other").mkdir()
        identity = {"solver": "classical", "suite_checksum": load_suite("quick").checksum}
        open_manifest(Path("other"), identity, {"suite": "quick"})
        arguments = [*arguments, "--solver", "sine"]
    assert run_cli(["run", *arguments]) == 2
    output, errors = capsys.readouterr()
    assert message in errors
    assert errors.count("\n") == 1
    assert output == ""


def test_a_wrong_option_of_the_solver_is_the_users_mistake(bench: Path, capsys: Any) -> None:
    assert run_cli(["run", "--solver", "sine", "--option", "peeks=3", "--limit", "1"]) == 2
    _, errors = capsys.readouterr()
    assert "has no option 'peeks'" in errors.splitlines()[-1]


def test_full_disk_is_one_line_that_says_how_to_go_on(
    bench: Path, capsys: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.write

    def refuse(handle: int, data: bytes) -> int:
        if b'"verdict"' in data:
            raise OSError(28, os.strerror(28))
        return real(handle, data)

    monkeypatch.setattr(os, "write", refuse)
    assert run_cli(["run", "--solver", "null", "--limit", "2"]) == 2
    _, errors = capsys.readouterr()
    line = errors.splitlines()[-1]
    assert "results.jsonl: cannot be written: no space left on device" in line
    assert "(0 of 2 tasks done; the same command resumes)" in line


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_on_a_terminal_is_a_bar() -> None:
    stream = Terminal()
    with ProgressDisplay(stream) as display:
        assert display.standing == "no tasks done"
        display(Progress(total=4, done=1, resumed=1))
        display(Progress(total=4, done=2, resumed=1, passed=0, failed=1, key="x"))
        assert display.standing == "2 of 4 tasks done"
    drawn = stream.getvalue()
    for part in ("2/4", "1 failed", "left"):
        assert part in drawn


def test_progress_elsewhere_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    stream = io.StringIO()
    with ProgressDisplay(stream) as display:
        for done in range(101):
            display(Progress(total=100, done=done, resumed=0, failed=done // 50))
            clock[0] += 0.5
    assert stream.getvalue().splitlines() == [
        "20 of 100 tasks done, 2.0/s, 40 s left",
        "40 of 100 tasks done, 2.0/s, 30 s left",
        "60 of 100 tasks done, 1 failed, 2.0/s, 20 s left",
        "80 of 100 tasks done, 1 failed, 2.0/s, 10 s left",
        "100 of 100 tasks done, 2 failed, 2.0/s",
    ]


def test_rates_below_one_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    stream = io.StringIO()
    display = ProgressDisplay(stream)
    display(Progress(total=500, done=100, resumed=100))
    clock[0] = 100.0
    display(Progress(total=500, done=105, resumed=100))
    assert stream.getvalue() == "105 of 500 tasks done, 3.0/min, 2.2 h left\n"


def test_what_was_done_before_has_no_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    stream = io.StringIO()
    display = ProgressDisplay(stream)
    display(Progress(total=12, done=12, resumed=12))
    clock[0] = 5.0
    display(Progress(total=12, done=12, resumed=12))
    assert stream.getvalue() == "12 of 12 tasks done\n" * 2
