r"""Units that words give to the symbols of a formula: ``28 B GHz, with B in T``.

The symbol then is a number. Beside it, ``28\,\mathrm{GHz}\,(B/\mathrm{T})`` has B as a quantity,
which is the number times its unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ecliptic.grading.cursor import Reading
from ecliptic.grading.differentiate import substitute_all
from ecliptic.grading.expression import Expression, Symbol, multiply
from ecliptic.grading.latex import parse
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.tree_walk import survey
from ecliptic.grading.units import parse_unit

_TOLD = re.compile(
    r"(?<![A-Za-z\\])(\\?[A-Za-z]+(?:_\{?\w+\}?|_\\odot)?)\s*\$?\s+"
    r"(?:is\s+|are\s+|being\s+)?(?:measured\s+|given\s+|expressed\s+)?in\s+(?:units\s+of\s+)?"
    r"(\$[^$]+\$|[A-Za-z]+(?:\s?(?:\^?\{?-?\d\}?|[⁻¹²³]+))?)"
)
_TOLD_ALONE = re.compile(
    r"(?<![A-Za-z\\])(\\?[A-Za-z]+(?:_\{?\w+\}?|_\\odot)?)\s*\$?\s+"
    r"(?:is\s+|are\s+|being\s+)?(?:measured\s+|given\s+|expressed\s+)?in\s+(?:units\s+of\s+)?"
    r"(\$[^$]{1,40}\$|[A-Za-z]+(?:\s?\$?\^\{?[-−]?\d\}?\$?|[⁻¹²³]+)?)"
    r"(?=\s*(?:[,.;)]|\Z))"
)
_NAMES = {
    "gauss": "G",
    "tesla": "T",
    "kelvin": "K",
    "metres": "m",
    "meters": "m",
    "kilometres": "km",
}


def unit_told_readings(
    texts: tuple[str, str], trees: tuple[Expression, Expression]
) -> Iterator[tuple[Expression, Expression]]:
    """Both trees with the units that one text gives put into the other's."""
    told = [_told(text) for text in texts]
    if not any(told):
        return
    changed = []
    for side in (0, 1):
        missing = {name: unit for name, unit in told[1 - side].items() if name not in told[side]}
        upright = any(symbol.roman for symbol in survey(trees[side]).symbols)
        if missing and upright:
            new: dict[Expression, Expression] = {
                Symbol(name): multiply(Symbol(name), unit) for name, unit in missing.items()
            }
            changed.append(substitute_all(trees[side], new))
        else:
            changed.append(trees[side])
    if changed != list(trees):
        yield changed[0], changed[1]


def differing_unit(gold: str, answer: str) -> str:
    """The symbol to which gold and answer give different units in words; empty where none."""
    sides = [
        {match[1]: match[2] for match in _TOLD_ALONE.finditer(text)} for text in (gold, answer)
    ]
    for name in sorted(sides[0].keys() & sides[1].keys()):
        units = [_unit(side[name]) for side in sides]
        if None not in units and units[0] != units[1]:
            return name
    return ""


def _unit(text: str) -> tuple[float, tuple[object, ...]] | None:
    text = text.replace("$", "").strip()
    try:
        unit = parse_unit(_NAMES.get(text, text))
    except ParseFailure:
        return None
    return float(f"{unit.factor:.12g}"), tuple(unit.exponents)


def _told(text: str) -> dict[str, Expression]:
    found: dict[str, Expression] = {}
    for match in _TOLD.finditer(text):
        name = _read(match[1])
        unit = match[2].strip("$")
        unit = unit if "\\" in unit else rf"\mathrm{{{_NAMES.get(unit, unit)}}}"
        value = _read(unit)
        if isinstance(name, Symbol) and value is not None:
            found[name.name] = value
    return found


def _read(text: str) -> Expression | None:
    try:
        return parse(text, reading=Reading()).expression
    except ParseFailure:
        return None
