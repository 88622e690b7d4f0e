from __future__ import annotations

import pytest

from ecliptic.grading.html_markup import without_html
from ecliptic.grading.numeric_prose import is_denied, prepared_prose, short_lines
from ecliptic.grading.tables import with_tables_as_lines
from ecliptic.grading.trailing_remarks import without_trailing_remarks

RULE = "|---|---|"


@pytest.mark.parametrize(
    ("table", "line"),
    [
        (f"| Name | Value |\n{RULE}\n| B | 5 nT |\n| v | 400 km/s |", "B = 5 nT; v = 400 km/s"),
        (f"| Name | B (nT) |\n{RULE}\n| near | 5 |\n| far | 2 |", "near = 5 nT; far = 2 nT"),
        (f"| B | v |\n{RULE}\n| 5 nT | 400 km/s |", "B = 5 nT; v = 400 km/s"),
        ("| Name | Value | Unit |\n|--|--|--|\n| B | 5 | nT |", "B = 5 nT"),
        (f"| Step | Value |\n{RULE}\n| 1 | 5 nT |", "Value = 5 nT"),
        (f"| Step | Value |\n{RULE}\n| 1 | 5 nT |\n| 2 | 6 nT |", "5 nT; 6 nT"),
    ],
)
def test_a_table_with_one_value_a_row_is_a_line_of_values(table: str, line: str) -> None:
    assert with_tables_as_lines(table) == line


@pytest.mark.parametrize(
    "text",
    [
        f"| Name | Value |\n{RULE}\n| B | large |",
        f"| Name | Value |\n{RULE}\n| B | 5 nT | 6 nT |",
        "| B | 5 nT |\n| v | 400 km/s |",
        "|a| -- |b|",
    ],
)
def test_other_tables_stay_as_they_are(text: str) -> None:
    assert with_tables_as_lines(text) == text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("10<sup>-5</sup> cm<sup>2</sup>", "10^{-5} cm^{2}"),
        ("v<sub>A</sub> = <b>5</b> km/s", "v_{A} = 5 km/s"),
        ("3 &times; 10&sup2; &mu;T &#177; 1", "3 × 10² μT ± 1"),
        ("a<br>b</br>", "a\nb</br>"),
        ("x &unknown; y &#7;", "x &unknown; y &#7;"),
        ("a < b and c > d", "a < b and c > d"),
    ],
)
def test_html_is_read_as_a_browser_shows_it(text: str, plain: str) -> None:
    assert without_html(text) == plain


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("E = 42 keV\nThis is above the typical energy of 1-2 keV.", "E = 42 keV"),
        ("E = 42 keV\nSanity check: 42/2 = 21.", "E = 42 keV"),
        ("B = 5 nT. The observed value is 6 nT.", "B = 5 nT."),
        ("E = 42 keV\nSo the answer is 2 keV.", "E = 42 keV\nSo the answer is 2 keV."),
        ("E = 4 keV\nCheck: wait, it is 2 keV", "E = 4 keV\nCheck: wait, it is 2 keV"),
        ("This is above 2 keV.", "This is above 2 keV."),
    ],
)  # fmt: skip
def test_only_remarks_are_cut_off(text: str, kept: str) -> None:
    assert without_trailing_remarks(text) == kept


@pytest.mark.parametrize(
    ("text", "prepared"),
    [
        ("**5 nT**", "5 nT"),
        ("5e-9 T, i.e. 5 nT", "5e-9 T = 5 nT"),
        ("0.1 (≪ 1, so the plasma is magnetic)", "0.1 (≪ 1)"),
    ],
)
def test_words_around_a_value(text: str, prepared: str) -> None:
    assert prepared_prose(text) == prepared


def test_a_denial_in_front_of_a_formula_is_seen() -> None:
    assert is_denied("it is not possible that R = 2", "R = 2")
    assert not is_denied("it is clear that R = 2", "R = 2")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("1. v = 5 km/s\n2. B = 3 nT", "v = 5 km/s, B = 3 nT"),
        ("Speed: 5 km/s. Field: 3 nT", "Speed: 5 km/s, Field: 3 nT"),
        ("\n".join(["5 nT"] * 7), ""),
    ],
)
def test_few_short_lines_are_the_parts_of_one_answer(text: str, line: str) -> None:
    assert short_lines(text) == line
