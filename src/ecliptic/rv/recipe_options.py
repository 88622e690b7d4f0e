"""What may be asked of the recipe ``ecliptic``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ecliptic.errors import UsageError
from ecliptic.rv.schedule import TICKS_PER_DAY
from ecliptic.rv.structures import Variant

Cadence = Literal["survey", "uniform"]
MIN_TIMES = 30


@dataclass(frozen=True)
class Options:
    """What may be asked of the recipe beyond a tier.

    Attributes
    ----------
    forward_model
        ``nbody``: the truth of a system whose planets interact is integrated, and labelled so.
    variant
        Noise that the declared family does not hold, labelled in ``meta``: ``matern32`` and
        ``quasi_periodic`` (another kernel), ``spots`` (a rotation near a planet's period),
        ``drifts`` (that are not declared).
    cadence
        ``survey``, or ``uniform`` over the span.
    times_days
        Times to use instead, for example those of a real star.
    """

    forward_model: Literal["keplerian", "nbody"] = "keplerian"
    variant: Variant | None = None
    cadence: Cadence = "survey"
    times_days: tuple[float, ...] | None = None


def times_of(times_days: ArrayLike) -> tuple[float, ...]:
    """Times from outside, sorted, in whole ticks of 1e-6 d.

    Raises
    ------
    UsageError
        Not a flat list of finite numbers, fewer than 30, or two that coincide.
    """
    try:
        times = np.sort(np.asarray(times_days, dtype=np.float64))
    except (TypeError, ValueError):
        raise UsageError("times_days: must be a flat list of numbers") from None
    if times.ndim != 1 or not np.isfinite(times).all():
        raise UsageError("times_days: must be a flat list of finite numbers")
    if times.size < MIN_TIMES:
        raise UsageError(f"times_days: must hold at least {MIN_TIMES} times, not {times.size}")
    times = np.rint(times * TICKS_PER_DAY) / TICKS_PER_DAY
    if (np.diff(times) <= 0.0).any():
        raise UsageError("times_days: two of them are the same to 1e-6 d")
    return tuple(times.tolist())
