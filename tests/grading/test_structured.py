from __future__ import annotations

from typing import Any

import pytest

from ecliptic.grading import grade
from ecliptic.grading.diagnose import GradingDiagnosis

GOLD = '{"value": 5, "unit": "nT"}'
SHOCK = '{"shock": "fast", "compression": 3.2, "stable": true, "law": "$p^{-4}$"}'


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (GOLD, '{"unit": "nanotesla", "value": 5.0}'),
        (GOLD, '{"value": 5e-9, "unit": "T"}'),
        ('{"B": 5.2, "unit": "nT"}', '{"B": 5200, "unit": "pT"}'),
        (GOLD, {"value": "5", "unit": "nT"}),
        (GOLD, '```json\n{"value": 5, "unit": "nT"}\n```'),
        (GOLD, 'My answer:\n{"value": 5, "unit": "nT", "note": "in situ"}'),
        (SHOCK, '{"law": "$1/p^4$", "stable": true, "compression": 3.25, "shock": "Fast"}'),
        ('{"a": [1, {"b": "x"}]}', '{"a": [1.01, {"b": "x"}]}'),
        ("[1, 2]", "[1.0, 2.0]"),
    ],
)
def test_the_same_fields(gold: str, answer: Any) -> None:
    verdict = grade(gold=gold, answer=answer)
    assert verdict.passed, verdict.diagnosis


@pytest.mark.parametrize(
    ("gold", "answer", "code"),
    [
        (GOLD, '{"value": 5}', GradingDiagnosis.INCOMPLETE),
        (GOLD, '{"unit": "nT"}', GradingDiagnosis.INCOMPLETE),
        (GOLD, '{"value": 5, "unit": "T"}', GradingDiagnosis.UNIT_PREFIX),
        ('{"B": 5, "unit": "nT"}', '{"B": 5, "unit": "pT"}', GradingDiagnosis.UNIT_PREFIX),
        (GOLD, '{"value": 5, "unit": "kg"}', GradingDiagnosis.UNIT_INCOMPATIBLE),
        (GOLD, '{"value": 5, "unit": "nT"', GradingDiagnosis.SCHEMA),
        (GOLD, '{"value": NaN, "unit": "nT"}', GradingDiagnosis.SCHEMA),
        (GOLD, '[5, "nT"]', GradingDiagnosis.SCHEMA),
        (SHOCK, SHOCK.replace("true", "false"), GradingDiagnosis.CONTRADICTION),
        (SHOCK, SHOCK.replace("fast", "slow"), GradingDiagnosis.CONTRADICTION),
        (SHOCK, SHOCK.replace("true", "1"), GradingDiagnosis.NOT_EQUIVALENT),
        ("[1, 2]", "[1]", GradingDiagnosis.INCOMPLETE),
        ("[1]", "[1, 2]", GradingDiagnosis.EXTRA_SOLUTION),
    ],
)
def test_a_wrong_field_is_named(gold: str, answer: str, code: GradingDiagnosis) -> None:
    verdict = grade(gold=gold, answer=answer)
    assert verdict.outcome == "incorrect"
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.code == code


def test_a_field_is_named_by_its_path() -> None:
    verdict = grade(gold='{"a": {"b": [1, 2]}}', answer='{"a": {"b": [1, 3]}}')
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.evidence["field"] == "a.b[1]"


def test_the_schema_of_the_record_comes_first() -> None:
    schema = {
        "type": "object",
        "required": ["n"],
        "properties": {"n": {"type": "integer"}, "who": {"type": "string", "grading": "exact"}},
    }
    record = {"final": '{"n": 3, "who": "Ion"}', "type": "structured", "meta": {"schema": schema}}
    assert grade(record, '{"n": 3, "who": "Ion"}').passed
    missing = grade(record, '{"who": "Ion"}')
    assert missing.diagnosis is not None
    assert missing.diagnosis.code == GradingDiagnosis.INCOMPLETE
    wrong = grade(record, '{"n": "three", "who": "Ion"}')
    assert wrong.diagnosis is not None
    assert wrong.diagnosis.code == GradingDiagnosis.SCHEMA
    assert "'three' is not of type 'integer'" in wrong.diagnosis.message
    assert not grade(record, '{"n": 3, "who": "ion"}').passed


