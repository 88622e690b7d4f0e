"""Periodograms and pictures, from the public part of a star; run in a process of their own."""

from __future__ import annotations

import io
import json
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ecliptic.errors import SubmissionError

if TYPE_CHECKING:
    from ecliptic.rv import Observation, Submission

MOST_PEAKS, MOST_POINTS = 20, 2000
OVERSAMPLING = 8.0


def warm_up() -> None:
    """Import what pictures and periodograms need."""
    import nifty_ls  # noqa: F401

    import ecliptic.rv.plots  # noqa: F401


@lru_cache(maxsize=64)
def observation_of(text: str) -> Observation:
    """The observation in JSON text."""
    from ecliptic.rv import Observation

    return Observation.model_validate(json.loads(text))


def _read(submission: Any) -> Submission:
    from ecliptic.rv import read_submission
    from ecliptic.rv.submission import AGENT_LIMITS

    return read_submission(submission, AGENT_LIMITS)


def picture(observation: str, submission: Any) -> bytes | str:
    """A PNG of data, model, residuals, phases and periodograms; or why there is none."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from ecliptic.rv.plots import fit_figure

    try:
        guess = None if submission is None else _read(submission)
    except SubmissionError as error:
        return str(error)
    figure = fit_figure(observation_of(observation), guess)
    FigureCanvasAgg(figure)
    target = io.BytesIO()
    figure.savefig(target, format="png", dpi=80)
    return target.getvalue()


def power(
    observation: str, submission: Any, low_days: float | None, high_days: float | None, peaks: int
) -> dict[str, Any] | str:
    """Periodogram of the velocities, or of what a model leaves of them.

    Power is that of Zechmeister & Kürster (2009), each instrument less its weighted mean. At most
    2,000 points of the curve are told, the highest of each interval of frequency.
    """
    import numpy as np

    from ecliptic.rv.inference.periodogram import periodogram
    from ecliptic.rv.panels import FittedModel
    from ecliptic.rv.power_panels import false_alarm_level

    seen = observation_of(observation)
    try:
        guess = None if submission is None else _read(submission)
    except SubmissionError as error:
        return str(error)
    span = float(seen.times_days[-1] - seen.times_days[0])
    family = seen.family
    low = low_days or (family.period_min_days if family else 1.1)
    high = high_days or (family.period_max_days if family else max(2.0 * span, 2.2))
    if not low < high:
        return f"period_min_days ({low:g}) must be less than period_max_days ({high:g})"
    planets = guess.planets if guess else ()
    jitter = guess.sigma_jitter_ms if guess else 0.0
    values = FittedModel.of(seen, planets, jitter).residuals
    variances = seen.sigmas_ms**2 + jitter * jitter
    found = periodogram(seen.times_days, values, variances, low, high, OVERSAMPLING)
    if not len(found.power):
        return "too few points for a periodogram"
    tops = found.peaks(peaks, 1.0)
    heights = np.interp(tops, found.frequencies, found.power)
    level = None
    if len(values) > 3:
        level = false_alarm_level(len(values), 1.0 / low - 1.0 / high, found.resolution)
    chosen = _highest(found.power)
    return {
        "peaks": [
            {"period_days": 1.0 / f, "power": p}
            for f, p in zip(tops.tolist(), heights.tolist(), strict=True)
        ],
        "false_alarm_power": level,
        "period_days": (1.0 / found.frequencies[chosen]).tolist(),
        "power": found.power[chosen].tolist(),
    }


def _highest(power_values: Any) -> Any:
    """Positions of the highest of each of at most ``MOST_POINTS`` stretches."""
    import numpy as np

    n = len(power_values)
    if n <= MOST_POINTS:
        return np.arange(n)
    edges = np.linspace(0, n, MOST_POINTS + 1).astype(int)
    return np.array([low + int(np.argmax(power_values[low:high])) for low, high in pairwise(edges)])
