"""``ecliptic audit SUITE``: the table, the file, going on after a stop, and exit codes."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import time
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from rv.test_strict import INNER, OUTER, moved, star

from ecliptic.analysis.audit_figure import audit_figure
from ecliptic.analysis.audit_table import audit_table
from ecliptic.cli.app import run_cli
from ecliptic.errors import UsageError
from ecliptic.run.audits import audited
from ecliptic.run.processes import Job, outcomes
from ecliptic.rv.auditing import Audit
from ecliptic.suite import load_suite, write_suite

if TYPE_CHECKING:
    from ecliptic.rv.tasks import RVTask

FAINT = moved(INNER, m_sin_i_mjup=0.004)
OPTIONS = ["--draws", "3", "--workers", "1"]


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A task that is accepted, and one with a planet that the data do not hold."""
    path = tmp_path / "two"
    write_suite([star(INNER, OUTER), star(FAINT, OUTER)], path)
    return path


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def line(tier: str | None, *reasons: str, ceiling: int = 4, **audit: Any) -> dict[str, Any]:
    if tier is None:
        return {"tier": None, "audit": None}
    known = {
        "tier": tier,
        "reasons": list(reasons),
        "accepted": not reasons,
        "truth": {"passed": True},
        "oracle": {"passed": "oracle" not in reasons},
        "identifiability": {"strength": [30.0, 80.0]},
        "ceiling": {"draws": 4, "passed": ceiling},
        "floor": {"null": "floor" in reasons},
        "cpu_seconds": 1.0,
    }
    return {"tier": tier, "audit": known | audit}


