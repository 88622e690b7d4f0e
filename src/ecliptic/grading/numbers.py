"""Numbers in every common spelling, at the start of a plain line or as the whole of it.

Reads plain lines (see :mod:`notation`): ``1.2e6``, ``1.2*10^6``, ``1,200,000``, ``1 200 000``,
``3/4``, ``4π/3``, ``sqrt(2)``, ``1.2 million``. What is more than a literal goes through
:mod:`arithmetic`.
"""

from __future__ import annotations

import re
from decimal import Decimal, DivisionByZero, InvalidOperation, Overflow

from ecliptic.grading.arithmetic import Arithmetic, NumberRead
from ecliptic.grading.decimals import CONTEXT
from ecliptic.grading.number_literals import NUMBER_WORD
from ecliptic.grading.parse_failure import ParseFailure

_SIMPLE = re.compile(
    r"([-+]?\d{1,30}(?:\.\d{1,30})?)"
    r"(?:[eE]([-+]?\d{1,4})|\s?[*·xX]\s?10\s?\^\s?(?:\(([-+]?\d{1,4})\)|([-+]?\d{1,4})))?"
    r"(?=\s*$|\s*(?!(?:[xX]|[eE]\b|[eEdD][-+]?\d|exp|sqrt|ln|log|hundred|thousand|[mb]illion|trillion))"
    r"[A-Za-zμ°%Å±Ω])"
)

_STARTS = re.compile(
    r"(?<![A-Za-z0-9_^])(?:[-+] ?)*"
    r"(?:\d|\.\d|π|sqrt|√|(?<!\()\(+ ?(?:[-+] ?)?(?:[\d.π√]|sqrt)|exp|ln ?\(?\d)"
)


def find_number(line: str, start: int = 0) -> int:
    """Where the next number begins, or -1; digits inside a symbol's name are none."""
    match = _STARTS.search(line, start)
    return -1 if match is None else match.start()


def number_word(line: str) -> re.Match[str] | None:
    """The first number in words (zero to twenty)."""
    first = re.search(r"\b" + NUMBER_WORD.pattern, line, re.I)
    if first is not None and _SOMEBODY.match(line, first.start()):
        return re.compile(r"\b" + NUMBER_WORD.pattern, re.I).search(line, first.end()) or first
    return first


_SOMEBODY = re.compile(
    r"one (?:then |thus |therefore |hence |now |also )?"
    r"(?:obtains|finds|gets|has|sees|gives|arrives|concludes|derives|computes|estimates|measures"
    r"|expects|infers|needs|reads|counts|can|could|may|would|should|must)\b",
    re.I,
)
"""``one finds``: no number."""


def read_number(text: str, *, decimal_comma: bool = False) -> Decimal:
    """The value of a plain line that is one number; :class:`ParseFailure` if more stands there."""
    line = text.strip()
    read = leading_number(line, 0, decimal_comma=decimal_comma)
    if line[read.end :].strip():
        raise ParseFailure(f"'{line[read.end :].strip()[:40]}' behind the number", read.end)
    return read.value


def leading_number(
    line: str,
    start: int = 0,
    *,
    decimal_comma: bool = False,
    with_sum: bool = True,
) -> NumberRead:
    """The longest number or closed arithmetic expression at ``start`` of a plain line."""
    simple = _SIMPLE.match(line, start)
    if simple:
        return _simple(simple)
    try:
        return Arithmetic(line, decimal_comma).read(start, with_sum=with_sum)
    except (DivisionByZero, InvalidOperation, ZeroDivisionError):
        raise ParseFailure("the expression has no finite value", start, limit="value") from None
    except Overflow:
        raise ParseFailure("the number is too large", start, limit="exponent") from None


def _simple(match: re.Match[str]) -> NumberRead:
    """``-1.5``, ``1.5e6`` or ``1.5*10^6`` with nothing behind that could belong to it."""
    value = Decimal(match[1])
    exponent = match[2] or match[3] or match[4]
    if exponent:
        value = CONTEXT.scaleb(value, Decimal(exponent))
    return NumberRead(value, match.end(), power_of_ten=bool(match[3] or match[4]))
