"""Night, sidereal time and Moon, as well as the planning of observations needs them.

Times are Julian dates less 2,450,000 d, angles in radians unless their name says otherwise. The
formulas are the low-precision ones of the Astronomical Almanac: the Sun to 0.01 degrees, sidereal
time to seconds, the Moon's age by its mean synodic month (half a day).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
EPOCH_JD = 2_450_000.0
J2000_DAYS = 1545.0  # 2000 January 1, 12 h, less the epoch
SIDEREAL_DAY = 0.99726957
SYNODIC_MONTH_DAYS = 29.530588853
NEW_MOON_DAYS = 1550.1  # 2000 January 6
TWILIGHT_RAD = math.radians(-15.0)
OBLIQUITY_RAD = math.radians(23.439)


@dataclass(frozen=True, slots=True)
class Site:
    """A place to observe from; longitude positive to the east."""

    name: str
    longitude_deg: float
    latitude_deg: float


SITES = (
    Site("La Silla", -70.74, -29.26),
    Site("La Palma", -17.89, 28.76),
    Site("Haute-Provence", 5.71, 43.93),
    Site("Mauna Kea", -155.47, 19.83),
    Site("Calar Alto", -2.55, 37.22),
    Site("Siding Spring", 149.07, -31.27),
    Site("Mount Hamilton", -121.64, 37.34),
    Site("McDonald", -104.02, 30.67),
    Site("Xinglong", 117.58, 40.39),
)


def sidereal_turns(times_days: Array, site: Site) -> Array:
    """Local mean sidereal time in turns, not reduced to one turn."""
    since = times_days - J2000_DAYS
    turns: Array = 0.779057273 + 1.00273790935 * since + site.longitude_deg / 360.0
    return turns


def midnights_days(nights: NDArray[np.int64], site: Site) -> Array:
    """Local mean midnight of nights that are numbered by the day they begin on."""
    midnights: Array = nights.astype(np.float64) + (0.5 - site.longitude_deg / 360.0)
    return midnights


def sun_declination_rad(times_days: Array) -> Array:
    """Declination of the Sun."""
    since = times_days - J2000_DAYS
    mean = np.radians(280.460 + 0.9856474 * since)
    anomaly = np.radians(357.528 + 0.9856003 * since)
    ecliptic = mean + np.radians(1.915) * np.sin(anomaly) + np.radians(0.020) * np.sin(2 * anomaly)
    declination: Array = np.arcsin(math.sin(OBLIQUITY_RAD) * np.sin(ecliptic))
    return declination


def half_nights_days(midnights: Array, site: Site) -> Array:
    """Half the time that the Sun is more than 15 degrees below the horizon; 0 if it never is."""
    declination = sun_declination_rad(midnights)
    latitude = math.radians(site.latitude_deg)
    cosine = (math.sin(TWILIGHT_RAD) - math.sin(latitude) * np.sin(declination)) / (
        math.cos(latitude) * np.cos(declination)
    )
    half: Array = 0.5 - np.arccos(np.clip(cosine, -1.0, 1.0)) / math.tau
    return half


def moon_phase(times_days: Array) -> Array:
    """Age of the Moon over the synodic month: 0 is new, 0.5 full."""
    phase: Array = np.mod((times_days - NEW_MOON_DAYS) / SYNODIC_MONTH_DAYS, 1.0)
    return phase
