"""The stars that are shipped: their names and their velocities."""

from __future__ import annotations

import difflib
from functools import cache
from importlib.resources import files

from ecliptic.errors import UsageError
from ecliptic.model import short
from ecliptic.rv.archive.ecsv_files import read_ecsv_text
from ecliptic.rv.archive.literature import PublishedStar, published
from ecliptic.rv.archive.series import ArchivalSeries
from ecliptic.rv.archive.text_tables import decode

_PREFIXES = {"gliese": "gj", "gl": "gj", "hip": "hip", "hd": "hd"}


def stars() -> list[str]:
    """Names of the shipped stars, in the order of the alphabet."""
    return sorted((star.name for star in published().values()), key=str.lower)


def read_star(name: str) -> ArchivalSeries:
    """The shipped velocities of a star, by any of its names, spaces and case aside.

    Raises
    ------
    UsageError
        No such star; the message suggests the closest.
    """
    return _read(find_star(name))


@cache
def _read(key: str) -> ArchivalSeries:
    file = f"{key}.ecsv"
    data = files("ecliptic.rv.archive").joinpath("stars", file).read_bytes()
    return read_ecsv_text(decode(data, file, file))


def published_values(name: str) -> PublishedStar:
    """The published values of a shipped star, by any of its names."""
    return published()[find_star(name)]


def find_star(name: str) -> str:
    """The name of a star's table, for instance ``gj581`` of ``Gliese 581``.

    Raises
    ------
    UsageError
        No such star.
    """
    names = _names()
    wanted = normal_name(name)
    if wanted in names:
        return names[wanted]
    close = difflib.get_close_matches(wanted, names, n=1)
    hint = f" Did you mean '{published()[names[close[0]]].name}'?" if close else ""
    raise UsageError(f"{short(name)} is not a shipped star; these are: {', '.join(stars())}.{hint}")


def normal_name(name: str) -> str:
    """A name without case, spaces, hyphens and underscores; Gliese and Gl are GJ."""
    text = "".join(name.lower().replace("-", "").replace("_", "").split())
    head = text.rstrip("0123456789.")
    return _PREFIXES.get(head, head) + text[len(head) :]


@cache
def _names() -> dict[str, str]:
    found: dict[str, str] = {}
    for key, star in published().items():
        for name in (key, star.name, *star.aliases):
            found[normal_name(name)] = key
    return found
