"""Gets the velocities of a star from the NASA Exoplanet Archive.

Three steps. The archive's TAP service (synchronous, in ADQL) finds the star in its table of
composite parameters ``pscomppars``: name, HIP number, mass, and the number of its series
(``st_nrvc``). The velocities themselves are no TAP table; the list of all their files
(``bulk_data_download/wget_RADIAL.bat``) names those of the star, and each is an IPAC table at
``data/ExoData/0113/0113357/data/UID_0113357_RVC_001.tbl``, whose number is that of the star in the
Hipparcos catalogue, or the archive's own (Akeson et al. 2013, PASP 125, 989).
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

from ecliptic.errors import TaskError, UsageError
from ecliptic.model import short
from ecliptic.rv.archive.catalogue import find_star
from ecliptic.rv.archive.declared import Declared, VelocityUnit
from ecliptic.rv.archive.ipac_tables import read_ipac_text
from ecliptic.rv.archive.literature import published
from ecliptic.rv.archive.merging import merge
from ecliptic.rv.archive.series import ArchivalSeries
from ecliptic.rv.archive.tap_answers import read_tap_answer
from ecliptic.rv.archive.text_tables import decode
from ecliptic.rv.archive.web_service import WebService

URL = "https://exoplanetarchive.ipac.caltech.edu"
URL_VARIABLE = "ECLIPTIC_EXOPLANET_ARCHIVE"
LIST = "bulk_data_download/wget_RADIAL.bat"
_COLUMNS = ("hostname", "hd_name", "hip_name", "st_mass", "st_nrvc")
_LIST_AGE_S = 7 * 86400.0
_SAME_NIGHT_DAYS = 0.02
_MAX_NAME = 60


@dataclass(frozen=True, slots=True)
class Fetched:
    """A star's velocities, with its name and mass (if known) in the archive, and the files."""

    series: ArchivalSeries
    hostname: str
    star_mass_sun: float | None
    tables: tuple[str, ...]


def fetch_star(
    name: str,
    *,
    curves: Sequence[int] | None = None,
    uid: str | None = None,
    velocity_unit: VelocityUnit | None = None,
    time_offset_days: float | None = None,
    url: str | None = None,
    cache: Path | None = None,
    timeout_s: float = 30.0,
    retries: int = 2,
    pause_s: float = 1.0,
    refresh: bool = False,
) -> Fetched:
    """The velocities that the NASA Exoplanet Archive holds of a star.

    Parameters
    ----------
    name
        Any name that the archive uses, or an alias of a shipped star.
    curves
        The numbers of the files to use; all of them by default.
    uid
        The archive's seven-digit number of the star, for stars outside the Hipparcos catalogue.
    velocity_unit, time_offset_days
        For files that leave it open, see :class:`~ecliptic.rv.archive.declared.Declared`.
    url
        Of the archive or a copy; by default the environment's ``ECLIPTIC_EXOPLANET_ARCHIVE``, else
        the archive itself.
    cache
        The folder that keeps what was fetched; by default the user's cache. Tables are kept for
        good, what lists them for a week; ``refresh`` fetches all anew.
    timeout_s, retries, pause_s
        See :class:`~ecliptic.rv.archive.web_service.WebService`.

    Raises
    ------
    UsageError
        No network, no such star, no velocities, or two files that hold the same measurements.
    TaskError
        An answer is damaged or has other columns than it had.
    """
    service = WebService(
        url=url or os.environ.get(URL_VARIABLE) or URL,
        cache=cache or _user_cache(),
        timeout_s=timeout_s,
        retries=retries,
        pause_s=pause_s,
        refresh=refresh,
    )
    host = _find_host(service, name)
    number = _number(name, uid, host)
    files = _files(service, number, host, curves)
    declared = Declared(
        star=host["hostname"], velocity_unit=velocity_unit, time_offset_days=time_offset_days
    )

    def read(data: bytes, where: str) -> ArchivalSeries:
        return read_ipac_text(decode(data, where, where.rsplit("/", 1)[-1]), declared)

    parts = {
        curve: service.get(f"data/ExoData/{number[:4]}/{number}/data/{file}", read)
        for curve, file in files.items()
    }
    _refuse_overlap(host["hostname"], parts)
    series = merge(list(_labelled(parts).values()), host["hostname"])
    mass = host["st_mass"]
    try:
        mass_sun = float(mass) if mass else None
    except ValueError:
        raise TaskError(f"{service.url}: column 'st_mass' holds {short(mass)}, no number") from None
    return Fetched(series, host["hostname"], mass_sun, tuple(files.values()))


def _user_cache() -> Path:
    from platformdirs import user_cache_path

    return user_cache_path("ecliptic") / "exoplanet-archive"


