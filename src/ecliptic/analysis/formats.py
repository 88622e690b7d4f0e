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
    return "\n".join([table.title, "", text_table(table.header, table.cells), *table.notes])


def _markdown(table: Table) -> str:
    rule = ["---", *(["---:"] * (len(table.header) - 1))]
    lines = [table.header, rule, *table.cells]
    rows = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    notes = ["", *table.notes] if table.notes else []
    return "\n".join([f"**{table.title}**", "", *rows, *notes])


def _latex(table: Table) -> str:
    """A ``table`` for the package ``booktabs``."""
    rows = [" & ".join(map(_escaped, line)) + r" \\" for line in table.cells]
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
    return "".join(_LATEX.get(character, character) for character in text)


def _csv(records: Sequence[Mapping[str, Any]]) -> str:
    names = dict.fromkeys(name for record in records for name in record)
    out = io.StringIO()
    writer = csv.DictWriter(out, list(names), lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(records)
    return out.getvalue().rstrip("\n")
