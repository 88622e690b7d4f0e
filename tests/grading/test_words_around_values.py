"""Words that touch a value, names beside several values, and logarithms by their quantity."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ecliptic.grading import grade

CASES = [
    json.loads(line)
    for line in Path(__file__)
    .with_name("words_around_values.jsonl")
    .read_text("utf-8")
    .splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[str(number) for number in range(1, len(CASES) + 1)])
def test_words_around_a_value_count(case: dict[str, str]) -> None:
    verdict = grade(gold=case["gold"], answer=case["answer"])
    assert verdict.passed == (case["expected"] == "correct"), (case, verdict.diagnosis)


def test_exchanged_names_are_told_from_unknown_ones() -> None:
    gold = "$T_e = 1$ MK, $T_p = 2$ MK"
    exchanged = grade(gold=gold, answer="protons: 1 MK; electrons: 2 MK")
    unknown = grade(gold=gold, answer="ions: 1 MK; protons: 2 MK")
    assert (exchanged.outcome, unknown.outcome) == ("incorrect", "undecided")


def test_a_question_for_a_difference_may_be_answered_with_its_word() -> None:
    record = {"final": "400 km/s", "type": "numeric", "question": "What is the error of v?"}
    assert grade(record, "The error is 400 km/s").passed
    assert not grade({**record, "question": "What is v?"}, "The error is 400 km/s").passed
