"""Surveys observe at night, in season, and when weather and Moon permit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ecliptic.rv import observing
from ecliptic.rv.observing import Epoch, Survey, draw_survey, draw_times, visible
from ecliptic.rv.sky import SITES, Site, moon_phase

SPANS = (500.0, 2000.0)


def sun_altitude_deg(times: np.ndarray, site: Site) -> np.ndarray:
    """Astronomical Almanac, low precision, written out apart from the package's own."""
    d = times + 2_450_000.0 - 2_451_545.0
    g, q = np.radians(357.529 + 0.98560028 * d), 280.459 + 0.98564736 * d
    longitude = np.radians(q + 1.915 * np.sin(g) + 0.020 * np.sin(2 * g))
    tilt = math.radians(23.439)
    ra = np.arctan2(math.cos(tilt) * np.sin(longitude), np.cos(longitude))
    dec = np.arcsin(math.sin(tilt) * np.sin(longitude))
    hour_angle = np.radians(15.0 * (18.697374558 + 24.06570982441908 * d) + site.longitude_deg) - ra
    latitude = math.radians(site.latitude_deg)
    sine = math.sin(latitude) * np.sin(dec)
    return np.degrees(np.arcsin(sine + math.cos(latitude) * np.cos(dec) * np.cos(hour_angle)))


def hour_angle_hours(times: np.ndarray, survey: Survey, site: Site) -> np.ndarray:
    d = times + 2_450_000.0 - 2_451_545.0
    sidereal = 18.697374558 + 24.06570982441908 * d + site.longitude_deg / 15.0
    return np.mod(sidereal - 24.0 * survey.right_ascension_turns + 12.0, 24.0) - 12.0


def observed(seed: int, *, narrow: bool = False) -> tuple[Survey, list[Epoch], list[np.ndarray]]:
    rng, weather = np.random.default_rng(seed), np.random.default_rng(seed + 1000)
    survey = draw_survey(rng, SPANS, narrow=narrow, dense=False)
    begin, end = survey.start_days, survey.start_days + survey.span_days
    middle = 0.5 * (begin + end)
    epochs = [
        Epoch(survey.sites[0], begin, middle, 40),
        Epoch(survey.sites[-1], middle - 50.0, end, 50),
    ]
    return survey, epochs, draw_times(survey, epochs, rng, weather)


@pytest.mark.parametrize("seed", range(12))
def test_points_lie_in_the_night_and_in_the_window(seed: int) -> None:
    survey, epochs, times = observed(seed, narrow=seed % 3 == 0)
    for epoch, part in zip(epochs, times, strict=True):
        assert (np.diff(part) > 0.0).all()
        assert part.size <= epoch.n
        assert sun_altitude_deg(part, epoch.site).max() < -10.0
        assert np.abs(hour_angle_hours(part, survey, epoch.site)).max() < (
            survey.half_window_hours + 0.02
        )
        assert part.min() > epoch.begin_days - 0.5
        assert part.max() < epoch.end_days + 0.5
        full = np.abs(moon_phase(part) - 0.5)
        if survey.moon == "bright":
            assert full.max() < survey.moon_width + 0.02
        elif survey.moon == "not full":
            assert full.min() > survey.moon_width - 0.02


def test_the_time_of_observation_drifts_and_the_star_has_a_season() -> None:
    survey = draw_survey(np.random.default_rng(1), SPANS, narrow=True, dense=False)
    nights = np.arange(5000, 5365)
    begin, end = visible(survey, nights, SITES[0])
    seen = end - begin > 1.0 / 24.0
    assert 120 < seen.sum() < 270
    clock = np.mod(0.5 * (begin + end)[seen] + SITES[0].longitude_deg / 360.0, 1.0)
    assert np.ptp(clock) * 24.0 > 5.0


def test_weather_comes_in_runs() -> None:
    survey, _, _ = observed(3)
    long = Survey(**{**{n: getattr(survey, n) for n in Survey.__slots__}, "span_days": 60_000.0})
    clear = observing._clear_nights(long, np.random.default_rng(5))
    assert 1.0 - clear.mean() == pytest.approx(survey.bad_nights, abs=0.02)
    ends = np.flatnonzero(np.diff(clear.astype(int)) == 1).size
    assert (~clear).sum() / ends == pytest.approx(observing.BAD_RUN_NIGHTS, rel=0.05)


def test_campaigns_are_denser() -> None:
    inside, outside = 0, 0
    for seed in range(30):
        survey, _, times = observed(seed)
        merged = np.concatenate(times)
        campaign = np.zeros(merged.size, dtype=bool)
        length = 0.0
        for begin, end in survey.campaigns:
            campaign |= (merged >= begin) & (merged <= end)
            length += end - begin
        inside += campaign.sum() / max(length, 1.0)
        outside += (~campaign).sum() / (survey.span_days - length)
    assert inside > 2.0 * outside


def test_a_survey_short_of_nights_takes_fewer_points() -> None:
    survey, _, _ = observed(2)
    epoch = Epoch(survey.sites[0], survey.start_days, survey.start_days + 40.0, 500)
    rng = np.random.default_rng(0)
    (times,) = draw_times(survey, [epoch], rng, np.random.default_rng(1))
    assert times.size < 70
