from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.numeric import compare_numeric
from ecliptic.grading.rules import DEFAULT_RULES, Rules
from ecliptic.grading.units import parse_unit

PAIRS = json.loads((Path(__file__).parent / "numeric_pairs.json").read_text(encoding="utf-8"))


def code_of(gold: str, answer: str, **rules: object) -> str | None:
    """The diagnosis; ``None`` when the same."""
    result = compare_numeric(gold, answer, DEFAULT_RULES.updated(rules))
    assert (result.outcome == "same") == (result.code is None)
    return result.code


@pytest.mark.parametrize(
    "pair", PAIRS, ids=[f"{pair['gold']}|{pair['answer'][:40]}" for pair in PAIRS]
)
def test_pairs(pair: dict[str, str]) -> None:
    result = compare_numeric(pair["gold"], pair["answer"], DEFAULT_RULES)
    assert (result.outcome, result.code) == (pair["expected"], pair["code"]), pair["why"]


def test_there_are_wrong_pairs_of_every_numeric_kind() -> None:
    kinds = {pair["code"] for pair in PAIRS}
    assert len(PAIRS) >= 150
    assert kinds >= {
        "unit_missing", "unit_unexpected", "unit_incompatible", "unit_prefix", "unit_system",
        "magnitude", "power_of_ten", "sign", "factor", "rounding", "reciprocal", "incomplete",
        "extra_solution", "several_answers", "swapped", "range", "uncertainty", "relation",
        "strictness", "format", "not_finite", "parse", "resource_limit",
    }  # fmt: skip


# (gold, answer, code by default, rule, value of the rule, code under the rule)
CONTESTED = [
    ("45°", "45", "unit_missing", "allow_missing_degree", True, None),
    ("25%", "25", "unit_missing", "allow_missing_percent", True, None),
    ("400 km/s", "400", "unit_missing", "allow_missing_unit", True, None),
    ("0.5 rad", "0.5", None, "bare_number_is_radian", False, "unit_missing"),
    ("0.5 rad/s", "0.5 s^-1", None, "bare_number_is_radian", False, "unit_incompatible"),
    ("4", "4 km", "unit_unexpected", "allow_extra_unit", True, None),
    ("20 kHz", "2e4 s^-1", None, "hertz_is_per_second", False, "unit_incompatible"),
    ("10 Hz", "62.8 rad/s", None, "hertz_is_radian_per_second", True, "factor"),
    ("10 Hz", "10 rad/s", "unit_prefix", "hertz_is_radian_per_second", True, None),
    ("1 MK", "86 eV", "unit_incompatible", "temperature_is_energy", True, None),
    ("938 MeV/c^2", "938 MeV", "unit_incompatible", "mass_is_energy", True, None),
    ("10 MeV/n", "10 MeV", "unit_incompatible", "per_nucleon_is_total", True, None),
    ("5 nT", "5 gamma", None, "gamma_is_nanotesla", False, "unit_incompatible"),
    ("1.5", "1,5", "format", "decimal_comma", True, None),
    ("1.5 nT", "1,5 nT", "format", "decimal_comma", True, None),
    ("2.5 nT", "2.5(3) nT", None, "concise_uncertainty", False, "parse"),
    ("2.5±0.3 nT", "2.5 nT", None, "require_uncertainty", True, "uncertainty"),
    ("2.5 nT", "2.5±25 nT", "uncertainty", "allow_wide_uncertainty", True, None),
    ("300-800 km/s", "500 km/s", "range", "value_inside_range", True, None),
    ("2.5±0.3 nT", "2.75 nT", "rounding", "value_within_gold_uncertainty", True, None),
    ("1200 km/s", "3 × 400 km/s", None, "allow_unevaluated", False, "format"),
    ("1e5", "4e5", "factor", "order_of_magnitude", True, None),
    ("0", "0.03", "magnitude", "absolute_tolerance", 0.05, None),
    ("6.2", "6.25", None, "log_quantity", True, "rounding"),
    ("100", "110", "rounding", "relative_tolerance", 0.2, None),
    ("x = 1 or x = 4", "x = 4", "incomplete", "one_root_is_enough", True, None),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "answer", "default", "rule", "value", "under_rule"), CONTESTED)
def test_contested_conventions(
    gold: str, answer: str, default: str | None, rule: str, value: object, under_rule: str | None
) -> None:
    assert code_of(gold, answer) == default
    assert code_of(gold, answer, **{rule: value}) == under_rule


