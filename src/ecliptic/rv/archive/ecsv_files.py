"""Our own tables: ECSV with units and, in its metadata, the origin of every point.

ECSV (Astropy's APE 6) is plain text, read by Astropy, and by anything that skips ``#`` lines and
reads a table parted by blanks.
"""

from __future__ import annotations

import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ValidationError

from ecliptic.errors import TaskError
from ecliptic.files import write_bytes
from ecliptic.model import describe
from ecliptic.rv.archive.series import ArchivalSeries, SeriesIndicator
from ecliptic.rv.archive.text_tables import Columns, TextFile, read_text

SCHEMA = "ecliptic.archive/1"
_UNITS = {"time_bjd": "d", "rv": "m / s", "rv_err": "m / s"}
_META = ("star", "time_reference", "sources", "remarks")


def write_ecsv(series: ArchivalSeries, path: Path) -> None:
    """Write a series in one step; equal series make equal files."""
    from astropy.table import Table

    table: Any = Table()
    table["time_bjd"] = np.array(series.times_bjd)
    table["rv"] = np.array(series.rvs_ms)
    table["rv_err"] = np.array(series.sigmas_ms)
    for name, unit in _UNITS.items():
        table[name].unit = unit
    table["instrument"] = list(series.instruments)
    table["flag"] = list(series.flags)
    for indicator in series.indicators:
        for name, cells in (
            (indicator.name, indicator.values),
            (f"{indicator.name}_err", indicator.sigmas),
        ):
            if all(cell is None for cell in cells):
                continue
            table[name] = [np.nan if cell is None else cell for cell in cells]
            if indicator.unit:
                table[name].unit = indicator.unit
    dumped = series.model_dump(mode="json")
    table.meta["schema"] = SCHEMA
    table.meta.update({name: dumped[name] for name in _META})
    for source in table.meta["sources"]:
        for name in [name for name, value in source.items() if value in ("", [], {})]:
            del source[name]
    table.meta["indicators"] = [indicator.name for indicator in series.indicators]
    buffer = io.StringIO()
    table.write(buffer, format="ascii.ecsv")
    write_bytes(path, buffer.getvalue().encode())


def read_ecsv(path: Path) -> ArchivalSeries:
    """Read what :func:`write_ecsv` wrote.

    Raises
    ------
    TaskError
        Damaged, of another kind, or with other units.
    """
    return read_ecsv_text(read_text(path))


def read_ecsv_text(file: TextFile) -> ArchivalSeries:
    """The same from text that is at hand."""
    table = _table(file)
    if table.meta.get("schema") != SCHEMA:
        raise TaskError(f"{file.where}: schema must be '{SCHEMA}' in the metadata")
    columns = Columns(file.where, table)
    for name, unit in _UNITS.items():
        columns.require("velocities", name)
        if columns.unit(name) != unit:
            raise TaskError(
                f"{file.where}: column '{name}': must be in {unit}, "
                f"is in {columns.unit(name) or 'no unit'}"
            )
    columns.require("instruments", "instrument")
    given = {name: table.meta.get(name) for name in _META}
    try:
        return ArchivalSeries.model_validate(
            {
                **{name: value for name, value in given.items() if value is not None},
                "times_bjd": columns.numbers("time_bjd"),
                "rvs_ms": columns.numbers("rv"),
                "sigmas_ms": columns.numbers("rv_err"),
                "instruments": tuple(columns.cells("instrument")),
                "flags": tuple(columns.cells("flag")) if columns.find("flag") else (),
                "indicators": _indicators(columns, table.meta.get("indicators") or []),
            }
        )
    except ValidationError as error:
        field, _, sentence = describe(error)
        raise TaskError(f"{file.where}: {field or 'table'} {sentence}") from None


def _table(file: TextFile) -> Any:
    from astropy.table import Table
    from yaml import YAMLError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # what Astropy only warns of is damage here
            return Table.read("\n".join(file.lines), format="ascii.ecsv")
    except (
        ValueError,
        IndexError,
        KeyError,
        TypeError,
        AttributeError,
        YAMLError,
        UserWarning,
    ) as error:
        text = " ".join(str(error).split())[:160]
        raise TaskError(f"{file.where}: is not a whole ECSV table: {text}") from None


def _indicators(columns: Columns, names: object) -> tuple[SeriesIndicator, ...]:
    if not isinstance(names, list):
        raise TaskError(f"{columns.where}: indicators must be a list in the metadata")
    found = []
    for name in names:
        values = columns.require("indicator", str(name))
        errors = columns.find(f"{values}_err")
        cells = columns.optional_numbers(values)
        sigmas = columns.optional_numbers(errors) if errors else [None] * len(cells)
        found.append(
            SeriesIndicator(
                name=str(name),
                unit=columns.unit(values).replace(" ", ""),
                values=tuple(cells),
                sigmas=tuple(sigmas),
            )
        )
    return tuple(found)
