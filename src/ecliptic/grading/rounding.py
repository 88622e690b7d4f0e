"""Decimals in formulas: what a rounded constant may stand for.

A decimal stands for every number that rounds to it; a measured coefficient of three digits, or two
decimal coefficients, may differ by the tolerance of the rules. An exact constant (2, 1/3, pi)
stands for itself alone.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ecliptic.grading.differentiate import substitute_all
from ecliptic.grading.evaluate import FloatInterpreter
from ecliptic.grading.expression import Expression, Number
from ecliptic.grading.interpretation import TooLargeError, UnevaluableError
from ecliptic.grading.rules import Rules
from ecliptic.grading.sampling import Sample
from ecliptic.grading.tree_walk import walk

Array = NDArray[np.complex128]

_ROUNDING_CAP = 0.0101
"""A decimal stands for numbers within half a unit of its last place, and at most within 1 %."""


def decimals(node: Expression) -> list[Number]:
    """Numbers that were written as decimals, with at least two significant digits."""
    return [
        part
        for part in dict.fromkeys(walk(node))
        if isinstance(part, Number) and part.decimal and _digits(part) >= 2
    ]


def _digits(value: Number) -> int:
    """Significant digits of a decimal, trailing zeros left out."""
    return len(_significand(value)[0])


def _significand(value: Number) -> tuple[str, int]:
    """Digits of a decimal without trailing zeros, and the power of ten of the last one."""
    rest, twos, fives = value.coefficient.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1 or not value.coefficient:
        return "", 0
    places = max(twos, fives)
    scaled = abs(value.coefficient.numerator) * 10**places // value.coefficient.denominator
    if scaled.bit_length() > 8192:
        return "", 0
    text = str(scaled)
    digits = text.rstrip("0")
    return digits, len(text) - len(digits) - places


def _half_unit(value: Number) -> float:
    """Relative half unit in the last place of a decimal, at most 1 %."""
    text, place = _significand(value)
    half = Fraction(10) ** place / 2 / abs(value.coefficient) if text else Fraction(0)
    return min(float(half), _ROUNDING_CAP)


def rounding_explains(
    sides: tuple[Expression, Expression],
    values: tuple[Array, Array],
    sample: Sample,
    rules: Rules,
) -> tuple[str, tuple[str, ...]] | None:
    """How the rounding of decimals explains a difference, and the rules that were needed."""
    (gold, answer), (g, a) = sides, values
    usable = np.isfinite(g) & np.isfinite(a) & (g != 0)
    if np.count_nonzero(usable) < 5:
        return None
    with np.errstate(all="ignore"):
        off = np.abs(a[usable] / g[usable] - 1)
    in_gold, in_answer = decimals(gold), decimals(answer)
    if (not in_gold and not in_answer) or float(off.max()) > 0.3:
        return None
    constant = float(off.max() - off.min()) < 1e-9
    measured = in_gold and (in_answer or max(map(_digits, in_gold)) >= 3)
    if constant and measured and float(off.max()) <= rules.symbolic_tolerance:
        return f"constant within {rules.symbolic_tolerance:g}", ("symbolic_tolerance",)
    slack = np.zeros(sample.size)
    for node, numbers in ((gold, in_gold), (answer, in_answer)):
        for value in numbers[:6]:
            step = Fraction(_half_unit(value)).limit_denominator(10**9) * Fraction(101, 100)
            ends = [
                _evaluated(
                    substitute_all(
                        node, {value: replace(value, coefficient=value.coefficient * f)}
                    ),
                    sample,
                )
                for f in (1 - step, 1 + step)
            ]
            if ends[0] is None or ends[1] is None:
                return None
            slack += np.abs(ends[0] - ends[1]) / 2
    with np.errstate(all="ignore"):
        explained = np.abs(g - a)[usable] <= 1.02 * slack[usable]
    return ("rounded decimals", ()) if bool(np.all(explained)) else None


def _evaluated(node: Expression, sample: Sample) -> Array | None:
    try:
        return FloatInterpreter(sample)(node)
    except (UnevaluableError, TooLargeError):
        return None
