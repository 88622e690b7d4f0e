"""Suites that are made: the same bytes however they were made, complete, and never half there."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import DatasetCard

from ecliptic.cli.app import run_cli
from ecliptic.errors import EclipticError, OutputError, UsageError
from ecliptic.run import creation
from ecliptic.run.creation import create_suite, work_folder
from ecliptic.run.creation_request import Request
from ecliptic.run.creation_slots import Slot, make
from ecliptic.run.processes import Job, Outcome
from ecliptic.suite import load_suite, verify_suite
from ecliptic.suite.manifest import read_manifest

SEED = 2**100 + 7
TIERS = {"medium": 1, "easy": 2}
made = cache(make)


def refusing(refused: frozenset[str], slot: Slot) -> dict[str, Any]:
    """The slot, whose audit for publication is said to fail where its key is named."""
    result = made(slot)
    return {**result, "published": result["published"] and slot.key not in refused}


def in_turn(
    take: Callable[[], Job | None], work: Callable[[Any], dict[str, Any]], size: int
) -> Iterator[Outcome | None]:
    """``size`` workers of this process, of which the last one is always the first to be done."""
    jobs: list[Job] = []
    while True:
        while len(jobs) < size and (job := take()) is not None:
            jobs.append(job)
        if not jobs:
            return
        yield None
        job = jobs.pop()
        yield Outcome(job.key, work(job.given), "", "", 0.0)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Make slots in this process, once each; those named are refused."""

    def prepare(*refused: str) -> None:
        monkeypatch.setattr(creation, "outcomes", in_turn)
        monkeypatch.setattr(creation, "make", partial(refusing, frozenset(refused)))

    prepare()
    return prepare


def request(**changes: Any) -> Request:
    asked: dict[str, Any] = {"name": "trial", "tiers": TIERS, "seed": SEED, "draws": 3} | changes
    return Request.of(asked.pop("name"), asked.pop("tiers"), **asked)


def create(out: Path, workers: int = 1, **changes: Any) -> creation.Creation:
    return create_suite(request(**changes), out, seed_given=True, workers=workers, panel=False)


def test_a_suite_is_complete(here: Any, tmp_path: Path) -> None:
    create(tmp_path / "trial")
    assert {path.name for path in tmp_path.iterdir()} == {"trial"}
    assert {path.name for path in (tmp_path / "trial").iterdir()} == {
        "README.md", "audit.png", "croissant.json", "suite.json", "tasks.parquet",
        "trial.audit.jsonl",
    }  # fmt: skip
    suite = load_suite(tmp_path / "trial")
    assert [task.tier for task in suite] == ["easy", "easy", "medium"]
    assert suite.protocol == "strict"
    assert verify_suite(tmp_path / "trial").faults == ()
    tiers = read_manifest(tmp_path / "trial" / "suite.json").more["tiers"]
    assert tiers["easy"]["oracle"] == tiers["easy"]["tasks"] == 2
    assert all(each["passed"] == 0 for each in tiers["medium"]["floor"].values())
    assert tiers["medium"]["ceiling"]["draws"] == 3


def test_the_card_and_the_description(here: Any, tmp_path: Path) -> None:
    create(tmp_path / "trial")
    card = DatasetCard((tmp_path / "trial" / "README.md").read_text())
    assert card.data.license == "mit"
    assert card.data.to_dict()["configs"][0]["data_files"][0]["path"] == "tasks.parquet"
    for part in ("| easy | 2/2 |", "Ceilings and floors", "the budget that goes with it"):
        assert part in card.text
    described = json.loads((tmp_path / "trial" / "croissant.json").read_text())
    for name in ("@context", "@type", "conformsTo", "name", "description", "license", "url",
                 "creator", "datePublished", "distribution", "recordSet"):  # fmt: skip
        assert described[name]
    assert (
        described["distribution"][0]["sha256"]
        == (read_manifest(tmp_path / "trial" / "suite.json").sha256["tasks.parquet"])
    )


