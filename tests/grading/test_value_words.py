from __future__ import annotations

import pytest

from ecliptic.grading import grade


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("The field drops to 20 nT", "The field rises to 20 nT"),
        ("The field drops to 20 nT", "The field drops by 20 nT"),
        ("5 nT northward", "5 nT southward"),
        ("2 hours earlier", "2 hours later"),
        ("about 3 AU downwind", "about 3 AU upwind"),
        ("3 (stable)", "3 (unstable)"),
        ("The electron temperature is 1e6 K", "The ion temperature is 1e6 K"),
        (
            "The shock forms before the CME reaches 5 solar radii",
            "The shock forms after the CME reaches 5 solar radii",
        ),
        ("The peak precedes the dip by 4 years", "The dip precedes the peak by 4 years"),
        ("The intensity is halved every 10 nm", "The intensity doubles every 10 nm"),
        (
            r"$R_m = 10^{12}$, so the field is frozen in",
            r"$R_m = 10^{12}$, so the field is not frozen in",
        ),
        ("No, the Mach number is 0.8", "Yes, the Mach number is 0.8"),
        ("Solar cycle 24", "Solar cycle 23"),
        ("X5.4", "M5.4"),
        ("2003-10-28", "2003-10-29"),
    ],
)  # fmt: skip
def test_equal_values_in_opposite_words_do_not_pass(gold: str, answer: str) -> None:
    assert grade(gold=gold, answer=gold).passed
    assert not grade(gold=gold, answer=answer).passed


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("The field drops to 20 nT", "B falls to 20 nT"),
        ("5 nT southward", "5 nT southward"),
        ("The speed increases to 500 km/s", "As the density decreases, the speed is 500 km/s"),
        ("2 hours earlier", "2 hours"),
        ("7 MK", "7 MK, not 9 MK"),
        ("9 MK", "7 MK (final answer: 9 MK)"),
    ],
)  # fmt: skip
def test_other_words_beside_the_value_do_no_harm(gold: str, answer: str) -> None:
    verdict = grade(gold=gold, answer=answer)
    assert verdict.passed, verdict.diagnosis
