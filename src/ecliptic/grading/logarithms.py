"""Logarithms beside plain values: ``log T = 6`` and ``T = 10^6``."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from ecliptic.grading.decimals import CONTEXT, power
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.quantity import Quantity

_HALF_A_DIGIT = Decimal("0.05")


def logarithms_undone(gold: Quantity, answer: Quantity, value: Decimal) -> tuple[Quantity, Decimal]:
    """``log T = 6`` beside ``T = 10^6``: both as plain values, if the other one has a name."""
    if gold.log_base and answer.log_base:
        ln_10 = CONTEXT.ln(Decimal(10))
        return gold, value / ln_10 if answer.log_base == "e" else value * ln_10
    if gold.log_base and answer.label and not answer.log_base:
        return replace(gold, value=_antilog(gold)), value
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
