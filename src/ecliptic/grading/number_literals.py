"""Number literals: digits with grouping, a decimal point or comma, an exponent; number words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from ecliptic.grading.parse_failure import ParseFailure

LONGEST_LITERAL = 1000
_LITERAL = re.compile(
    r"(\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?"
    r"|\d{1,3}(?: \d{3})+(?![\d.]|,\d)(?:\.\d+)?"
    r"|\d+(?:_\d{3})+(?!\d)"
    r"|\d+\.\d{3}(?: \d{3})+(?!\d)"
    r"|\d+(?:\.\d*)?|\.\d+)"
    r"(?:[eE] ?([-+]?\d+)(?![.\d])|[dD]([-+]\d+))?"
)
_DECIMAL_COMMA = re.compile(r"(\d+),(\d+)(?:[eE]([-+]?\d+))?(?!\d|,\d)")
_NAMED = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen twenty"
)
NUMBER_WORDS = {word: Decimal(value) for value, word in enumerate(_NAMED.split())}
NUMBER_WORD = re.compile(r"(?:" + "|".join(NUMBER_WORDS) + r")\b", re.I)
_MIXED = re.compile(r" ?\((\d{1,3})/(\d{1,3})\)")


@dataclass(frozen=True, slots=True)
class Literal:
    """A value and where its text ends."""

    value: Decimal
    end: int
    decimal_comma: bool = False


def read_literal(line: str, at: int, *, decimal_comma: bool) -> Literal:
    """The literal at ``at``; ``1,500`` keeps its thousands also where commas are decimal."""
    comma = _DECIMAL_COMMA.match(line, at) if decimal_comma else None
    if comma and not (len(comma[2]) == 3 and len(comma[1]) <= 3 and comma[1] != "0"):
        value = _scaled(f"{comma[1]}.{comma[2]}", comma[3], comma.end())
        return Literal(value, comma.end(), decimal_comma=True)
    match = _LITERAL.match(line, at)
    if match is None:
        raise ParseFailure("a number is missing", at)
    end = match.end()
    if end - at > LONGEST_LITERAL:
        raise ParseFailure("the number has too many digits", at, limit="digits")
    digits = match[1].replace(",", "").replace(" ", "").replace("_", "")
    value = _scaled(digits, match[2] or match[3], end)
    mixed = _MIXED.match(line, end) if digits.isdecimal() else None
    if mixed and int(mixed[1]) < int(mixed[2]):
        return Literal(value + Decimal(int(mixed[1])) / Decimal(int(mixed[2])), mixed.end())
    return Literal(value, end)


def _scaled(digits: str, exponent: str | None, at: int) -> Decimal:
    if exponent is None:
        return Decimal(digits)
    if len(exponent) > 8:
        raise ParseFailure("the exponent is too large", at, limit="exponent")
    return Decimal(f"{digits}e{exponent}")
