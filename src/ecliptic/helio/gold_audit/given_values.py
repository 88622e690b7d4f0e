"""Values of one symbol that a record states twice and differently."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ecliptic.helio.gold_audit.findings import Check, Finding
from ecliptic.helio.gold_audit.mathematics import (
    Symbol,
    read_final,
)
from ecliptic.helio.gold_audit.quantities_stated import (
    Quantity,
    quantities_in,
)
from ecliptic.helio.gold_audit.text_faults import texts_of
from ecliptic.helio.records import Record

_TOLERANCE = 0.03
_CHANGED = re.compile(
    r"\b(?:now|instead|becomes?|changes?|changed|another|second|other|increases?|decreases?|drops?|"
    r"rises?|later|new|raised|lowered|reduced|doubled|first|then|compare|from|behind|downstream|"
    r"both|each|respectively|either)\b",
    re.I,
)


def check_given_values(record: Record) -> Iterator[Finding]:
    """A symbol with one value in the question and another in the preamble or a step."""
    if _CHANGED.search(record.question):
        return
    given = _assigned(record.question)
    reported: set[Symbol] = set()
    for place, text in texts_of(record):
        if not place.startswith(("preamble", "step")) or _CHANGED.search(text):
            continue
        for symbol, quantity in _assigned(text).items():
            first = given.get(symbol)
            if first is None or symbol in reported or not _differ(first, quantity):
                continue
            reported.add(symbol)
            yield Finding(
                record.id,
                Check.GIVEN,
                "warning",
                f"{symbol.name} is {_shown(first)} in the question, but {_shown(quantity)} in the "
                f"{place}.",
                "Use one value, or say that it changes.",
                {"symbol": symbol.name, "place": place},
            )


def _assigned(text: str) -> dict[Symbol, Quantity]:
    """Symbols with one value in a text."""
    found: dict[Symbol, Quantity] = {}
    twice: set[Symbol] = set()
    for left, quantity in quantities_in(text):
        tree = read_final(f"${left}$") if left else ""
        if isinstance(tree, Symbol):
            if tree in found:
                twice.add(tree)
            found[tree] = quantity
    return {symbol: quantity for symbol, quantity in found.items() if symbol not in twice}


def _differ(first: Quantity, second: Quantity) -> bool:
    if first.measure.dimensions != second.measure.dimensions:
        return (first.unit is None) == (second.unit is None)
    one = float(first.value) * first.measure.factor
    other = float(second.value) * second.measure.factor
    return abs(one - other) > _TOLERANCE * max(abs(one), abs(other))


def _shown(quantity: Quantity) -> str:
    unit = f" {quantity.unit.spelling}" if quantity.unit else ""
    return f"{quantity.value:g}{unit}"
