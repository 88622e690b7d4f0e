"""Answers as models write them: sentences with inputs, comparisons, asides and one result."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecliptic.grading import grade
from ecliptic.grading.concluding_values import concluding_value
from ecliptic.grading.sentences import without_bold

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("natural_prose.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[str(number) for number in range(1, len(CASES) + 1)])
def test_the_result_of_running_text_is_graded(case: dict[str, str]) -> None:
    verdict = grade(gold=case["gold"], answer=case["answer"])
    assert verdict.passed == (case["expected"] == "correct"), (case, verdict.details["extracted"])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Using n = 5 cm^-3 and B = 67 nT one finds beta = 0.031.", "beta = 0.031"),
        ("The drop is 1.8 kV, well below the 60 kV that is typical of storms.", "1.8 kV"),
        ("Not 9 nT but 9 uT, which is 9e-6 T.", "9 uT = 9e-6 T"),
        ("The speed is 400 km/s below the 900 km/s of the escape.", ""),
        ("The speed may be 400 km/s, although 500 km/s was measured.", ""),
        ("The fast wind moves at 800 km/s, the slow wind at 400 km/s.", ""),
        ("The first is 3 nT and the second is 4 nT.", ""),
        ("It lies below 3 nT, far from the 5 nT of the model.", ""),
        ("400 km/s", ""),
    ],
)
def test_the_grammar_chooses_one_value_or_none(text: str, value: str) -> None:
    assert concluding_value(text) == value


def test_stars_of_emphasis_go_and_powers_stay() -> None:
    assert without_bold("about **62 nT** and 10**6 or 2 ** 3") == "about 62 nT and 10**6 or 2 ** 3"


@pytest.mark.parametrize("piece", ["a_", "(a ", "1 and the ", "a = ", "1 + ", "the x of 1, ", "^("])
def test_repetition_is_read_in_one_pass(piece: str) -> None:
    concluding_value.cache_clear()
    concluding_value("The two words are 1 " + piece * (1900 // len(piece)) + " 2")


PIECES = st.sampled_from(
    ["The ", "value ", "is ", "5 ", "nT ", "= ", "B_0 ", "and ", "(", ")", "for ", ", ", "; ", "12",
     "^", "10", "×", "⁻¹⁹", " of", "$", "\\frac{1}{2}", "with ", "which ", "**", "± ", "1/0", "to ",
     "not ", "but ", "about ", "km/s ", ".", "\n", "-", "e", "sqrt(", "½", "v² ", "must be ", "₀"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=60).map("".join))
def test_any_text_is_read(text: str) -> None:
    assert isinstance(concluding_value(text), str)
