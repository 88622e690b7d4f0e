from __future__ import annotations

from pathlib import Path

import pytest
from studies.conftest import write_lines

from ecliptic.analysis import read_attempts
from ecliptic.cli.app import run_cli

pytestmark = pytest.mark.filterwarnings("ignore")  # what others warn of on import is theirs

GSM8K = [
    {"question": f"Ann has {n} apples and buys 2. How many?", "answer": f"{n} + 2\n#### {n + 2}"}
    for n in range(5, 17)
]


@pytest.fixture
def data(place: Path, monkeypatch) -> Path:
    """Small data sets as ``datasets`` reads them, and no network."""
    pytest.importorskip("inspect_evals")
    monkeypatch.setenv("HF_DATASETS_CACHE", str(place / "datasets"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    folder = place / "data" / "openai" / "gsm8k" / "main"
    folder.mkdir(parents=True)
    write_lines(folder / "test.jsonl", *GSM8K[:2])
    write_lines(folder / "train.jsonl", *GSM8K[2:])
    write_lines(place / "replies.jsonl", {"text": "ANSWER: 7", "times": 9})
    return place / "data"


def run(*more: str) -> int:
    given = ["--model", "scripted/replies.jsonl", "--out", "out", "--no-report"]
    return run_cli(["study", "cross-benchmark", *given, *more])


def test_patterns_around_a_benchmark_on_local_data_and_one_that_is_not_there(
    data: Path, capsys
) -> None:
    command = ["--patterns", "single_shot,hmaw", "--benchmarks", "gsm8k,math", "--data", str(data)]
    assert run(*command) == 1
    said = capsys.readouterr()
    assert "gsm8k, single_shot (scripted/replies.jsonl): 1 of 2 passed" in said.out
    assert "gsm8k, hmaw (scripted/replies.jsonl): 1 of 2 passed" in said.out
    assert "MATH-lighteval is missing; put its data set there" in said.err
    rows = read_attempts("out/cells")
    assert {(row.agent, row.suite, row.world) for row in rows} == {
        ("single_shot", "gsm8k", "other"),
        ("hmaw", "gsm8k", "other"),
    }
    assert not (Path.home() / ".cache" / "inspect_ai" / "gsm8k").exists()

    before = {row.uuid for row in rows}
    assert run(*command) == 1
    assert "4 cells, 2 of them finished" in capsys.readouterr().out
    assert {row.uuid for row in read_attempts("out/cells")} == before


def test_an_attempt_that_failed_is_made_again_and_no_other(data: Path) -> None:
    command = ["--patterns", "hmaw", "--benchmarks", "gsm8k", "--data", str(data)]
    right = {"text": "ANSWER: 7", "times": 9}
    fails = {"when": "Ann has 6 apples", "fault": "bad_request", "times": 9}
    write_lines(Path("replies.jsonl"), fails, right)
    assert run(*command) == 1
    before = {row.task: row for row in read_attempts("out/cells")}
    assert sorted(row.passed is None for row in before.values()) == [False, True]
    write_lines(Path("replies.jsonl"), right)
    assert run(*command) == 0
    after = {row.task: row for row in read_attempts("out/cells")}
    assert after.keys() == before.keys()
    kept = {task for task, row in after.items() if row.uuid == before[task].uuid}
    assert kept == {task for task, row in before.items() if row.passed is not None}


def test_worked_examples_that_are_missing_are_named(data: Path, capsys) -> None:
    (data / "openai" / "gsm8k" / "main" / "train.jsonl").unlink()
    command = ["--patterns", "hmaw", "--benchmarks", "gsm8k", "--data", str(data), "--estimate"]
    assert run(*command) == 0
    assert "main/train.jsonl, ten records at least, unless fewshot" in capsys.readouterr().out
    assert run(*command, "-T", "gsm8k.fewshot=0") == 0
    assert "cannot run" not in capsys.readouterr().out


def test_all_patterns_are_every_pattern(data: Path, capsys) -> None:
    assert run("--benchmarks", "gsm8k", "--data", str(data), "--estimate") == 0
    said = capsys.readouterr().out
    assert "gsm8k: single_shot, hmaw, pace, phase, schema, react, mentor, router" in said
    assert not Path("out").exists()
