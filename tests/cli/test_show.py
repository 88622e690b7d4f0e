from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ecliptic.cli.app import run_cli
from ecliptic.rv.diagnosis import RVDiagnosis, ungraded
from ecliptic.rv.scoring import evaluate
from ecliptic.rv.tasks import Instrument, Noise, Observation, Planet, RVTask, Truth
from ecliptic.suite import write_suite

TRUE_PERIOD = 7.654321


def task(name: str) -> RVTask:
    times = [0.7 * index for index in range(30)]
    return RVTask.create(
        source_id=name,
        tier="easy",
        observation=Observation(
            times_days=times,
            rvs_ms=[5.0 * (-1) ** index for index in range(30)],
            sigmas_ms=[1.0] * 30,
            instruments=["HIRES", "HARPS", "HARPS"] * 10,
            star_mass_sun=0.9,
        ),
        truth=Truth(
            planets=(Planet(period_days=TRUE_PERIOD, m_sin_i_mjup=0.1),),
            instruments=(Instrument(label="HIRES"), Instrument(label="HARPS")),
            noise=Noise(sigma_white_ms=1.0),
        ),
        difficulty=1,
    )


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    tasks = [task("alpha"), task("beta/2")]
    write_suite(tasks, tmp_path / "bank.parquet")
    write_suite(tasks[:1], tmp_path / "folder")
    planets = [{"P_days": 3.5, "m_sin_i_mjup": 0.2}]
    Path("guess.json").write_text(json.dumps({"planets": planets}))
    verdict = evaluate(tasks[0], {"planets": planets}).to_dict()
    late = ungraded(RVDiagnosis.OVER_BUDGET, "no submission within 3 s", "paper").to_dict()
    for name, submission, told in (
        ("results", {"planets": planets}, verdict),
        ("failed", None, None),
        ("late", None, late),
        ("malformed", {"planets": [{"period": 3}]}, {**late, "score": 0.0}),
    ):
        Path(name).mkdir()
        manifest = {"suite_source": str(tmp_path / "bank.parquet"), "identity": {}}
        Path(name, "run.json").write_text(json.dumps(manifest))
        record = {
            "key": "alpha",
            "task_id": tasks[0].id,
            "source_id": "alpha",
            "tier": "easy",
            "difficulty": 1,
            "solver": "guesser",
            "protocol": "paper",
            "status": "done" if told else "failed",
            "verdict": told,
            "submission": submission,
            "wall_s": 0.1,
            "cpu_s": 0.1,
            "error": None if told else {"reason": "ValueError: a singular matrix"},
        }
        Path(name, "results.jsonl").write_text(json.dumps(record) + "\n")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["folder/alpha.json"],
        ["bank.parquet#alpha"],
        ["folder#alpha"],
        ["alpha", "--suite", "bank.parquet"],
        [task("alpha").id, "--suite", "folder"],
        [f"bank.parquet#{task('alpha').id}"],
    ],
)
def test_a_task_is_found_in_every_way(bench: Path, capsys: Any, arguments: list[str]) -> None:
    assert run_cli(["show", *arguments]) == 0
    output, errors = capsys.readouterr()
    assert output.splitlines() == [
        f"alpha ({task('alpha').id}): easy, difficulty 1",
        "30 velocities over 20.3 days, star of 0.9 solar masses",
        "instruments: HIRES (10), HARPS (20)",
        "picture: alpha.png",
    ]
    assert errors == ""
    assert Path("alpha.png").read_bytes().startswith(b"\x89PNG")


def test_a_key_with_a_slash_is_a_file_name_without(bench: Path) -> None:
    assert run_cli(["show", "bank.parquet#beta/2"]) == 0
    assert Path("beta-2.png").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["bank.parquet#alpha", "--submission", "guess.json"],
        ["alpha", "--results", "results"],
        ["alpha", "--results", "results/results.jsonl"],
    ],
)
def test_a_submission_is_graded(bench: Path, capsys: Any, arguments: list[str]) -> None:
    assert run_cli(["show", *arguments, "--out", "x.svg"]) == 0
    output, _ = capsys.readouterr()
    assert "incorrect, score " in output
    assert "(protocol paper)" in output
    for name in ("delta_bic", "rms", "match", "count"):
        assert f"\n  {name} " in output
    assert "count      passed  1 == 1" in output
    assert "\ndiagnosis: " in output
    drawn = Path("x.svg").read_text()
    assert "1: P = 3.5 d" in drawn
    assert "RMS" in drawn