@pytest.mark.parametrize("schema", [{"type": "thing"}, {"$ref": "https://example.org/schema"}])
def test_a_faulty_schema_is_a_fault_of_the_data(schema: dict[str, str]) -> None:
    record = {"final": '{"n": 3}', "type": "structured", "meta": {"schema": schema}}
    verdict = grade(record, '{"n": 3.0}')
    assert verdict.outcome == "undecided"
    assert "schema is faulty" in verdict.details["data_error"]


def test_number_as_text_and_extra_fields_are_rules() -> None:
    assert not grade(
        gold=GOLD, answer='{"value": "5", "unit": "nT"}', rules={"number_as_text": False}
    ).passed
    assert not grade(
        gold='{"a": 1}', answer='{"a": 1, "b": 2}', rules={"extra_fields": False}
    ).passed


@pytest.mark.parametrize(
    "answer",
    [
        '{"value": 5, "unit": "nT", "value": 6}',
        '{"value": 6, "unit": "nT", "value": 5}',
        '{"value": 5, "unit": "nT", "unit": "G"}',
        '{"value": true, "unit": "nT", "value": 1}',
    ],
)
def test_a_field_with_two_values_is_two_answers(answer: str) -> None:
    verdict = grade(gold=GOLD, answer=answer)
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.code == GradingDiagnosis.SEVERAL_ANSWERS


@pytest.mark.parametrize("values", [(6, 5), (5, 6)])
def test_a_reply_that_names_its_answer_twice_is_not_correct(values: tuple[int, int]) -> None:
    reply = '{{"answer": {}, "answer": {}}}'.format(*values)
    for answer in (reply, f"So {reply}"):
        assert grade(gold="5", answer=answer, type="numeric").outcome == "undecided"


def test_a_field_that_is_given_twice_with_one_value_counts_once() -> None:
    assert grade(gold=GOLD, answer='{"value": 5, "unit": "nT", "value": 5}').passed


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_json_does_not_have_are_refused(number: str) -> None:
    verdict = grade(gold=GOLD, answer=f'{{"value": {number}, "unit": "nT"}}')
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.code == GradingDiagnosis.SCHEMA


def test_deep_json_is_refused() -> None:
    answer = '{"a":' * 3000 + "1" + "}" * 3000
    assert grade(gold='{"a": 1}', answer=answer).outcome != "correct"


WIND = '{"mode": "fast", "ok": true}'


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (WIND, r'\boxed{{"ok": true, "mode": "fast"}}'),
        (WIND, r'{"ok": true, "mode": "fast"} where $\{v\}$ is the speed'),
        (WIND, 'Draft: {"mode": "slow", "ok": true}. Final: {"mode": "fast", "ok": true}'),
        (WIND, '{"ok": true, "mode": "fast mode"}'),
        ("[1, 2]", "The list is [1, 2]."),
        ('{"answer": 5}', '{"answer": 5.0}'),
        ('{"B": 5, "B_unit": "nT"}', '{"B": 5e-9, "B_unit": "T"}'),
        (
            '{"value": 1000, "unit": "km", "frame": "GSM"}',
            '{"frame": "GSM", "unit": "Mm", "value": 1}',
        ),
        ('{"state": "singly ionised"}', '{"state": "singly ionized"}'),
    ],
)
def test_the_document_is_found_and_its_units_are_heard(gold: str, answer: str) -> None:
    verdict = grade(gold=gold, answer=answer)
    assert verdict.passed, verdict.diagnosis


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        (WIND, '{"ok": true, "mode": "slow mode"}'),
        (WIND, '{"ok": true, "mode": "slow"} or maybe {"ok": true, "mode": "fast"}'),
        (WIND, 'It is {"ok": true, "mode": "slow"}. Some would say {"ok": true, "mode": "fast"}'),
        (WIND, 'An example: {"ok": true, "mode": "fast"}. I have no answer.'),
        ('{"B": 5, "B_unit": "nT"}', '{"B": 5, "B_unit": "T"}'),
        ('{"B": 5, "B_unit": "nT"}', '{"B": 5}'),
        ('{"answer": "B"}', '{"answer": "C"}'),
        ('{"class": "X5.4"}', '{"class": "M5.4"}'),
    ],
)
def test_another_document_does_not_pass(gold: str, answer: str) -> None:
    assert not grade(gold=gold, answer=answer).passed
