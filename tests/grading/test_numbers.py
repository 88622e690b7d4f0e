from __future__ import annotations

import time
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ecliptic.grading.decimals import LARGEST_DECADE, power
from ecliptic.grading.notation import LONGEST_TEXT, plain
from ecliptic.grading.numbers import (
    find_number,
    leading_number,
    read_number,
)
from ecliptic.grading.parse_failure import ParseFailure

# Value -> its spellings.
SPELLINGS = {
    "1.2e6": r"""1.2e6|1.2E+06|1.2E6|1.2\times10^{6}|1.2 \times 10^6|1.2 x 10^6|1.2x10^6|1.2*10^6
        |1.2·10⁶|1.2 × 10⁶|1.2\cdot 10^{6}|1.2*10**6|1200000|1,200,000|1{,}200{,}000|1 200 000
        |1\,200\,000|1_200_000|1.2 million|1200 thousand|\num{1.2e6}|\num{1.2 x 10^6}
        |$1.2\times10^6$
        |+1.2e6|0.12\times10^{7}|12e5|1.2\,\times\,{10}^{6}|1.2 \times 10^{+6}
        |1.2\mathrm{e}6|1 200 000|1.2×10^(6)|1.2 \ast 10^6|1.2 * 10 ^ 6|1.2D+06|(1.2e6)""",
    "1e6": r"10^6|10**6|10^{6}|1e6|10⁶|1 million|$10^{6}$|{10}^6|1\times10^6",
    "-3.1e-7": r"-3.1e-7|−3.1×10⁻⁷|-3.1\times10^{-7}|-3.1 x 10^-7|- 3.1e-07",
    "0.75": r"0.75|.75|3/4|¾|\frac{3}{4}|\frac34|\dfrac{3}{4}|75e-2|(3/4)|\tfrac{3}{4}|0.750|6/8",
    "1.5": r"1.5|3/2|1½",
    "0.5": r"0.5|½|1/2|\frac12|2^{-1}|5e-1",
    "12": "12|twelve|Twelve|12.0|1.2e1|12.",
    "3.141592653589793": r"π|\pi|1π|\frac{2\pi}{2}|2\pi/2|\pi^1",
    "1.4142135623730951": r"\sqrt{2}|√2|sqrt(2)|\sqrt 2|2^{1/2}|2^0.5|2^{\frac12}|\sqrt[2]{2}",
    "2.718281828459045": r"e|e^1|\exp(1)|exp(1)",
    "0.6931471805599453": r"\ln 2|ln 2|\ln(2)|ln(2)|\ln{2}",
    "2": r"\log_{10} 100|log10(100)|2|1+1|\sqrt{4}|4^{1/2}|\frac{4}{2}|(1+1)|3-1|2.",
    "0.6321205588285577": r"1-1/e|1 - e^{-1}|1-\frac{1}{e}",
    "1.2566370614359173e-6": r"4\pi\times10^{-7}|4\pi \cdot 10^{-7}|4π×10⁻⁷|4 π * 10^-7|4e-7π",
    "2.985984": "1.2^{6}|1.2^6|1.2**6",
    "-0.25": r"-1/4|-\frac14|-¼|−0.25|-0.25",
}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "text"),
    [(value, text.strip()) for value, texts in SPELLINGS.items() for text in texts.split("|")],
)
def test_spellings_of_a_number(value: str, text: str) -> None:
    assert float(read_number(plain(text))) == pytest.approx(float(value), rel=1e-12)


