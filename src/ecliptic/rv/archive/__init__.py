"""Velocities of real stars: readers of the field's file formats, shipped tables, an archive's.

>>> from ecliptic.rv import archive
>>> series = archive.read_star("Gliese 581")
>>> len(series), series.instrument_labels
(250, ('HARPS-pre',))
>>> [planet.letter for planet in archive.published_values("GJ 581").expected]
['b', 'c', 'e']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import lazy_loader

if TYPE_CHECKING:
    from ecliptic.rv.archive.catalogue import published_values, read_star, stars
    from ecliptic.rv.archive.ecsv_files import read_ecsv, write_ecsv
    from ecliptic.rv.archive.fetching import fetch_star
    from ecliptic.rv.archive.literature import PublishedPlanet, PublishedStar, Quantity
    from ecliptic.rv.archive.merging import merge
    from ecliptic.rv.archive.reading import read_series
    from ecliptic.rv.archive.series import ArchivalSeries, SeriesIndicator, Source
    from ecliptic.rv.archive.upgrades import split_at_upgrade

__getattr__, __dir__, _ = lazy_loader.attach(
    __name__,
    submod_attrs={
        "catalogue": ["published_values", "read_star", "stars"],
        "ecsv_files": ["read_ecsv", "write_ecsv"],
        "fetching": ["fetch_star"],
        "literature": ["PublishedPlanet", "PublishedStar", "Quantity"],
        "merging": ["merge"],
        "reading": ["read_series"],
        "series": ["ArchivalSeries", "SeriesIndicator", "Source"],
        "upgrades": ["split_at_upgrade"],
    },
)

__all__ = [
    "ArchivalSeries",
    "PublishedPlanet",
    "PublishedStar",
    "Quantity",
    "SeriesIndicator",
    "Source",
    "fetch_star",
    "merge",
    "published_values",
    "read_ecsv",
    "read_series",
    "read_star",
    "split_at_upgrade",
    "stars",
    "write_ecsv",
]
