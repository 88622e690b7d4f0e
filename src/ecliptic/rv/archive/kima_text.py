"""kima's data files (.rdb, .txt, .rv): names above dashes, names in a comment, or bare columns.

kima itself takes the columns by position: time, velocity, error, then an instrument's number or
indicators (Faria et al. 2018, JOSS 3, 487). A bare file of more than three columns does not say
which, hence ``names``.
"""

from __future__ import annotations

from pathlib import Path

from ecliptic.errors import UsageError
from ecliptic.rv.archive import headed_rdb
from ecliptic.rv.archive.assembly import Layout, assemble
from ecliptic.rv.archive.declared import Declared
from ecliptic.rv.archive.series import ArchivalSeries
from ecliptic.rv.archive.text_tables import Columns, TextFile, parse, read_text

_BARE = ("time", "vrad", "svrad")


def read_kima(
    path: Path, declared: Declared, *, names: tuple[str, ...] | None = None
) -> ArchivalSeries:
    """Read a data file of kima; ``names`` are those of the columns of a bare file, in order."""
    file = read_text(path)
    columns = headed_rdb.ruled_table(file) or _unruled(file, names)
    time = columns.require("times", *headed_rdb.TIMES)
    layout = Layout(
        format="kima",
        time=time,
        velocity=columns.require("velocities", *headed_rdb.VELOCITIES),
        error=columns.find(*headed_rdb.ERRORS),
        instrument=columns.find(*headed_rdb.INSTRUMENTS),
        time_offset_days=headed_rdb.OFFSETS.get(time.lower()),
        indicators=headed_rdb.indicators(columns),
    )
    return assemble(file, columns, layout, declared)


def _unruled(file: TextFile, names: tuple[str, ...] | None) -> Columns:
    comments = [line.lstrip("# ").split() for line in file.lines if line.startswith("#")]
    width = len(parse(file, "bare").names)
    if names is None:
        named = [words for words in comments if len(words) == width]
        names = tuple(named[-1]) if named else None
    if names is None and width <= len(_BARE):
        names = _BARE[:width]
    if names is None:
        raise UsageError(
            f"{file.where}: has {width} columns without names; give names, for instance "
            "('time', 'vrad', 'svrad', 'instrument')"
        )
    if len(names) != width:
        raise UsageError(f"{file.where}: has {width} columns, names holds {len(names)}")
    return parse(file, "bare", names=names)
