"""Why a formula is wrong, from the ratio of answer to gold at the points and from single slips.

A constant ratio is a sign, a power of ten or a factor; a ratio that is a power of one symbol is an
exponent; a constant product is a reciprocal. What is left is explained by the one slip
(:mod:`~ecliptic.grading.edits`) or exchange of symbols that turns the gold into the answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from ecliptic.grading.canonical import canonical
from ecliptic.grading.comparison import Comparison, different
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.edits import Edit, dropped_terms, edits
from ecliptic.grading.expression import (
    Call,
    Derivative,
    Expression,
    Integral,
    Number,
    Power,
    Symbol,
    VectorOperator,
)
from ecliptic.grading.factor_names import SAME, name_factor
from ecliptic.grading.spelling import spell
from ecliptic.grading.symbol_exchange import (
    Matcher,
    names_of,
    renamed_symbols,
    swapped_symbols,
    symbols_of,
)
from ecliptic.grading.tree_walk import survey, walk
from ecliptic.grading.value_ratios import (
    common_ratio,
    constant_of,
    count_points,
    finite,
    power_of_symbol,
    power_of_whole,
)
from ecliptic.grading.values import Agreement
from ecliptic.grading.work_budget import spend

_DIAGNOSIS = 2000
"""Units of work for the trials of one diagnosis beside their evaluations."""
_TRIED_NODES = 12_000
"""Nodes of all changed formulas together that a diagnosis compares."""


def diagnose_values(
    gold: Expression, answer: Expression, found: list[Agreement], matches: Matcher
) -> Comparison:
    """The reason why ``answer`` is not ``gold``.

    ``found`` holds one agreement for a number and three for a vector; ``matches(other)`` tells
    whether another expression in the place of the gold would have been met by the answer.
    """
    spend(_DIAGNOSIS)
    evidence = _evidence(gold, answer, found)
    method = next((one.method for one in found if one.status == "different"), "")

    def result(code: Code, message: str, **more: Any) -> Comparison:
        return different(code, message, method=method, **more, **evidence)

    if any("case" in one.reason for one in found):
        return result(Code.INCOMPLETE, "a case is missing")
    ratio = common_ratio(found)
    constant: complex | None = None
    if ratio is not None:
        constant = constant_of(ratio)
        if constant is not None and abs(constant - 1) < SAME and ratio.size < count_points(found):
            constant = None  # the same where both have a value that is not zero
        if constant is not None and (symbols_of(gold) or not _is_ugly(constant)):
            if abs(constant + 1) < SAME and _turned_products(gold, answer):
                message = "the factors of the vector product stand in the wrong order"
                return result(Code.SIGN, f"the overall sign is wrong: {message}")
            slip = _in_integrand(gold, answer)
            if slip is not None:
                return result(slip.code, slip.message, part=slip.part)
            return _of_constant(constant, result)
    if len(found) == 1:
        one = found[0]
        with np.errstate(all="ignore"):
            product = constant_of(finite(one.gold * one.answer))
        if product is not None and abs(product - 1) < SAME and not _is_power(gold):
            return result(Code.RECIPROCAL, "the answer is the reciprocal of the right expression")
    renamed = renamed_symbols(gold, answer, matches)
    if renamed is not None:
        return result(Code.WRONG_VARIABLE, renamed[0], symbols=renamed[1])
    if ratio is not None:
        single = power_of_symbol(ratio, found[0])
        if single is not None:
            symbol, exponent, constant = single
            if _is_gaussian(symbol, exponent, constant):
                mixed = ("SI", "Gaussian") if symbol in names_of(answer) else ("Gaussian", "SI")
                message = f"the answer is in {mixed[0]} units, the right expression in {mixed[1]}"
                return result(Code.UNIT_SYSTEM, message, symbol=symbol, power=str(exponent))
            if _exponent_turned(gold, symbol, exponent) and abs(constant - 1) < SAME:
                message = f"the sign of the exponent of {symbol} is wrong"
                return result(Code.SIGN, message, symbol=symbol, power=str(exponent))
            off = "" if abs(constant - 1) < SAME else f" and a factor {name_factor(constant)}"
            return result(
                Code.EXPONENT,
                f"the answer is off by a factor {symbol}^({exponent}){off}",
                symbol=symbol,
                power=str(exponent),
            )
    for term, rest in islice(dropped_terms(answer), _trials(answer)):
        if _matches_part(gold, rest, answer, matches):
            return result(Code.EXTRA_TERM, f"the term {term} is too much", term=term)
    slip = next((edit for edit in islice(edits(gold), _trials(gold)) if matches(edit.result)), None)
    if slip is None or slip.code in (Code.EXPONENT, Code.OPERATOR):
        swapped = None if _differentiates(gold) else swapped_symbols(gold, answer, matches)
        if swapped is not None:
            return result(Code.SWAPPED, swapped[0], symbols=swapped[1])
    if slip is not None:
        return result(slip.code, slip.message, part=slip.part)
    if ratio is not None and constant is not None:
        return _of_constant(constant, result)
    turned = turned_sign(gold, answer, matches)
    if turned is not None:
        return result(turned.code, turned.message, part=turned.part)
    if len(found) == 1:
        whole = power_of_whole(found[0])
        if whole is not None:
            message = f"the answer is the right expression to the power {whole}"
            return result(Code.EXPONENT, message, power=str(whole))
    foreign = sorted(names_of(answer) - names_of(gold))
    if foreign and not names_of(gold) - names_of(answer):
        text = ", ".join(foreign)
        return result(Code.WRONG_VARIABLE, f"{text} does not belong there", symbols=foreign)
    if foreign:
        missing = ", ".join(sorted(names_of(gold) - names_of(answer)))
        message = f"{', '.join(foreign)} instead of {missing}"
        return result(Code.WRONG_VARIABLE, message, symbols=foreign)
    return result(Code.NOT_EQUIVALENT, "the answer has other values than the right expression")


def _in_integrand(gold: Expression, answer: Expression) -> Edit | None:
    """The exponent under an integral in which alone the answer differs.

    The values then differ by a constant, which is no reason that a reader would see.
    """
    if not all(Integral in survey(side).kinds for side in (gold, answer)):
        return None
    given = canonical(answer)
    exponents = (edit for edit in edits(gold) if edit.code is Code.EXPONENT)
    tried = islice(exponents, _trials(gold))
    return next((edit for edit in tried if canonical(edit.result) == given), None)


def turned_sign(gold: Expression, answer: Expression, matches: Matcher) -> Edit | None:
    """The term of the answer whose opposite sign would have been right.

    For an answer that is written in another form than the gold, where no slip of the gold tells.
    """
    for edit in islice(edits(answer), _trials(answer)):
        if edit.code is Code.SIGN and _matches_part(gold, edit.result, answer, matches):
            return edit
    return None


def _trials(node: Expression) -> int:
    """How many changes of a formula are tried: fewer of a large one."""
    return _TRIED_NODES // sum(1 for _ in walk(node))


def _is_power(node: Expression) -> bool:
    """Whether a turned sign of the exponent is a better name for the reciprocal."""
    if isinstance(node, Power):
        return not (
            isinstance(node.exponent, Number) and node.exponent.coefficient.denominator == 1
        )
    return isinstance(node, Call) and node.function == "exp"


def _is_ugly(constant: complex) -> bool:
    """Whether a constant has no short closed form."""
    return "." in name_factor(constant)


def _exponent_turned(node: Expression, name: str, off: Fraction) -> bool:
    """Whether ``off`` takes a broken or negative exponent of a symbol to its opposite."""
    return any(
        isinstance(part, Power)
        and isinstance(part.base, Symbol)
        and part.base.name == name
        and isinstance(part.exponent, Number)
        and part.exponent.coefficient.denominator != 1
        and off == -2 * part.exponent.coefficient
        for part in walk(node)
    )


def _is_gaussian(name: str, power: Fraction, constant: complex) -> bool:
    """Whether a factor turns mu_0 into 4 pi, or epsilon_0 into 1/(4 pi), or back."""
    turns = {"mu_0": -power, "mu0": -power, "epsilon_0": power, "varepsilon_0": power}
    if name not in turns:
        return False
    expected: float = (4 * math.pi) ** float(turns[name])
    return abs(constant / expected - 1) < SAME


def _turned_products(gold: Expression, answer: Expression) -> bool:
    """Whether a vector product of the answer has the factors of one in the gold turned round."""
    wanted, given = (set(_products(side)) for side in (gold, answer))
    return any(pair[::-1] in given and pair not in given for pair in wanted)


def _products(node: Expression) -> list[tuple[str, ...]]:
    return [
        tuple(spell(operand).lstrip("-") for operand in part.operands)
        for part in walk(node)
        if isinstance(part, VectorOperator) and part.kind == "cross"
    ]


def _differentiates(node: Expression) -> bool:
    return any(isinstance(part, Derivative | VectorOperator) for part in walk(node))


def _matches_part(gold: Expression, rest: Expression, answer: Expression, matches: Matcher) -> bool:
    """Whether the answer without one of its terms would have been right."""
    test = getattr(matches, "meets", None)
    return bool(test(gold, rest)) if test is not None and rest != answer else False


def _of_constant(constant: complex, result: Callable[..., Comparison]) -> Comparison:
    if abs(constant + 1) < SAME:
        return result(Code.SIGN, "the overall sign is wrong")
    if abs(constant.imag) < SAME * abs(constant):
        size = constant.real
        exponent = round(math.log10(abs(size)))
        if exponent and abs(abs(size) / 10.0**exponent - 1) < SAME:
            sign = "-" if size < 0 else ""
            message = f"the answer is {sign}10^{exponent} times the right expression"
            return result(Code.POWER_OF_TEN, message, power=exponent)
    name = name_factor(constant)
    return result(Code.FACTOR, f"the answer is {name} times the right expression", factor=name)


def _evidence(gold: Expression, answer: Expression, found: list[Agreement]) -> dict[str, Any]:
    """Both formulas, and a point at which they differ with both values."""
    evidence: dict[str, Any] = {"gold": spell(gold), "answer": spell(answer)}
    for one in found:
        if one.status != "different":
            continue
        values = (one.gold[one.where], one.answer[one.where])
        if all(np.isfinite(value) for value in values):
            evidence["point"] = one.sample.at(one.where)
            evidence["gold_value"], evidence["answer_value"] = map(_plain, values)
        break
    return evidence


def _plain(value: complex) -> float | str:
    if abs(value.imag) <= 1e-12 * abs(value):
        return float(f"{value.real:.8g}")
    return f"{value:.8g}"
