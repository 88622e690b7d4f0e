"""Parts, their journal and their manifest, on processes of this machine."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ecliptic
from ecliptic.distributed import (
    LocalEngine,
    QuestionShards,
    StarShards,
    engine_of,
    generate_questions,
    generate_stars,
    run_shards,
)
from ecliptic.distributed.part_store import JOURNAL, LOCK, held, opened
from ecliptic.errors import EclipticError, OutputError, SuiteError, UsageError
from ecliptic.suite import verify_suite

SHARDS = StarShards(7, 50, "paper", rows_per_part=20)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("once") / "suite"
    generate_stars(SHARDS, out, LocalEngine(1))
    return out


def copied(made: Path, target: Path) -> Path:
    target.mkdir()
    for path in made.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    return target


def test_a_folder_of_parts_is_a_suite_of_the_tasks_that_one_process_makes(made: Path) -> None:
    from ecliptic.rv.generator import generate_many

    suite = ecliptic.load_suite(made)
    assert [task.id for task in suite] == [task.id for task in generate_many(7, 50, recipe="paper")]
    assert verify_suite(made).faults == ()
    manifest = json.loads((made / "suite.json").read_text())
    assert [part["rows"] for part in manifest["parts"]] == [20, 20, 10]
    assert manifest["job"]["parameters"]["seed"] == "7"
    assert manifest["job"]["versions"].keys() == {"ecliptic", "numpy", "scipy", "pyarrow"}


def test_two_workers_in_another_order_give_the_same_bytes(
    made: Path, tmp_path: Path, contents: Callable[[Path], dict[str, bytes]]
) -> None:
    out = tmp_path / "suite"
    generate_stars(SHARDS, out, LocalEngine(2), order=[2, 0, 1])
    assert contents(out) == contents(made)


def test_a_damaged_and_a_missing_part_are_made_anew(
    made: Path, tmp_path: Path, contents: Callable[[Path], dict[str, bytes]]
) -> None:
    out = copied(made, tmp_path / "suite")
    part = out / "part-00000.parquet"
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(data)
    (out / "part-00002.parquet").unlink()
    summary = generate_stars(SHARDS, out, LocalEngine(1))
    assert summary.redone == ("part-00000.parquet", "part-00002.parquet")
    assert summary.resumed == 20
    assert contents(out) == contents(made)


def test_an_unfinished_folder_is_no_suite_and_is_gone_on_with(
    made: Path, tmp_path: Path, contents: Callable[[Path], dict[str, bytes]]
) -> None:
    out = tmp_path / "suite"
    generate_stars(SHARDS, out, LocalEngine(1), order=[1])
    with pytest.raises(SuiteError, match=r"suite\.json: the suite is not finished"):
        ecliptic.load_suite(out)
    with (out / "parts.jsonl").open("ab") as journal:
        journal.write(b'{"key":"part-000')  # a crash within a line
    assert generate_stars(SHARDS, out, LocalEngine(1)).resumed == 20
    assert contents(out) == contents(made)


def test_other_parameters_and_other_files_are_not_overwritten(made: Path, tmp_path: Path) -> None:
    out = copied(made, tmp_path / "suite")
    other = StarShards(8, 50, "paper", rows_per_part=20)
    with pytest.raises(OutputError, match="seed 7 there, 8 here"):
        generate_stars(other, out, LocalEngine(1))
    (out / "notes.txt").touch()
    with pytest.raises(OutputError, match="holds other files"):
        generate_stars(other, out, LocalEngine(1), overwrite=True)
    (out / "notes.txt").unlink()
    few = StarShards(8, 3, "paper")
    generate_stars(few, out, LocalEngine(1), overwrite=True)
    assert len(ecliptic.load_suite(out)) == 3


def test_a_poisoned_and_a_faulty_part_cost_no_other(tmp_path: Path, support: Any) -> None:
    trail = tmp_path / "trail"
    trail.mkdir()
    letters = support.Letters(4, poisoned=(1,), faulty=(2,), trail=str(trail))
    with opened(tmp_path / "parts") as store:
        summary = run_shards(letters, store, LocalEngine(1))
    assert summary.rows == 6
    assert summary.failures == {
        "part-00001.jsonl": "worker died (SIGKILL)",
        "part-00002.jsonl": "ValueError: part 2 is at fault",
    }
    begun = [path.name.partition("-")[0] for path in trail.iterdir()]
    assert sorted(begun) == ["0", "1", "1", "2", "3"]


def test_a_part_made_anew_with_other_bytes_is_told(tmp_path: Path) -> None:
    with opened(tmp_path) as store:
        store.add(0, "part-00000.jsonl", b"one\n", 1, {})
    (tmp_path / "part-00000.jsonl").unlink()
    with opened(tmp_path) as store, pytest.raises(EclipticError, match="other bytes than before"):
        store.add(0, "part-00000.jsonl", b"two\n", 1, {})


def test_two_writers_are_not_mixed(tmp_path: Path) -> None:
    with (
        held(tmp_path),
        pytest.raises(UsageError, match="another command is writing here"),
        held(tmp_path),
    ):
        pass


def test_a_folder_that_another_command_fills_is_not_replaced(made: Path, tmp_path: Path) -> None:
    out = copied(made, tmp_path / "suite")
    before = sorted(path.name for path in out.iterdir())
    with held(out), pytest.raises(UsageError, match="another command is writing here"):
        generate_stars(StarShards(8, 3, "paper"), out, LocalEngine(1), overwrite=True)
    assert sorted(path.name for path in out.iterdir()) == before


def test_a_lock_that_its_holder_has_just_removed_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(_: int, __: int) -> None:
        (tmp_path / LOCK).unlink()

    monkeypatch.setattr("ecliptic.distributed.part_store.fcntl.flock", flock)
    with pytest.raises(UsageError, match="another command"), held(tmp_path):
        pass


def test_a_crash_before_the_manifest_leaves_a_folder_that_can_be_filled(tmp_path: Path) -> None:
    (tmp_path / ".suite.json.0a1b2c3d.partial").write_bytes(b"{")
    (tmp_path / LOCK).touch()
    assert generate_stars(StarShards(8, 3, "paper"), tmp_path, LocalEngine(1)).rows == 3


@pytest.mark.parametrize("change", [{"rows": 19}, {"key": "part-00001.parquet"}, {"index": 9}])
def test_a_journal_that_does_not_fit_is_not_believed(
    made: Path, tmp_path: Path, contents: Callable[[Path], dict[str, bytes]], change: dict[str, Any]
) -> None:
    out = copied(made, tmp_path / "suite")
    lines = [json.loads(line) for line in (out / JOURNAL).read_text().splitlines()]
    if "key" in change:
        change = change | {"sha256": lines[1]["sha256"]}
    lines[0] |= change
    (out / JOURNAL).write_text("".join(json.dumps(line) + "\n" for line in lines))
    generate_stars(SHARDS, out, LocalEngine(1))
    assert contents(out) == contents(made)


def test_question_records_are_those_of_one_process(tmp_path: Path) -> None:
    from ecliptic.helio.generator import family_names, generate_many
    from ecliptic.helio.records import write_records

    names = family_names()[:3]
    write_records(generate_many(3, 14, families=names, forms=["numeric"]), tmp_path / "a.jsonl")
    shards = QuestionShards(3, 14, names, ("numeric",))
    summary = generate_questions(shards, tmp_path / "b.jsonl", LocalEngine(2))
    assert summary.rows == 14
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    assert not (tmp_path / "b.jsonl.parts").exists()


@pytest.mark.parametrize(
    ("name", "workers", "address", "told"),
    [
        ("spark", None, None, "engine"),
        ("local", 0, None, "workers must be at least 1"),
        ("local", 1, "head:6379", "add --engine ray"),
        ("ray", 0, None, "workers must be at least 1"),
    ],
)
def test_an_engine_that_cannot_be_is_refused(
    name: str, workers: int | None, address: str | None, told: str
) -> None:
    with pytest.raises(UsageError, match=told), engine_of(name, workers, address):
        pass


def test_a_cluster_that_does_not_start_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    ray = pytest.importorskip("ray")

    def init(**_: Any) -> None:
        raise Exception("The current node timed out\nduring startup.")  # as Ray does

    monkeypatch.setattr(ray, "init", init)
    with (
        pytest.raises(UsageError, match="not be started here: The current node timed out during"),
        engine_of("ray", 1),
    ):
        pass
