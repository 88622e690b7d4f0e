r"""Unit spellings to a factor and a dimension, by a closed table; the whole text must be used.

``parse_unit("km s^{-1}")``, ``parse_unit("kilometres per second")`` and
``parse_unit(r"\kilo\metre\per\second")`` are one unit. A solidus takes every factor behind it
into the denominator (``W/m^2 sr`` is W/(m^2 sr)) except those with a negative exponent of their
own; an asterisk ends it. A symbol that is not in the table is an error, never a guess.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache, lru_cache

from ecliptic.grading.notation import plain
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.unit import ONE, Unit, dimension_name, exponents_of
from ecliptic.grading.unit_symbols import two_symbols, unit_symbol
from ecliptic.grading.unit_table import PHRASES

__all__ = ["ONE", "Unit", "dimension_name", "leading_unit", "parse_unit"]

_LARGEST_EXPONENT = 12

_MOST_FACTORS = 24


def parse_unit(text: str) -> Unit:
    """The unit that ``text`` spells; :class:`ParseFailure` unless all of it is understood."""
    line = plain(text)
    unit, end = leading_unit(line)
    if line[end:].strip(" .,()[]"):
        raise ParseFailure(f"'{line[end:].strip()[:40]}' is not a unit that is known", end)
    return unit


@lru_cache(maxsize=4096)
def leading_unit(line: str) -> tuple[Unit, int]:
    """The longest unit at the start of a plain line, and where it ends (0: no unit)."""
    reading = _Reading(_joined_words(line))
    unit, end = reading.product(top=True)
    end = reading.original(end)
    spelling = line[:end].strip()
    return Unit(unit.factor, unit.exponents, spelling, unit.gaussian, unit.kelvin_offset), end


@cache
def _phrases() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple(
        (re.compile(rf"\b{old}" if old[0].isalpha() else old, re.I), new) for old, new in PHRASES
    )


_POSSIBLE_PHRASE = re.compile(r"[a-z]{3,}[-' ]|\bdeg|centur|jansk|°", re.I)


def _joined_words(line: str) -> tuple[str, tuple[int, ...]]:
    """Phrases of several words made one word, with each character's place in ``line``."""
    places = tuple(range(len(line) + 1))
    if _POSSIBLE_PHRASE.search(line) is None:
        return line, places
    for pattern, replacement in _phrases():
        match = pattern.search(line)
        while match:
            new = match.expand(replacement)
            start, end = match.span()
            places = places[:start] + (places[start],) * len(new) + places[end:]
            line = line[:start] + new + line[end:]
            match = pattern.search(line, start + len(new))
    return line, places


_ATOM = re.compile(
    r"°\s?[CK](?![A-Za-z])|[°%‰″′]|#(?=\s*/)"
    r"|(?:A\.U|a\.u|s\.f\.u|p\.f\.u|[RM]\.(?:E|S)|l\.y|e\.V)(?![A-Za-z])\.?"
    r"|(?:deg|hrs?|secs?|mins?|yrs?|arcsecs?|arcmins?|a\.m\.u)\.(?=\s*$)"
    r"|[A-Za-zμΩÅåöγ]+(?:_?[⊙⊕♃]|_[A-Za-z]+)?"
)

_EXPONENT = re.compile(
    r"\s?\^\s*(?:\(\s*([-+]?\d{1,3}(?:\.\d{1,3})?(?:\s*/\s*\(?\d{1,3}\)?)?)\s*\)"
    r"|\(\s*([-+]?)\(?\s*\(\s*([-+]?\d{1,3})\s*\)\s*/\s*\(\s*(\d{1,3})\s*\)\s*\){1,2}"
    r"|([-+]?\d{1,3}(?:\.\d{1,2})?))"
    r"|([-+]?[1-9])(?![\d.,eE^])"
)

_WORD_POWERS = re.compile(r"\s+(squared|cubed)\b", re.I)

_SEPARATOR = re.compile(
    r"(\s*⁄\s*)|(\s*/\s*|\s*\b(?:per|inverse|reciprocal)\b\s*|\s+an?\s+(?=(?:second|minute|hour|day|year)\b))|(\s*\*\s*(?![\d(]))"
    r"|(\s*·\s*|\.(?=[A-Za-z])|-(?=[A-Za-z]{3})|\s+)"
)

_COMPASS = frozenset("NSEW")
_POWER_WORDS = {"square": 2, "sq": 2, "cubic": 3, "cubed": 3, "squared": 2}


