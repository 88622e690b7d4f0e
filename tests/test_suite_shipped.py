"""The suites that come with the package are what they were when they were made."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from ecliptic.cli.app import run_cli
from ecliptic.errors import SuiteError
from ecliptic.run.plan import protocol_for
from ecliptic.rv import shipped
from ecliptic.suite import Suite, load_suite, verify_suite

SIZES = {"quick": 3, "core-v1": 30}


@pytest.mark.parametrize("name", SIZES)
def test_complete_audited_and_unchanged(name: str) -> None:
    suite = load_suite(name)
    assert verify_suite(name).faults == ()
    tiers = [task.tier for task in suite]
    wanted = [tier for tier in ("easy", "medium", "hard", "frontier") for _ in range(SIZES[name])]
    assert tiers == wanted
    assert suite.manifest is not None
    figures = suite.manifest.more["tiers"]
    for tier, each in figures.items():
        assert each["oracle"] == each["tasks"] == SIZES[name], tier
        assert each["ceiling"]["draws"] == 100 * SIZES[name]
        assert each["ceiling"]["lowest"] >= 0.9
        assert {"null", "sine", "free_jitter"} <= each["floor"].keys()
        assert all(one["passed"] == 0 for one in each["floor"].values())
    size = sum(path.stat().st_size for path in shipped.folder_of(name).iterdir())
    assert size < 25_000 * len(suite)


@pytest.mark.parametrize("name", SIZES)
def test_every_task_declares_its_models_and_carries_its_audit(name: str) -> None:
    for task in load_suite(name):
        assert task.observation.family is not None
        assert task.truth.recovery is not None


def test_the_paper_one_is_the_same_everywhere() -> None:
    suite = load_suite("quick-paper")
    assert [task.tier for task in suite] == ["easy"] * 4 + ["medium"] * 4 + ["hard"] * 4
    assert suite.checksum == shipped.quick_paper().checksum


def test_a_changed_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(shipped.folder_of("quick"), tmp_path / "quick")
    monkeypatch.setattr(shipped, "folder_of", lambda name: tmp_path / name)
    assert len(shipped.quick()) == 12
    with (tmp_path / "quick" / "README.md").open("a") as file:
        file.write(" ")
    with pytest.raises(SuiteError, match=r"README\.md: was changed: .*install ecliptic again"):
        shipped.quick()
    shutil.rmtree(tmp_path / "quick")
    with pytest.raises(SuiteError, match="quick: is not part of this installation"):
        shipped.quick()


@pytest.mark.parametrize(
    ("name", "asked", "used"),
    [
        ("quick", None, "strict"),
        ("quick", "paper", "paper"),
        ("quick-paper", None, "paper"),
        ("quick-paper", "strict(min_delta_bic=30)", "strict(min_delta_bic=30.0)"),
    ],
)
def test_the_protocol_is_the_suites_unless_asked(name: str, asked: Any, used: str) -> None:
    assert protocol_for(load_suite(name), asked).label == used


def test_without_a_manifest_the_tasks_decide() -> None:
    for name, used in (("quick", "strict"), ("quick-paper", "paper")):
        tasks = list(load_suite(name)[:2])
        assert protocol_for(Suite.of(tasks, name="mine")).name == used


def test_show(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_cli(["suite", "show", "quick"]) == 0
    shown = capsys.readouterr().out
    assert "12 tasks, protocol strict" in shown
    assert [line.split()[1] for line in shown.splitlines()[4:8]] == ["3"] * 4
    assert run_cli(["suite", "show", "quick-paper"]) == 0
    assert "no ceilings are on file" in capsys.readouterr().out
    assert run_cli(["suite", "verify", "quick"]) == 0
    assert "no fault" in capsys.readouterr().out
