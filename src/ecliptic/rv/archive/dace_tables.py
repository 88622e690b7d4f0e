"""Tables as DACE hands them out: rdb with a line of dashes, or CSV with ``rjd,rv,rv_err,ins_name``.

``rjd`` and ``mjd`` say by their names what was subtracted; velocities come in m/s from one of its
interfaces and in km/s from others, so the unit must be stated.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ecliptic.rv.archive import headed_rdb
from ecliptic.rv.archive.assembly import Layout, assemble
from ecliptic.rv.archive.declared import Declared
from ecliptic.rv.archive.series import ArchivalSeries
from ecliptic.rv.archive.text_tables import data_lines, parse, read_text

_BAD = {"false", "0", "f"}


def read_dace(path: Path, declared: Declared) -> ArchivalSeries:
    """Read a table of DACE; points that failed its quality control (``drs_qc``) are left out."""
    file = read_text(path)
    columns = headed_rdb.ruled_table(file)
    if columns is None:
        lines = data_lines(file)
        kind = "csv" if "," in lines[0] else "tab" if "\t" in lines[0] else "words"
        columns = parse(file, kind, lines)
    time = columns.require("times", *headed_rdb.TIMES)
    quality = columns.find("drs_qc")
    good = None
    remarks: tuple[str, ...] = ()
    if quality is not None:
        good = np.array([cell.lower() not in _BAD for cell in columns.cells(quality)])
        if not good.all():
            remarks = (f"{int((~good).sum())} points failed the quality control; left out",)
    layout = Layout(
        format="dace",
        time=time,
        velocity=columns.require("velocities", *headed_rdb.VELOCITIES),
        error=columns.find(*headed_rdb.ERRORS),
        instrument=columns.find(*headed_rdb.INSTRUMENTS),
        time_offset_days=headed_rdb.OFFSETS.get(time.lower()),
        indicators=headed_rdb.indicators(columns),
        rows=good,
        remarks=remarks,
    )
    return assemble(file, columns, layout, declared)
