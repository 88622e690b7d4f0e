"""A number with its uncertainty, power of ten, unit and second end, at a place in a line."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal

from ecliptic.grading.arithmetic import NumberRead
from ecliptic.grading.decimals import CONTEXT, power
from ecliptic.grading.numbers import leading_number
from ecliptic.grading.quantity import Quantity, joined_range
from ecliptic.grading.units import Unit, leading_unit


@dataclass(frozen=True, slots=True)
class Options:
    """The reading rules of :class:`~ecliptic.grading.rules.Rules` that numbers depend on."""

    decimal_comma: bool
    concise: bool


_SHARED_POWER = re.compile(
    r"\(\s*([-+]?[\d.]+)\s*(?:–|-|\bto\b)\s*([-+]?[\d.]+)\s*\)\s*([*·xX]\s*10\s*\^\s*"
    r"(?:\([-+]?\d+\)|[-+]?\d+))"
)

_BOUND = r"[-+]?\d[\d.,]*(?:[eE][-+]?\d+|\s*[*·xX]\s*10\s*\^\s*(?:\([-+]?\d+\)|[-+]?\d+))?"
_SHARED_UNIT = re.compile(
    rf"\(\s*({_BOUND})\s*(?:–|-|\bto\b)\s*({_BOUND})\s*\)(?=\s*[A-Za-z%°μÅ]|\s*$)"
)
"""``(300 – 800) km/s``."""

_SHARED_ERROR = re.compile(r"\(\s*([-+]?[\d.,]+)\s*±\s*([\d.,]+)\s*\)\s*")

_ASYMMETRIC_AHEAD = re.compile(
    r"([-+]?[\d.]+)\s*(?:\^\s*\(?\s*\+\s*([\d.]+)\s*\)?\s*_\s*\(?\s*-\s*([\d.]+)\)?"
    r"|_\s*\(?\s*-\s*([\d.]+)\s*\)?\s*\^\s*\(?\s*\+\s*([\d.]+)\s*\)?)"
)

_RANGE = re.compile(r"\s*(?:–|‥|\bto\b|\bthrough\b|\.\.\.?|…)\s*(?=[-+.(\d√π])|\s*-\s*(?=[.\d])")

_PER_CENT = re.compile(r"\s*(?:%|per ?cent\b)")

_PLUS_MINUS = re.compile(r"\s*±\s*")

_CONFIDENCE = re.compile(
    r"\s*[(\[]\s*(?:(?:at|with)\s+)?(?:the\s+)?(?:[1-5][ -]?(?:σ|sigma)|(?:68|90|95"
    r"|99)(?:\.\d+)?\s?(?:%|per ?cent)"
    r"|one[ -]sigma|stat(?:istical|\.)?|total)\s?"
    r"(?:(?:confidence|credible)?\s?(?:level|limits?|interval|errors?|uncertaint(?:y|ies)|confidence|c\.?l\.?"
    r"|c\.?i\.?))?\s*[)\]]",
    re.I,
)
"""What an uncertainty is, in brackets behind it; it does not change the value."""
_CONCISE = re.compile(r"\((\d{1,3}(?:\.\d+)?)\)(?!\s*/)")

_CONCISE_POWER = re.compile(r"\s*[*·xX]\s*10\s*\^\s*\(?([-+]?\d{1,6})\)?|[eE]([-+]?\d{1,6})")


def number_and_unit(text: str, start: int, options: Options) -> tuple[Quantity, int]:
    """``value [uncertainty] [power of ten] [unit] [± uncertainty]`` from ``start``."""
    shared = _SHARED_POWER.match(text, start)
    if shared:
        low = leading_number(shared[1] + shared[3])
        high = leading_number(shared[2] + shared[3])
        unit, end = _unit_at(text, shared.end())
        return Quantity(low.value, unit, high.value), end
    shared = _SHARED_UNIT.match(text, start)
    if shared:
        low = leading_number(shared[1], decimal_comma=options.decimal_comma)
        high = leading_number(shared[2], decimal_comma=options.decimal_comma)
        unit, end = _unit_at(text, shared.end())
        return Quantity(low.value, unit, high.value), end
    error: Decimal | None = None
    shared = _SHARED_ERROR.match(text, start)
    if shared:
        read: NumberRead = leading_number(shared[1], decimal_comma=options.decimal_comma)
        error = leading_number(shared[2], decimal_comma=options.decimal_comma).value
        value, end = read.value, shared.end()
        scale = re.compile(r"[*·xX]\s*").match(text, end)
        if scale:
            factor = leading_number(text, scale.end())
            value = CONTEXT.multiply(value, factor.value)
            error = CONTEXT.multiply(error, factor.value)
            end = factor.end
        unit, end = _unit_at(text, end)
        return Quantity(value, unit, uncertainty=error), end
    asymmetric = _ASYMMETRIC_AHEAD.match(text, start)
    if asymmetric:
        return _asymmetric(text, asymmetric)
    read = leading_number(text, start, decimal_comma=options.decimal_comma)
    value, end = read.value, read.end
    concise = _CONCISE.match(text, end) if options.concise and read.literal else None
    if concise and text[end - 1 : end].isdecimal():
        digits = text[start:end]
        decimals = len(digits.partition(".")[2]) if "." in digits else 0
        error = Decimal(concise[1])
        if "." not in concise[1]:
            error = CONTEXT.scaleb(error, Decimal(-decimals))
        end = concise.end()
        scale = _CONCISE_POWER.match(text, end)
        if scale:
            factor_value = power(Decimal(10), Decimal(int(scale[1] or scale[2])))
            value = CONTEXT.multiply(value, factor_value)
            error = CONTEXT.multiply(error, factor_value)
            end = scale.end()
    unit, unit_end = _unit_at(text, end)
    match = _PLUS_MINUS.match(text, unit_end)
    if match:
        second = leading_number(text, match.end(), decimal_comma=options.decimal_comma)
        error = second.value
        if second.power_of_ten and not read.power_of_ten and error > abs(value):
            value = CONTEXT.multiply(value, _decade_of(text[match.end() : second.end]))
        relative = _PER_CENT.match(text, second.end)
        if relative and (unit is None or not _PER_CENT.match(unit.spelling)):
            behind, _ = _unit_at(text, relative.end())
            if unit is not None or behind is not None:  # 2.5 nT ± 10%, 2.5 ± 10% nT
                error = abs(CONTEXT.multiply(error / 100, value))
                second = replace(second, end=relative.end())
        second_unit, unit_end = _unit_at(text, second.end)
        if unit is None:
            unit = second_unit
        elif second_unit is not None and second_unit.exponents == unit.exponents:
            error = CONTEXT.multiply(error, Decimal(second_unit.factor / unit.factor))
    if error is not None and (note := _CONFIDENCE.match(text, unit_end)):
        unit_end = note.end()
        if unit is None:
            unit, unit_end = _unit_at(text, unit_end)
    quantity = Quantity(
        value,
        unit,
        uncertainty=error,
        arithmetic=read.arithmetic,
        decimal_comma=read.decimal_comma,
        concise=concise is not None,
    )
    return _with_smaller_parts(text, quantity, unit_end)


def _asymmetric(text: str, match: re.Match[str]) -> tuple[Quantity, int]:
    """``2.5^(+0.3)_-0.2``: the larger error stands for both."""
    value = leading_number(match[1], 0).value
    error = max(leading_number(number, 0).value for number in match.groups()[1:] if number)
    end = match.end()
    scale = _CONCISE_POWER.match(text, end)
    if scale:
        decade = power(Decimal(10), Decimal(int(scale[1] or scale[2])))
        value, error = CONTEXT.multiply(value, decade), CONTEXT.multiply(error, decade)
        end = scale.end()
    unit, end = _unit_at(text, end)
    return Quantity(value, unit, uncertainty=error), end


def _decade_of(text: str) -> Decimal:
    """The power of ten at the end of ``0.3*10^3``."""
    at = re.search(r"10\s*\^", text)
    return leading_number(text, at.start()).value if at else Decimal(1)


def _unit_at(text: str, start: int) -> tuple[Unit | None, int]:
    """The unit behind a number; ``None`` and ``start`` when there is none."""
    rest = text[start:]
    if not rest:
        return None, start
    unit, length = leading_unit(rest)
    if length == 0:
        return None, start
    if rest[length : length + 1].isalpha() and rest[length - 1].isalpha():
        return None, start
    return unit, start + length


def _with_smaller_parts(text: str, quantity: Quantity, end: int) -> tuple[Quantity, int]:
    """Sexagesimal and mixed units: ``12° 30′``, ``1 h 20 min``."""
    unit, value = quantity.unit, quantity.value
    while unit is not None and unit.spelling in _MIXED_UNITS and quantity.uncertainty is None:
        match = re.compile(r"\s*(?=\d)").match(text, end)
        if match is None or end >= len(text):
            break
        part = leading_number(text, match.end())
        smaller, part_end = _unit_at(text, part.end)
        if smaller is None or smaller.exponents != unit.exponents or smaller.factor >= unit.factor:
            break
        share = CONTEXT.multiply(part.value, Decimal(smaller.factor / quantity.unit.factor))  # type: ignore[union-attr]
        value = value - share if quantity.value < 0 else value + share
        end, unit = part_end, smaller
    return (quantity if value == quantity.value else replace(quantity, value=value)), end


_MIXED = "° deg ′ arcmin h hr hour hours min minutes minute d day days"

_MIXED_UNITS = frozenset(_MIXED.split())


def with_second_end(text: str, lower: Quantity, end: int, options: Options) -> tuple[Quantity, int]:
    """``lower`` and what follows it, made a range where a second number follows a dash or "to"."""
    match = _RANGE.match(text, end)
    if match is None:
        return lower, end
    upper, after = number_and_unit(text, match.end(), options)
    behind = text[match.end() : after]
    shares = re.search(r"[*·xX]\s*10\s*\^", behind)
    if shares and "10" not in text[:end] and abs(lower.value) < abs(upper.value):
        decade = _decade_of(behind)
        if decade > 1 and abs(lower.value) < decade:
            lower = replace(lower, value=CONTEXT.multiply(lower.value, decade))
    elif shares and "^" not in text[:end] and _decade_of(behind) < 1:
        lower = replace(lower, value=CONTEXT.multiply(lower.value, _decade_of(behind)))
    ends = "≤≤" if "‥" in match[0] else ""
    return replace(joined_range(lower, upper), ends=ends), after
