"""Sealed suites: the public part tells no truth, and no part can be changed unnoticed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from test_suite_creation import SEED, create, in_turn, made

from ecliptic import rv
from ecliptic.cli.app import run_cli
from ecliptic.errors import SuiteError, TaskError
from ecliptic.run import creation, run_suite
from ecliptic.suite import load_suite, verify_suite
from ecliptic.suite.commitments import commitment_of, plain_hash, salt_of


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("sealed") / "trial"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(creation, "outcomes", in_turn)
        patch.setattr(creation, "make", made)
        create(out, sealed=True)
    return out


@pytest.fixture
def suite(master: Path, tmp_path: Path) -> Path:
    """A copy to tamper with: ``public`` and ``private``."""
    return Path(shutil.copytree(master, tmp_path / "trial"))


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_public_part_tells_no_truth(suite: Path) -> None:
    text = b"".join(path.read_bytes() for path in (suite / "public").iterdir())
    truths = lines_of(suite / "private" / "truth.jsonl")
    for truth in truths:
        for planet in truth["sealed"]["truth"]["planets"]:
            assert str(planet["period_days"]).encode() not in text
        assert truth["salt"].encode() not in text
        assert "seed" not in truth["sealed"]["meta"]  # opening one must not open the others
    assert str(SEED).encode() not in text
    table = pq.read_table(suite / "public" / "tasks.parquet")
    assert not {"planets", "meta", "noise", "difficulty", "recovery", "trend"} & set(
        table.column_names
    )
    assert (suite / "private").stat().st_mode & 0o077 == 0


def test_it_can_be_played_and_not_graded(suite: Path, tmp_path: Path) -> None:
    public = load_suite(suite / "public")
    assert public.sealed
    task = public[0]
    submission = rv.solvers.solve(task.observation, "sine")
    with pytest.raises(TaskError, match="truth is sealed; give --truth FOLDER"):
        rv.evaluate(task, submission, protocol="strict")
    with pytest.raises(SuiteError, match="truth is sealed; give --truth FOLDER"):
        run_suite(public, "null", workers=1, out=tmp_path / "results")
    assert not (tmp_path / "results").exists()


def test_joined_it_is_graded(suite: Path) -> None:
    whole = load_suite(suite / "public", truth=suite / "private")
    public = load_suite(suite / "public")
    assert not whole.sealed
    assert whole.checksum == public.checksum
    assert [task.observation for task in whole] == [task.observation for task in public]
    best = {"planets": [each.model_dump() for each in whole[0].truth.recovery.planets]}
    assert rv.evaluate(whole[0], best, protocol="strict").passed


def test_verify_and_show(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [str(suite / "public"), "--truth", str(suite / "private")]
    assert run_cli(["suite", "verify", *words]) == 0
    assert "3 tasks, 3 commitments hold; no fault" in capsys.readouterr().out
    assert run_cli(["suite", "show", words[0]]) == 0
    shown = capsys.readouterr().out
    assert "the truth is sealed" in shown
    assert [line.split()[0] for line in shown.splitlines()[4:6]] == ["easy", "medium"]


def change_truth(suite: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    path = suite / "private" / "truth.jsonl"
    lines = lines_of(path)
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def another_period(lines: list[dict[str, Any]]) -> None:
    lines[1]["sealed"]["truth"]["planets"][0]["period_days"] *= 1.001


def another_salt(lines: list[dict[str, Any]]) -> None:
    lines[1]["salt"] = "0" * 32


def exchanged(lines: list[dict[str, Any]]) -> None:
    lines[0]["id"], lines[1]["id"] = lines[1]["id"], lines[0]["id"]


def lost(lines: list[dict[str, Any]]) -> None:
    del lines[1]


def added(lines: list[dict[str, Any]]) -> None:
    lines.append({**lines[1], "id": "rv-0000000000000000"})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (another_period, "does not fit the commitment"),
        (another_salt, "does not fit the commitment"),
        (exchanged, "does not fit the commitment"),
        (lost, "holds no truth of it"),
        (added, "holds the truth of rv-0000000000000000"),
    ],
)
def test_a_changed_truth_is_refused(suite: Path, change: Any, said: str) -> None:
    names = [entry.key for entry in load_suite(suite / "public").entries()]
    change_truth(suite, change)
    with pytest.raises(SuiteError, match=said) as caught:
        load_suite(suite / "public", truth=suite / "private")
    assert any(name in str(caught.value) for name in [*names, "rv-0000000000000000"])
    faults = verify_suite(suite / "public", suite / "private").faults
    assert any(said in fault for fault in faults)
    assert any("SHA-256" in fault for fault in faults)


def change_public(suite: Path, name: str, change: Callable[[list[Any]], None]) -> None:
    path = suite / "public" / "tasks.parquet"
    table = pq.read_table(path)
    values = table[name].to_pylist()
    change(values)
    at = table.schema.get_field_index(name)
    table = table.set_column(at, table.schema.field(name), pa.array(values, table[name].type))
    pq.write_table(table, path)


def test_a_changed_observation_is_refused(suite: Path) -> None:
    name = load_suite(suite / "public")[1].id

    def moved(values: list[Any]) -> None:
        values[1][3] += 0.5

    change_public(suite, "rvs_ms", moved)
    for truth in (None, suite / "private"):
        with pytest.raises((SuiteError, TaskError), match=f"{name}.*not the hash of the public"):
            list(load_suite(suite / "public", truth=truth))


def test_a_commitment_changed_with_its_truth_breaks_that_of_the_suite(suite: Path) -> None:
    """The last defence, where somebody holds both parts and makes one task anew."""
    public = load_suite(suite / "public")[1].to_dict()
    forged = ""

    def forge(lines: list[dict[str, Any]]) -> None:
        nonlocal forged
        sealed = lines[1]["sealed"]
        sealed["truth"]["planets"][0]["period_days"] *= 1.001
        checked = {name: part for name, part in sealed.items() if name != "checksum"}
        sealed["checksum"] = plain_hash(checked)[:16]
        forged = commitment_of({**public, "sealed": sealed}, lines[1]["salt"])

    change_truth(suite, forge)
    change_public(suite, "commitment", lambda values: values.__setitem__(1, forged))
    with pytest.raises(SuiteError, match="the suite's commitment does not hold"):
        load_suite(suite / "public", truth=suite / "private")


@pytest.mark.parametrize(
    ("truth", "said"),
    [("nowhere", "no such folder"), ("public", "--truth names the private part")],
)
def test_what_is_no_truth(suite: Path, truth: str, said: str) -> None:
    with pytest.raises(SuiteError, match=said):
        load_suite(suite / "public", truth=suite / truth)


def test_a_suite_with_its_truth_needs_none(suite: Path) -> None:
    with pytest.raises(SuiteError, match="holds its truth itself"):
        load_suite("quick-paper", truth=suite / "private")


def test_salts_follow_from_the_seed_alone() -> None:
    salts = {salt_of(seed, name) for seed in (SEED, SEED + 1, 0) for name in ("a", "b")}
    assert len(salts) == 6
    assert {len(salt) for salt in salts} == {32}
    assert salt_of(SEED, "a") == salt_of(SEED, "a")