@pytest.mark.parametrize(
    ("gold", "answer", "rule"),
    [
        ("1.5", "1,5", "decimal_comma"),
        ("45°", "45", "allow_missing_degree"),
        ("25%", "25", "allow_missing_percent"),
        ("1 MK", "86 eV", "temperature_is_energy"),
        ("0.5 rad", "0.5", "bare_number_is_radian"),
        ("2.5 nT", "2.5(3) nT", "concise_uncertainty"),
        ("1200 km/s", "3 × 400 km/s", "allow_unevaluated"),
    ],
)
def test_the_rule_that_decided_is_named(gold: str, answer: str, rule: str) -> None:
    assert rule in compare_numeric(gold, answer, DEFAULT_RULES).rules


EVIDENCE = [
    ("400 km/s", "4e5 km/s", "power_of_ten", {"power_of_ten": 3}),
    ("400 km/s", "400 m/s", "unit_prefix", {"power_of_ten": -3, "answer_unit": "m/s"}),
    ("4", "12.57", "factor", {"factor": "pi"}),
    ("4", "25.1", "factor", {"factor": "2 pi"}),
    ("4", "50.3", "factor", {"factor": "4 pi"}),
    ("4", "2", "factor", {"factor": "1/2"}),
    ("4", "-8", "factor", {"factor": "-2"}),
    ("4", "5.66", "factor", {"factor": "sqrt(2)"}),
    ("4 T", "4 T/m", "unit_incompatible",
     {"gold_dimension": "kg s^-2 A^-1", "answer_dimension": "kg m^-1 s^-2 A^-1"}),
    ("4 nT", "4", "unit_missing", {"unit": "nT", "number_agrees": True}),
    ("4 nT", "40", "unit_missing", {"number_agrees": False}),
    ("B = 5 nT, n = 6 cm^-3", "B = 5 nT", "incomplete", {"missing": ["n = 6 cm^-3"]}),
]  # fmt: skip


@pytest.mark.parametrize(("gold", "answer", "code", "evidence"), EVIDENCE)
def test_evidence(gold: str, answer: str, code: str, evidence: dict[str, object]) -> None:
    result = compare_numeric(gold, answer, DEFAULT_RULES)
    assert result.code == code
    assert {key: result.evidence[key] for key in evidence} == evidence
    json.dumps(dict(result.evidence))


def test_a_gold_that_is_no_quantity_is_told_and_still_equals_itself() -> None:
    assert code_of("B/sqrt(mu_0 rho)", "5 nT") == GradingDiagnosis.UNREADABLE_GOLD
    assert code_of("B/sqrt(mu_0 rho)", "B/sqrt(mu_0 rho)") is None
    assert code_of("", "") == GradingDiagnosis.UNREADABLE_GOLD


@pytest.mark.parametrize("text", ["5 > 1", "2 m = 3 m", "1.5 or 3", "NaN", "5 furlongs"])
def test_every_text_equals_itself(text: str) -> None:
    assert code_of(text, text) is None


# Units of one dimension, for conversions between them.
FAMILIES = [
    ["km/s", "m s^-1", r"\mathrm{cm\,s^{-1}}", "AU/day", "R_sun/h", "c"],
    ["nT", "T", "μG", "gauss", r"\mathrm{mG}"],
    ["eV", "erg", "J", "MeV", "kilojoules"],
    ["cm^{-3}", "m^-3", "per cubic kilometre", "/cc"],
    ["s", "days", "yr", "minutes", "Myr"],
    ["deg", "rad", "arcsec", "mas"],
    ["W m^-2 Hz^-1", "sfu", "Jy", r"erg\,s^{-1}\,cm^{-2}\,Hz^{-1}"],
    ["K", "MK", "mK"],
    ["Pa", "dyn/cm^2", "erg cm^-3", "nPa", "bar"],
    ["M_sun/yr", "g/s", "kg s^{-1}"],
]
FAMILY = st.sampled_from(FAMILIES)
VALUES = st.floats(1e-30, 1e30).flatmap(lambda v: st.sampled_from([v, -v]))


@given(
    FAMILY.flatmap(lambda family: st.tuples(st.sampled_from(family), st.sampled_from(family))),
    VALUES,
)
def test_conversion_changes_nothing(units: tuple[str, str], value: float) -> None:
    first, second = units
    converted = value * parse_unit(first).factor / parse_unit(second).factor
    for gold in (f"{value!r} {first}", f"$x = {value!r}\\ {first}$"):
        assert code_of(gold, f"{converted!r} {second}") is None
        assert code_of(f"{converted!r} {second}", gold) is None