def test_the_description_is_read_by_others(here: Any, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mlcroissant = pytest.importorskip("mlcroissant", exc_type=ImportError)
        create(tmp_path / "trial")
        dataset = mlcroissant.Dataset(jsonld=str(tmp_path / "trial" / "croissant.json"))
        assert not dataset.metadata.ctx.issues.errors
        records = list(dataset.records("tasks"))
    for record, task in zip(records, load_suite(tmp_path / "trial"), strict=True):
        assert record["tasks/id"].decode() == task.id
        assert record["tasks/rvs_ms"] == task.observation.rvs_ms.tolist()
        periods = [each["tasks/planets/period_days"] for each in record["tasks/planets"]]
        assert periods == [planet.period_days for planet in task.truth.planets]


@pytest.mark.parametrize("workers", [2, 3])
def test_the_same_tasks_whoever_makes_them(here: Any, tmp_path: Path, workers: int) -> None:
    here("easy:1", "easy:2")
    found = create(tmp_path / "one").figures
    create(tmp_path / "more", workers)
    tasks = [(tmp_path / name / "tasks.parquet").read_bytes() for name in ("one", "more")]
    assert tasks[0] == tasks[1]
    assert [task.meta["index"] for task in load_suite(tmp_path / "one")] == [0, 3, 0]
    assert found["easy"]["draws"]["refused_in_publication"] == 2


def test_killed_and_resumed(here: Any, tmp_path: Path) -> None:
    create(tmp_path / "whole")
    code = "from ecliptic.cli import main; main()"
    words = ["suite", "create", "trial", "--tiers", "easy=2,medium=1", "--seed", str(SEED),
             "--draws", "3", "--no-panel", "--out", str(tmp_path / "trial")]  # fmt: skip
    command = [sys.executable, "-c", code, *words]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    journal = tmp_path / "trial.making" / "journal.jsonl"
    end = time.monotonic() + 120
    while not journal.exists() or not journal.read_bytes():
        assert time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "trial").exists()
    assert (tmp_path / "trial.making").stat().st_mode & 0o077 == 0
    kept = journal.read_bytes().count(b"\n")
    with journal.open("ab") as file:
        file.write(b'{"key": "easy:1", "sta')
    assert create(tmp_path / "trial").resumed == kept > 0
    names = ("whole", "trial")
    first, second = ((tmp_path / name / "tasks.parquet").read_bytes() for name in names)
    assert first == second
    assert not work_folder(tmp_path / "trial").exists()


def test_a_fresh_seed_is_kept(here: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> Iterator[None]:
        yield None
        raise KeyboardInterrupt

    monkeypatch.setattr(creation, "outcomes", interrupted)
    begun = request(seed=None)
    assert int(begun.seed).bit_length() > 64
    with pytest.raises(KeyboardInterrupt):
        create_suite(begun, tmp_path / "trial", panel=False)
    file = tmp_path / "trial.making" / "request.json"
    assert file.stat().st_mode & 0o077 == 0
    here()
    with pytest.raises(UsageError, match=r"another suite was begun here \(tiers: easy=2,medium=1"):
        create_suite(request(seed=None, tiers={"easy": 1}), tmp_path / "trial", panel=False)
    again = create_suite(request(seed=None), tmp_path / "trial", panel=False)
    assert {task.meta["seed"] for task in load_suite(again.out)} == {begun.seed}


def test_what_cannot_be_made_is_named_and_tried_again(
    here: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(take: Callable[[], Job | None], *_: Any) -> Iterator[Outcome]:
        job = take()
        assert job is not None
        yield Outcome(job.key, None, "no candidate", "", 0.0)

    monkeypatch.setattr(creation, "outcomes", failing)
    with pytest.raises(EclipticError, match="medium:0: could not be made: no candidate"):
        create(tmp_path / "trial")
    assert not (tmp_path / "trial").exists()
    here()
    assert len(load_suite(create(tmp_path / "trial").out)) == 3


def test_nothing_is_overwritten(here: Any, tmp_path: Path) -> None:
    (tmp_path / "trial").mkdir()
    (tmp_path / "trial" / "notes.txt").write_text("mine")
    with pytest.raises(OutputError, match="exists already; choose another --out"):
        create(tmp_path / "trial")
    assert [path.name for path in (tmp_path / "trial").iterdir()] == ["notes.txt"]
    assert not work_folder(tmp_path / "trial").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--tiers", "easy"], "'easy' is not of the form TIER=COUNT"),
        (["--tiers", "esay=3"], "tier"),
        (["--tiers", "easy=0"], "no task was asked for"),
        (["--tier", "easy"], "--tier and --count belong together"),
        (["--tier", "easy", "--count", "2", "--tiers", "easy=2"], "exclude each other"),
        (["--sealed", "--seed", "7"], "a small seed can be found by trying"),
        (["--seed", "-1"], "seed"),
        (["--variant", "stripes"], "variant"),
    ],
)
def test_mistakes_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert run_cli(["suite", "create", "trial", "--out", str(tmp_path / "x"), *words]) == 2
    _, errors = capsys.readouterr()
    assert said in errors
    assert errors.count("\n") == 1
    assert not list(tmp_path.iterdir())