@pytest.mark.parametrize(
    ("text", "value"), [("1,5", "1.5"), ("0,25", "0.25"), ("3,14e2", "314"), ("1,500", "1500")]
)
def test_decimal_comma_by_rule(text: str, value: str) -> None:
    assert read_number(text, decimal_comma=True) == Decimal(value)
    if text != "1,500":
        with pytest.raises(ParseFailure):
            read_number(text)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("10^{10^{10}}", "exponent"), ("9**9**9**9", "exponent"), ("1e99999999999", "exponent"),
        ("10^(999999)", "exponent"), ("2^(1e9)", "exponent"), ("9" * 1500, "digits"),
        ("1e-99999999", "exponent"), ("(" * 500 + "1" + ")" * 500, "depth"),
        ("{" * 500 + "1" + "}" * 500, "depth"), ("1+" * 900 + "1", "operations"),
        ("9" * (LONGEST_TEXT + 1), "length"), ("1/0", "value"), ("sqrt(-1)", "value"),
        ("0^0", "value"), ("0^-1", "value"), ("ln(0)", "value"), ("(-8)^(1/3)", "value"),
        ("exp(exp(exp(exp(9))))", "exponent"), ("2^2^2^2^2^2^2", "exponent"),
        ("1e50000*1e60000", "exponent"), ("- " * 400 + "1", "operations"),
        ("2^" * 100 + "2", "depth"), ("sqrt(" * 100 + "2" + ")" * 100, "depth"),
    ],
)  # fmt: skip
def test_bombs_fail_at_once(text: str, limit: str) -> None:
    started = time.thread_time()
    with pytest.raises(ParseFailure) as failure:
        read_number(plain(text))
    assert failure.value.limit == limit
    assert time.thread_time() - started < 0.5


@pytest.mark.parametrize(
    "text", ["", "x", "1.2.3", "--", "1 2", "5x", "e6", "(1", "1)", "3!", "5 nT", "nan", "∞", "^2"]
)
def test_what_is_not_a_number(text: str) -> None:
    with pytest.raises(ParseFailure):
        read_number(plain(text))


def test_numbers_beyond_floats_are_read() -> None:
    assert read_number("1e400") == Decimal("1e400")
    assert read_number("3*10^(-4000)") == Decimal("3e-4000")
    assert read_number("2^(-99)") == pytest.approx(Decimal(2) ** -99)


def test_what_was_written_is_told() -> None:
    assert leading_number("3*400 km/s").arithmetic
    assert not leading_number("3*10^2 km/s").arithmetic
    assert not leading_number("3/4").arithmetic
    assert leading_number("1.5e3").literal
    assert not leading_number("sqrt(2)").literal


def test_a_hyphen_between_literals_is_left_for_a_range() -> None:
    assert leading_number("300-800").end == 3
    assert leading_number("3-1").value == 2


def test_digits_in_names_are_no_numbers() -> None:
    assert find_number("x_1 and B0 and H2O") == -1
    assert find_number("B0 is 5 nT") == 6


def test_power_is_bounded_before_it_is_computed() -> None:
    with pytest.raises(ParseFailure):
        power(Decimal(7), Decimal(10**6))
    assert power(Decimal(1), Decimal(10**6)) == 1


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_float_survives(value: float) -> None:
    assert float(read_number(repr(value))) == value


@given(
    st.decimals(min_value=-999, max_value=999, places=3, allow_nan=False, allow_infinity=False),
    st.integers(-300, 300),
)
def test_scientific_spellings_agree(mantissa: Decimal, exponent: int) -> None:
    expected = mantissa.scaleb(exponent)
    for text in (
        f"{mantissa}e{exponent}",
        rf"{mantissa} \times 10^{{{exponent}}}",
        f"{mantissa}×10^{exponent}",
        f"{mantissa} * 10**{exponent}",
        rf"${mantissa}\cdot{{10}}^{{{exponent}}}$",
    ):
        assert read_number(plain(text)) == expected


@given(st.integers(0, 10**12))
def test_grouped_digits(value: int) -> None:
    grouped = f"{value:,}"
    for separator in (",", r"{,}", " ", r"\,", "\u202f"):
        assert read_number(plain(grouped.replace(",", separator))) == value


@given(st.text(alphabet="0123456789.eE+-*/^()√π sqrt10,×", max_size=40))
def test_any_text_is_a_number_or_a_parse_failure(text: str) -> None:
    try:
        value = read_number(plain(text))
    except ParseFailure:
        return
    assert value.is_finite()
    assert value == 0 or abs(value.adjusted()) <= LARGEST_DECADE
