from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ecliptic.cli.app import run_cli
from ecliptic.helio import Record, audit_records, generate_many, read_record, write_records
from ecliptic.helio.gold_audit.report import report_lines

CASES = json.loads((Path(__file__).parent / "audit_cases.json").read_text(encoding="utf-8"))


def _found(*records: Record) -> list[tuple[str, str]]:
    findings = audit_records(records).findings
    return sorted(
        (str(finding.check), finding.severity) for finding in findings if finding.severity != "note"
    )


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_a_record_has_the_findings_it_deserves(case: Mapping[str, Any]) -> None:
    assert _found(read_record(case["record"])) == sorted(map(tuple, case["expect"]))


def test_the_equation_and_what_would_mend_the_final_are_named() -> None:
    case = next(case for case in CASES if case["name"] == "an algebraic balance, factor 2")
    (finding,) = audit_records([read_record(case["record"])]).findings
    assert finding.evidence["factor"] == "2 times B"
    assert finding.evidence["ratio"] == 4.0
    assert "2 times B" in finding.fix


FAMILIES = ("parker_wind", "perpendicular_shock", "force_field", "weber_davis")


@pytest.fixture(scope="module")
def proven() -> list[Record]:
    return list(generate_many(5, 48, families=FAMILIES))


def test_proven_records_have_no_error_and_no_warning(proven: list[Record]) -> None:
    assert _found(*proven) == []


@pytest.mark.parametrize("change", ["-", "2", "10"])
def test_a_proven_formula_with_a_wrong_factor_is_found(proven: list[Record], change: str) -> None:
    for record in proven:
        left, equals, right = record.final.partition("=")
        if record.type != "symbolic" or not equals or "quad" in right:
            continue
        wrong = f"{left}= {change}\\left({right.strip('$')}\\right)$"
        assert ("last_step", "error") in _found(record.model_copy(update={"final": wrong}))


@pytest.mark.parametrize("change", [{"final": "$3.1$"}, {"final": "$3.1\\ \\mathrm{Pa}$"}])
def test_a_proven_number_without_its_unit_is_found(
    proven: list[Record], change: dict[str, str]
) -> None:
    with_unit = [record for record in proven if "km" in record.final]
    assert with_unit
    for record in with_unit:
        assert ("unit", "error") in _found(record.model_copy(update=change))


PART_A = {
    "id": "2001_Author_1_a",
    "sub_id": "a",
    "question": "How fast is the wind?",
    "hint": "in km/s",
    "step": ["The speed is $412\\ \\mathrm{km/s}$."],
    "final": "$412\\ \\mathrm{km/s}$",
    "type": "numeric",
}
PART_B = {
    "id": "2001_Author_1_b",
    "sub_id": "b",
    "preamble": ["(a) How fast is the wind? Answer: $412\\ \\mathrm{km/s}$"],
    "question": "How does the speed change with distance?",
    "step": ["It is nearly constant."],
    "final": "The speed stays the same.",
    "type": "textual",
}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({}, []),
        ({"preamble": ["(a) How fast is the wind? Answer: $0.412\\ \\mathrm{Mm/s}$"]}, []),
        ({"preamble": ["How fast is the wind?", "The speed is $412\\ \\mathrm{km/s}$."]}, []),
        (
            {"preamble": ["(a) How fast is the wind? Answer: $214\\ \\mathrm{km/s}$"]},
            [("parts", "error")],
        ),
        ({"preamble": ["(a) How fast is the wind?"]}, [("parts", "warning")]),
        ({"sub_id": "a", "id": "2001_Author_1_a2", "q_id": 1}, []),
        ({"id": "2001_Author_1_c", "sub_id": "c"}, [("parts", "warning")]),
    ],
)
def test_parts_tell_each_other_alike(
    change: dict[str, Any], expected: list[tuple[str, str]]
) -> None:
    assert _found(read_record(PART_A), read_record({**PART_B, **change})) == expected


def test_two_records_with_one_question_are_named() -> None:
    other = {**PART_A, "id": "other", "sub_id": "", "final": "$500\\ \\mathrm{km/s}$"}
    other["step"] = ["The speed is $500\\ \\mathrm{km/s}$."]
    assert ("duplicate", "error") in _found(read_record(PART_A), read_record(other))


def test_the_report_quotes_question_final_and_step() -> None:
    wrong = read_record({**PART_A, "final": "$4120\\ \\mathrm{km/s}$"})
    text = "\n".join(report_lines(audit_records([wrong])))
    for expected in (wrong.id, wrong.question, wrong.final, wrong.step[0], "Fix:", "| last_step"):
        assert expected in text


def test_the_command_writes_both_files_and_tells_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = {**PART_A, "final": "$4120\\ \\mathrm{km/s}$", "id": "wrong", "sub_id": ""}
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    write_records([read_record(PART_A), read_record(PART_B)], good)
    write_records([read_record(wrong)], bad)
    assert run_cli(["audit", str(good)]) == 0
    report, found = tmp_path / "report.md", tmp_path / "findings.jsonl"
    status = run_cli(["audit", str(bad), "--out", str(report), "--findings", str(found)])
    assert status == 1
    assert "last_step" in capsys.readouterr().out
    assert "wrong" in report.read_text(encoding="utf-8")
    (line,) = found.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["severity"] == "error"


@pytest.mark.parametrize("name", ["absent.jsonl", "folder"])
def test_a_path_without_records_is_one_line(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "folder").mkdir()
    assert run_cli(["audit", str(tmp_path / name)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
