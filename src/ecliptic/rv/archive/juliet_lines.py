"""juliet's velocities: bare columns time, velocity, error, instrument.

Neither unit nor offset is in such a file (Espinoza et al. 2019, MNRAS 490, 2262).
"""

from __future__ import annotations

from pathlib import Path

from ecliptic.errors import TaskError
from ecliptic.rv.archive.assembly import Layout, assemble
from ecliptic.rv.archive.declared import Declared
from ecliptic.rv.archive.series import ArchivalSeries
from ecliptic.rv.archive.text_tables import parse, read_text

_NAMES = ("time", "rv", "rv_err", "instrument")


def read_juliet(path: Path, declared: Declared) -> ArchivalSeries:
    """Read the velocities of juliet; columns after the fourth (linear terms) are passed over."""
    file = read_text(path)
    width = len(parse(file, "bare").names)
    if width < len(_NAMES):
        raise TaskError(
            f"{file.where}: must have four columns (time, velocity, error, instrument), has {width}"
        )
    names = _NAMES + tuple(f"term{number}" for number in range(width - len(_NAMES)))
    columns = parse(file, "bare", names=names)
    layout = Layout(
        format="juliet", time="time", velocity="rv", error="rv_err", instrument="instrument"
    )
    return assemble(file, columns, layout, declared)
