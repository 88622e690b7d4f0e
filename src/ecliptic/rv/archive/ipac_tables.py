r"""IPAC tables of the NASA Exoplanet Archive (``UID_0113357_RVC_001.tbl``).

Such a table states star, paper, instrument, kind of dates and the unit of every column itself:
keywords in lines ``\KEY = "value"``, then four header lines between bars.
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from ecliptic.errors import TaskError
from ecliptic.rv.archive.assembly import Layout, assemble
from ecliptic.rv.archive.declared import Declared
from ecliptic.rv.archive.series import ArchivalSeries, TimeReference
from ecliptic.rv.archive.text_tables import Columns, TextFile, parse, read_text

_KEYWORD = re.compile(r"^\\\s*([A-Za-z_][\w ]*?)\s*=\s*(.*?)\s*$")
_TIMES = ("bjd_tdb", "bjd", "bjd_utc", "hjd", "jd", "rjd", "mjd", "time", "date")
_VELOCITIES = ("radial_velocity", "rv", "velocity")
_ERRORS = ("radial_velocity_uncertainty", "radial_velocity_err", "rv_err", "uncertainty")
_UNITS = {"m/s": "m/s", "km/s": "km/s", "ms-1": "m/s", "kms-1": "km/s", "m s-1": "m/s"}
_FRAMES: dict[str, TimeReference] = {
    "bjdtdb": "bjd_tdb",
    "bjdutc": "bjd_utc",
    "bjd": "bjd",
    "hjd": "hjd",
    "jd": "jd",
}


def read_ipac(path: Path, declared: Declared) -> ArchivalSeries:
    """Read a table of velocities of the NASA Exoplanet Archive."""
    return read_ipac_text(read_text(path), declared)


def read_ipac_text(file: TextFile, declared: Declared) -> ArchivalSeries:
    """The same from text that is at hand, as it comes from the service."""
    if not any(line.startswith("|") for line in file.lines):
        raise TaskError(f"{file.where}: is no IPAC table: no header line between bars (|)")
    keywords = keywords_of(file)
    columns = parse(file, "ipac", [line for line in file.lines if line.strip()])
    time = columns.require("times", *_TIMES)
    velocity = columns.require("velocities", *_VELOCITIES)
    error = columns.find(*_ERRORS)
    unit = _velocity_unit(file.where, columns, velocity)
    if error is not None and _velocity_unit(file.where, columns, error) not in (None, unit):
        raise TaskError(
            f"{file.where}: column '{error}': is in {columns.unit(error)}, "
            f"column '{velocity}' in {columns.unit(velocity)}; correct the header"
        )
    frame = keywords.get("TIME_REFERENCE_FRAME") or time
    layout = Layout(
        format="ipac",
        time=time,
        velocity=velocity,
        error=error,
        velocity_unit=unit,
        time_reference=_FRAMES.get(re.sub("[^a-z]", "", frame.lower())),
        time_offset_days={"rjd": 2400000.0, "mjd": 2400000.5}.get(time.lower()),
    )
    label = declared.instrument or keywords.get("INSTRUMENT") or keywords.get("TELESCOPE")
    star = declared.star or keywords.get("STAR_ID", "")
    series = assemble(file, columns, layout, replace(declared, instrument=label, star=star))
    source = series.sources[0].model_copy(
        update={
            "stated": declared.stated(),
            "citation": keywords.get("REFERENCE", ""),
            "bibcode": keywords.get("BIBCODE", ""),
        }
    )
    return series.model_copy(update={"sources": (source,)})


def keywords_of(file: TextFile) -> dict[str, str]:
    """The keywords of an IPAC table, without the quotes around their values."""
    found = (_KEYWORD.match(line) for line in file.lines)
    return {
        match[1].strip().upper(): match[2].strip().strip("'\"").strip() for match in found if match
    }


def _velocity_unit(where: str, columns: Columns, name: str) -> str | None:
    text = columns.unit(name)
    unit = _UNITS.get(" ".join(text.replace(" / ", "/").split()))
    if text and unit is None:
        raise TaskError(f"{where}: column '{name}': unit '{text}' is neither m/s nor km/s")
    return unit
