"""HARPS-RVBank (Trifonov et al. 2020, A&A 636, A74; Perdelwitz et al. 2024, A&A 683, A125).

Tables with a header: ``BJD``, velocities ``RV_mlc_nzp``, ``RV_drs_nzp``, ``RV_mlc``, ``RV_drs``,
each with an error ``e_...``, all in m/s by its description; the whole catalogue also has a column
``target``. HARPS got new fibres in 2015: see :mod:`ecliptic.rv.archive.upgrades`.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from ecliptic.errors import TaskError, UsageError
from ecliptic.rv.archive.assembly import Layout, assemble
from ecliptic.rv.archive.declared import Declared
from ecliptic.rv.archive.series import ArchivalSeries
from ecliptic.rv.archive.text_tables import Columns, TextFile, parse, read_text

VELOCITIES = ("RV_mlc_nzp", "RV_drs_nzp", "RV_mlc", "RV_drs")
_INDICATORS = ("CRX", "dLW", "Halpha", "NaD1", "NaD2", "FWHM_DRS", "BIS", "CONTRAST_DRS")


def read_rvbank(
    path: Path,
    declared: Declared,
    *,
    velocity: str = "RV_mlc_nzp",
    target: str | None = None,
) -> ArchivalSeries:
    """Read a table of HARPS-RVBank.

    ``velocity`` is the column of velocities: template matching (``mlc``) or the observatory's
    pipeline (``drs``), corrected for the night's zero point (``nzp``) or not. ``target`` chooses
    one star of the whole catalogue.
    """
    if velocity not in VELOCITIES:
        raise UsageError(f"velocity must be one of {', '.join(VELOCITIES)}, not '{velocity}'")
    file = read_text(path)
    columns = _table(file)
    layout = Layout(
        format="rvbank",
        time=columns.require("times", "bjd"),
        velocity=columns.require("velocities", velocity.lower()),
        error=columns.require("errors", f"e_{velocity.lower()}"),
        velocity_unit="m/s",
        time_reference="bjd",
        indicators=_indicators(columns),
        rows=_rows(columns, target),
    )
    label = declared.instrument or "HARPS"
    star = declared.star or target or ""
    series = assemble(file, columns, layout, replace(declared, instrument=label, star=star))
    source = series.sources[0].model_copy(update={"stated": declared.stated()})
    return series.model_copy(update={"sources": (source,)})


def _table(file: TextFile) -> Columns:
    lines = [line.lstrip("# ") if line.startswith("#") else line for line in file.lines]
    lines = [line for line in lines if line.strip()]
    start = next((n for n, line in enumerate(lines) if "bjd" in line.lower()), None)
    if start is None:
        raise TaskError(f"{file.where}: column of the times is missing: no header with BJD")
    head = lines[start]
    kind = "semicolon" if ";" in head else "csv" if "," in head else "words"
    return parse(file, kind, lines[start:])


def _rows(columns: Columns, target: str | None) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    name = columns.find("target")
    if name is None:
        if target is not None:
            raise UsageError(f"{columns.where}: column 'target' is missing; leave target out")
        return np.ones(len(columns), dtype=bool)
    cells = [cell.lower().replace(" ", "") for cell in columns.cells(name)]
    stars = tuple(dict.fromkeys(cells))
    wanted = target.lower().replace(" ", "") if target is not None else None
    if wanted is None and len(stars) == 1:
        wanted = stars[0]
    if wanted not in stars:
        some = ", ".join(stars[:5])
        fault = "holds several stars" if wanted is None else f"does not hold '{target}'"
        raise UsageError(f"{columns.where}: column '{name}': {fault}; give target, one of {some}")
    return np.array([cell == wanted for cell in cells])


def _indicators(columns: Columns) -> dict[str, tuple[str, str | None, str]]:
    found: dict[str, tuple[str, str | None, str]] = {}
    for name in _INDICATORS:
        column = columns.find(name.lower())
        if column is not None:
            found[name.lower()] = (column, columns.find(f"e_{name.lower()}"), "")
    return found