def _find_host(service: WebService, name: str) -> dict[str, str]:
    """The row of the star in ``pscomppars``."""
    if not name.strip() or len(name) > _MAX_NAME or not name.isprintable():
        raise UsageError(f"name must be that of a star, not {short(name)}")
    names = [name.strip()]
    try:
        star = published()[find_star(name)]
    except UsageError:
        pass
    else:
        names += [star.name, *star.aliases]
    quoted = ",".join(sorted({"'" + each.lower().replace("'", "''") + "'" for each in names}))
    where = " or ".join(f"lower({column}) in ({quoted})" for column in _COLUMNS[:3])
    query = f"select {','.join(_COLUMNS)} from pscomppars where {where}"
    path = "TAP/sync?" + urlencode({"query": query, "format": "csv"})
    rows = service.get(path, _read_hosts, max_age_s=_LIST_AGE_S)
    hosts = {row["hostname"]: row for row in rows}
    if not hosts:
        raise UsageError(
            f"{service.url}: knows no star {short(name)} with planets; "
            "give the name that the archive uses"
        )
    if len(hosts) > 1:
        raise UsageError(f"{service.url}: {short(name)} is several stars: {', '.join(hosts)}")
    return next(iter(hosts.values()))


def _read_hosts(data: bytes, where: str) -> list[dict[str, str]]:
    rows = read_tap_answer(data, where.partition("?")[0])
    for column in _COLUMNS:
        if rows and column not in rows[0]:
            raise TaskError(
                f"{where.partition('?')[0]}: column '{column}' is missing in the answer, which has "
                f"{', '.join(list(rows[0])[:12])}; the service has changed"
            )
    return rows


def _number(name: str, uid: str | None, host: dict[str, str]) -> str:
    if uid is not None:
        if not re.fullmatch(r"\d{1,7}", uid):
            raise UsageError(f"uid must be up to seven digits, not {short(uid)}")
        return uid.zfill(7)
    match = re.match(r"HIP\s*(\d+)", host["hip_name"])
    if match is None:
        raise UsageError(
            f"{short(name)} has no HIP number in the archive, so that its files cannot be named; "
            "give uid, the seven digits in the names of its files (UID_0302504_RVC_001.tbl)"
        )
    return match[1].zfill(7)


def _files(
    service: WebService, number: str, host: dict[str, str], curves: Sequence[int] | None
) -> dict[int, str]:
    """The names of the star's files by their numbers."""
    listed = service.get(LIST, _read_list, max_age_s=_LIST_AGE_S)
    found = {int(curve): f"UID_{uid}_RVC_{curve}.tbl" for uid, curve in listed if uid == number}
    if not found:
        raise UsageError(f"{service.url}: lists no velocities of {host['hostname']} (UID {number})")
    if curves is None:
        return dict(sorted(found.items()))
    for curve in curves:
        if curve not in found:
            known = ", ".join(str(each) for each in sorted(found))
            raise UsageError(f"{host['hostname']}: has no curve {curve}, only {known}")
    return {curve: found[curve] for curve in sorted(set(curves))}


def _read_list(data: bytes, where: str) -> list[tuple[str, str]]:
    text = "\n".join(decode(data, where, "list").lines)
    found = sorted(set(re.findall(r"UID_(\d{7})_RVC_(\d+)\.tbl", text)))
    if not found:
        raise TaskError(f"{where}: names no file UID_..._RVC_....tbl; the service has changed")
    return found


def _refuse_overlap(star: str, parts: dict[int, ArchivalSeries]) -> None:
    """Two papers often publish the same measurements; used twice they would count twice."""
    numbers = list(parts)
    for place, first in enumerate(numbers):
        for second in numbers[place + 1 :]:
            one, other = parts[first], parts[second]
            if not set(one.instruments) & set(other.instruments):
                continue
            gaps = np.abs(one.times_bjd[:, None] - other.times_bjd[None, :]).min(axis=1)
            shared = int((gaps < _SAME_NIGHT_DAYS).sum())
            if 2 * shared > min(len(one), len(other)):
                papers = "; ".join(part.sources[0].citation or "no paper" for part in (one, other))
                raise UsageError(
                    f"{star}: curves {first} and {second} ({papers}) share {shared} measurements "
                    f"of {one.instruments[0]}; choose with curves=(...) among "
                    f"{', '.join(str(each) for each in numbers)}"
                )


def _labelled(parts: dict[int, ArchivalSeries]) -> dict[int, ArchivalSeries]:
    """Every curve has a zero point of its own, hence a label of its own."""
    labels = [label for part in parts.values() for label in part.instrument_labels]
    done = {}
    for curve, part in parts.items():
        new = [
            f"{label} ({curve})" if labels.count(label) > 1 else label for label in part.instruments
        ]
        done[curve] = part.model_copy(update={"instruments": tuple(new)})
    return done
