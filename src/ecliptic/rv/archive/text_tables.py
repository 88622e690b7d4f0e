"""Text files as tables: encoding, line ends and damage are dealt with before any meaning."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ecliptic.errors import TaskError
from ecliptic.files import reason, require_regular
from ecliptic.model import short

MAX_BYTES = 20_000_000
_MISSING = {"", "nan", "none", "null", "--", "-", "\\nodata", "nodata", "n/a"}


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file's name, lines (without their ends) and hash."""

    where: str
    name: str
    lines: tuple[str, ...]
    sha256: str


def read_text(path: Path) -> TextFile:
    """Read a text file in UTF-8, with or without a byte-order mark, with any line ends.

    Raises
    ------
    TaskError
        Unreadable, no regular file, over 20 MB, not UTF-8, binary, or empty.
    """
    try:
        require_regular(path)
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise TaskError(f"{path}: {reason(error)}") from None
    return decode(data, str(path), path.name)


def decode(data: bytes, where: str, name: str) -> TextFile:
    """The same from bytes."""
    if len(data) > MAX_BYTES:
        raise TaskError(f"{where}: is over {MAX_BYTES / 1e6:.0f} MB, too large for velocities")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise TaskError(
            f"{where}: is not UTF-8 text: byte 0x{data[error.start]:02x} at offset {error.start}"
        ) from None
    if "\x00" in text:
        raise TaskError(f"{where}: is a binary file, not a table of text")
    lines = tuple(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    if not any(line.strip() for line in lines):
        raise TaskError(f"{where}: is empty")
    return TextFile(where, name, lines, hashlib.sha256(data).hexdigest())


def data_lines(file: TextFile) -> list[str]:
    """The lines that are neither blank nor a remark behind ``#``.

    Raises
    ------
    TaskError
        There are none.
    """
    lines = [line for line in file.lines if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        raise TaskError(f"{file.where}: holds no rows")
    return lines


class Columns:
    """Named columns of a table; ``where`` names its file in messages."""

    def __init__(self, where: str, table: Any) -> None:
        self.where = where
        self._table = table
        self.names: tuple[str, ...] = tuple(table.colnames)

    def find(self, *candidates: str) -> str | None:
        """The first of ``candidates`` that is a column, whatever its case."""
        known = {name.strip().lower(): name for name in reversed(self.names)}
        return next((known[name] for name in candidates if name in known), None)

    def require(self, what: str, *candidates: str) -> str:
        """The same, or a :class:`TaskError` that lists what there is."""
        name = self.find(*candidates)
        if name is None:
            raise TaskError(
                f"{self.where}: column of the {what} is missing: none of {', '.join(candidates)} "
                f"among {', '.join(short(name, 30) for name in self.names[:12])}"
            )
        return name

    def unit(self, name: str) -> str:
        """The unit that the table states for a column, or nothing."""
        unit = self._table[name].unit
        return "" if unit is None else str(unit)

    def cells(self, name: str) -> list[str]:
        """The entries as text; empty where there is none."""
        column = self._table[name]
        masked = np.broadcast_to(np.ma.getmaskarray(column), len(column))
        return [
            "" if hidden else str(cell).strip() for cell, hidden in zip(column, masked, strict=True)
        ]

    def optional_numbers(self, name: str) -> list[float | None]:
        """The entries as numbers; ``None`` where there is none."""
        return [self._number(name, row, cell) for row, cell in enumerate(self.cells(name))]

    def numbers(self, name: str) -> NDArray[np.float64]:
        """The entries as finite numbers, shape (n,).

        Raises
        ------
        TaskError
            Naming column and row of the first that is none.
        """
        values = self.optional_numbers(name)
        if None in values:
            row = values.index(None)
            raise TaskError(
                f"{self.where}: column '{name}': row {row + 1} holds no number; "
                "complete or remove the row"
            )
        return np.array(values, dtype=np.float64)

    def _number(self, name: str, row: int, cell: str) -> float | None:
        if cell.lower() in _MISSING:
            return None
        try:
            value = float(cell)
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            raise TaskError(
                f"{self.where}: column '{name}': row {row + 1} holds {short(cell, 30)}, "
                "not a finite number"
            )
        return value

    def __len__(self) -> int:
        return len(self._table)


def parse(
    file: TextFile, kind: str, lines: list[str] | None = None, names: tuple[str, ...] | None = None
) -> Columns:
    """A table in one of astropy's text formats, every cell kept as text until it is asked for.

    Raises
    ------
    TaskError
        The lines do not make such a table, or it has no rows.
    """
    from astropy.io import ascii as tables

    options: dict[str, Any] = {"guess": False, "fast_reader": False}
    if kind != "ipac":
        options["converters"] = {"*": [tables.convert_numpy(str)]}
        options["fill_values"] = [("", "0")]
    if names is not None:
        options["names"] = list(names)
    delimiter = {"csv": ",", "semicolon": ";", "tab": "\t"}.get(kind)
    if delimiter is not None:
        options["delimiter"] = delimiter
    layout = {"ipac": "ipac", "bare": "no_header", "csv": "csv"}.get(kind, "basic")
    rows = list(lines if lines is not None else file.lines)
    if kind in ("bare", "words"):  # tabs and blanks may be mixed, a remark may end a row
        rows = [" ".join(row.partition("#")[0].split()) for row in rows]
    try:
        table = tables.read(rows, format=layout, **options)
    except (ValueError, IndexError, KeyError, TypeError) as error:
        text = " ".join(str(error).split())[:160]
        raise TaskError(f"{file.where}: is not a whole {kind} table: {text}") from None
    if not len(table):
        raise TaskError(f"{file.where}: holds no rows")
    return Columns(file.where, table)
