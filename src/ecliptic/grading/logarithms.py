"""Logarithms beside plain values: ``log T = 6`` and ``T = 10^6``."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from ecliptic.grading.decimals import CONTEXT, power
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.quantity import Quantity
from ecliptic.grading.unicode_maths import GREEK

_HALF_A_DIGIT = Decimal("0.05")
_OF = re.compile(r"(?:log|lg|ln)_?\(?(?P<base>10|e|\d+)?\)?\s*(?P<symbol>[A-Za-zΑ-ω]*)")
_LONGEST_SYMBOL = 2
_GREEK_NAMES = frozenset(GREEK.values())


def of_another(gold: Quantity, answer: Quantity) -> bool:
    """Whether two logarithms are those of other symbols (``log n``, ``log T``) or of other bases.

    Subscripts and longer names decide nothing: ``log T_max`` may be ``log T``.
    """
    wanted, given = _OF.match(gold.label), _OF.match(answer.label)
    if not (gold.log_base and answer.log_base and wanted and given):
        return False
    if {wanted["base"], given["base"]} - {None, "10", "e"} and wanted["base"] != given["base"]:
        return True
    symbols = {wanted["symbol"], given["symbol"]}
    letters = all(0 < len(name) <= _LONGEST_SYMBOL or name in _GREEK_NAMES for name in symbols)
    return letters and len(symbols) > 1


def tolerance_of_logarithm(gold: Quantity, relative: Decimal) -> Decimal | None:
    """The relative tolerance of a quantity as one of its logarithm, in dex or magnitudes.

    ``None`` for a gold that states no logarithm.

    Half of the last decimal that the gold states is added up to 0.05, since the gold is rounded. A
    Coulomb logarithm is a quantity of its own.
    """
    if gold.label in {"Lambda", "lnLambda"} or "oulomb" in gold.words:
        return None
    unit = gold.unit.spelling if gold.unit is not None else ""
    if not gold.log_base and unit not in {"dex", "mag"}:
        return None
    step = CONTEXT.ln(1 + relative) if gold.log_base == "e" else CONTEXT.log10(1 + relative)
    if unit == "mag":
        step *= Decimal("2.5")
    exponent = gold.value.as_tuple().exponent
    places = -exponent if isinstance(exponent, int) else 0
    half = CONTEXT.scaleb(Decimal(5), -places - 1) if places > 0 else Decimal(0)
    return step + min(half, _HALF_A_DIGIT)


def logarithms_undone(gold: Quantity, answer: Quantity, value: Decimal) -> tuple[Quantity, Decimal]:
    """``log T = 6`` beside ``T = 10^6``: both as plain values, if the other one has a name."""
    if gold.log_base and answer.log_base:
        ln_10 = CONTEXT.ln(Decimal(10))
        return gold, value / ln_10 if answer.log_base == "e" else value * ln_10
    if gold.log_base and answer.label and not answer.log_base:
        return replace(gold, value=_antilog(gold), log_base=""), value
    if answer.log_base and gold.label and not gold.log_base:
        return gold, _antilog(replace(answer, value=value))
    return gold, value


def _antilog(quantity: Quantity) -> Decimal:
    base = Decimal(10) if quantity.log_base == "10" else CONTEXT.exp(Decimal(1))
    try:
        return power(base, quantity.value)
    except ParseFailure:
        return quantity.value


def without_logarithms(quantities: list[Quantity]) -> list[Quantity]:
    """``log n = 9.7, i.e. n = 5e9 cm^-3``: the value that undoes a logarithm is what is stated."""
    last = quantities[-1]
    if len(quantities) != 2 or quantities[0].log_base != "10" or last.log_base or last.value <= 0:
        return quantities
    if abs(CONTEXT.log10(last.value) - quantities[0].value) > _HALF_A_DIGIT:
        return quantities
    return [last]
