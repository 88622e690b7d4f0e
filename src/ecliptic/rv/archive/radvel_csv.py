"""RadVel's tables: a header with ``time mnvel errvel tel``, parted by commas or blanks.

Also ``t vel errvel`` and ``jd``. Neither units nor what was subtracted from the times are in such
a file (Fulton et al. 2018, PASP 130, 044504).
"""

from __future__ import annotations

from pathlib import Path

from ecliptic.rv.archive.assembly import Layout, assemble
from ecliptic.rv.archive.declared import Declared
from ecliptic.rv.archive.series import ArchivalSeries
from ecliptic.rv.archive.text_tables import data_lines, parse, read_text


def read_radvel(path: Path, declared: Declared) -> ArchivalSeries:
    """Read a table of RadVel."""
    file = read_text(path)
    lines = data_lines(file)
    kind = "csv" if "," in lines[0] else "words"
    if lines[0].startswith(","):  # pandas writes its index without a name
        lines[0] = "index" + lines[0]
    columns = parse(file, kind, lines)
    svalue = columns.find("svalue", "s_value")
    layout = Layout(
        format="radvel",
        time=columns.require("times", "time", "t", "bjd", "bjd_tdb", "jd"),
        velocity=columns.require("velocities", "mnvel", "vel", "rv"),
        error=columns.find("errvel", "err", "rv_err"),
        instrument=columns.find("tel", "instrument"),
        indicators={"s_index": (svalue, None, "")} if svalue else {},
    )
    return assemble(file, columns, layout, declared)
