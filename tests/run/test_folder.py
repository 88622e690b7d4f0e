from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ecliptic.errors import OutputError, UsageError
from ecliptic.run.folder import clear, locked, open_manifest, read_manifest

IDENTITY = {
    "suite_checksum": "a" * 64,
    "solver": "sine",
    "options": {},
    "protocol": "paper",
    "ecliptic": "0.1.0",
}


def test_manifest_is_written_once(tmp_path: Path) -> None:
    first = open_manifest(tmp_path, IDENTITY, {"suite": "bank"})
    again = open_manifest(tmp_path, IDENTITY, {"suite": "moved"})
    assert again == first == read_manifest(tmp_path)
    assert first["suite"] == "bank"
    assert first["versions"]["numpy"]
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("solver", "classical", ["solver: ", "sine", "classical"]),
        ("options", {"peaks": 2}, ["solver options: ", "peaks"]),
        ("protocol", "strict", ["protocol: ", "paper", "strict"]),
        ("suite_checksum", "b" * 64, ["suite: ", "bank", "aaaa", "bbbb"]),
        ("ecliptic", "0.2.0", ["version of ecliptic: ", "0.1.0", "0.2.0"]),
    ],
)
def test_results_of_something_else_are_refused(
    tmp_path: Path, field: str, value: object, words: list[str]
) -> None:
    open_manifest(tmp_path, IDENTITY, {"suite": "bank"})
    with pytest.raises(UsageError) as caught:
        open_manifest(tmp_path, IDENTITY | {field: value}, {"suite": "bank"})
    for word in [*words, str(tmp_path), "--out", "--fresh"]:
        assert word in str(caught.value)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"suite": "bank"}', '{"identity": 3}', "\0"])
def test_damaged_manifest(tmp_path: Path, text: str) -> None:
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(UsageError, match=r"run\.json: missing or damaged.*--fresh"):
        open_manifest(tmp_path, IDENTITY, {"suite": "bank"})


def test_a_manifest_that_is_a_pipe_is_damaged(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "run.json")
    with pytest.raises(UsageError, match="missing or damaged"):
        read_manifest(tmp_path)


def test_results_without_a_manifest(tmp_path: Path) -> None:
    (tmp_path / "results.jsonl").touch()
    with pytest.raises(UsageError, match=r"without a run\.json"):
        open_manifest(tmp_path, IDENTITY, {"suite": "bank"})


def test_clear_spares_what_is_not_its_own(tmp_path: Path) -> None:
    for name in ("results.jsonl", "run.json", "results.parquet", "notes.txt"):
        (tmp_path / name).write_text("x")
    clear(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_lock_excludes_a_second_run_and_ends(tmp_path: Path) -> None:
    with locked(tmp_path / "new" / "folder"):
        with (
            pytest.raises(UsageError, match="another run is writing here"),
            locked(tmp_path / "new" / "folder"),
        ):
            pass
        with locked(tmp_path / "other"):
            pass
    with locked(tmp_path / "new" / "folder"):
        pass


@pytest.mark.parametrize("below", ["", "/deeper"])
def test_a_file_where_the_folder_should_be(tmp_path: Path, below: str) -> None:
    (tmp_path / "file").write_text("precious")
    with pytest.raises(UsageError, match="is not a folder"), locked(tmp_path / f"file{below}"):
        pass
    assert (tmp_path / "file").read_text() == "precious"


def test_read_only_folder(tmpfs) -> None:
    folder = tmpfs("size=64k,ro")
    with pytest.raises(OutputError, match="read-only file system"), locked(folder / "out"):
        pass


def test_manifest_is_json_for_people(tmp_path: Path) -> None:
    open_manifest(tmp_path, IDENTITY, {"suite": "bank"})
    text = (tmp_path / "run.json").read_text()
    assert json.loads(text)["identity"] == IDENTITY
    assert text.count("\n") > 10