def test_a_file_a_table_a_picture_and_going_on(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plot = suite.parent / "two.png"
    assert run_cli(["audit", str(suite), *OPTIONS, "--plot", str(plot)]) == 0
    out = suite / "two.audit.jsonl"
    lines = read(out)
    assert [each["name"] for each in lines] == [each.key for each in load_suite(suite).entries()]
    audits = [Audit.model_validate(each["audit"]) for each in lines]
    assert [each.task_id for each in audits] == [task.id for task in load_suite(suite)]
    assert sorted(each.accepted for each in audits) == [False, True]
    assert all(each["settings"]["draws"] == 3 for each in lines)
    shown = capsys.readouterr().out
    row = next(each for each in shown.splitlines() if each.startswith("all"))
    assert row.split()[1:3] == ["2", "0"]
    assert "identifiability 1" in shown
    assert str(out) in shown
    assert plot.stat().st_size > 10_000
    assert not list(suite.glob(".*"))

    # Stopped within its last line, it goes on there.
    first, second = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(first + second[:100])
    assert run_cli(["audit", str(suite), *OPTIONS]) == 0
    assert "1 audits were there already" in capsys.readouterr().out
    again = out.read_bytes().splitlines(keepends=True)
    assert again[0] == first  # its processor time, too
    old, new = json.loads(second)["audit"], json.loads(again[1])["audit"]
    assert old | {"cpu_seconds": 0} == new | {"cpu_seconds": 0}


def test_a_killed_audit_loses_no_finished_task(suite: Path) -> None:
    tasks = [star(INNER, moved(OUTER, e=0.02 * number)) for number in range(5)]
    write_suite(tasks, suite, overwrite=True)
    out = suite / "two.audit.jsonl"
    command = ["audit", str(suite), "--draws", "40", "--workers", "1"]
    process = subprocess.Popen(
        [sys.executable, "-m", "ecliptic", *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    end = time.monotonic() + 120.0
    while not (out.exists() and b"\n" in out.read_bytes()):
        assert process.poll() is None
        assert time.monotonic() < end
        time.sleep(0.01)
    process.kill()
    process.wait()
    kept = [text for text in out.read_bytes().splitlines(keepends=True) if text.endswith(b"\n")]
    assert run_cli(command) == 0
    assert len(read(out)) == 5
    assert set(kept) <= set(out.read_bytes().splitlines(keepends=True))


def test_a_damaged_task_is_named_and_costs_no_other(
    suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    victim = next(suite.glob("rv-*.json"))
    victim.write_text(victim.read_text().replace('"tier": "medium"', '"tier": "easy"'))
    assert run_cli(["audit", str(suite), *OPTIONS]) == 1
    shown = capsys.readouterr()
    assert "is not the hash of the public part" in shown.err
    assert "Traceback" not in shown.err
    assert shown.out.splitlines()[3].split()[:3] == ["unread", "1", "1"]
    lines = {each["name"]: each for each in read(suite / "two.audit.jsonl")}
    assert lines[victim.stem]["status"] == "failed"
    assert sum(each["status"] == "done" for each in lines.values()) == 1


class Deadly:
    """Ends the process that unpickles it."""

    def __reduce__(self) -> Any:
        return os._exit, (7,)


def test_a_worker_that_dies_costs_one_task() -> None:
    jobs = iter([Job("deadly", cast("RVTask", Deadly())), Job("good", star(INNER, OUTER))])
    work = partial(audited, protocol="strict", draws=0, seed=0)
    found = {each.key: each for each in outcomes(partial(next, jobs, None), work, 1) if each}
    assert found["deadly"].result is None
    assert found["deadly"].reason == "worker died (exit code 7)"
    assert found["good"].result is not None
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--protocol lenient", "no protocol 'lenient'"),
        ("--out old.jsonl", "holds other audits (draws 25 there, 0 here)"),
        ("--out other.jsonl", "holds 'x', which this suite does not"),
        ("--out notes.txt", "line 1 is no audit"),
        ("--out .", "is a folder"),
        ("--plot two.gif", "must end in .png, .pdf, .svg"),
        ("--workers 0", "--workers"),
        ("--draws -1", "--draws"),
    ],
)
def test_mistakes_are_one_line(
    suite: Path,
    options: str,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(suite.parent)
    settings = {"protocol": "strict", "draws": 25, "seed": 0, "ecliptic": version("ecliptic")}
    known = {"key": "x:0", "name": "x", "status": "done", "audit": {}, "error": None}
    for name, draws in (("old.jsonl", 25), ("other.jsonl", 0)):
        text = json.dumps({**known, "settings": {**settings, "draws": draws}})
        Path(name).write_text(text + "\n")
    Path("notes.txt").write_text("remember the milk\n")
    before = {path: path.read_bytes() for path in suite.parent.glob("*.*")}
    assert run_cli(["audit", "two", "--draws", "0", *options.split()]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert len(error.splitlines()) == 1
    assert before == {path: path.read_bytes() for path in suite.parent.glob("*.*")}


def test_a_suite_with_audits_can_be_replaced(suite: Path) -> None:
    (suite / "two.audit.jsonl").write_text("{}\n")
    assert write_suite([star(INNER)], suite, overwrite=True) == 1
    assert not (suite / "two.audit.jsonl").exists()


def test_nothing_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(["audit", "nowhere"]) == 2
    assert "no suite at nowhere" in capsys.readouterr().err


def test_the_table_counts_by_tier() -> None:
    lines = [
        line("hard"),
        line("hard", "oracle", "floor", ceiling=0),
        line("frontier", "further_planet", "solver_rival", truth={"passed": False}),
        line(None),
    ]
    table = audit_table(lines)
    assert [row.tier for row in table.rows] == ["hard", "frontier", "unread", "all"]
    assert table.cells(table.rows[0]) == [
        "hard", "2", "0", "2/2", "1/2", "2/2", "2/2", "50.0 %", "21.5–78.5 %", "1/2", "1/2", "1.0",
    ]  # fmt: skip
    assert table.cells(table.rows[1])[3:7] == ["0/1", "1/1", "0/1", "0/1"]
    assert table.cells(table.rows[2])[1:5] == ["1", "1", "-", "-"]
    assert "reasons, hard: oracle 1, floor 1" in table.to_text()


def test_a_picture_needs_ceilings() -> None:
    with pytest.raises(UsageError, match="nothing to draw"):
        audit_figure([line("easy", ceiling=0) | {"audit": None}])
    labels = [each.get_text() for each in audit_figure([line("easy")]).legends[0].get_texts()]
    assert labels == ["easy: 1 of 1 accepted"]
