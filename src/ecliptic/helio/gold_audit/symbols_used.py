"""The symbols of a symbolic final: each is defined, and only those that were asked for occur."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ecliptic.helio.gold_audit.dimensions import CONSTANTS
from ecliptic.helio.gold_audit.findings import Check, Finding
from ecliptic.helio.gold_audit.mathematics import (
    Expression,
    Symbol,
    free_symbols,
    read_final,
    solutions_of,
    symbols_mentioned,
)
from ecliptic.helio.records import Record

_IN_TERMS = re.compile(
    r"\b(?:in terms of|as a function of|as functions of|using only|through)\s+"
    r"((?:[^.?;$]|\$[^$]*\$)*)",
    re.I,
)
_LISTED = re.compile(r"(?:\$[^$]+\$|\s|,|and|only|the|symbols?|\(|\))*")
_FREE = re.compile(r"(?:C|A|K|D|const|constant)(?:_.*)?|i|n|N|j|k|m|l")
"""Constants of integration and counting indices, which a final may bring in."""


def check_symbols(record: Record) -> Iterator[Finding]:
    """Undefined symbols, and symbols that were not asked for."""
    if record.type != "symbolic":
        return
    tree = read_final(record.final)
    if isinstance(tree, str):
        return
    used = _right_symbols(tree)
    told = symbols_mentioned((*record.preamble, record.question, record.hint))
    shown = told | symbols_mentioned(record.step)
    for symbol in used:
        if symbol in told or symbol.name in CONSTANTS or symbol.style:
            continue
        if symbol in shown:
            yield Finding(
                record.id,
                Check.SYMBOLS,
                "note",
                f"{symbol.name} of the final stands in the steps, but not in the question.",
                f"Define {symbol.name} in the question.",
                {"symbol": symbol.name},
            )
        elif symbol.name not in " ".join((*record.preamble, record.question)):
            yield Finding(
                record.id,
                Check.SYMBOLS,
                "note" if _FREE.fullmatch(symbol.name) else "warning",
                f"{symbol.name} of the final is defined nowhere.",
                f"Define {symbol.name} in the question, or express it in what is given.",
                {"symbol": symbol.name},
            )
    wanted = asked_symbols(record)
    if wanted is None:
        return
    allowed = wanted | {Symbol(name) for name in CONSTANTS}
    for symbol in used:
        if symbol not in allowed and symbol in shown and not _FREE.fullmatch(symbol.name):
            yield Finding(
                record.id,
                Check.SYMBOLS,
                "warning",
                f"{symbol.name} of the final is not among the symbols that are asked for.",
                f"Express the final without {symbol.name}, or add it to the list.",
                {"symbol": symbol.name, "asked": sorted(item.name for item in wanted)},
            )


def asked_symbols(record: Record) -> set[Symbol] | None:
    """The symbols of ``in terms of a, b and c``; ``None`` without such a list."""
    for text in (record.hint, record.question):
        for match in reversed(list(_IN_TERMS.finditer(text))):
            listed = match[1]
            if "$" in listed and _LISTED.fullmatch(listed):
                return symbols_mentioned((listed,))
    return None


def _right_symbols(tree: Expression) -> list[Symbol]:
    """Symbols of the final, without those that it defines itself."""
    solutions = solutions_of(tree)
    if not solutions:
        return []
    own = {solution.subject for solution in solutions}
    arguments = {part for subject in own for part in free_symbols(subject)}
    found = free_symbols(solutions[0].value)
    return [symbol for symbol in found if symbol not in own and symbol not in arguments]
