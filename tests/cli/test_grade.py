"""``ecliptic grade``: table, verdict lines, resuming, explanations and exit status."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ecliptic.cli.app import run_cli

RECORDS: list[dict[str, Any]] = [
    {
        "id": "speed",
        "final": r"$400\ \mathrm{km\,s^{-1}}$",
        "type": "numeric",
        "question": "How fast?",
    },
    {"id": "radius", "final": r"$r_c = \frac{GM}{2c_s^2}$", "type": "symbolic"},
    {"id": "trend", "final": "The flux decreases with distance.", "type": "text"},
]
ANSWERS: list[dict[str, Any]] = [
    {"id": "speed", "answer": "4e5 m/s"},
    {"id": "speed", "answer": "400 m/s"},
    {"id": "radius", "prediction": r"$r_c = GM/(2 c_s^2)$"},
    {"id": "trend", "answer": "Outward there are fewer particles."},
]
Lines = Callable[[str, list[Any]], Path]


@pytest.fixture
def lines(tmp_path: Path) -> Lines:
    def write(name: str, values: list[Any]) -> Path:
        path = tmp_path / name
        texts = [value if isinstance(value, str) else json.dumps(value) for value in values]
        path.write_text("\n".join(texts) + "\n")
        return path

    return write


def verdicts(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_table_and_a_verdict_a_line(
    lines: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records, answers = lines("r.jsonl", RECORDS), lines("a.jsonl", ANSWERS)
    out = tmp_path / "v.jsonl"
    status = run_cli(
        ["grade", "--records", str(records), "--answers", str(answers), "--out", str(out)]
    )
    assert status == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [
        "type          answers         correct  incorrect  undecided",
        "numeric             2        1 (50 %)          1          0",
        "symbolic            1       1 (100 %)          0          0",
        "textual             1         0 (0 %)          0          1",
        "all                 4        2 (50 %)          1          1",
        "",
        "diagnosis             answers     numeric    symbolic     textual",
        "unit_prefix                 1           1           -           -",
        "undecided                   1           -           -           1",
        f"4 verdicts -> {out}",
    ]
    written = verdicts(out)
    assert [line["id"] for line in written] == ["speed", "speed", "radius", "trend"]
    assert [line["verdict"]["outcome"] for line in written] == [
        "correct",
        "incorrect",
        "correct",
        "undecided",
    ]


def test_a_stopped_run_goes_on_and_changed_rules_grade_anew(
    lines: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records, answers = lines("r.jsonl", RECORDS), lines("a.jsonl", ANSWERS)
    out = tmp_path / "v.jsonl"
    command = ["grade", "--records", str(records), "--answers", str(answers), "--out", str(out)]
    assert run_cli(command) == 0
    whole = out.read_bytes()
    out.write_bytes(whole[: len(whole) // 2])
    capsys.readouterr()
    assert run_cli(command) == 0
    assert f"verdicts were taken from {out}" in capsys.readouterr().err
    assert out.read_bytes() == whole
    assert run_cli([*command, "--rule", "relative_tolerance=0.001"]) == 0
    assert "were taken" not in capsys.readouterr().err
    assert len(verdicts(out)) == len(ANSWERS)


def test_a_foreign_file_is_not_overwritten(
    lines: Lines, capsys: pytest.CaptureFixture[str]
) -> None:
    records, answers = lines("r.jsonl", RECORDS), lines("a.jsonl", ANSWERS)
    before = records.read_bytes()
    command = ["grade", "--records", str(records), "--answers", str(answers), "--out", str(records)]
    assert run_cli(command) == 2
    assert "line 1 is no verdict" in capsys.readouterr().err
    assert records.read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": None},
        {"key": ["x"]},
        {"type": 7},
        {"type": None},
        {"id": {}},
        {"verdict": {"outcome": "superb", "details": {}, "diagnosis": None}},
        {"verdict": {"outcome": "correct", "details": [], "diagnosis": None}},
        {"verdict": {"outcome": "correct", "details": {}, "diagnosis": "sign"}},
        {"verdict": {"outcome": ["correct"], "details": {}, "diagnosis": None}},
        "[" * 100_000,
        "no JSON",
        "7",
    ],
)
def test_a_damaged_line_is_dropped_and_graded_anew(
    change: dict[str, Any] | str, lines: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records, answers = lines("r.jsonl", RECORDS), lines("a.jsonl", ANSWERS)
    out = tmp_path / "v.jsonl"
    command = ["grade", "--records", str(records), "--answers", str(answers), "--out", str(out)]
    assert run_cli(command) == 0
    whole = out.read_bytes()
    first, *rest = whole.splitlines(keepends=True)
    damaged = change if isinstance(change, str) else json.dumps({**json.loads(first), **change})
    out.write_bytes(damaged.encode() + b"\n" + b"".join(rest))
    capsys.readouterr()
    assert run_cli(command) == 0
    errors = capsys.readouterr().err
    assert f"{out}: damaged lines are dropped and graded anew: 1\n" in errors
    assert f"{len(rest)} verdicts were taken" in errors
    assert out.read_bytes() == whole


def test_bad_lines_are_named_and_the_rest_is_graded(
    lines: Lines, capsys: pytest.CaptureFixture[str]
) -> None:
    records = lines("r.jsonl", [*RECORDS, {"id": "x", "final": "1", "type": "poem"}])
    answers = lines("a.jsonl", [*ANSWERS, "{", {"id": "nobody", "answer": "1"}, {"id": "speed"}])
    assert run_cli(["grade", "--records", str(records), "--answers", str(answers)]) == 1
    shown = capsys.readouterr()
    assert "all                 4" in shown.out
    errors = shown.err.splitlines()
    assert errors[0].startswith(f"{records}: line 4: field 'type' ")
    assert errors[1].startswith(f"{answers}: line 5: ")
    assert errors[2] == f"{answers}: line 7: field 'answer' is missing"
    assert errors[3] == f"{answers}: no record 'nobody' in {records}"


def test_records_without_an_answer_are_counted(
    lines: Lines, capsys: pytest.CaptureFixture[str]
) -> None:
    records, answers = lines("r.jsonl", RECORDS), lines("a.jsonl", ANSWERS[:1])
    assert run_cli(["grade", "--records", str(records), "--answers", str(answers)]) == 0
    assert capsys.readouterr().err == "2 of 3 records have no answer\n"


def test_an_explanation_from_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    gold, answer = r"$\frac{GM}{2c_s^2}$", r"$\frac{GM}{c_s^2}$"
    assert run_cli(["grade", "--explain", "--gold", gold, "--answer", answer]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("verdict      incorrect (factor)\n")
    assert "answer read as G M/(c_s^2)" in shown or "answer read as G M/c_s^2" in shown


def test_an_explanation_of_a_record(lines: Lines, capsys: pytest.CaptureFixture[str]) -> None:
    records, answers = lines("r.jsonl", RECORDS), lines("a.jsonl", ANSWERS)
    command = ["grade", "--explain", "--records", str(records), "--id", "speed"]
    assert run_cli([*command, "--answers", str(answers)]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("question     How fast?\nverdict      incorrect (unit_prefix)\n")
    assert run_cli([*command[:-1], "sped", "--answer", "1"]) == 2
    assert "did you mean 'speed'?" in capsys.readouterr().err


def test_a_verifier_decides_what_is_undecided(
    lines: Lines, capsys: pytest.CaptureFixture[str]
) -> None:
    replies = lines(
        "replies.jsonl", [{"normal": "x"}, {"normal": "y"}, {"equivalent": True, "reason": "same"}]
    )
    records, answers = lines("r.jsonl", RECORDS), lines("a.jsonl", ANSWERS)
    command = ["grade", "--records", str(records), "--answers", str(answers)]
    assert run_cli([*command, "--verifier", str(replies)]) == 0
    shown = capsys.readouterr().out
    assert "all                 4        3 (75 %)          1          0" in shown
    assert "1 of these were decided by the verifier alone" in shown


def test_drafted_claims_are_kept_in_a_file(lines: Lines, tmp_path: Path) -> None:
    gold = "The density rises and the speed falls with distance."
    parts = ["The density rises with distance.", "The speed falls with distance."]
    replies = lines("replies.jsonl", [{"normal": "density up, speed down", "claims": parts}])
    records = lines("r.jsonl", [{"id": "both", "final": gold, "type": "text"}])
    said = (
        "The speed decreases with distance. As the distance increases, the density increases. "
        "This follows from the expansion of the solar wind."
    )
    answers = lines("a.jsonl", [{"id": "both", "answer": said}])
    kept, out = tmp_path / "claims.jsonl", tmp_path / "v.jsonl"
    command = ["grade", "--records", str(records), "--answers", str(answers), "--out", str(out)]
    assert run_cli([*command, "--verifier", str(replies), "--claims", str(kept)]) == 0
    assert verdicts(kept)[0]["claims"] == parts
    assert verdicts(out)[0]["verdict"]["details"]["decided_by"] == "drafted claims"


def test_a_verifier_is_measured(lines: Lines, capsys: pytest.CaptureFixture[str]) -> None:
    replies = lines(
        "replies.jsonl", [{"normal": "x"}, {"normal": "y"}, {"equivalent": True, "reason": "same"}]
    )
    pairs = lines(
        "p.jsonl",
        [
            {"gold": "a", "pred": "b", "expected": "same", "type": "textual"},
            {"gold": "c", "pred": "d", "expected": "different", "type": "textual"},
        ],
    )
    assert run_cli(["grade", "--measure-verifier", str(replies), "--pairs", str(pairs)]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[1].startswith("correct        1 of 2 (50.0 %")
    assert shown[2].startswith("false accepts  1 of 1 (100.0 %")
    assert shown[5] == "calls          6, 0 unreadable replies"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give --records and --answers"),
        (["--explain"], "--explain needs --gold"),
        (["--explain", "--gold", "1"], "--explain needs --answer"),
        (["--explain", "--gold", "1", "--answer", "1", "--rule", "tolerance"], "NAME=VALUE"),
        (["--explain", "--gold", "1", "--answer", "1", "--rule", "logs=true"], "did you mean"),
        (["--explain", "--gold", "1", "--answer", "1", "--verifier", "no:model"], "no model"),
        (["--explain", "--gold", "1", "--answer", "1", "--claims", "c"], "needs --verifier"),
        (["--measure-verifier", "no:model"], "needs --pairs"),
        (["--records", "nowhere.jsonl", "--answers", "a.jsonl"], "nowhere.jsonl: no such file"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_cli(["grade", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_one_bad_record_costs_no_other(
    lines: Lines, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = [
        {"id": "blank", "final": "  ", "type": "numeric"},
        {"id": "odd", "final": "5", "type": "numeric", "meta": {"rules": {"nope": 1}}},
    ]
    records = lines("r.jsonl", [*bad, *RECORDS])
    answers = lines(
        "a.jsonl", [{"id": "blank", "answer": "1"}, {"id": "odd", "answer": "5"}, *ANSWERS]
    )
    out = tmp_path / "v.jsonl"
    call = ["grade", "--records", str(records), "--answers", str(answers), "--out", str(out)]
    assert run_cli(call) == 1
    errors = capsys.readouterr().err
    assert "blank" in errors
    assert "record 'odd': rules: 'nope' is not a field" in errors
    assert [line["id"] for line in verdicts(out)] == ["speed", "speed", "radius", "trend"]


def test_opening_a_file_of_verdicts_keeps_its_lines(lines: Lines, tmp_path: Path) -> None:
    from ecliptic.cli.grade_all import is_line
    from ecliptic.run.journal import Journal

    out = tmp_path / "v.jsonl"
    records, answers = lines("r.jsonl", RECORDS), lines("a.jsonl", ANSWERS)
    run_cli(["grade", "--records", str(records), "--answers", str(answers), "--out", str(out)])
    before = out.read_bytes()
    journal = Journal(out, is_line)
    journal.close()
    assert len(journal.finished) == 4
    assert out.read_bytes() == before
