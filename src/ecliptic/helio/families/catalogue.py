"""All families by topic; a family's module is imported when it is taken out."""

from __future__ import annotations

import importlib
from functools import cache

from ecliptic.arguments import one_of
from ecliptic.helio.families.family import Family

TOPICS = {
    "solar_interior": "Solar interior and dynamo",
    "photosphere": "Photosphere and radiative transfer",
    "corona": "Corona and heating",
    "solar_wind": "Solar wind and Parker spiral",
    "shocks_and_cmes": "Shocks and coronal mass ejections",
    "energetic_particles": "Energetic particles and cosmic-ray transport",
    "mhd_waves": "Magnetohydrodynamics and waves",
    "reconnection": "Magnetic reconnection",
    "magnetosphere": "Magnetosphere and magnetopause",
    "radiation_belts": "Radiation belts and adiabatic invariants",
    "ionosphere": "Ionosphere and Chapman layers",
    "thermosphere": "Thermosphere and drag",
    "planetary_magnetospheres": "Planetary magnetospheres",
    "outer_heliosphere": "Outer heliosphere",
    "space_weather": "Space-weather operations",
}
"""Topics of the curriculum in the order of the way out from the Sun; each is a package beside
this module that lists the names of its families' modules in ``FAMILIES``."""


@cache
def topics_of_families() -> dict[str, str]:
    """Name of every family -> its topic, in the order of the curriculum."""
    return {
        name: topic
        for topic in TOPICS
        for name in importlib.import_module(f"{__package__}.{topic}").FAMILIES
    }


@cache
def family_of(name: str) -> Family:
    """The family of a name.

    Raises
    ------
    UsageError
        There is none; a close name is suggested.
    """
    topics = topics_of_families()
    name = one_of("family", name, topics)
    family = importlib.import_module(f"{__package__}.{topics[name]}.{name}").FAMILY
    assert isinstance(family, Family)
    return family
