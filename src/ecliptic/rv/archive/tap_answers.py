"""Answers of a table access (TAP) service: CSV, IPAC table or VOTable, told apart by their text."""

from __future__ import annotations

import io
import warnings
from typing import Any

from ecliptic.errors import TaskError
from ecliptic.rv.archive.text_tables import decode, parse


def read_tap_answer(data: bytes, where: str) -> list[dict[str, str]]:
    """The rows of an answer, every cell as text, empty where there is none.

    Raises
    ------
    TaskError
        The answer is none of the three, or it says that the query failed.
    """
    text = data.lstrip()[:2000]
    if text.startswith((b"<?xml", b"<VOTABLE")) or b"<VOTABLE" in text:
        return _votable(data, where)
    if text.startswith((b"ERROR", b"<")):
        words = " ".join(text.decode("utf-8", "replace").split())[:160]
        raise TaskError(f"{where}: the service failed: {words}")
    file = decode(data, where, "answer")
    lines = [line for line in file.lines if line.strip()]
    ipac = lines[0].startswith(("\\", "|"))
    if ipac:
        rows = [line for line in lines if not line.startswith(("\\", "|"))]
        if not rows:
            return []
        columns = parse(file, "ipac", lines)
    else:
        lines = [line for line in lines if not line.startswith("#")]
        if len(lines) < 2:
            return []
        columns = parse(file, "csv", lines)
    cells = {name: columns.cells(name) for name in columns.names}
    return [{name: cells[name][row] for name in cells} for row in range(len(columns))]


def _votable(data: bytes, where: str) -> list[dict[str, str]]:
    from astropy.io.votable import parse as parse_votable
    from astropy.io.votable.exceptions import VOTableSpecError, VOWarning

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # services bend the standard in many small ways
            document: Any = parse_votable(io.BytesIO(data), verify="ignore")
    except (ValueError, IndexError, TypeError, VOTableSpecError, VOWarning) as error:
        text = " ".join(str(error).split())[:160]
        raise TaskError(f"{where}: is not a whole VOTable: {text}") from None
    for info in [info for resource in document.resources for info in resource.infos]:
        if info.name == "QUERY_STATUS" and info.value == "ERROR":
            text = " ".join(str(info.content or "").split())[:160]
            raise TaskError(f"{where}: the service failed: {text}")
    tables = list(document.iter_tables())
    if not tables:
        raise TaskError(f"{where}: holds no table")
    table = tables[0].to_table(use_names_over_ids=True)
    rows = []
    for row in table:
        cells = {name: row[name] for name in table.colnames}
        rows.append(
            {
                name: "" if str(cell) in ("--", "nan", "masked") else str(cell)
                for name, cell in cells.items()
            }
        )
    return rows
