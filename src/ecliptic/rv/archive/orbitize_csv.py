"""orbitize!'s tables: one row a measurement of any kind, velocities in the columns rv, rv_err.

By that package's own definition times are modified Julian dates and velocities in km/s, whatever
the file (Blunt et al. 2020, AJ 159, 89). Object 0 is the star.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ecliptic.errors import TaskError
from ecliptic.rv.archive.assembly import Layout, assemble
from ecliptic.rv.archive.declared import Declared
from ecliptic.rv.archive.series import ArchivalSeries
from ecliptic.rv.archive.text_tables import data_lines, parse, read_text

_MODIFIED = 2400000.5


def read_orbitize(path: Path, declared: Declared, *, body: int = 0) -> ArchivalSeries:
    """Read the velocities of ``body`` (0 is the star) from a table of orbitize!."""
    file = read_text(path)
    columns = parse(file, "csv", data_lines(file))
    bodies = columns.cells(columns.require("bodies", "object"))
    kinds = columns.find("quant_type")
    if kinds is not None:
        velocity = columns.require("velocities", "quant1")
        error = columns.find("quant1_err")
        given = [kind == "rv" for kind in columns.cells(kinds)]
    else:
        velocity = columns.require("velocities", "rv")
        error = columns.find("rv_err")
        given = [value is not None for value in columns.optional_numbers(velocity)]
    rows = np.array(
        [kind and cell == str(body) for kind, cell in zip(given, bodies, strict=True)], dtype=bool
    )
    if not rows.any():
        raise TaskError(f"{file.where}: holds no velocities of object {body}")
    layout = Layout(
        format="orbitize",
        time=columns.require("times", "epoch"),
        velocity=velocity,
        error=error,
        instrument=columns.find("instrument", "tel"),
        velocity_unit="km/s",
        time_offset_days=_MODIFIED,
        rows=rows,
        remarks=("units by the format's definition: modified Julian dates and km/s",),
    )
    return assemble(file, columns, layout, declared)
