"""Which of several values, formulas and claims an answer states, and the kind of its products."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ecliptic.grading import grade
from ecliptic.grading.block_quotes import with_quoted_answer
from ecliptic.grading.conclusions import conclusion
from ecliptic.grading.latex import parse
from ecliptic.grading.reference_values import without_references

CASES = [
    json.loads(line)
    for line in Path(__file__).with_name("what_is_stated.jsonl").read_text("utf-8").splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=[str(number) for number in range(1, len(CASES) + 1)])
def test_what_is_stated_counts(case: dict[str, str]) -> None:
    verdict = grade(gold=case["gold"], answer=case["answer"])
    assert verdict.passed == (case["expected"] == "correct"), (case, verdict.diagnosis)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("My result: 3 km. Literature: 4 km.", "My result: 3 km"),
        ("Result: 3 km. Textbook value: 4 km.", "Result: 3 km"),
        ("Literature: 4 km. My result: 3 km.", "Literature: 4 km. My result: 3 km."),
        ("Reference: 4 km.", "Reference: 4 km."),
    ],
)
def test_values_of_others_at_the_end_are_left_out(text: str, kept: str) -> None:
    assert without_references(text) == (kept, "")


def test_a_correct_value_beside_ones_own_leaves_it_open() -> None:
    verdict = grade(gold="4", answer="My result: 3. Correct value: 4.")
    assert verdict.outcome == "undecided"


@pytest.mark.parametrize(
    ("formula", "last"),
    [
        (r"a=b \Rightarrow b=a", "b=a"),
        (r"a=b \implies c=d \quad\Rightarrow\quad e=f", "e=f"),
        (r"a=b \Rightarrow a = 5\ \mathrm{km}", "a=b"),
        (r"\begin{cases} a=b \Rightarrow c=d \end{cases}",
         r"\begin{cases} a=b \Rightarrow c=d \end{cases}"),
        ("a=b", "a=b"),
    ],
)  # fmt: skip
def test_the_conclusion_of_a_formula(formula: str, last: str) -> None:
    assert conclusion(formula) == last


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("> $x=1$", "$x=1$"),
        ("> What is $x$?", "> What is $x$?"),
        ("> $x=1$\n\nHence $x=2$.", "> $x=1$\n\nHence $x=2$."),
        ("With $a=2$:\n> **Answer:** $x=1$", "With $a=2$:\n**Answer:** $x=1$"),
    ],
)
def test_quoted_lines_that_hold_the_answer(text: str, answer: str) -> None:
    assert with_quoted_answer(text) == answer


def test_the_order_of_a_cross_product_with_an_element_is_kept() -> None:
    before, behind = (
        parse(rf"\int {product}").expression
        for product in (r"\mathbf{B}\times d\mathbf{l}", r"d\mathbf{l}\times\mathbf{B}")
    )
    assert before != behind
    assert before.product == behind.product == "cross"
