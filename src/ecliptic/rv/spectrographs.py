"""The instruments of a survey: when they work, how well, and where their zero points lie.

Quoted errors scatter about a level of the instrument (log-normal, as exposure times and seeing
do); the jitter comes on top and is quoted by nobody. Zero points differ by tens of m/s to km/s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.observing import Epoch, Survey
from ecliptic.rv.tasks import Instrument

Array = NDArray[np.float64]
LABELS = ("specA", "specB", "specC", "specD")
LEVEL_MS = (0.6, 2.5)
LEVEL_SCATTER = 0.35
ERROR_SCATTER = (0.1, 0.32)
JITTER_TO_LEVEL = (0.2, 1.1)
ZERO_POINT_MS = (20.0, 5000.0)
DRIFT_TO_LEVEL = (4.0, 14.0)  # over the time that the instrument is used
TREND_TO_LEVEL = (5.0, 25.0)  # over the span
MIN_POINTS = 10
ERROR_DIGITS = 4
DAYS_PER_YEAR = 365.25


@dataclass(frozen=True, slots=True)
class Spectrograph:
    """One instrument: its epoch, the level of its errors, their scatter in ln, its jitter."""

    label: str
    epoch: Epoch
    level_ms: float
    error_scatter: float
    jitter_ms: float


def draw_spectrographs(
    rng: np.random.Generator, survey: Survey, n_instruments: int, n_observations: int
) -> list[Spectrograph]:
    """One to four instruments that take over from each other, with or without an overlap."""
    k = n_instruments
    inner = np.sort(0.15 + 0.7 * rng.random(k - 1))
    edges = np.concatenate([[0.0], inner, [1.0]])
    overlap = np.where(rng.random(k) < 0.5, 0.35 * rng.random(k), 0.0)
    begin = np.maximum(edges[:-1] - overlap, 0.0)
    end = np.minimum(edges[1:] + overlap[::-1], 1.0)
    share = (end - begin) * (0.5 + rng.random(k))
    counts = _counts(share / share.sum(), n_observations)
    base = LEVEL_MS[0] * (LEVEL_MS[1] / LEVEL_MS[0]) ** rng.random()
    out = []
    for j in range(k):
        site = survey.sites[int(rng.integers(len(survey.sites)))]
        level = max(0.4, float(base * np.exp(LEVEL_SCATTER * rng.standard_normal())))
        out.append(
            Spectrograph(
                label=LABELS[j],
                epoch=Epoch(
                    site=site,
                    begin_days=round(survey.start_days + survey.span_days * float(begin[j]), 1),
                    end_days=round(survey.start_days + survey.span_days * float(end[j]), 1),
                    n=counts[j],
                ),
                level_ms=round(level, 3),
                error_scatter=round(rng.uniform(*ERROR_SCATTER), 3),
                jitter_ms=round(level * rng.uniform(*JITTER_TO_LEVEL), 3),
            )
        )
    return out


def _counts(share: Array, total: int) -> list[int]:
    """Whole numbers that sum to ``total`` in about these shares, none below ``MIN_POINTS``."""
    free = total - MIN_POINTS * share.size
    counts = np.floor(share * free).astype(np.int64) + MIN_POINTS
    counts[int(np.argmax(share))] += total - int(counts.sum())
    return [int(count) for count in counts]


def draw_errors_ms(
    rng: np.random.Generator, spectrographs: Sequence[Spectrograph], index: NDArray[np.int64]
) -> Array:
    """Quoted error of each point, in steps of 1e-4 m/s; ``index`` is that of its instrument."""
    level = np.array([each.level_ms for each in spectrographs])[index]
    scatter = np.array([each.error_scatter for each in spectrographs])[index]
    errors = level * np.exp(scatter * rng.standard_normal(index.size))
    return np.maximum(np.round(errors, ERROR_DIGITS), 0.1)


def draw_zero_points(
    rng: np.random.Generator, spectrographs: Sequence[Spectrograph], n_drifting: int
) -> list[Instrument]:
    """Offset of each instrument, and the drift of ``n_drifting`` of them, as the truth holds it."""
    drifting = set(rng.permutation(len(spectrographs))[:n_drifting].tolist())
    out = []
    for j, each in enumerate(spectrographs):
        u, sign, amount, drift_sign = rng.random(4)
        low, high = ZERO_POINT_MS
        offset = float(low * (high / low) ** u) * (1.0 if sign < 0.5 else -1.0)
        years = (each.epoch.end_days - each.epoch.begin_days) / DAYS_PER_YEAR
        change = each.level_ms * (
            DRIFT_TO_LEVEL[0] + (DRIFT_TO_LEVEL[1] - DRIFT_TO_LEVEL[0]) * amount
        )
        drift = round(change / years * (1.0 if drift_sign < 0.5 else -1.0), 3)
        instrument = Instrument(
            label=each.label,
            gamma_ms=round(offset, 2),
            sigma_white_ms=each.level_ms,
            sigma_jitter_ms=each.jitter_ms,
        )
        if j in drifting:
            instrument = instrument.model_copy(update={"drift_ms_per_year": drift})
        out.append(instrument)
    return out


def draw_trend(
    rng: np.random.Generator, order: Literal[0, 1, 2], level_ms: float, span_days: float
) -> tuple[float, ...]:
    """Coefficients of the trend in m/s a year to the power of their number."""
    amounts, signs = rng.random((2, 2))
    years = span_days / DAYS_PER_YEAR
    low, high = TREND_TO_LEVEL
    return tuple(
        round(
            level_ms
            * (low + (high - low) * float(amounts[k - 1]))
            / years**k
            * (1.0 if signs[k - 1] < 0.5 else -1.0),
            3,
        )
        for k in range(1, order + 1)
    )
