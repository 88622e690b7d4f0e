"""Whether another set of periods explains the data as well as the oracle does.

A rival has as many planets as the oracle or fewer, and at least one period that would fail
protocol ``strict``. The margin is that of log-likelihoods under the declared family; nothing else
decides, in particular not whether a solver failed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ecliptic.model import Model
from ecliptic.rv.alternatives import Alternative, Exploration
from ecliptic.rv.inference.fitting import Fit
from ecliptic.rv.inference.small_matrices import Array

MIN_MARGIN = 5.0
KEPT = 5


class Rival(Model):
    """A wrong-period optimum: what led to it, and what it loses against the oracle in ln L."""

    move: str
    periods_days: tuple[float, ...]
    margin: float


class Uniqueness(Model):
    """The nearest rivals, the nearest first; ``margin`` is that of the first, if there is any."""

    margin: float | None
    rivals: tuple[Rival, ...]


def uniqueness_of(exploration: Exploration, truth: Array, allowed: Sequence[float]) -> Uniqueness:
    """Rivals among everything that was explored.

    ``truth``: elements of the true planets; ``allowed``: for each the deviation in frequency that
    still counts as the right period.
    """
    best = exploration.best
    rivals = [
        Rival(
            move=each.move,
            periods_days=tuple(sorted((1.0 / each.fit.shape[:, 0]).tolist())),
            margin=best.log_likelihood - each.fit.log_likelihood,
        )
        for each in wrong(exploration, truth, allowed)
    ]
    rivals += [
        Rival(
            move="removal",
            periods_days=tuple(sorted((1.0 / each.shape[:, 0]).tolist())),
            margin=best.log_likelihood - each.log_likelihood,
        )
        for each in exploration.removals
    ]
    rivals.sort(key=lambda rival: rival.margin)
    margin = rivals[0].margin if rivals else None
    return Uniqueness(margin=margin, rivals=tuple(rivals[:KEPT]))


def wrong(exploration: Exploration, truth: Array, allowed: Sequence[float]) -> list[Alternative]:
    """The explored optima with a wrong period, the most likely first."""
    found = [each for each in exploration.others if wrong_periods(each.fit, truth, allowed)]
    return sorted(found, key=lambda each: -each.fit.log_likelihood)


def wrong_periods(fit: Fit, truth: Array, allowed: Sequence[float]) -> bool:
    """Whether a fit's periods are not all right, one for each true planet."""
    from scipy.optimize import linear_sum_assignment

    if fit.n_planets > len(truth):
        return False
    if fit.n_planets < len(truth):
        return True
    ratio = np.abs(np.subtract.outer(1.0 / truth[:, 0], fit.shape[:, 0]))
    ratio = ratio / np.asarray(allowed)[:, np.newaxis]
    rows, columns = linear_sum_assignment(np.minimum(ratio, 1e6))
    return not float(ratio[rows, columns].max(initial=0.0)) <= 1.0


def allowed_deviations(
    truth: Array, period_sigmas_days: Sequence[float], span_days: float,
    sigmas: float, resolution: float,
) -> list[float]:  # fmt: skip
    """Deviation in frequency, 1/day, that protocol ``strict`` allows each planet."""
    return [
        max(sigmas * sigma / (P * P), resolution / span_days)
        for sigma, P in zip(period_sigmas_days, truth[:, 0].tolist(), strict=True)
    ]


def is_unique(uniqueness: Uniqueness) -> bool:
    """Whether no rival comes within 5 in log-likelihood."""
    return (
        uniqueness.margin is None
        or uniqueness.margin >= MIN_MARGIN
        or math.isnan(uniqueness.margin)
    )
