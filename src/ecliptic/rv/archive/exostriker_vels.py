"""Exo-Striker's data sets (.vels, .dat): three bare columns, time, velocity, error.

One file an instrument, no header (Trifonov 2019, ascl:1906.004).
"""

from __future__ import annotations

from pathlib import Path

from ecliptic.errors import TaskError
from ecliptic.rv.archive.assembly import Layout, assemble
from ecliptic.rv.archive.declared import Declared
from ecliptic.rv.archive.series import ArchivalSeries
from ecliptic.rv.archive.text_tables import parse, read_text

_NAMES = ("time", "rv", "rv_err")


def read_exostriker(path: Path, declared: Declared) -> ArchivalSeries:
    """Read a data set of Exo-Striker."""
    file = read_text(path)
    columns = parse(file, "bare")
    if len(columns.names) not in (2, 3):
        raise TaskError(
            f"{file.where}: must have three columns (time, velocity, error), "
            f"has {len(columns.names)}"
        )
    columns = parse(file, "bare", names=_NAMES[: len(columns.names)])
    error = columns.find("rv_err")
    layout = Layout(format="exostriker", time="time", velocity="rv", error=error)
    return assemble(file, columns, layout, declared)
