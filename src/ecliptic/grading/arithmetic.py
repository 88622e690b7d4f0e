"""Small closed arithmetic of numbers, within fixed bounds.

Values are 34-digit decimals whose exponents reach far beyond floats, so nothing overflows; a
number beyond 10^(10^5) is refused before it is computed. Nothing is ever executed: the grammar
has numbers, + - * / ^, parentheses, pi, e, sqrt, exp, ln and log10.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from ecliptic.grading.decimals import CONTEXT, bounded, power
from ecliptic.grading.number_literals import NUMBER_WORD, NUMBER_WORDS, read_literal
from ecliptic.grading.parse_failure import ParseFailure

_DEEPEST = 30

_MOST_OPERATIONS = 200

_PI = Decimal("3.141592653589793238462643383279502884")

_ONE = Decimal(1)

_TEN = Decimal(10)

_TIMES = re.compile(r"\s*(?:[*·]|[xX](?=\s*\(?[-+]?\s*(?:10|\d|\()))\s*")

_OPENINGS = re.compile(r"\s*(?:\(\s*[-+]?\s*)*")

_SPACE = re.compile(r"\s*")

_SCALES = re.compile(r"\s*-?\b(hundred|thousand|million|billion|trillion)\b", re.I)

_SCALE_VALUES = {
    "hundred": Decimal(100),
    "thousand": Decimal(1000),
    "million": Decimal(10) ** 6,
    "billion": Decimal(10) ** 9,
    "trillion": Decimal(10) ** 12,
}

_EXPONENT_BEFORE = re.compile(r"\^\s*\([^()]*\)$")

_FUNCTION = re.compile(r"(sqrt|√|exp|ln|log_?\(?10\)?|lg)\s*")


@dataclass(frozen=True, slots=True)
class NumberRead:
    """A value, where its text ends, and how it was written.

    ``literal`` is a plain decimal or m x 10^k; ``arithmetic`` has operations between ordinary
    numbers (``3 x 400``); ``decimal_comma`` was read by that rule.
    """

    value: Decimal
    end: int
    literal: bool = True
    arithmetic: bool = False
    power_of_ten: bool = False
    decimal_comma: bool = False


class Arithmetic:
    """Recursive descent over one line; every step counts against the budget."""

    def __init__(self, line: str, decimal_comma: bool) -> None:
        self._line = line
        self._comma = decimal_comma
        self._operations = 0
        self._depth = 0
        self._numbers = 0
        self._literal = True
        self._used_comma = False
        self._at = 0

    def read(self, start: int, *, with_sum: bool) -> NumberRead:
        """The expression that begins at ``start``, as far as it goes."""
        self._at = start
        value = self._sum() if with_sum else self._product()
        scale = _SCALES.match(self._line, self._at)
        if scale:
            value = CONTEXT.multiply(value, _SCALE_VALUES[scale[1].lower()])
            self._at = scale.end()
        return NumberRead(
            bounded(value, start),
            self._at,
            self._literal and self._numbers <= 1,
            self._numbers > 1,
            self._tens,
            self._used_comma,
        )

    _tens = False

    def _count(self) -> None:
        self._operations += 1
        if self._operations > _MOST_OPERATIONS:
            raise ParseFailure("too many operations", self._at, limit="operations")

    def _sum(self) -> Decimal:
        value = self._product()
        while True:
            at = _SPACE.match(self._line, self._at).end()  # type: ignore[union-attr]
            sign = self._line[at : at + 1]
            if sign not in ("+", "-") or not sign or not self._starts(at + 1):
                return value
            # "300-800" and "-5 - 5" between plain literals is a range: left to the caller.
            if sign == "-" and self._depth == 0 and self._literal:
                here, numbers = self._at, self._numbers
                self._at = at + 1
                right = self._product()
                if self._literal and abs(right) > value:
                    self._at, self._numbers = here, numbers
                    return value
                value = CONTEXT.subtract(value, right)
            else:
                self._at = at + 1
                right = self._product()
                value = (CONTEXT.add if sign == "+" else CONTEXT.subtract)(value, right)
            self._literal = False
            self._count()

    def _starts(self, at: int) -> bool:
        at = _OPENINGS.match(self._line, at).end()  # type: ignore[union-attr]
        character = self._line[at : at + 1]
        return bool(character) and (
            character.isdecimal()
            or character in ".π√"
            or self._line.startswith(("sqrt", "exp", "ln", "log"), at)
            or self._is_e(at)
        )

    def _is_e(self, at: int) -> bool:
        """The number e, only where no unit or name could be meant."""
        following = self._line[at + 1 : at + 2]
        return self._line[at : at + 1] == "e" and not (following.isalnum() or following == "_")

    def _product(self) -> Decimal:
        self._count()
        value = self._signed()
        while True:
            line, at = self._line, self._at
            match = _TIMES.match(line, at)
            if match and (self._starts(match.end()) or line[match.end() : match.end() + 1] == "-"):
                self._at = match.end()
                value = bounded(CONTEXT.multiply(value, self._signed()), at)
            elif line[at : at + 1] == "/" or line[at : at + 2] == " /":
                behind = at + line[at : at + 2].index("/") + 1
                if not self._starts(behind):
                    return value
                self._at = _SPACE.match(line, behind).end()  # type: ignore[union-attr]
                divisor = self._signed()
                if divisor == 0:
                    raise ParseFailure("a division by zero", behind, limit="value")
                value = bounded(CONTEXT.divide(value, divisor), at)
                self._literal = False
                self._numbers = max(1, self._numbers - 1)  # 3/4 is one number
            elif self._implicit(at):
                self._at = _SPACE.match(line, at).end()  # type: ignore[union-attr]
                value = bounded(CONTEXT.multiply(value, self._signed()), at)
            else:
                return value
            self._count()

    def _implicit(self, at: int) -> bool:
        """``4π``, ``2 sqrt(2)``, ``(1/2)(3)``; a number in brackets behind a literal is not."""
        behind = _SPACE.match(self._line, at).end()  # type: ignore[union-attr]
        if self._line[behind : behind + 1] in ("π", "√"):
            return True
        if self._line.startswith(("sqrt", "ln(", "ln ", "exp("), behind) and self._starts(behind):
            return True
        if self._line[at - 1 : at] in (")", "π") and behind < len(self._line):
            if self._line[behind] == "(":
                if behind > at and _EXPONENT_BEFORE.search(self._line, max(0, at - 12), at):
                    return False  # 6*10^(-3) (0.6 %)
                return self._starts(behind + 1)
            return self._line[behind].isdecimal() and self._line[at - 1 : at] == "π"
        return self._line.startswith("((", behind) and self._starts(behind + 2)

    def _signed(self) -> Decimal:
        sign = 1
        line = self._line
        while line[self._at : self._at + 1] in ("-", "+", " ") and self._at < len(line):
            if line[self._at] == "-":
                sign = -sign
            self._at += 1
            self._count()
        value = self._power()
        return value if sign > 0 else -value

    def _power(self) -> Decimal:
        start = self._at
        base = self._atom()
        line = self._line
        at = _SPACE.match(line, self._at).end()  # type: ignore[union-attr]
        if line[at : at + 1] != "^":
            return base
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ParseFailure("nested too deeply", at, limit="depth")
        self._at = at + 1
        numbers, literal = self._numbers, self._literal
        exponent = self._signed()
        self._numbers = numbers
        self._depth -= 1
        self._literal = literal and base == _TEN
        if base == _TEN:
            self._numbers -= 1
            self._tens = True
            self._numbers = max(self._numbers, 0)
        return power(base, exponent, start)

    def _atom(self) -> Decimal:
        line, at = self._line, self._at
        character = line[at : at + 1]
        if character.isdecimal() or character == ".":
            return self._decimal()
        if character == "π":
            self._at += 1
            self._literal = False
            return _PI
        if character == "(":
            return self._parenthesis()
        match = _FUNCTION.match(line, at)
        if match:
            return self._function(match)
        if self._is_e(at):
            self._at += 1
            self._literal = False
            return CONTEXT.exp(_ONE)
        word = NUMBER_WORD.match(line, at)
        if word:
            self._at = word.end()
            self._numbers += 1
            return NUMBER_WORDS[word[0].lower()]
        raise ParseFailure("a number is missing", at)

    def _decimal(self) -> Decimal:
        literal = read_literal(self._line, self._at, decimal_comma=self._comma)
        self._numbers += 1
        self._used_comma = self._used_comma or literal.decimal_comma
        self._at = literal.end
        return bounded(literal.value, self._at)

    def _parenthesis(self) -> Decimal:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ParseFailure("nested too deeply", self._at, limit="depth")
        opened = self._at
        self._at = _SPACE.match(self._line, self._at + 1).end()  # type: ignore[union-attr]
        value = self._sum()
        self._at = _SPACE.match(self._line, self._at).end()  # type: ignore[union-attr]
        if self._line[self._at : self._at + 1] != ")":
            raise ParseFailure("a bracket is not closed", opened)
        self._at += 1
        self._depth -= 1
        return value

    def _function(self, match: re.Match[str]) -> Decimal:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ParseFailure("nested too deeply", self._at, limit="depth")
        self._at = match.end()
        argument = self._signed() if match[1] in ("ln", "exp") else self._power()
        self._depth -= 1
        self._literal = False
        name = match[1]
        if name in ("sqrt", "√"):
            return CONTEXT.sqrt(argument)
        if name == "exp":
            return power(CONTEXT.exp(_ONE), argument, match.start())
        if argument <= 0:
            raise ParseFailure("the logarithm has no value", match.start(), limit="value")
        return CONTEXT.ln(argument) if name == "ln" else CONTEXT.log10(argument)
