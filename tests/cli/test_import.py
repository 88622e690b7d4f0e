"""``ecliptic import``: messages, exit status, and what is left behind."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from published import published_task, write_published

from ecliptic.cli.app import run_cli
from ecliptic.suite import load_suite

FORMS = pytest.mark.parametrize("form", ["suite", "suite.parquet"])


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    folder = tmp_path / "bank"
    for index in (1, 2):
        write_published(folder, published_task(f"real_{index}", real=True))
    return folder


@FORMS
def test_all_is_well(
    bank: Path, tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / form
    assert run_cli(["import", "stargazer", str(bank), "--out", str(out)]) == 0
    shown = capsys.readouterr()
    assert shown.out == f"imported 2: real 2 -> {out}\n"
    assert shown.err == ""
    assert [task.source_id for task in load_suite(out)] == ["real_1", "real_2"]


def test_the_default_place(bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_cli(["import", "stargazer", "bank"]) == 0
    suite = load_suite(tmp_path / "suites" / "stargazer")
    assert (suite.name, len(suite)) == ("stargazer", 2)


def test_problems_are_named_and_the_others_imported(
    bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = published_task("real_3", real=True)
    odd["config"]["planets"][0]["e"] = 1.2
    damaged = write_published(bank, odd)
    (bank / "cut.json").write_text('{"task_id": ')
    out = tmp_path / "suite"
    assert run_cli(["import", "stargazer", str(bank), "--out", str(out)]) == 1
    shown = capsys.readouterr()
    assert shown.out == f"imported 2: real 2 -> {out}\n"
    lines = shown.err.splitlines()
    assert lines[0].startswith(f"{bank / 'cut.json'}: is cut short")
    assert lines[1] == f"{damaged}: config.planets[0].e must be < 1, not 1.2"
    assert lines[2:] == ["2 files were left out (see above)"]
    assert len(load_suite(out)) == 2


def test_nothing_could_be_imported(
    bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.rmtree(bank)
    odd = published_task("real_1", real=True)
    odd["observations"]["sigmas_ms"][0] = 0.0
    write_published(bank, odd)
    out = tmp_path / "suite"
    assert run_cli(["import", "stargazer", str(bank), "--out", str(out)]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    assert "observations.sigmas_ms must be > 0 at index 0, not 0" in lines[0]
    assert lines[1] == f"ecliptic: {bank}: no task could be imported"
    assert not out.exists()


def test_mistakes_are_one_line(
    bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").write_text("x")
    (tmp_path / "file").write_text("x")
    good = str(bank)
    for arguments, message in [
        ([str(tmp_path / "nowhere"), "--out", str(tmp_path / "a")], "no such file or folder"),
        ([str(tmp_path / "file"), "--out", str(tmp_path / "a")], "must be a folder, a task file"),
        ([good, "--out", str(tmp_path / "notes")], "files of another kind (mine.txt)"),
        ([good, "--out", str(tmp_path / "notes"), "--overwrite"], "files of another kind"),
        ([good, "--out", str(tmp_path / "file")], "is a file; choose a folder"),
        ([good, "--out", str(tmp_path / "file" / "x")], "a file stands where a folder is needed"),
        ([], "Missing argument 'PATH'"),
        ([good, "--outt", "x"], "No such option"),
    ]:
        assert run_cli(["import", "stargazer", *arguments]) == 2
        shown = capsys.readouterr()
        assert shown.out == ""
        assert message in shown.err
        assert len(shown.err.splitlines()) == 1
    assert run_cli(["import", "starglazer", good]) == 2
    assert "starglazer" in capsys.readouterr().err


@FORMS
def test_overwriting(
    bank: Path, tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["import", "stargazer", str(bank), "--out", str(tmp_path / form)]
    assert run_cli(command) == 0
    assert run_cli(command) == 2
    assert "--overwrite" in capsys.readouterr().err
    (bank / "real_2.json").unlink()
    assert run_cli([*command, "--overwrite"]) == 0
    assert len(load_suite(tmp_path / form)) == 1
