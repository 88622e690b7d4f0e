"""What stands in which relation to what: trends, changes, components, doubt, names, integrands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ecliptic.grading import grade
from ecliptic.grading.component_names import other_component
from ecliptic.grading.paired_trends import Trend, read_trends
from ecliptic.grading.quantities import read_quantities

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("relations_of_words.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[str(number) for number in range(1, len(CASES) + 1)])
def test_relations_of_words_count(case: dict[str, str]) -> None:
    verdict = grade(gold=case["gold"], answer=case["answer"])
    assert verdict.passed == (case["expected"] == "correct"), (case, verdict.diagnosis)


def test_a_modifier_holds_for_both_verbs() -> None:
    wanted = {Trend(frozenset({"density"}), -1, ("with", "height")),
              Trend(frozenset({"temperature"}), 1, ("with", "height"))}  # fmt: skip
    for sentence in (
        "Density decreases with height while temperature increases",
        "Temperature rises and density falls with height.",
        "With height, density decreases and temperature increases",
        "While density falls with height, temperature rises",
    ):
        assert set(read_trends(sentence)) == wanted, sentence


@pytest.mark.parametrize(
    "sentence",
    ["Density may fall with height while temperature rises", "Density falls with height",
     "Density does not fall with height while temperature rises", "The Sun is hot",
     "Density falls where pressure is high while temperature rises with height"],
)  # fmt: skip
def test_no_pair_of_trends(sentence: str) -> None:
    assert len(read_trends(sentence)) < 2


def test_exchanged_subjects_are_told() -> None:
    gold = "Density decreases with height while temperature increases"
    verdict = grade(gold=gold, answer="Density rises with height while temperature falls")
    assert (verdict.outcome, verdict.diagnosis and verdict.diagnosis.code) == (
        "incorrect",
        "swapped",
    )


@pytest.mark.parametrize(
    ("question", "answer", "passed"),
    [
        ("By how much does B drop?", "B drops by 5 nT", True),
        ("How large is the uncertainty of B?", "The uncertainty of B is 5 nT", True),
        ("What is the difference of the two fields?", "The difference is 5 nT", True),
        ("How strong is B?", "B drops by 5 nT", False),
        ("How strong is B?", "The uncertainty of B is 5 nT", False),
    ],
)
def test_a_question_for_a_change_is_answered_by_one(
    question: str, answer: str, passed: bool
) -> None:
    record = {"final": "5 nT", "type": "numeric", "question": question}
    assert grade(record, answer).passed is passed


@pytest.mark.parametrize(
    ("gold", "answer", "other"),
    [
        ("E_y = 3 V/m", "E_z = 3 V/m", True),
        ("v_1 = 3 m/s", "v2 = 3 m/s", True),
        ("E_y = 3 V/m", "The z component is 3 V/m", True),
        ("E_y = 3 V/m", "E_y = 3 V/m", False),
        ("B_x = 3 nT", "B_r = 3 nT", False),
        ("B_phi = 3 nT", "B_T = 3 nT", False),
        ("E_y = 3 V/m", "F_z = 3 V/m", False),
        ("E_y = 3 V/m", "3 V/m", False),
    ],
)
def test_components_of_one_system_exclude_each_other(gold: str, answer: str, other: bool) -> None:
    first, second = (read_quantities(text).quantities[0] for text in (gold, answer))
    assert other_component(first, second) is other


@pytest.mark.parametrize(
    ("gold", "answer", "message"),
    [
        (r"$\int_0^1 x^2 dx$", r"$\int_0^1 x^3 dx$", "x stands to the power 3 and not 2"),
        (r"$A\int_0^\infty x^2 e^{-x} dx$", r"$A\int_0^\infty x^3 e^{-x} dx$", "power 3"),
        (r"$\int n_e^2 ds$", r"$\int n_e ds$", "n_e^(-1)"),
        (r"$\int_0^1 x^2 dx$", r"$2\int_0^1 x^2 dx$", "2 times the right expression"),
    ],
)
def test_a_difference_under_an_integral_is_told_as_one(
    gold: str, answer: str, message: str
) -> None:
    verdict = grade(gold=gold, answer=answer)
    assert verdict.outcome == "incorrect"
    assert verdict.diagnosis is not None
    assert message in verdict.diagnosis.message


def test_marked_answers_that_are_right_or_open_are_no_wrong_answer() -> None:
    answer = r"\boxed{\text{unstable}} and \boxed{\text{prone to kinks}}"
    verdict = grade(gold="unstable", answer=answer, type="textual")
    assert verdict.outcome == "undecided"
