"""Numbers with their units in running text, read by the grader's own parser."""

from __future__ import annotations

import re
from functools import lru_cache

from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.pieces import pieces
from ecliptic.grading.quantities import Quantity, read_quantities
from ecliptic.grading.unit import Unit, dimension_name
from ecliptic.grading.units import parse_unit
from ecliptic.helio.gold_audit.mathematics import formulas_in

__all__ = [
    "Quantity",
    "Unit",
    "dimension_name",
    "holds_quantities",
    "quantities_in",
    "quantity_of",
    "unit_of",
]

_SIGN = re.compile(r"=|≈|\\(?:approx|simeq|sim)(?![A-Za-z])")
_TAIL = re.compile(r"\s*([A-Za-zμµÅ%°][\w^/{}\-−.⁰¹²³⁴-⁹⁻]*(?:\s(?:s|m|cm|km)\^?-\d)*)")
_NO_UNITS = frozenset(
    ("a", "as", "at", "in", "am", "pm", "h", "d", "is", "are", "for", "per", "and", "so", "u", "c")
)
_NUMBER = re.compile(
    r"(?<![\w.$\\])([-−+]?\d[\d,]*(?:\.\d+)?(?:\s*[×x]\s*10\^?\{?[-−]?\d+\}?|e[-+]?\d+)?)(?!\w)"
)


def quantity_of(text: str) -> Quantity | None:
    """The one quantity that a text states, if it states one and nothing else."""
    try:
        reading = read_quantities(text)
    except ParseFailure:
        return None
    one = reading.quantities
    if len(one) != 1 or one[0].upper is not None or one[0].log_base or one[0].arithmetic:
        return None
    return one[0]


def holds_quantities(text: str) -> bool:
    """Whether a text can be read as one or several quantities."""
    try:
        return bool(read_quantities(text).quantities)
    except ParseFailure:
        return False


@lru_cache(maxsize=8192)
def quantities_in(text: str) -> tuple[tuple[str, Quantity], ...]:
    """(left side, quantity) of each number that a text states, inside formulas and outside."""
    found: list[tuple[int, str, Quantity]] = []
    position = 0
    for stated in formulas_in(text):
        position += 1
        for part in _statements(stated.text):
            sides = _SIGN.split(part)
            left = sides[0].strip() if len(sides) > 1 else ""
            for side in sides[1:] or sides:
                body = side.strip(" ,;.")
                if not re.search(r"\d", body):
                    continue
                quantity = quantity_of(_with_tail(body, stated.after))
                if quantity is not None:
                    found.append((position, left, quantity))
    for piece in pieces(text):
        if piece.kind != "prose":
            continue
        for match in _NUMBER.finditer(piece.text):
            quantity = quantity_of(_with_tail(match[1], piece.text[match.end() :]))
            if quantity is not None:
                found.append((0, "", quantity))
    return tuple((left, quantity) for _, left, quantity in found)


def _statements(formula: str) -> list[str]:
    """Parts at separators outside brackets."""
    parts, depth, start = [], 0, 0
    for match in re.finditer(r"[{}()\[\]]|,\s*\\q?quad|,\s|;|\\q?quad", formula):
        if match[0] in "{([":
            depth += 1
        elif match[0] in "})]":
            depth -= 1
        elif depth == 0:
            parts.append(formula[start : match.start()])
            start = match.end()
    return [*parts, formula[start:]]


def _with_tail(number: str, after: str) -> str:
    """``$v = 3$ km/s``: the unit stands outside the formula."""
    match = _TAIL.match(after)
    if match is None or match[1].rstrip(".,;") in _NO_UNITS or not re.search(r"[\d}]$", number):
        return number
    unit = unit_of(match[1].rstrip(".,;"))
    return number if unit is None else f"{number} {match[1].rstrip('.,;')}"


@lru_cache(maxsize=4096)
def unit_of(text: str) -> Unit | None:
    """The unit that a text spells, or nothing."""
    if not text.strip() or len(text) > 80:
        return None
    try:
        return parse_unit(text)
    except ParseFailure:
        return None
