"""Reads a file of velocities in any known format."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ecliptic.errors import UsageError
from ecliptic.model import short
from ecliptic.rv.archive.dace_tables import read_dace
from ecliptic.rv.archive.declared import Declared, VelocityUnit
from ecliptic.rv.archive.ecsv_files import read_ecsv
from ecliptic.rv.archive.exostriker_vels import read_exostriker
from ecliptic.rv.archive.ipac_tables import read_ipac
from ecliptic.rv.archive.juliet_lines import read_juliet
from ecliptic.rv.archive.kima_text import read_kima
from ecliptic.rv.archive.orbitize_csv import read_orbitize
from ecliptic.rv.archive.radvel_csv import read_radvel
from ecliptic.rv.archive.rvbank import read_rvbank
from ecliptic.rv.archive.series import ArchivalSeries, TimeReference
from ecliptic.rv.archive.upgrades import split_at_upgrade

READERS: dict[str, Callable[..., ArchivalSeries]] = {
    "radvel": read_radvel,
    "exostriker": read_exostriker,
    "kima": read_kima,
    "juliet": read_juliet,
    "dace": read_dace,
    "ipac": read_ipac,
    "rvbank": read_rvbank,
    "orbitize": read_orbitize,
}
_OPTIONS = {"kima": {"names"}, "rvbank": {"velocity", "target"}, "orbitize": {"body"}}


def read_series(
    path: Path | str,
    file_format: str,
    *,
    star: str = "",
    velocity_unit: VelocityUnit | None = None,
    time_offset_days: float | None = None,
    time_reference: TimeReference | None = None,
    instrument: str | None = None,
    sigma_ms: float | None = None,
    split: dict[str, str] | None = None,
    **options: Any,
) -> ArchivalSeries:
    """The velocities that a file holds.

    Parameters
    ----------
    path, file_format
        The file, and ``ecsv`` or a key of :data:`READERS`.
    star, velocity_unit, time_offset_days, time_reference, instrument, sigma_ms
        What the file leaves unsaid, see :class:`~ecliptic.rv.archive.declared.Declared`.
    split
        Instruments that become two at an upgrade, for instance ``{"HARPS": "harps"}``.
    options
        ``names`` (kima), ``velocity`` and ``target`` (rvbank), ``body`` (orbitize).

    Raises
    ------
    TaskError
        The file is damaged or implausible.
    UsageError
        Something is neither in the file nor stated, or a contradiction.
    """
    place = Path(path)
    if file_format == "ecsv":
        series = read_ecsv(place)
    elif file_format in READERS:
        for name in options.keys() - _OPTIONS.get(file_format, set()):
            raise UsageError(f"{name} is not an option of the format '{file_format}'")
        declared = Declared(
            star=star,
            velocity_unit=velocity_unit,
            time_offset_days=time_offset_days,
            time_reference=time_reference,
            instrument=instrument,
            sigma_ms=sigma_ms,
        )
        series = READERS[file_format](place, declared, **options)
    else:
        known = ", ".join([*READERS, "ecsv"])
        raise UsageError(f"file_format must be one of {known}, not {short(file_format)}")
    for label, upgrade in (split or {}).items():
        series = split_at_upgrade(series, label, upgrade)
    return series
