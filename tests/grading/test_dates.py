from __future__ import annotations

import pytest

from ecliptic.grading import grade
from ecliptic.grading.dates import Date, read_date


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2003-10-28", Date(2003, 10, 28)),
        ("2018-11-06T03:27:00Z", Date(2018, 11, 6, 207)),
        ("28 October 2003", Date(2003, 10, 28)),
        ("on October 28th, 2003", Date(2003, 10, 28)),
        ("2012 July 23", Date(2012, 7, 23)),
        ("March 1989", Date(1989, 3)),
        ("in 1859", Date(1859)),
        ("10:45 UT", Date(minutes=645)),
        ("1859", None),
        ("10-28", None),
        ("1836 - 10", None),
    ],
)
def test_dates_are_read(text: str, date: Date | None) -> None:
    assert read_date(text) == date


@pytest.mark.parametrize(
    ("gold", "answer", "outcome"),
    [
        ("28 October 2003", "The flare occurred on October 28, 2003.", "correct"),
        ("March 1989", "13 March 1989", "correct"),
        ("28 October 2003", "29 October 2003", "incorrect"),
        ("in 1859", "in 1921", "incorrect"),
        ("28 October 2003", "October 2003", "undecided"),
        ("28 October 2003", "not on 28 October 2003", "incorrect"),
        ('{"year": 1859}', '{"year": 1921}', "incorrect"),
        ('{"cycle": 24}', '{"cycle": 25}', "incorrect"),
        ('{"epoch": "2018-11-06T03:27:00Z"}', '{"epoch": "2018-11-06 03:27 UTC"}', "correct"),
    ],
)
def test_no_tolerance_brings_dates_together(gold: str, answer: str, outcome: str) -> None:
    assert grade(gold=gold, answer=answer).outcome == outcome
