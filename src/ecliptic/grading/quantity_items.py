"""The items of a line with several values, and the words that separate them."""

from __future__ import annotations

import re

_SEPARATORS = re.compile(
    r"\s*(?:;|\n)\s*(?:and\s+|or\s+)?|,\s+(?:and\s+|or\s+|&\s*)?|,(?=\s*[A-Za-zΑ-ω])"
    r"|\s+(?:and|or|respectively)\b\s*|,(?=[-+]?\d)"
)

_SEPARATING = (",", ";", "\n", " and ", " or ", " respectively")

_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


def items_of(line: str, decimal_comma: bool) -> list[tuple[str, str]]:
    """(separator, text) of each item; brackets, number groups and decimal commas hold together."""
    if not any(mark in line for mark in _SEPARATING):
        return [("", line)]
    items: list[tuple[str, str]] = []
    start, kind = 0, ""
    depth, counted = 0, 0
    if line.startswith("(") and line.find(")") in (len(line) - 1, -1) and "," in line:
        line = line[1:-1]
    for match in _SEPARATORS.finditer(line):
        depth += line.count("(", counted, match.start()) - line.count(")", counted, match.start())
        counted = match.start()
        if depth > 0:
            continue
        text = match[0]
        if text == "," and line[match.end() : match.end() + 1].isdecimal():
            before = line[match.start() - 1 : match.start()]
            if before.isdecimal() and (decimal_comma or _GROUPED.match(line, match.start())):
                continue
        items.append((kind, line[start : match.start()].strip()))
        kind = "or" if re.search(r"\bor\b", text) else ","
        start = match.end()
    items.append((kind, line[start:].strip()))
    return [(separator, item) for separator, item in items if item]
