"""Tokens: numbers, letters, fonts, Unicode, positions, budgets."""

from __future__ import annotations

import pytest

from ecliptic.grading.lexer import tokenize
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.tokens import (
    MAX_CHARACTERS,
    MAX_DIGITS,
    MAX_POWER_OF_TEN,
    MAX_TOKENS,
)


def texts(text):
    return [token.text for token in tokenize(text)[:-1]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.2e6", ["1.2e6"]),
        ("1.2E+06", ["1.2e+06"]),
        ("1,200,000", ["1200000"]),
        ("1{,}200{,}000", ["1200000"]),
        (r"1\,200\,000", ["1200000"]),
        ("1 200 000", ["1200000"]),
        ("(1,200)", ["(", "1", ",", "200", ")"]),
        ("[0,100]", ["[", "0", ",", "100", "]"]),
        (".5", [".5"]),
        ("1.2 x 10^6", ["1.2", "\\times", "10", "^", "6"]),
        ("2e^x", ["2", "e", "^", "x"]),
        ("u1", ["u", "_", "1"]),
    ],
)
def test_numbers(text, expected):
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("GM", ["G", "M"]),
        ("kappa_0", ["kappa", "_", "0"]),
        ("v_sw", ["v", "_", "sw"]),
        ("$c_sT$", ["c", "_", "s", "T"]),
        ("$v_sw$", ["v", "_", "sw"]),
        ("$R_sun$", ["R", "_", "sun"]),
        ("nk_BT", ["n", "k", "_", "B", "T"]),
        ("rsintheta", ["r", "sin", "theta"]),
        (r"\varepsilon", ["epsilon"]),
        (r"\mathrm{km\,s^{-1}}", ["km", "s", "^", "{", "-", "1", "}"]),
        (r"v_{\mathrm{A}}", ["v", "_", "{", "A", "}"]),
        (r"\text{km s}^{-1}", ["km", "s", "^", "{", "-", "1", "}"]),
        (r"{\rm km}T", ["{", "km", "}", "T"]),
        (r"\SI{400}{\kilo\metre\per\second}", ["400", "km", "s", "^", "{", "-", "1", "}"]),
    ],
)
def test_letters(text, expected):
    assert texts(text) == expected


def test_upright_names_say_so():
    assert [token.roman for token in tokenize(r"n\,\mathrm{kHz}")[:-1]] == [False, True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x²", ["x", "^", "{", "2", "}"]),
        ("10⁻⁷", ["10", "^", "{", "-", "7", "}"]),
        ("κ₀", ["kappa", "_", "{", "0", "}"]),
        ("a×b·c", ["a", "\\times", "b", "\\cdot", "c"]),
        ("−x", ["-", "x"]),
        ("½", ["frac", "{", "1", "}", "{", "2", "}"]),
        ("x\u200b²", ["x", "^", "{", "2", "}"]),
        ("v\u20d7", ["vec", "{", "v", "}"]),
        ("𝑥", ["x"]),
        ("≤", ["<="]),
    ],
)
def test_unicode(text, expected):
    assert texts(text) == expected


@pytest.mark.parametrize(
    ("text", "position"),
    [("x + #", 4), ("κ₀ + #", 5), ("x²y # z", 4), ("½ 1.2.3", 2), ("a\x00b", 1), ("a ж", 2)],
)
def test_a_failure_points_into_the_text_as_given(text, position):
    with pytest.raises(ParseFailure) as caught:
        tokenize(text)
    assert caught.value.position == position


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("x" * (MAX_CHARACTERS + 1), "characters"),
        ("+" * (MAX_TOKENS + 1), "tokens"),
        ("1" * (MAX_DIGITS + 1), "digits"),
        ("1." + "1" * MAX_DIGITS, "digits"),
        ("x^" + "9" * 5000, "digits"),
        (f"1e{MAX_POWER_OF_TEN + 1}", "exponent"),
        ("1e" + "9" * 300, "exponent"),
        (r"\SI{1e999999}{m}", "exponent"),
    ],
)
def test_budgets(text, limit):
    with pytest.raises(ParseFailure) as caught:
        tokenize(text)
    assert caught.value.limit == limit


@pytest.mark.parametrize(
    "text",
    [r"\def\a{\a\a}\a", r"\newcommand{\x}{y}", r"\input{file}", "4.2e5e5", "1.2.3", "x...", "}x{"],
)
def test_refused(text):
    with pytest.raises(ParseFailure):
        tokenize(text)
