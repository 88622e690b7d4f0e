"""When a survey observes a star: nights, seasons, weather, the Moon, campaigns.

A star can be observed while it is dark and the star's hour angle lies in a window of 3 to 9 h, so
that the time of observation drifts through the year and the star is lost for a season. Weather
closes runs of nights. Many surveys get bright nights only, or stay away from the full Moon. Nights
of a campaign are much likelier than others. Where the survey takes several points a night, they
lie at least a third of an hour apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.schedule import TICKS_PER_DAY
from ecliptic.rv.sky import (
    SIDEREAL_DAY,
    SITES,
    Site,
    half_nights_days,
    midnights_days,
    moon_phase,
    sidereal_turns,
)

Array = NDArray[np.float64]
Moon = Literal["any", "bright", "not full"]
START_DAYS = (2500.0, 9000.0)  # from 2002 to 2020
HALF_WINDOW_HOURS = (1.5, 4.5)
NARROW_HALF_WINDOW_HOURS = (1.5, 2.1)
BAD_NIGHTS = (0.2, 0.45)
BAD_RUN_NIGHTS = 2.5
CAMPAIGN_NIGHTS = (10, 25)
CAMPAIGN_WEIGHT = (6.0, 20.0)
DAYS_A_CAMPAIGN = 150.0
SLOT_HOURS = 1.0
MAX_VISITS = 3
USUAL_VISITS = 1.5
SEVERAL_A_NIGHT = 0.35
_MARGIN = 0.15  # of a slot, at both ends


@dataclass(frozen=True, slots=True)
class Survey:
    """What the nights are chosen by, the same for all instruments."""

    start_days: float
    span_days: float
    right_ascension_turns: float
    half_window_hours: float
    sites: tuple[Site, ...]
    moon: Moon
    moon_width: float
    bad_nights: float
    campaigns: tuple[tuple[float, float], ...]
    campaign_weight: float
    extra_visits: float
    """Share of the points that are a further one of their night."""


@dataclass(frozen=True, slots=True)
class Epoch:
    """A stretch of the survey in which one instrument takes ``n`` points; begin and end in days."""

    site: Site
    begin_days: float
    end_days: float
    n: int


def draw_survey(
    rng: np.random.Generator, span_range_days: tuple[float, float], *, narrow: bool, dense: bool
) -> Survey:
    """Place, target, habits.

    ``narrow``: one site and a window of 3 to 4.2 h, for aliases. ``dense``: a programme that
    follows the star's rotation and therefore gets its nights, bright or not.
    """
    span = float(span_range_days[0] * (span_range_days[1] / span_range_days[0]) ** rng.random())
    span = round(span, 1)
    start = round(rng.uniform(*START_DAYS), 1)
    first, second = rng.choice(len(SITES), 2, replace=False)
    two = rng.random() < 0.6
    window = NARROW_HALF_WINDOW_HOURS if narrow else HALF_WINDOW_HOURS
    half_window = rng.uniform(max(window[0], 3.0) if dense and not narrow else window[0], window[1])
    moon, width = rng.random(2)
    bright = 0.0 if dense else 0.3
    kind: Moon = "bright" if moon < bright else "not full" if moon < 0.6 else "any"
    n_campaigns = int(rng.integers(0, max(1, int(span / DAYS_A_CAMPAIGN)), endpoint=True))
    campaigns = []
    for _ in range(n_campaigns):
        length = rng.uniform(*CAMPAIGN_NIGHTS)
        begin = start + rng.random() * max(span - length, 0.0)
        campaigns.append((round(begin, 1), round(begin + length, 1)))
    several, share = rng.random(2)
    return Survey(
        start_days=start,
        span_days=span,
        right_ascension_turns=round(rng.random(), 4),
        half_window_hours=round(half_window, 2),
        sites=(SITES[first],) if narrow or not two else (SITES[first], SITES[second]),
        moon=kind,
        moon_width=round(0.26 + 0.14 * width if kind == "bright" else 0.07 + 0.08 * width, 3),
        bad_nights=round(rng.uniform(*BAD_NIGHTS), 3),
        campaigns=tuple(campaigns),
        campaign_weight=round(rng.uniform(*CAMPAIGN_WEIGHT), 1),
        extra_visits=round(0.5 * share, 3) if several < SEVERAL_A_NIGHT else 0.0,
    )


def draw_times(
    survey: Survey, epochs: Sequence[Epoch], rng: np.random.Generator, weather: np.random.Generator
) -> list[Array]:
    """Times of each epoch, in whole ticks of 1e-6 d, increasing; fewer where nights are lacking."""
    clear = {site: _clear_nights(survey, weather) for site in dict.fromkeys(survey.sites)}
    return [_epoch_times(survey, epoch, clear[epoch.site], rng) for epoch in epochs]


def visible(survey: Survey, nights: NDArray[np.int64], site: Site) -> tuple[Array, Array]:
    """Begin and end of the time in each night when it is dark and the star in its window.

    Where the end is not after the begin, there is none.
    """
    midnights = midnights_days(nights, site)
    half_night = half_nights_days(midnights, site)
    hour_angle = sidereal_turns(midnights, site) - survey.right_ascension_turns
    hour_angle -= np.rint(hour_angle)
    transit = midnights - hour_angle * SIDEREAL_DAY
    half_window = survey.half_window_hours / 24.0 * SIDEREAL_DAY
    begin = np.maximum(midnights - half_night, transit - half_window)
    end = np.minimum(midnights + half_night, transit + half_window)
    return begin, end


def _clear_nights(survey: Survey, rng: np.random.Generator) -> NDArray[np.bool_]:
    """For each night of the survey whether it is clear: a chain with runs of bad nights."""
    n = int(survey.span_days) + 2
    u = rng.random(n).tolist()
    to_good = 1.0 / BAD_RUN_NIGHTS
    to_bad = to_good * survey.bad_nights / (1.0 - survey.bad_nights)
    bad, out = u[0] < survey.bad_nights, []
    for value in u:
        bad = value > to_good if bad else value < to_bad
        out.append(not bad)
    return np.array(out)


def _epoch_times(
    survey: Survey, epoch: Epoch, clear: NDArray[np.bool_], rng: np.random.Generator
) -> Array:
    origin = int(survey.start_days)
    nights = np.arange(origin, origin + clear.size)
    begin, end = visible(survey, nights, epoch.site)
    midnights = midnights_days(nights, epoch.site)
    good = clear & (end - begin > 0.5 * SLOT_HOURS / 24.0) & _moon_allows(survey, midnights)
    good &= (midnights >= epoch.begin_days) & (midnights <= epoch.end_days)
    order = np.flatnonzero(good)
    # A survey that is short of nights takes more points in each, and goes without the rest.
    n_nights = min(epoch.n - int(survey.extra_visits * epoch.n), int(0.9 * order.size))
    n_extra = min(epoch.n, int(USUAL_VISITS * n_nights)) - n_nights
    weight = np.ones(order.size)
    for first, last in survey.campaigns:
        inside = (midnights[order] >= first) & (midnights[order] <= last)
        weight[inside] = survey.campaign_weight
    race = -np.log1p(-rng.random(order.size)) / weight  # the n least: a draw without replacement
    chosen = np.sort(order[np.argsort(race, kind="stable")[:n_nights]])
    visits = np.ones(n_nights, dtype=np.int64)
    room = np.maximum(((end - begin)[chosen] * 24.0 / SLOT_HOURS).astype(np.int64), 1)
    while n_extra:
        places = np.flatnonzero(visits < np.minimum(room, MAX_VISITS))
        if not places.size:
            break
        visits[places[int(rng.integers(places.size))]] += 1
        n_extra -= 1
    times = []
    for night, count in zip(chosen.tolist(), visits.tolist(), strict=True):
        slot = (end[night] - begin[night]) / count
        # The mean of two: observers like the middle of the window, where the star is high.
        where = rng.random((count, 2)).mean(axis=1) * (1.0 - 2.0 * _MARGIN) + _MARGIN
        times.extend(begin[night] + slot * (np.arange(count) + where))
    rounded: Array = np.rint(np.array(times) * TICKS_PER_DAY) / TICKS_PER_DAY
    return rounded


def _moon_allows(survey: Survey, midnights: Array) -> NDArray[np.bool_]:
    from_full = np.abs(moon_phase(midnights) - 0.5)
    if survey.moon == "bright":
        return np.asarray(from_full <= survey.moon_width)
    if survey.moon == "not full":
        return np.asarray(from_full >= survey.moon_width)
    return np.ones(midnights.size, dtype=bool)
