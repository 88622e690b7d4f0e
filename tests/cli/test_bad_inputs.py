"""A user's mistake is one line that names the place and the fix; the exit status is 2."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ecliptic import rv
from ecliptic.cli.app import run_cli
from ecliptic.suite import load_suite, write_suite

NAN, INF = float("nan"), float("inf")


def task_dict() -> dict[str, Any]:
    task: dict[str, Any] = rv.generate(1, recipe="paper").to_dict()
    return json.loads(json.dumps(task))


def suite_with(tmp: Path, *changes: tuple[str, Any]) -> Path:
    """A suite of one task with fields changed by dotted path after it was written."""
    data = task_dict()
    for path, value in changes:
        *parents, last = path.split(".")
        part = data
        for name in parents:
            part = part[int(name)] if isinstance(part, list) else part[name]
        if callable(value):
            value = value(part[int(last)] if isinstance(part, list) else part[last])
        part[int(last) if isinstance(part, list) else last] = value
    folder = tmp / "suite"
    folder.mkdir()
    (folder / "bad.json").write_text(json.dumps(data))
    return folder


def submission(tmp: Path, content: object) -> str:
    """Arguments that show a good task with this submission."""
    write_suite([rv.generate(1, recipe="paper")], tmp / "good.parquet")
    name = next(iter(load_suite(tmp / "good.parquet").entries())).key
    text = content if isinstance(content, str) else json.dumps(content)
    (tmp / "submission.json").write_text(text)
    return f"show {tmp}/good.parquet#{name} --submission {tmp}/submission.json --out {tmp}/x.png"


def set_at(index: int, value: Any) -> Callable[[list[Any]], list[Any]]:
    return lambda items: [*items[:index], value, *items[index + 1 :]]


def planets(**fields: Any) -> dict[str, Any]:
    return {"planets": [{"period_days": 10.0, **fields}]}


OBS = "public.observation"
# What is changed in a task file; what the message must hold. The file is named in all of them.
DAMAGED_TASKS = [
    pytest.param((f"{OBS}.rvs_ms", set_at(2, NAN)), ["rvs_ms", "index 2", "nan"], id="nan"),
    pytest.param((f"{OBS}.rvs_ms", set_at(2, INF)), ["rvs_ms", "index 2", "inf"], id="infinite"),
    pytest.param((f"{OBS}.sigmas_ms", set_at(1, -0.5)), ["sigmas_ms", "> 0"], id="negative-error"),
    pytest.param((f"{OBS}.sigmas_ms", set_at(1, 0.0)), ["sigmas_ms", "> 0"], id="zero-error"),
    pytest.param((f"{OBS}.times_days", lambda t: t[::-1]), ["times_days"], id="unsorted-times"),
    pytest.param((f"{OBS}.times_days", []), ["times_days"], id="no-times"),
    pytest.param((f"{OBS}.times_days", lambda t: t[:-1]), ["as many"], id="lengths"),
    pytest.param((f"{OBS}.times_days", lambda t: [t]), ["times_days", "number"], id="nested-list"),
    pytest.param((f"{OBS}.rvs_ms", set_at(0, "1.5")), ["rvs_ms", "'1.5'"], id="string-for-number"),
    pytest.param((f"{OBS}.rvs_ms", set_at(0, True)), ["rvs_ms", "True"], id="boolean-for-number"),
    pytest.param((f"{OBS}.rvs_ms", None), ["rvs_ms", "list of numbers"], id="null-for-list"),
    pytest.param((f"{OBS}.instruments", set_at(0, "X")), ["instruments", "'X'"], id="instrument"),
    pytest.param((f"{OBS}.star_mass_sun", 0), ["star_mass_sun", "> 0"], id="no-stellar-mass"),
    pytest.param((f"{OBS}.star_mass_sun", "1"), ["star_mass_sun", "number"], id="string-mass"),
    pytest.param(("sealed.truth.planets.0.period_days", 0), ["period_days", "> 0"], id="P-zero"),
    pytest.param(("sealed.truth.planets.0.e", 1.2), ["planets[0].e", "< 1", "1.2"], id="e-1.2"),
    pytest.param(("sealed.truth.planets.0.e", -0.1), ["planets[0].e", ">= 0"], id="e-negative"),
    pytest.param(("sealed.truth.noise.sigma_white_ms", -1), ["sigma_white_ms"], id="noise"),
    pytest.param(("sealed.truth", None), ["truth"], id="no-truth"),
    pytest.param(("sealed.difficulty", 11), ["difficulty", "10"], id="difficulty"),
    pytest.param(("sealed.extra", 1), ["extra"], id="unknown-field"),
    pytest.param(("public.tier", "extreme"), ["tier"], id="tier"),
    pytest.param(("schema", "ecliptic.rv/99"), ["schema", "another version"], id="schema-version"),
    pytest.param(("schema", "other"), ["schema"], id="schema-foreign"),
    pytest.param(("id", "rv-0000000000000000"), ["id", "hash"], id="id"),
    pytest.param((f"{OBS}.rvs_ms", set_at(0, 1.25)), ["id", "hash"], id="tampered"),
]


@pytest.mark.parametrize(("change", "fragments"), DAMAGED_TASKS)
def test_damaged_tasks(
    change: tuple[str, Any], fragments: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = suite_with(tmp_path, change)
    status = run_cli(["show", str(folder / "bad.json"), "--out", str(tmp_path / "x.png")])
    assert_one_line(status, capfd, [*fragments, f"{folder / 'bad.json'}: "])
    assert not (tmp_path / "x.png").exists()


MANY = {"planets": [{"period_days": 10.0 + i} for i in range(1_000_000)]}
MALFORMED_SUBMISSIONS = [
    pytest.param(planets(period_days=0), ["planets[0].period_days", "not 0"], id="P-zero"),
    pytest.param(planets(period_days=-3), ["planets[0].period_days", "-3"], id="P-negative"),
    pytest.param({"planets": [{"e": 0.1}]}, ["planets[0]", "missing"], id="P-missing"),
    pytest.param(planets(e=1.2), ["planets[0].e", "1.2"], id="e-1.2"),
    pytest.param(planets(e="0.1"), ["planets[0].e", "'0.1'"], id="string"),
    pytest.param(planets(m_sin_i_mjup=-1), ["m_sin_i_mjup", "-1"], id="mass"),
    pytest.param(planets(omega=1), ["omega", "omega_rad"], id="misspelt"),
    pytest.param(planets(l_rad=None), ["l_rad"], id="null"),
    pytest.param('{"planets": [{"period_days": NaN}]}', ["period_days"], id="nan"),
    pytest.param('{"planets": [{"period_days": 1e999}]}', ["period_days"], id="infinite"),
    pytest.param(MANY, ["planets", "1000000"], id="a-million-planets"),
    pytest.param({"planets": 3}, ["planets", "list"], id="no-list"),
    pytest.param({}, ["planets", "missing"], id="no-planets"),
    pytest.param([], ["submission"], id="list"),
    pytest.param(
        {"planets": [], "noise": {"sigma_jitter_ms": -1}}, ["sigma_jitter_ms"], id="jitter"
    ),
    pytest.param('{"planets": [', ["submission.json", "line 1"], id="truncated"),
    pytest.param("", ["submission.json"], id="empty"),
]


@pytest.mark.parametrize(("content", "fragments"), MALFORMED_SUBMISSIONS)
def test_malformed_submissions(
    content: object, fragments: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status = run_cli(submission(tmp_path, content).split())
    assert_one_line(status, capfd, fragments)
    assert not (tmp_path / "x.png").exists()


CALLS = [
    pytest.param("run stargazer --suite {tmp}/none", ["{tmp}/none"], id="missing-suite"),
    pytest.param("run stargazer --suite {tmp}/empty", ["{tmp}/empty", "no task"], id="empty-suite"),
    pytest.param("run stargazer --solver classic", ["classic", "classical"], id="solver"),
    pytest.param("run stargazer --solver no.such:thing", ["no.such"], id="solver-module"),
    pytest.param("run stargazer --protocol strickt", ["strickt", "paper"], id="protocol"),
    pytest.param("run stargazer --workers 0", ["workers"], id="no-workers"),
    pytest.param("run stargazer --workers two", ["workers", "two"], id="workers-text"),
    pytest.param("run stargazer --limit 0", ["limit"], id="limit"),
    pytest.param("run stargazer --bogus", ["--bogus"], id="option"),
    pytest.param("rum", ["rum", "run"], id="command"),
    pytest.param("import stargazer {tmp}/none", ["{tmp}/none"], id="import-missing"),
    pytest.param("import stargazer {tmp}/empty", ["{tmp}/empty"], id="import-empty"),
    pytest.param("import stargazer {tmp}/text.zip", ["text.zip"], id="import-no-zip"),
    pytest.param("generate rv --tier impossible", ["impossible", "easy"], id="generate-tier"),
    pytest.param("generate rv --recipe papre", ["papre", "paper"], id="generate-recipe"),
    pytest.param("generate rv --count 0", ["count"], id="generate-count"),
    pytest.param("generate rv --seed -1", ["seed"], id="generate-seed"),
    pytest.param("generate rv --out {tmp}/text.zip", ["text.zip", "file"], id="generate-onto-file"),
    pytest.param("show {tmp}/none.json", ["none.json"], id="show-missing"),
    pytest.param("show {tmp}/twice#x", ["twice", "same task"], id="duplicate-ids"),
    pytest.param("show {tmp}/good.parquet#nothing", ["nothing"], id="show-unknown-task"),
    pytest.param("show {tmp}/text.parquet#x", ["text.parquet"], id="no-parquet"),
]


@pytest.mark.parametrize(("call", "fragments"), CALLS)
def test_calls(
    call: str,
    fragments: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "text.zip").write_text("no archive")
    (tmp_path / "text.parquet").write_text("no table")
    write_suite([rv.generate(1, recipe="paper")], tmp_path / "good.parquet")
    (tmp_path / "twice").mkdir()
    for name in ("a.json", "b.json"):
        (tmp_path / "twice" / name).write_text(json.dumps(task_dict()))
    status = run_cli(call.format(tmp=tmp_path).split())
    assert_one_line(status, capfd, [fragment.format(tmp=tmp_path) for fragment in fragments])
    assert not (tmp_path / "suites").exists()
    assert not list((tmp_path / "results").glob("*"))


def assert_one_line(status: int, capfd: pytest.CaptureFixture[str], fragments: list[str]) -> None:
    captured = capfd.readouterr()
    assert status == 2, captured
    lines = captured.err.strip().splitlines()
    assert len(lines) == 1, captured.err
    assert lines[0].startswith("ecliptic: ")
    assert len(lines[0]) < 600
    for fragment in fragments:
        assert fragment.lower() in lines[0].lower()
    assert "Traceback" not in captured.out


@contextmanager
def small_disk(folder: Path, options: str) -> Iterator[Path]:
    """A file system of its own on ``folder``; skips where it cannot be mounted."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("mounting a small disk needs root")
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("a small disk cannot be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    write_suite(rv.generate_many(3, 40, recipe="paper"), tmp_path / "suite.parquet")
    return tmp_path / "suite.parquet"


WRITERS = [
    "run stargazer --suite {suite} --solver null --workers 1 --out {out}/results",
    "generate rv --recipe paper --count 200 --seed 1 --out {out}/made",
    "generate rv --recipe paper --count 200 --seed 1 --out {out}/made.parquet",
]


@pytest.mark.parametrize("call", WRITERS)
def test_a_folder_that_cannot_be_written(
    call: str, suite: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with small_disk(tmp_path / "disk", "ro,size=1m") as disk:
        status = run_cli(call.format(suite=suite, out=disk).split())
        assert_one_line(status, capfd, [str(disk), "read-only"])


@pytest.mark.parametrize("call", WRITERS[1:])
def test_a_full_disk_leaves_no_half_suite(
    call: str, suite: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with small_disk(tmp_path / "disk", "size=100k") as disk:
        status = run_cli(call.format(suite=suite, out=disk).split())
        assert_one_line(status, capfd, [str(disk), "no space"])
        assert list(disk.iterdir()) == []


def test_a_full_disk_keeps_what_was_computed(suite: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ecliptic", *WRITERS[0].split()]
    with small_disk(tmp_path / "disk", "size=32k") as disk:
        call = [part.format(suite=suite, out=disk) for part in command]
        full = subprocess.run(call, capture_output=True, text=True, check=False)
        assert full.returncode == 2, full.stderr
        last = full.stderr.strip().splitlines()[-1]
        assert "no space" in last
        assert "Traceback" not in full.stderr
        kept = (disk / "results" / "results.jsonl").read_bytes().split(b"\n")
        done = [json.loads(line)["task_id"] for line in kept[:-1] if line.endswith(b"}")]
        assert 0 < len(done) < 40
        subprocess.run(["mount", "-o", "remount,size=4m", str(disk)], check=True)
        again = subprocess.run(call, capture_output=True, text=True, check=False)
        assert again.returncode == 0, again.stderr
        lines = (disk / "results" / "results.jsonl").read_text().splitlines()
        ids = [json.loads(line)["task_id"] for line in lines]
        assert len(ids) == len(set(ids)) == 40
        assert ids[: len(done)] == done


def test_a_write_cut_by_a_signal_leaves_no_half_suite(tmp_path: Path) -> None:
    """The system ends the process in the middle of the file (limit on a file's size)."""

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

    call = [
        sys.executable,
        "-m",
        "ecliptic",
        "generate",
        "rv",
        "--recipe",
        "paper",
        "--count",
        "50",
        "--seed",
        "1",
    ]
    cut = subprocess.run(
        [*call, "--out", str(tmp_path / "made.parquet")],
        preexec_fn=limited,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")},
    )
    assert cut.returncode != 0
    assert not (tmp_path / "made.parquet").exists()


def test_numbers_of_numpy_are_numbers(tmp_path: Path) -> None:
    task = rv.generate(1, recipe="paper")
    planet = {"period_days": np.float64(3.0), "e": np.float32(0.25), "m_sin_i_mjup": np.int64(1)}
    assert rv.evaluate(task, {"planets": [planet]}).outcome == "incorrect"