def test_the_truth_is_drawn_only_when_asked(bench: Path) -> None:
    command = ["show", "bank.parquet#alpha", "--submission", "guess.json", "--out", "x.svg"]
    assert run_cli(command) == 0
    assert "true periods" not in Path("x.svg").read_text()
    assert run_cli([*command, "--truth"]) == 0
    assert "true periods" in Path("x.svg").read_text()


def test_without_a_submission_nothing_of_the_truth_is_said(bench: Path, capsys: Any) -> None:
    assert run_cli(["show", "bank.parquet#alpha", "--out", "x.svg"]) == 0
    output, _ = capsys.readouterr()
    assert "7.65" not in output + Path("x.svg").read_text()


def test_a_task_on_which_the_run_failed(bench: Path, capsys: Any) -> None:
    assert run_cli(["show", "alpha", "--results", "failed"]) == 0
    output, _ = capsys.readouterr()
    assert "no submission: the run failed on this task (ValueError: a singular matrix)" in output


@pytest.mark.parametrize("folder", ["late", "malformed"])
def test_what_could_not_be_graded_is_told_as_the_run_told_it(
    bench: Path, capsys: Any, folder: str
) -> None:
    assert run_cli(["show", "alpha", "--results", folder, "--out", "x.svg"]) == 0
    output, _ = capsys.readouterr()
    assert "incorrect, score 0.00" in output
    assert "over_budget: no submission within 3 s" in output
    assert "guesser: not passed" in Path("x.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'TASK'"),
        (["alpha"], "which suite is it in?"),
        (["nothing.json"], "nothing.json: no such file"),
        (["bank.parquet"], "bank.parquet: holds more than one task"),
        (["folder"], "folder: holds more than one task"),
        (["bank.parquet#alpho"], "no task 'alpho' in this suite; did you mean 'alpha'"),
        (["bunk.parquet#alpha"], "no suite at bunk.parquet; did you mean bank.parquet"),
        (["guess.json"], "guess.json: schema is missing"),
        (["bank.parquet#alpha", "--out", "x.jpg"], "x.jpg: a picture's name must end in .png"),
        (["bank.parquet#alpha", "--out", "guess.json/x.png"], "cannot be written"),
        (["bank.parquet#alpha", "--submission", "absent.json"], "absent.json: no such file"),
        (["bank.parquet#alpha", "--submission", "bank.parquet"], "bank.parquet: is not UTF-8"),
        (["bank.parquet#alpha", "--submission", "torn.json"], "torn.json: is cut short"),
        (["bank.parquet#alpha", "--submission", "zero.json"], "zero.json: planets[0].P_days must"),
        (["bank.parquet#alpha", "--submission", "list.json"], "list.json: a submission must be"),
        (["bank.parquet#alpha", "--protocol", "x"], "no protocol 'x'"),
        (["alpha", "--results", "nowhere"], "nowhere: no results here"),
        (["alpha", "--results", "folder"], "no results here"),
        (["beta/2", "--results", "results"], "has no result for 'beta/2'"),
        (["alpha", "--results", "results", "--submission", "guess.json"], "exclude each other"),
    ],
)
def test_mistakes_are_one_line(
    bench: Path, capsys: Any, arguments: list[str], message: str
) -> None:
    Path("torn.json").write_text('{"planets": [')
    Path("zero.json").write_text('{"planets": [{"P_days": 0}]}')
    Path("list.json").write_text("[1]")
    assert run_cli(["show", *arguments]) == 2
    _, errors = capsys.readouterr()
    assert message in errors
    assert errors.count("\n") == 1