@given(FAMILY.flatmap(st.sampled_from), VALUES)
def test_every_gold_equals_itself(unit: str, value: float) -> None:
    for text in (
        f"{value!r} {unit}", f"${value:.3e}\\ {unit}$", f"about {value:.4g} {unit}",
        f"{value:.3g} ± {abs(value) / 9:.2g} {unit}", f"x = {value:.3g} {unit}, n = 3",
        f"> {value:.3g} {unit}",
    ):  # fmt: skip
        assert code_of(text, text) is None


@given(
    FAMILY.flatmap(st.sampled_from),
    VALUES,
    st.one_of(
        st.just(-1.0),
        st.integers(-12, 12).filter(bool).map(lambda k: 10.0**k),
        st.sampled_from([2, 0.5, math.pi, 2 * math.pi, 4 * math.pi, math.sqrt(2), 1 / 3]),
        st.floats(1.0501, 1e6),
        st.floats(1e-6, 0.9499),
    ),
)
def test_a_change_beyond_the_tolerance_is_always_caught(
    unit: str, value: float, change: float
) -> None:
    gold, answer = f"{value!r} {unit}", f"{value * change!r} {unit}"
    result = compare_numeric(gold, answer, DEFAULT_RULES)
    assert result.outcome == "different"
    if change == -1.0:
        assert result.code == GradingDiagnosis.SIGN
    exponent = round(math.log10(abs(change)))
    if exponent and math.isclose(change, 10.0**exponent):
        assert result.code == GradingDiagnosis.POWER_OF_TEN
        assert result.evidence["power_of_ten"] == exponent


@given(FAMILY.flatmap(st.sampled_from), VALUES, st.floats(-0.0499, 0.0499))
def test_a_change_within_the_tolerance_passes(unit: str, value: float, change: float) -> None:
    assert code_of(f"{value!r} {unit}", f"{value * (1 + change)!r} {unit}") is None


@given(st.sampled_from(FAMILIES), st.sampled_from(FAMILIES), VALUES, st.data())
def test_another_dimension_is_always_caught(
    one: list[str], other: list[str], value: float, data: st.DataObject
) -> None:
    assume(one is not other)
    first, second = data.draw(st.sampled_from(one)), data.draw(st.sampled_from(other))
    result = compare_numeric(f"{value!r} {first}", f"{value!r} {second}", DEFAULT_RULES)
    assert result.outcome == "different"
    assert result.code in {GradingDiagnosis.UNIT_INCOMPATIBLE, GradingDiagnosis.RECIPROCAL}


@given(FAMILY.flatmap(st.sampled_from), VALUES)
def test_a_missing_unit_is_always_caught(unit: str, value: float) -> None:
    assume(parse_unit(unit).exponent("rad") == 0)
    assert code_of(f"{value!r} {unit}", f"{value!r}") == GradingDiagnosis.UNIT_MISSING


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_have_an_outcome(gold: str, answer: str) -> None:
    result = compare_numeric(gold, answer, DEFAULT_RULES)
    assert result.outcome in {"same", "different", "undecided"}
    json.dumps(dict(result.evidence))


@given(st.text(max_size=80))
def test_no_noise_passes_for_a_value(noise: str) -> None:
    assume("7" not in noise and "seven" not in noise.lower() and not any(map(str.isdigit, noise)))
    assert compare_numeric("731.25 nT", noise, DEFAULT_RULES).outcome != "same"


@given(st.fractions(min_value=Fraction(1, 50), max_value=50, max_denominator=60))
def test_closed_forms_and_decimals_agree(value: Fraction) -> None:
    gold = rf"$\frac{{{value.numerator}}}{{{value.denominator}}}$"
    assert code_of(gold, f"{float(value):.4g}") is None
    assert code_of(f"{float(value)!r}", gold) is None
    assert code_of(gold, f"{float(value) * 1.2:.5g}") is not None


def test_default_rules_are_the_strict_ones() -> None:
    assert Rules() == DEFAULT_RULES


@pytest.mark.parametrize(
    ("gold", "answer"),
    [
        ("$x=5$", "$2x=5$"),
        ("5", "1/x = 5"),
        (r"$400\ \mathrm{km/s}$", "v/2 = 400 km/s"),
        (r"$400\ \mathrm{km/s}$", "v^2 = 400 km/s"),
    ],
)
def test_a_number_of_something_else_is_not_accepted(gold: str, answer: str) -> None:
    assert compare_numeric(gold, answer, DEFAULT_RULES).outcome == "undecided"


def test_a_ratio_may_be_named_by_its_parts() -> None:
    assert compare_numeric("5", "$T_e/T_i = 5$", DEFAULT_RULES).outcome == "same"
