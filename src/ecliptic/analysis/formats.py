"""Tables as plain text, CSV, LaTeX, Markdown and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from ecliptic.analysis.tables import text_table
from ecliptic.errors import UsageError

Format = Literal["text", "csv", "latex", "markdown", "json"]
FORMATS: tuple[str, ...] = get_args(Format)
_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "–": "--",
}
_MARKDOWN = {"\\": "\\\\", "|": "\\|", "*": "\\*", "`": "\\`", "<": "&lt;"}
_FORMULA = ("=", "+", "-", "@")
"""Begins what a spreadsheet takes for a formula when it opens CSV."""


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as people read them, and the same lines as plain numbers for machines.

    ``cells`` belong to ``header``; ``records`` have one entry a line, with names in place of
    columns; ``notes`` say what must be known to read the table.
    """

    title: str
    header: Sequence[str]
    cells: Sequence[Sequence[str]]
    records: Sequence[Mapping[str, Any]]
    notes: Sequence[str] = ()


def render(tables: Sequence[Table], form: Format = "text") -> str:
    """All tables in one format; CSV and JSON hold the records of all, without notes.

    Names come out of logs, which anybody may have written: no character of them acts as markup,
    moves a terminal's cursor or breaks a line. In CSV a text that a spreadsheet would run as a
    formula stands behind an apostrophe. JSON holds all texts as they are.

    Raises
    ------
    UsageError
        There is no such format.
    """
    if form == "csv":
        return _csv([record for table in tables for record in table.records])
    if form == "json":
        lines = [dict(record) for table in tables for record in table.records]
        return json.dumps(lines, indent=1, allow_nan=False)
    writers = {"text": _text, "latex": _latex, "markdown": _markdown}
    if form not in writers:
        raise UsageError(f"format: {form!r} is none of {', '.join(FORMATS)}")
    return "\n\n".join(writers[form](table) for table in tables)


def _text(table: Table) -> str:
    cells = [[_line(cell) for cell in line] for line in table.cells]
    notes = map(_line, table.notes)
    return "\n".join([_line(table.title), "", text_table(table.header, cells), *notes])


def _markdown(table: Table) -> str:
    rule = ["---", *(["---:"] * (len(table.header) - 1))]
    lines = [[_marked(cell) for cell in table.header], rule]
    lines += [[_marked(cell) for cell in line] for line in table.cells]
    rows = ["| " + " | ".join(line) + " |" for line in lines]
    notes = ["", *map(_marked, table.notes)] if table.notes else []
    return "\n".join([f"**{_marked(table.title)}**", "", *rows, *notes])


def _marked(text: str) -> str:
    found = "".join(_MARKDOWN.get(character, character) for character in _line(text))
    return found.replace("](", "]\\(")  # no link


def _latex(table: Table) -> str:
    """A ``table`` for the package ``booktabs``."""
    rows = [_guarded(" & ".join(map(_escaped, line))) + r" \\" for line in table.cells]
    caption = ": ".join([table.title, "; ".join(table.notes)] if table.notes else [table.title])
    return "\n".join(
        [
            r"\begin{table}",
            rf"\caption{{{_escaped(caption)}.}}",
            rf"\begin{{tabular}}{{l{'r' * (len(table.header) - 1)}}}",
            r"\toprule",
            " & ".join(map(_escaped, table.header)) + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
        ]
    )


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in _line(text))


def _guarded(row: str) -> str:
    r"""``\\`` and ``\midrule`` of the line before would take a bracket or a star for their own."""
    return "{}" + row if row.startswith(("[", "*")) else row


def _line(text: str) -> str:
    """On one line, with what cannot be seen spelled out."""
    return "".join(
        each if each.isprintable() else " " if each.isspace() else repr(each)[1:-1] for each in text
    )


def _csv(records: Sequence[Mapping[str, Any]]) -> str:
    names = dict.fromkeys(name for record in records for name in record)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(names), lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows({name: _plain(value) for name, value in each.items()} for each in records)
    return out.getvalue().rstrip("\n")


def _plain(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = _line(value)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text
