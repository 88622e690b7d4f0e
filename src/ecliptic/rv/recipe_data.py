"""The recipe ``ecliptic``: times, instruments and errors of a task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv import spectrographs
from ecliptic.rv.observing import Epoch, Survey, draw_survey, draw_times
from ecliptic.rv.recipe_options import Options
from ecliptic.rv.redraw import Redraw
from ecliptic.rv.schedule import TICKS_PER_DAY
from ecliptic.rv.spectrographs import DAYS_PER_YEAR, Spectrograph
from ecliptic.rv.streams import Stream, Streams
from ecliptic.rv.structures import RANGES, Plan
from ecliptic.rv.tasks import Instrument

Array = NDArray[np.float64]
SPAN_DAYS = (500.0, 2500.0)
ACTIVE_SPAN_DAYS = (300.0, 700.0)  # sampled densely enough to see the star turn


@dataclass(frozen=True)
class SurveyData:
    """The observations but for their velocities.

    ``times``, ``index`` (of the instrument) and ``sigmas`` have shape (n,). ``survey`` is ``None``
    where the times were given or uniform.
    """

    times: Array
    index: NDArray[np.int64]
    sigmas: Array
    spectrographs: list[Spectrograph]
    survey: Survey | None

    @property
    def span(self) -> float:
        """From the first time to the last, in days."""
        return float(self.times[-1] - self.times[0])

    @property
    def years(self) -> Array:
        """Time since the reference epoch."""
        years: Array = (self.times - self.times[0]) / DAYS_PER_YEAR
        return years


def draw_data(streams: Streams, plan: Plan, asked: Options) -> SurveyData:
    """When the star is observed, with what, and how well.

    Raises
    ------
    Redraw
        Too few points, or two at one time.
    """
    active = "activity" in plan.structures
    survey = draw_survey(
        streams[Stream.SITES],
        (ACTIVE_SPAN_DAYS if active else SPAN_DAYS),
        narrow="alias" in plan.structures,
        dense=active,
    )
    n = plan.n_observations if asked.times_days is None else len(asked.times_days)
    k = min(plan.n_instruments, n // spectrographs.MIN_POINTS)
    drawn = spectrographs.draw_spectrographs(streams[Stream.SPECTROGRAPHS], survey, k, n)
    epochs = [each.epoch for each in drawn]
    schedule = streams[Stream.SCHEDULE]
    if asked.times_days is not None:
        survey_or_none, times = None, _shared_out(np.array(asked.times_days), epochs, survey)
    elif asked.cadence == "uniform":
        survey_or_none, times = None, [_uniform(schedule, epoch) for epoch in epochs]
    else:
        survey_or_none = survey
        times = draw_times(survey, epochs, schedule, streams[Stream.WEATHER])
    merged = np.concatenate(times)
    index = np.repeat(np.arange(k), [part.size for part in times])
    order = np.argsort(merged, kind="stable")
    merged, index = merged[order], index[order]
    if (np.diff(merged) <= 0.0).any():
        raise Redraw("two points at one time")
    if asked.times_days is None and merged.size < RANGES[plan.tier].observations[0]:
        raise Redraw("too few nights")
    if np.bincount(index, minlength=k).min() < spectrographs.MIN_POINTS:
        raise Redraw("too few points of an instrument")
    sigmas = spectrographs.draw_errors_ms(streams[Stream.ERRORS], drawn, index)
    return SurveyData(merged, index, sigmas, drawn, survey_or_none)


def _uniform(rng: np.random.Generator, epoch: Epoch) -> Array:
    times = epoch.begin_days + rng.random(epoch.n) * (epoch.end_days - epoch.begin_days)
    return np.rint(times * TICKS_PER_DAY) / TICKS_PER_DAY


def _shared_out(times: Array, epochs: Sequence[Epoch], survey: Survey) -> list[Array]:
    """Given times among the instruments, each to the one whose stretch has its middle nearest."""
    fraction = (times - times[0]) / (times[-1] - times[0])
    middles = [
        (0.5 * (epoch.begin_days + epoch.end_days) - survey.start_days) / survey.span_days
        for epoch in epochs
    ]
    nearest = np.abs(fraction[:, np.newaxis] - middles).argmin(axis=1)
    return [times[nearest == j] for j in range(len(epochs))]


def draw_zero_points(streams: Streams, plan: Plan, data: SurveyData) -> list[Instrument]:
    """The instruments as the truth holds them; drifts where they are a structure of the plan."""
    n_drifting = 0
    rng = streams[Stream.ZERO_POINTS]
    if "instruments" in plan.structures:
        n_drifting = 1 + int(rng.random() < 0.4 and len(data.spectrographs) > 2)
    return spectrographs.draw_zero_points(rng, data.spectrographs, n_drifting)


def slow_terms_ms(
    zero_points: Sequence[Instrument], trend: Sequence[float], data: SurveyData
) -> Array:
    """Drifts and trend at the times of observation, in m/s."""
    years = data.years
    total = np.array([each.drift_ms_per_year for each in zero_points])[data.index] * years
    for order, coefficient in enumerate(trend, start=1):
        total = total + coefficient * years**order
    return total
