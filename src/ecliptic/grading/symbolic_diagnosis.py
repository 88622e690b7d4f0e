"""Why a formula is wrong, from the ratio of answer to gold at the points and from single slips.

A constant ratio is a sign, a power of ten or a factor; a ratio that is a power of one symbol is an
exponent; a constant product is a reciprocal. What is left is explained by the one slip
(:mod:`~ecliptic.grading.edits`) or exchange of symbols that turns the gold into the answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, islice, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ecliptic.grading.comparison import Comparison, different
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.differentiate import substitute_all
from ecliptic.grading.edits import dropped_terms, edits
from ecliptic.grading.expression import (
    Apply,
    Call,
    Derivative,
    Expression,
    Number,
    Power,
    Symbol,
    VectorOperator,
)
from ecliptic.grading.spelling import spell
from ecliptic.grading.tree_walk import walk
from ecliptic.grading.values import Agreement

Array = NDArray[np.complex128]
Matcher = Callable[[Expression], bool]

_SAME = 1e-9
_TRIED_NODES = 12_000
"""Nodes of all changed formulas together that a diagnosis compares."""


def diagnose_values(
    gold: Expression, answer: Expression, found: list[Agreement], matches: Matcher
) -> Comparison:
    """The reason why ``answer`` is not ``gold``.

    ``found`` holds one agreement for a number and three for a vector; ``matches(other)`` tells
    whether another expression in the place of the gold would have been met by the answer.
    """
    evidence = _evidence(gold, answer, found)
    method = next((one.method for one in found if one.status == "different"), "")

    def result(code: Code, message: str, **more: Any) -> Comparison:
        return different(code, message, method=method, **more, **evidence)

    if any("case" in one.reason for one in found):
        return result(Code.INCOMPLETE, "a case is missing")
    ratio = _ratio(found)
    constant: complex | None = None
    if ratio is not None:
        constant = _constant(ratio)
        if constant is not None and abs(constant - 1) < _SAME and ratio.size < _all_points(found):
            constant = None  # the same where both have a value that is not zero
        if constant is not None and (_symbols(gold) or not _is_ugly(constant)):
            return _of_constant(constant, result)
    if len(found) == 1:
        one = found[0]
        with np.errstate(all="ignore"):
            product = _constant(_finite(one.gold * one.answer))
        if product is not None and abs(product - 1) < _SAME and not _is_power(gold):
            return result(Code.RECIPROCAL, "the answer is the reciprocal of the right expression")
    renamed = renamed_symbols(gold, answer, matches)
    if renamed is not None:
        return result(Code.WRONG_VARIABLE, renamed[0], symbols=renamed[1])
    if ratio is not None:
        single = _power_of_symbol(ratio, found[0])
        if single is not None:
            symbol, exponent, constant = single
            if _exponent_turned(gold, symbol, exponent) and abs(constant - 1) < _SAME:
                message = f"the sign of the exponent of {symbol} is wrong"
                return result(Code.SIGN, message, symbol=symbol, power=str(exponent))
            off = "" if abs(constant - 1) < _SAME else f" and a factor {name_factor(constant)}"
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
    if len(found) == 1:
        whole = _power_of_whole(found[0])
        if whole is not None:
            message = f"the answer is the right expression to the power {whole}"
            return result(Code.EXPONENT, message, power=str(whole))
    foreign = sorted(_names(answer) - _names(gold))
    if foreign and not _names(gold) - _names(answer):
        text = ", ".join(foreign)
        return result(Code.WRONG_VARIABLE, f"{text} does not belong there", symbols=foreign)
    if foreign:
        missing = ", ".join(sorted(_names(gold) - _names(answer)))
        message = f"{', '.join(foreign)} instead of {missing}"
        return result(Code.WRONG_VARIABLE, message, symbols=foreign)
    return result(Code.NOT_EQUIVALENT, "the answer has other values than the right expression")


def _trials(node: Expression) -> int:
    """How many changes of a formula are tried: fewer of a large one."""
    return _TRIED_NODES // sum(1 for _ in walk(node))


def renamed_symbols(
    gold: Expression, answer: Expression, matches: Matcher
) -> tuple[str, dict[str, str]] | None:
    """The one-to-one renaming of symbols that explains the answer: a message and the names."""
    for pairs in renamings(gold, answer):
        if matches(substitute_all(gold, dict(pairs))):
            names = {_label(old): _label(new) for old, new in pairs.items()}
            return ", ".join(f"{new} stands for {old}" for old, new in names.items()), names
    return None


def swapped_symbols(
    gold: Expression, answer: Expression, matches: Matcher
) -> tuple[str, dict[str, str]] | None:
    """The two symbols whose exchange explains the answer: a message and the names."""
    shared = sorted(_symbols(gold), key=lambda s: (s.name, s.style))
    if _names(gold) != _names(answer) or len(shared) > 8:
        return None
    for first, second in combinations(shared, 2):
        if first.style != second.style:
            continue
        if matches(substitute_all(gold, {first: second, second: first})):
            names = {first.name: second.name, second.name: first.name}
            return f"{first.name} and {second.name} are exchanged", names
    return None


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


def _differentiates(node: Expression) -> bool:
    return any(isinstance(part, Derivative | VectorOperator) for part in walk(node))


def renamings(gold: Expression, answer: Expression) -> Iterator[dict[Expression, Expression]]:
    """One-to-one maps from the symbols only the gold has to those only the answer has."""
    old = sorted(_symbols(gold) - _symbols(answer), key=lambda s: (s.name, s.style))
    new = sorted(_symbols(answer) - _symbols(gold), key=lambda s: (s.name, s.style))
    if old and len(old) == len(new) <= 3:
        for order in permutations(new):
            if all(a.style == b.style for a, b in zip(old, order, strict=True)):
                yield dict(zip(old, order, strict=True))
    elif len(old) == 1 and not new:
        for other in sorted(_symbols(answer), key=lambda s: (s.name, s.style)):
            if other.style == old[0].style:
                yield {old[0]: other}


def _matches_part(gold: Expression, rest: Expression, answer: Expression, matches: Matcher) -> bool:
    """Whether the answer without one of its terms would have been right."""
    test = getattr(matches, "meets", None)
    return bool(test(gold, rest)) if test is not None and rest != answer else False


def _symbols(node: Expression) -> set[Symbol]:
    return {part for part in walk(node) if isinstance(part, Symbol) and part.style != "bound"}


def _names(node: Expression) -> set[str]:
    return {_label(symbol) for symbol in _symbols(node)} | {
        part.name for part in walk(node) if isinstance(part, Apply)
    }


def _label(symbol: Expression) -> str:
    return spell(symbol)


def _finite(values: Array) -> Array:
    return values[np.isfinite(values)]


def _ratio(found: list[Agreement]) -> Array | None:
    """Answer over gold, over all components; ``None`` when a component of one alone vanishes."""
    parts = []
    for one in found:
        g, a = one.gold, one.answer
        zero_g, zero_a = not np.any(g), not np.any(a)
        if zero_g != zero_a:
            return None
        if zero_g:
            continue
        with np.errstate(all="ignore"):
            quotient = a / g
        usable = np.isfinite(quotient) & (np.abs(g) > 1e-280) & (np.abs(a) > 1e-280)
        if np.count_nonzero(usable) < 4:
            return None
        parts.append(quotient[usable])
    return np.concatenate(parts) if parts else None


def _all_points(found: list[Agreement]) -> int:
    """Number of points over all components."""
    return sum(one.gold.size for one in found)


def _constant(values: Array) -> complex | None:
    if values.size < 4:
        return None
    middle = complex(np.mean(values))
    if not np.isfinite(middle) or middle == 0:
        return None
    return middle if float(np.max(np.abs(values - middle))) < _SAME * abs(middle) else None


def _of_constant(constant: complex, result: Callable[..., Comparison]) -> Comparison:
    if abs(constant + 1) < _SAME:
        return result(Code.SIGN, "the overall sign is wrong")
    if abs(constant.imag) < _SAME * abs(constant):
        size = constant.real
        exponent = round(math.log10(abs(size)))
        if exponent and abs(abs(size) / 10.0**exponent - 1) < _SAME:
            sign = "-" if size < 0 else ""
            message = f"the answer is {sign}10^{exponent} times the right expression"
            return result(Code.POWER_OF_TEN, message, power=exponent)
    name = name_factor(constant)
    return result(Code.FACTOR, f"the answer is {name} times the right expression", factor=name)


def name_factor(constant: complex) -> str:
    """A number in closed form where it has a short one: rational times roots and powers of pi."""
    if abs(constant.imag) > 1e-9 * abs(constant):
        if abs(constant.real) < 1e-9 * abs(constant):
            inner = name_factor(complex(constant.imag))
            return {"1": "i", "-1": "-i"}.get(inner, f"{inner} i")
        return f"{constant:.6g}"
    value = constant.real
    sign = "-" if value < 0 else ""
    value = abs(value)
    for label, unit in _UNITS:
        fraction = Fraction(value / unit).limit_denominator(144)
        if not fraction or fraction.numerator > 10_000:
            continue
        off = float(fraction) * unit / value - 1
        if abs(off) < 1e-13 or (abs(off) < _SAME and fraction != 1):
            return sign + _joined(fraction, label)
        if abs(off) < _SAME and not label:
            return f"{sign}(1 {'-' if off > 0 else '+'} {abs(off):.2g})"
    square = Fraction(value * value).limit_denominator(400)
    if square and square.numerator <= 1000 and abs(math.sqrt(square) / value - 1) < _SAME:
        return f"{sign}sqrt({square})"
    times_pi = Fraction(value * value * math.pi).limit_denominator(144)
    if times_pi and abs(math.sqrt(times_pi / Fraction(math.pi)) / value - 1) < _SAME:
        return f"{sign}sqrt({_joined(times_pi, '1/pi')})"
    over_pi = Fraction(value * value / math.pi).limit_denominator(144)
    if over_pi and abs(math.sqrt(over_pi * Fraction(math.pi)) / value - 1) < _SAME:
        return f"{sign}sqrt({_joined(over_pi, 'pi')})"
    return f"{sign}{value:.6g}"


def _joined(fraction: Fraction, label: str) -> str:
    if not label:
        return str(fraction)
    if label.startswith("1/"):
        below = label[2:]
        if fraction.denominator == 1:
            return f"{fraction.numerator}/{below}"
        return f"{fraction.numerator}/({fraction.denominator} {below})"
    above = label if fraction.numerator == 1 else f"{fraction.numerator} {label}"
    return above if fraction.denominator == 1 else f"{above}/{fraction.denominator}"


_UNITS = (
    ("", 1.0),
    ("pi", math.pi),
    ("1/pi", 1 / math.pi),
    ("pi^2", math.pi**2),
    ("1/pi^2", math.pi**-2),
    ("e", math.e),
    ("1/e", 1 / math.e),
    ("ln(10)", math.log(10)),
    ("1/ln(10)", 1 / math.log(10)),
    ("ln(2)", math.log(2)),
)


def _power_of_symbol(ratio: Array, found: Agreement) -> tuple[str, Fraction, complex] | None:
    """Name, power and constant when the ratio is a power of a single symbol."""
    with np.errstate(all="ignore"):
        whole = found.answer / found.gold
    usable = np.isfinite(whole) & (whole != 0)
    if np.count_nonzero(usable) < 5 or ratio.size != np.count_nonzero(usable):
        return None
    logs = np.log(np.abs(whole[usable]))
    if not np.all(np.isfinite(logs)):
        return None
    for symbol, values in found.sample.values.items():
        if symbol.style not in ("", "bar", "tilde"):
            continue
        steps = np.log(np.abs(values[usable]))
        spread = steps - steps.mean()
        slope = float((spread @ (logs - logs.mean())) / (spread @ spread))
        exponent = Fraction(slope).limit_denominator(12)
        if exponent and abs(float(exponent) - slope) < 1e-7:
            constant = _constant(whole[usable] / values[usable] ** float(exponent))
            if constant is not None:
                return symbol.name, exponent, constant
    return None


def _power_of_whole(found: Agreement) -> Fraction | None:
    with np.errstate(all="ignore"):
        powers = np.log(np.abs(found.answer)) / np.log(np.abs(found.gold))
    constant = _constant(powers[np.isfinite(powers)].astype(np.complex128))
    if constant is None:
        return None
    exponent = Fraction(constant.real).limit_denominator(6)
    return exponent if exponent not in (0, 1) and abs(exponent - constant) < 1e-7 else None


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
