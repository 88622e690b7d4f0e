"""``ecliptic leaderboard`` and ``ecliptic compare``, on runs of solvers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ecliptic.cli.app import run_cli

TIERS = ("easy", "hard")


def a_run(folder: Path, solver: str, marks: str, *, checksum: str = "c") -> Path:
    folder.mkdir(parents=True)
    identity = {"suite_checksum": checksum, "options": {}, "protocol": "strict"}
    (folder / "run.json").write_text(json.dumps({"suite": "mine", "identity": identity}))
    with (folder / "results.jsonl").open("w") as file:
        for i, mark in enumerate(marks):
            verdict = {"passed": mark == "1", "score": 0.5, "protocol": "strict", "criteria": {},
                       "diagnosis": None}  # fmt: skip
            line = {"key": f"t{i}", "task_id": f"t{i}", "tier": TIERS[i % 2], "solver": solver,
                    "status": "done", "verdict": verdict, "cpu_s": 1.0}  # fmt: skip
            if mark == "x":
                line |= {"status": "failed", "verdict": None, "error": {"reason": "boom"}}
            file.write(json.dumps(line) + "\n")
    return folder


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    a_run(tmp_path / "one", "greedy", "111111110x")
    a_run(tmp_path / "two", "null", "0000000000")
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    status = run_cli([str(each) for each in arguments])
    out, err = capsys.readouterr()
    return status, out, err


def test_a_leaderboard_of_a_folder_of_runs(runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = said(capsys, "leaderboard", runs)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "mine (protocol strict)"
    assert lines[4].split()[:6] == ["greedy", "10", "1", "8/9", "89", "%"]
    assert lines[5].split()[0] == "null"
    status, out, _ = said(capsys, "leaderboard", runs, "--by", "kind", "--format", "json")
    parts = {(r["agent"], r["group"]): (r["passed"], r["graded"]) for r in json.loads(out)}
    assert parts["greedy", "hard"] == (4, 4)
    assert parts["greedy", "easy"] == (4, 5)
    status, out, err = said(capsys, "leaderboard", runs, "--by", "threshold")
    assert (status, out) == (0, "")
    assert "no attempt can be divided by threshold" in err


@pytest.mark.parametrize(
    "arguments",
    ["{0}/one {0}/two", "{0}", "{0} --agents greedy,null", "--agents gre,nul {0}/one {0}/two"],
)
def test_a_comparison_says_who_is_better_and_how_sure_that_is(
    arguments: str, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = said(capsys, "compare", *arguments.format(runs).split())
    assert status == 0
    assert "greedy is better than null, by 88.9 points (95 % CI +" in out
    assert "p = 0.0078" in out
    assert "1 attempt of greedy on mine ended in an error and is not counted" in out
    assert "1 task of mine is left out between greedy and null for that" in out


@pytest.mark.parametrize("form", ["csv", "latex", "markdown", "json"])
def test_every_format_of_a_comparison(
    form: str, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = said(capsys, "compare", runs, "--format", form)
    assert status == 0
    assert "greedy" in out
    assert "greedy is better than null" in out


def test_two_folders_of_one_agent_are_told_apart(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_run(runs / "three", "null", "1" * 10)
    status, out, _ = said(capsys, "compare", runs / "two", runs / "three")
    assert status == 0
    assert f"null in {runs / 'three'} is better than null, by 100.0 points" in out


MISTAKES = [
    ("leaderboard {0}/none", "no such file"),
    ("compare {0}/one {0}/fewer", "add --common to compare on the 4 that both have"),
    ("compare {0}/one {0}/changed", "not run on the same version of the suite"),
    ("compare {0}/one", "nothing to compare greedy with"),
    ("compare {0} --agents greedy,nul1", "did you mean 'null'?"),
    ("compare {0} {0}/one", "holds 4 agents"),
]


@pytest.mark.parametrize(("arguments", "told"), MISTAKES)
def test_a_mistake_is_one_line(
    arguments: str, told: str, runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_run(runs / "fewer", "sine", "0000")
    a_run(runs / "changed", "other", "0" * 10, checksum="d")
    status, out, err = said(capsys, *arguments.format(runs).split())
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1


def test_what_both_have_is_compared_on_request(
    runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a_run(runs / "fewer", "sine", "0000")
    status, out, _ = said(capsys, "compare", runs / "one", runs / "fewer", "--common")
    assert status == 0
    assert "about" in out
    assert "tasks would settle one as large as that seen" in out
