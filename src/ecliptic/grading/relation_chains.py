"""Chains of relations in one statement: ``k = 2π/25 m = 0.25 m^-1``, ``beta = 0.01 << 1``."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from ecliptic.grading.measures import Options
from ecliptic.grading.quantity import Quantity
from ecliptic.grading.remarks import stated

RELATION = re.compile(r"\s*(=|≈|<=|>=|<|>|≤|≥|≲|≳|≪|≫|∝|:(?!\d))\s*")

DOWN = frozenset({"<", "≤", "<=", "≲", "≪"})

UP = frozenset({">", "≥", ">=", "≳", "≫"})

_RESTATES = re.compile(r"\d[^()=≈<>]*\(\s*[=≈]\s*$")
"""``5 nT (= 5e-9 T``"""


def parts_of(text: str) -> list[str]:
    """The text split at its relation signs, but not inside a bracket behind a value."""
    parts: list[str] = []
    start = 0
    for match in RELATION.finditer(text):
        opened = text.rfind("(", 0, match.start())
        inside = opened > 0 and text.find(")", opened, match.start()) < 0
        if inside and (parts or _RESTATES.search(text, 0, match.end())):
            continue
        parts += [text[start : match.start()], match[1]]
        start = match.end()
    return [*parts, text[start:]]


def without_comparison(parts: list[str], options: Options) -> list[str]:
    """``beta = 0.012 << 1``: the comparison behind a value is a remark, if it is true."""
    if len(parts) < 5 or parts[-2] not in DOWN | UP or parts[-4] not in "=≈:":
        return parts
    value, bound = (stated(part, options, quiet=True) for part in (parts[-3], parts[-1]))
    if value is None or bound is None or value.unit is not None or bound.unit is not None:
        return parts
    true = (value.value < bound.value) == (parts[-2] in DOWN)
    return parts[:-2] if true else parts


def under(text: str, quantity: Quantity | None, last: Quantity) -> Quantity | None:
    """``2π/25 m`` in a chain that ends in ``m^-1``: the unit stands under the solidus too."""
    if quantity is None or quantity.unit is None or last.unit is None or "/" not in text:
        return quantity
    if quantity.unit.exponents == last.unit.exponents:
        return quantity
    inverse = quantity.unit ** Fraction(-1)
    if inverse.exponents != last.unit.exponents:
        return quantity
    return replace(quantity, unit=inverse)
