from __future__ import annotations

import math

import pytest

from ecliptic.grading import grade
from ecliptic.grading.clause_words import clause_words
from ecliptic.grading.told_factors import told_factor


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("The growth rate decreases by a factor of 4", 1 / 4),
        ("The growth rate drops to one quarter of its original value", 1 / 4),
        ("It is reduced to 25 % of its initial value", 1 / 4),
        ("The flux decreases by 75 %", 1 / 4),
        ("The flux decreases fourfold", 1 / 4),
        ("a fourfold decrease", 1 / 4),
        ("The field becomes four times smaller", 1 / 4),
        ("Tripling the distance reduces the power ninefold", 1 / 9),
        ("The density decreases by a quarter", 3 / 4),
        ("The speed is 50 % higher", 3 / 2),
        ("The gyroradius is halved", 1 / 2),
        ("The period doubles", 2.0),
        ("The density is four times as large", 4.0),
        ("It increases to twice its original value", 2.0),
        ("The flux drops by two orders of magnitude", 1 / 100),
        ("It increases by an order of magnitude", 10.0),
        (r"The pressure increases by a factor of $\sqrt{2}$", math.sqrt(2)),
        ("The amplitude falls to 1/e of its initial value", 1 / math.e),
    ],
)
def test_factors_told_in_words(text: str, factor: float) -> None:
    told = told_factor(" ".join(clause_words(text)))
    assert told is not None
    assert math.isclose(told.factor, factor, rel_tol=1e-9)


@pytest.mark.parametrize(
    "text",
    [
        "The growth rate does not decrease by a factor of 4",
        "The growth rate may decrease by a factor of 4",
        "The efficiency is half the value",
        "The ratio is 1/4",
        "The mean free path is 0.5 AU",
        "It is 3 times the proton mass",
        "The field drops to 20 nT",
        "The field drops by 20 nT",
    ],
)
def test_what_tells_no_factor(text: str) -> None:
    assert told_factor(" ".join(clause_words(text))) is None


GOLD = "The growth rate decreases by a factor of 4"


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("It is reduced to a quarter.", "correct"),
        ("**Answer:** The growth rate drops to one quarter of its original value.", "correct"),
        ("4", "correct"),
        (r"\boxed{4}", "correct"),
        ("The growth rate increases by a factor of 4", "incorrect"),
        ("The growth rate decreases by 4 %", "incorrect"),
        ("The growth rate decreases by a quarter", "incorrect"),
        ("The wave number decreases by a factor of 4", "undecided"),
        ("The growth rate decreases by a factor of 4. It decreases by a factor of 2.", "undecided"),
    ],
)
def test_a_factor_is_compared_with_its_direction(answer: str, outcome: str) -> None:
    assert grade(gold=GOLD, answer=answer).outcome == outcome
