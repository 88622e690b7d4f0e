from __future__ import annotations

from decimal import Decimal

import pytest

from ecliptic.grading.label_units import label_and_unit
from ecliptic.grading.logarithms import logarithms_undone, without_logarithms
from ecliptic.grading.measures import Options
from ecliptic.grading.quantities import read_quantities
from ecliptic.grading.quantity import Quantity
from ecliptic.grading.quantity_items import items_of
from ecliptic.grading.quantity_lines import prepared
from ecliptic.grading.quantity_names import name_in, other_quantity
from ecliptic.grading.relation_chains import parts_of, under, without_comparison
from ecliptic.grading.spoken_powers import with_spoken_powers
from ecliptic.grading.units import parse_unit

OPTIONS = Options(decimal_comma=False, concise=True)


def quantity(text: str) -> Quantity:
    (found,) = read_quantities(text).quantities
    return found


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        ("3.4 times ten to the minus 5", "3.4*10^(-5)"),
        ("10 to the power of -3", "10^(-3)"),
        ("ten to the twenty-first", "10^(21)"),
        ("seven point two km", "7.2 km"),
        ("10 to 20 km", "10 to 20 km"),
    ],
)
def test_powers_of_ten_in_words(text: str, figures: str) -> None:
    assert with_spoken_powers(text) == figures


@pytest.mark.parametrize(
    ("label", "name", "unit"),
    [
        ("T (MK)", "T", "MK"),
        ("B [nT]", "B", "nT"),
        ("speed in km/s", "speed", "km/s"),
        ("B/nT", "B", "nT"),
        ("increase in T", "increase in T", None),
        ("p/c", "p/c", None),
        ("T (hot)", "T (hot)", None),
    ],
)
def test_units_in_labels(label: str, name: str, unit: str | None) -> None:
    found, read = label_and_unit(label)
    assert found == name
    assert (read and read.exponents) == (unit and parse_unit(unit).exponents)


@pytest.mark.parametrize(
    ("gold", "answer", "other"),
    [
        ("Mach number M = 5", "beta = 5", True),
        ("T_e = 1e6 K", "T_p = 1e6 K", True),
        ("B_upstream = 5 nT", "B_downstream = 5 nT", True),
        ("T_e = 1e6 K", "T = 1e6 K", False),
        ("v = 5 km/s", "u = 5 km/s", False),
        ("5 km/s", "v_A = 5 km/s", False),
    ],
)
def test_names_that_cannot_be_of_one_quantity(gold: str, answer: str, other: bool) -> None:
    assert bool(other_quantity(quantity(gold), quantity(answer))) is other


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("the electron temperature is", "temperature"),
        ("the ratio of temperature to density", ""),
        ("the result", ""),
    ],
)
def test_the_one_name_in_words(words: str, name: str) -> None:
    assert name_in(words) == name


@pytest.mark.parametrize(
    ("line", "ready"),
    [
        ("between 3 and 5 nT", "3 – 5 nT"),
        ("at least 5 nT", "≳  5 nT"),
        ("8.0 +0.6/-0.5", "8.0 ± 0.6"),
        ("r = 0.97, p < 0.001", "r = 0.97"),
        ("0.1 times the speed of light", "0.1 c"),
        ("5 (to 2 significant figures)", "5"),
        ("4 to 1", "4:1"),
        ("30° S", "hemispheric latitude = -30°"),
    ],
)
def test_lines_made_ready(line: str, ready: str) -> None:
    assert prepared(line).split() == ready.split()


@pytest.mark.parametrize(
    ("line", "items"),
    [
        ("5 nT", [("", "5 nT")]),
        ("5 nT and 6 nT", [("", "5 nT"), (",", "6 nT")]),
        ("5 nT or 6 nT", [("", "5 nT"), ("or", "6 nT")]),
        ("(5, 6, 7)", [("", "5"), (",", "6"), (",", "7")]),
        ("1,200 km", [("", "1,200 km")]),
        ("f(a, b) = 5; g = 6", [("", "f(a, b) = 5"), (",", "g = 6")]),
    ],
)
def test_items_of_a_line(line: str, items: list[tuple[str, str]]) -> None:
    assert items_of(line, decimal_comma=False) == items


def test_chains_of_relations() -> None:
    parts = parts_of("beta = 0.01 << 1".replace("<<", "≪"))
    assert parts == ["beta", "=", "0.01", "≪", "1"]
    assert without_comparison(parts, OPTIONS) == parts[:-2]
    false = ["beta", "=", "2", "≪", "1"]
    assert without_comparison(false, OPTIONS) == false


def test_a_unit_stands_under_the_solidus_of_its_chain() -> None:
    first, last = quantity("0.25 m"), quantity("0.25 m^-1")
    read = under("2π/8 m", first, last)
    assert read is not None
    assert read.unit is not None
    assert read.unit.exponents == last.measure.exponents
    assert under("0.25 m", first, last) == first


def test_logarithms_beside_plain_values() -> None:
    gold, answer = quantity("log T = 6"), quantity("T = 2e6")
    plain, value = logarithms_undone(gold, answer, answer.value)
    assert (plain.value, value) == (10**6, answer.value)
    undone = Quantity(Decimal("5e9"), label="n")
    log = Quantity(Decimal("9.7"), label="log n", log_base="10")
    assert without_logarithms([log, undone]) == [undone]
    assert without_logarithms([log, Quantity(Decimal("5e8"))])[0] == log