class _Reading:
    def __init__(self, joined: tuple[str, tuple[int, ...]]) -> None:
        self._line, self._places = joined
        self._factors = 0

    def original(self, end: int) -> int:
        return self._places[end]

    def product(self, start: int = 0, *, top: bool = False, depth: int = 0) -> tuple[Unit, int]:
        """Factors with their separators, as far as they can be read."""
        unit = ONE
        end = at = start
        sign, once, first = 1, False, True
        last: Unit | None = None
        while True:
            if not first or top:
                match = _SEPARATOR.match(self._line, at)
                if match:
                    if first and match[3]:
                        break
                    at = match.end()
                    if match[1] or match[2]:
                        sign, once = -1, bool(match[1])
                    elif match[3]:
                        sign = 1
                elif (
                    not first
                    and self._line[at : at + 1] != "("
                    and _ATOM.match(self._line, at) is None
                ):
                    break
            factor = self._factor(at, last if sign < 0 else None, depth)
            if factor is None:
                break
            value, at, negative = factor
            self._factors += 1
            if self._factors > _MOST_FACTORS:
                raise ParseFailure("too many factors in a unit", at, limit="factors")
            if sign < 0 and not negative:
                value = value ** Fraction(-1)
            unit = value if first and sign > 0 else unit * value
            last = value
            end, first = at, False
            if once:
                sign, once = 1, False
        return unit, end

    def _factor(self, at: int, numerator: Unit | None, depth: int) -> tuple[Unit, int, bool] | None:
        line = self._line
        if line.startswith(("(", "["), at):
            return self._parenthesis(at, depth)
        if line.startswith("1/", at):
            inner = self._factor(at + 2, None, depth)
            return None if inner is None else (inner[0] ** Fraction(-1), inner[1], inner[2])
        match = _ATOM.match(line, at)
        if match is None:
            return None
        name, end = _undotted(match[0]), match.end()
        power = Fraction(1)
        if name.lower() in {"square", "sq", "cubic"}:
            power = Fraction(_POWER_WORDS[name.lower()])
            match = _ATOM.match(line, end + 1) if line[end : end + 1] in {" ", "."} else None
            if match is None:
                return None
            name, end = match[0], match.end()
        if name in _COMPASS and line[:at].rstrip().endswith("°"):
            return None  # 30° N
        unit = self._atom(name, numerator)
        if unit is None:
            split = two_symbols(name)
            if split is None:
                return None
            head, tail = split
            exponent, end, negative = self._exponent(end)
            return head * tail**exponent, end, False
        exponent, end, negative = self._exponent(end)
        if name == "ergs" and exponent == -1:  # "erg s^-1" set without its space
            second = unit_symbol("s")
            unit = unit * second**exponent if second is not None else unit
            return unit, end, False
        return unit ** (power * exponent), end, negative

    def _atom(self, name: str, numerator: Unit | None) -> Unit | None:
        if numerator is not None and name in {"n", "u", "amu"} and _is_energy(numerator):
            name = "nucleon"
        return unit_symbol(name)

    def _parenthesis(self, at: int, depth: int) -> tuple[Unit, int, bool] | None:
        if depth > 8:
            raise ParseFailure("a unit is nested too deeply", at, limit="depth")
        closing = ")" if self._line[at] == "(" else "]"
        start = at + 1
        while self._line[start : start + 1] == " ":
            start += 1
        unit, end = self.product(start, depth=depth + 1)
        while self._line[end : end + 1] == " ":
            end += 1
        if end == start or self._line[end : end + 1] != closing:
            return None
        exponent, end, negative = self._exponent(end + 1)
        return unit**exponent, end, negative

    def _exponent(self, at: int) -> tuple[Fraction, int, bool]:
        match = _EXPONENT.match(self._line, at)
        if match:
            if match[3]:
                power = Fraction(int(match[2] + match[3]), int(match[4]) or 1)
            else:
                digits = match[1] or match[5] or match[6]
                top, _, bottom = digits.replace("(", "").replace(")", "").partition("/")
                power = Fraction(top.strip()) / (int(bottom) or 1 if bottom.strip() else 1)
            if abs(power) > _LARGEST_EXPONENT:
                raise ParseFailure("the exponent of a unit is too large", at, limit="exponent")
            return power, match.end(), power < 0
        word = _WORD_POWERS.match(self._line, at)
        if word:
            return Fraction(_POWER_WORDS[word[1].lower()]), word.end(), False
        return Fraction(1), at, False


def _undotted(name: str) -> str:
    """An abbreviation without its dots: ``a.u.``, ``R.E.``, ``sec.``"""
    if "." not in name:
        return name
    bare = name.replace(".", "")
    return _DOTTED.get(bare, bare)


_DOTTED = {"RE": "R_E", "RS": "R_S", "ME": "M_E", "MS": "M_S", "au": "AU", "ly": "ly"}


def _is_energy(unit: Unit) -> bool:
    return unit.exponents == exponents_of("kg m2 s-2")
