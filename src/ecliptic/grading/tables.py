"""Tables of Markdown with a name and a value a row, as one line of labelled values."""

from __future__ import annotations

import re
from collections.abc import Iterable

_ROW = re.compile(r"^[ \t]*\|(.+)\|[ \t]*$")
_RULE = re.compile(r"[\s|:+-]*-{2,}[\s|:+-]*")
_CELL = re.compile(r"(?<!\\)\|")
_UNIT_TITLE = re.compile(r"units?", re.I)
_UNIT_IN_TITLE = re.compile(r".*?[(\[]([^()\[\]]{1,30})[)\]]\s*$")
_DIGIT = re.compile(r"\d")
_NO_NAME = re.compile(r"(?:#|no\.?|nr\.?|step|\d+)\.?", re.I)
MOST_ROWS = 20


def with_tables_as_lines(text: str) -> str:
    """The text with every table that names one value a row (or a column) as ``a = 1; b = 2``."""
    if "|" not in text or "--" not in text:
        return text
    out: list[str] = []
    block: list[str] = []
    for line in [*text.split("\n"), ""]:
        if _ROW.match(line):
            block.append(line)
            continue
        if block:
            out.extend([_as_line(block) or "\n".join(block)])
            block = []
        out.append(line)
    return "\n".join(out[:-1] if out and not out[-1] else out)


def _as_line(block: list[str]) -> str:
    rows = [
        [cell.strip().strip("*").strip() for cell in _CELL.split(line.strip()[1:-1])]
        for line in block
    ]
    rules = [index for index, line in enumerate(block) if _RULE.fullmatch(line)]
    if rules != [1] or len({len(row) for row in rows}) != 1 or len(rows) > MOST_ROWS:
        return ""
    header, data = rows[0], rows[2:]
    if len(data) == 1 and len(header) > 1 and all(map(_DIGIT.search, data[0])):
        columns = zip(header, data[0], strict=True)
        return _joined((name, value) for name, value in columns if not _NO_NAME.fullmatch(name))
    if len(header) == 3 and _UNIT_TITLE.fullmatch(header[2]):
        return _joined((name, f"{value} {unit}".strip(" -–—")) for name, value, unit in data)
    if len(header) == 2:
        unit = _UNIT_IN_TITLE.match(header[1])
        return _joined(
            (name, f"{value} {unit[1]}" if unit and not re.search("[A-Za-z]", value) else value)
            for name, value in data
        )
    return ""


def _joined(pairs: Iterable[tuple[str, str]]) -> str:
    found = []
    for name, value in pairs:
        if not _DIGIT.search(value):
            return ""
        name = re.sub(r"[=:]\s*$", "", name)
        found.append(f"{name} = {value}" if name and not _NO_NAME.fullmatch(name) else value)
    return "; ".join(found)
