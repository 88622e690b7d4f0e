"""One quantity against one: dimension first, then relation, then value, then uncertainty."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.decimals import CONTEXT
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.logarithms import logarithms_undone, of_another, tolerance_of_logarithm
from ecliptic.grading.numeric_faults import explain_value
from ecliptic.grading.quantity import Quantity
from ecliptic.grading.quantity_names import other_quantity
from ecliptic.grading.rules import DEFAULT_RULES, Rules
from ecliptic.grading.shown_quantities import METHOD, shown
from ecliptic.grading.uncertainties import uncertainty_fault
from ecliptic.grading.unit_alignment import Alignment, align

_SLACK = Decimal("1e-9")
"""Relative slack of the tolerance, for factors that are floats."""


_ZERO = Decimal(0)
_EXTREMUM = re.compile(r"(?:^|[^A-Za-z])(min|max)[^A-Za-z]*$")


_UNIT_FAULTS = frozenset({Code.UNIT_INCOMPATIBLE, Code.UNIT_MISSING})


def compare_quantities(gold: Quantity, answer: Quantity, rules: Rules) -> Comparison:
    """One quantity against one; a restatement must agree with what it restates."""
    result = _compare_once(gold, answer, rules)
    if not answer.restated and not gold.restated:
        return result
    for again in answer.restated:
        if not _consistent(answer, again):
            return different(
                Code.SEVERAL_ANSWERS,
                "the answer states two values that disagree",
                method=METHOD,
                values=[shown(answer), shown(again)],
            )
    if result.code in _UNIT_FAULTS:
        for wanted in (gold, *gold.restated):
            for again in (answer, *answer.restated):
                second = _compare_once(wanted, again, rules)
                if second.outcome == "same":
                    return second
                if result.code in _UNIT_FAULTS:
                    result = second
    return result


_LENIENT = Rules(temperature_is_energy=True, mass_is_energy=True, allow_missing_unit=True)


def _consistent(first: Quantity, second: Quantity) -> bool:
    second = replace(second, relation=first.relation, upper=second.upper, uncertainty=None)
    first = replace(first, uncertainty=None)
    return any(
        _compare_once(first, second, rules).outcome == "same" for rules in (_LENIENT, DEFAULT_RULES)
    )


def _compare_once(gold: Quantity, answer: Quantity, rules: Rules) -> Comparison:
    formulas = gold.is_of_a_formula or answer.is_of_a_formula
    if gold.log_base and answer.log_base:
        formulas = False  # log(T/K), log T and log T [K] are names of one quantity
    numbers = not gold.label and gold.unit is None and answer.unit is None
    if (
        answer.label
        and gold.label != answer.label
        and (
            (gold.label and formulas)
            or (answer.is_of_a_scaled_symbol and not (numbers and answer.is_of_an_inverse_power))
        )
    ):
        return undecided(
            Code.UNDECIDED,
            f"the answer states {answer.label}, not {gold.label or 'the quantity itself'}",
            method=METHOD,
            gold=gold.label,
            answer=answer.label,
        )
    other = other_quantity(gold, answer)
    if not other and of_another(gold, answer):
        other = answer.label
    if other:
        return undecided(
            Code.UNDECIDED,
            f"the value is given for '{other[:60]}', not for {gold.label or gold.words}",
            method=METHOD,
            gold=gold.label or gold.words,
            answer=answer.label or answer.words,
        )
    extremum = _EXTREMUM.search(gold.label)
    if extremum and answer.extremum and extremum[1] != answer.extremum:
        return different(
            Code.RELATION, f"the {answer.extremum}imum for the {extremum[1]}imum", method=METHOD
        )
    alignment = align(gold.unit, answer.unit, rules)
    if alignment.fault is not None:
        if alignment.fault is Code.UNIT_MISSING and _is_plain_zero(gold) and _is_plain_zero(answer):
            return same("zero needs no unit", method=METHOD)
        return _unit_fault(gold, answer, alignment, rules)
    relation = _relation_fault(gold, answer)
    if relation is not None:
        return relation
    if (gold.upper is None) != (answer.upper is None):
        return _range_fault(gold, answer, alignment, rules)
    value = alignment.apply(answer.value)
    if gold.log_base != answer.log_base:
        gold, value = logarithms_undone(gold, answer, value)
    if not _close(gold.value, value, gold, rules):
        return _value_fault(gold, answer, value, alignment, rules)
    if gold.upper is not None and answer.upper is not None:
        upper = alignment.apply(answer.upper)
        if gold.ends and answer.ends and _other_ends(gold.ends, answer.ends):
            return different(
                Code.STRICTNESS,
                "an end of the range is open for closed or closed for open",
                method=METHOD,
                gold=gold.ends,
                answer=answer.ends,
            )
        if not _close(gold.upper, upper, gold, rules):
            return _value_fault(
                replace(gold, value=gold.upper),
                replace(answer, value=answer.upper),
                upper,
                alignment,
                rules,
            )
    fault = uncertainty_fault(gold, answer, alignment, rules)
    if fault is not None:
        return fault
    return _plain_same() if not alignment.rules else same(method=METHOD, rules=alignment.rules)


def _is_plain_zero(quantity: Quantity) -> bool:
    return (
        quantity.value == 0
        and quantity.upper is None
        and quantity.relation == "="
        and not quantity.measure.kelvin_offset
    )


def _other_ends(wanted: str, given: str) -> bool:
    return any(a != b and "?" not in (a, b) for a, b in zip(wanted, given, strict=True))


@lru_cache(maxsize=1)
def _plain_same() -> Comparison:
    return same(method=METHOD)


def _close(gold: Decimal, value: Decimal, quantity: Quantity, rules: Rules) -> bool:
    if gold == value:
        return True
    dex = quantity.unit is not None and quantity.unit.exponent("dex") != 0
    logarithm = rules.log_quantity or (dex and rules.absolute_tolerance > 0)
    share = Decimal(str(rules.relative_tolerance))
    relative = _ZERO if logarithm else share * abs(gold)
    own = tolerance_of_logarithm(quantity, share)
    if own is not None:
        relative = min(relative, own)
    tolerance = relative + Decimal(str(rules.absolute_tolerance))
    difference = abs(CONTEXT.subtract(value, gold))
    if difference <= CONTEXT.add(tolerance, _SLACK * abs(gold)):
        return True
    if (rules.order_of_magnitude or quantity.order_of_magnitude) and gold and value:
        ratio = CONTEXT.divide(value, gold)
        return Decimal("0.1") <= ratio <= 10
    if rules.value_within_gold_uncertainty and quantity.uncertainty is not None:
        return difference <= quantity.uncertainty
    return False


_LIMIT_OF = {"max": "≲", "min": "≳"}
_LOOSE = {"≲": "<", "≳": ">", "≤": "<", "≥": ">"}


def _relation_fault(gold: Quantity, answer: Quantity) -> Comparison | None:
    wanted, given = gold.relation, answer.relation
    if wanted == given:
        return None
    extremum = _EXTREMUM.search(gold.label)
    if wanted == "=" and extremum and given == _LIMIT_OF[extremum[1]]:
        return None  # E_max = 30 GeV, "up to 30 GeV"
    if _LOOSE.get(wanted, wanted) == _LOOSE.get(given, given):
        if wanted in "≲≳" or given in "≲≳":
            return None
        return different(
            Code.STRICTNESS, f"'{given}' for '{wanted}'", method=METHOD, gold=wanted, answer=given
        )
    return different(
        Code.RELATION,
        "a bound for a value"
        if wanted == "="
        else "a value for a bound"
        if given == "="
        else "a bound of another kind or direction",
        method=METHOD,
        gold=wanted,
        answer=given,
    )


def _range_fault(
    gold: Quantity, answer: Quantity, alignment: Alignment, rules: Rules
) -> Comparison:
    if gold.upper is None:
        return different(Code.RANGE, "a range for a single value", method=METHOD)
    value = alignment.apply(answer.value)
    inside = min(gold.value, gold.upper) <= value <= max(gold.value, gold.upper)
    if inside and rules.value_inside_range:
        return same(method=METHOD, rules=("value_inside_range",))
    return different(
        Code.RANGE,
        "a single value inside the range that was asked for"
        if inside
        else "a single value for a range",
        method=METHOD,
        rules=("value_inside_range",) if inside else (),
        inside=inside,
    )


def _value_fault(
    gold: Quantity, answer: Quantity, value: Decimal, alignment: Alignment, rules: Rules
) -> Comparison:
    """Why two numbers in one unit differ."""
    converted = alignment.scale != 1 or alignment.offset != 0
    equal_numbers = converted and _close(gold.value, answer.value, gold, rules)
    if equal_numbers and answer.unit is None and gold.unit is not None:
        return different(
            Code.UNIT_MISSING,
            f"the unit {gold.unit.spelling} is missing",
            method=METHOD,
            rules=alignment.missing_rules,
            unit=gold.unit.spelling,
        )
    code, message, evidence = explain_value(gold, answer, value, alignment, equal_numbers, rules)
    evidence = {"gold": shown(gold), "answer": shown(answer), **evidence}
    return different(code, message, method=METHOD, rules=alignment.rules, **evidence)


def _unit_fault(gold: Quantity, answer: Quantity, alignment: Alignment, rules: Rules) -> Comparison:
    evidence = dict(alignment.evidence)
    evidence["number_agrees"] = _close(gold.value, answer.value, gold, rules)
    if alignment.fault is Code.UNIT_INCOMPATIBLE and alignment.reciprocal:
        product = abs(
            CONTEXT.multiply(
                CONTEXT.multiply(gold.value, answer.value),
                Decimal(gold.measure.factor) * Decimal(answer.measure.factor),
            )
        )
        if abs(product - 1) <= Decimal(str(rules.relative_tolerance)):
            return different(
                Code.RECIPROCAL, "the reciprocal of the gold's quantity", method=METHOD, **evidence
            )
    assert alignment.fault is not None
    return different(
        alignment.fault, alignment.message, method=METHOD, rules=alignment.missing_rules, **evidence
    )
