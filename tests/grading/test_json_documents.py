from __future__ import annotations

from typing import Any

import pytest

from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.json_documents import SeveralDocumentsError, read_document
from ecliptic.grading.json_text import RepeatedNameError
from ecliptic.grading.schema_faults import schema_fault

KEYS = ("answer", "result")


@pytest.mark.parametrize(
    ("text", "whole", "value"),
    [
        ('{"B": 5}', True, {"B": 5}),
        ('The fields are\n```json\n{"B": 5}\n```', True, {"B": 5}),
        (r'\boxed{\{"B": 5\}}', True, {"B": 5}),
        ("So [1, 2]", True, [1, 2]),
        ('So {"answer": "5 nT"}', False, {"answer": "5 nT"}),
        ('So {"B": 5}', False, None),
        ('For example: {"B": 5}', True, None),
        ("no document", True, None),
        ('{"B": NaN}', True, None),
    ],
)
def test_documents_are_found(text: str, whole: bool, value: Any) -> None:
    assert read_document(text, whole=whole, keys=KEYS) == value


def test_two_documents_are_no_answer() -> None:
    with pytest.raises(SeveralDocumentsError):
        read_document('{"B": 5} or {"B": 6}', whole=True, keys=KEYS)


def test_a_key_with_two_values_is_no_answer() -> None:
    with pytest.raises(RepeatedNameError):
        read_document('{"answer": 5, "answer": 6}', whole=True, keys=KEYS)


SCHEMA = {
    "type": "object",
    "required": ["B"],
    "properties": {"B": {"type": "number"}, "v": {"type": "array", "items": {"type": "number"}}},
}


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        ({"B": 5}, None, ""),
        ({"v": [1]}, GradingDiagnosis.INCOMPLETE, "'B' is a required property"),
        ({"B": "5"}, GradingDiagnosis.SCHEMA, ".B: '5' is not of type 'number'"),
        ({"B": 5, "v": ["a"]}, GradingDiagnosis.SCHEMA, ".v[0]:"),
        ([], GradingDiagnosis.SCHEMA, "top:"),
    ],
)
def test_schema_faults_name_the_field(
    answer: Any, code: GradingDiagnosis | None, words: str
) -> None:
    fault = schema_fault(answer, SCHEMA)
    assert (fault and fault.code) == code
    assert fault is None or words in fault.message


@pytest.mark.parametrize("schema", [{"type": "magic"}, {"$ref": "https://example.org/schema"}])
def test_a_faulty_schema_is_a_fault_of_the_record(schema: dict[str, str]) -> None:
    fault = schema_fault({}, schema)
    assert fault is not None
    assert fault.code is GradingDiagnosis.UNREADABLE_GOLD


def test_no_schema_has_no_faults() -> None:
    assert schema_fault({}, None) is None
