"""The shipped stars: whole, small, of known origin, and with the signals that were published."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

from ecliptic.errors import UsageError
from ecliptic.rv import archive
from ecliptic.rv.archive.catalogue import find_star
from ecliptic.rv.archive.series import ArchivalSeries
from ecliptic.rv.orbit import semi_amplitude_ms

POINTS = {
    "51 Peg": 546,
    "CoRoT-7": 177,
    "eta Cet": 127,
    "GJ 436": 192,
    "GJ 536": 196,
    "GJ 581": 250,
    "GJ 849": 192,
    "HD 106252": 110,
    "HD 128311": 133,
    "HD 164922": 400,
    "HD 213885": 238,
    "HD 82943": 411,
    "HD 86226": 105,
    "K2-131": 70,
    "K2-140": 31,
    "K2-24": 32,
    "K2-32": 80,
    "nu Oph": 204,
    "WASP-6": 99,
}
STRONGEST = {
    "51 Peg": "b",
    "GJ 436": "b",
    "GJ 536": "b",
    "GJ 581": "b",
    "GJ 849": "b",
    "HD 106252": "b",
    "HD 128311": "c",
    "HD 164922": "b",
    "HD 82943": "c",
    "K2-140": "b",
    "K2-32": "b",
    "eta Cet": "b",
    "nu Oph": "b",
}
"""Stars whose highest peak in a plain periodogram is a published planet."""


def test_these_stars_are_shipped() -> None:
    assert {name: len(archive.read_star(name)) for name in archive.stars()} == POINTS


def test_every_table_belongs_to_a_star_and_all_are_small() -> None:
    tables = list(files("ecliptic.rv.archive").joinpath("stars").iterdir())
    assert {table.name for table in tables} == {f"{find_star(name)}.ecsv" for name in POINTS}
    assert sum(len(table.read_bytes()) for table in tables) < 600_000


@pytest.mark.parametrize("name", POINTS)
def test_every_point_has_an_origin(name: str) -> None:
    series = archive.read_star(name)
    assert sum(source.points for source in series.sources) == len(series)
    assert {label for source in series.sources for label in source.instruments} == set(
        series.instrument_labels
    )
    for source in series.sources:
        assert source.licence == "MIT"
        assert len(source.sha256) == 64
        assert source.package
        assert source.version
        assert source.citation
        assert len(source.bibcode) == 19


@pytest.mark.parametrize("name", POINTS)
def test_published_semi_amplitudes_and_minimum_masses_agree(name: str) -> None:
    star = archive.published_values(name)
    for planet in star.planets:
        if planet.semi_amplitude_ms is None or planet.m_sin_i_mjup is None:
            continue
        expected = semi_amplitude_ms(
            planet.m_sin_i_mjup.value,
            planet.period_days.value,
            planet.e.value if planet.e else 0.0,
            star.star_mass_sun.value,
        )
        assert planet.semi_amplitude_ms.value == pytest.approx(float(expected), rel=0.03)


@pytest.mark.parametrize("name", POINTS)
def test_planets_that_are_expected_have_an_amplitude(name: str) -> None:
    for planet in archive.published_values(name).expected:
        assert planet.semi_amplitude_ms or planet.m_sin_i_mjup


@pytest.mark.parametrize(
    ("alias", "key"),
    [
        ("hd164922", "hd164922"),
        ("HD 164922", "hd164922"),
        ("Gliese 581", "gj581"),
        ("GJ-581", "gj581"),
        ("Gl 581", "gj581"),
        ("HIP 5364", "etacet"),
        ("51 pegasi", "51peg"),
        ("TOI-141", "hd213885"),
        ("nu_Oph", "nuoph"),
    ],
)
def test_a_star_answers_to_its_names(alias: str, key: str) -> None:
    assert find_star(alias) == key


@pytest.mark.parametrize("name", ["GJ 5811", "", "HD", "../gj581", "\x00"])
def test_another_star_is_refused_in_one_line(name: str) -> None:
    with pytest.raises(UsageError, match="is not a shipped star; these are: 51 Peg, CoRoT-7"):
        archive.read_star(name)


def test_points_inside_transits_are_flagged_where_they_matter() -> None:
    flagged = {
        name: archive.read_star(name).flags.count("transit") for name in ("WASP-6", "GJ 436")
    }
    assert flagged == {"WASP-6": 45, "GJ 436": 13}


@pytest.mark.parametrize(("name", "letter"), STRONGEST.items())
def test_the_highest_peak_is_the_published_planet(name: str, letter: str) -> None:
    star = archive.published_values(name)
    planet = next(planet for planet in star.planets if planet.letter == letter)
    times, power, frequencies = periodogram(archive.read_star(name))
    best = frequencies[np.argmax(power)]
    assert best == pytest.approx(1 / planet.period_days.value, abs=0.5 / np.ptp(times))


def periodogram(series: ArchivalSeries) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Lomb-Scargle power from the span to 1.2 days, a median an instrument removed."""
    from astropy.timeseries import LombScargle

    keep = np.array([not flag for flag in series.flags])
    labels = np.array(series.instruments)
    velocities = np.array(series.rvs_ms)
    for label in series.instrument_labels:
        chosen = labels == label
        velocities[chosen] -= np.median(velocities[chosen & keep])
    times = series.times_bjd[keep]
    frequencies = np.arange(1 / np.ptp(times), 1 / 1.2, 0.2 / np.ptp(times))
    errors = np.hypot(series.sigmas_ms[keep], 2.0)
    return times, LombScargle(times, velocities[keep], errors).power(frequencies), frequencies
