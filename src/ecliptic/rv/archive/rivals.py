"""Other periods that a series allows: what cannot be asked of an analyst who knows nothing else.

Sampling confuses a frequency with its aliases, and where a paper chose among them it often had
transits to go by. Each expected planet is moved to the aliases of its frequency, to half and twice
of it, and to the highest peaks that the series shows without it; all planets are then fitted anew,
as in the refit and with its prior on eccentricities. A solution whose ln L is less than 5 below the
refit's, or above it, is a rival, unless its planets could not last (:mod:`ecliptic.rv.stability`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np

from ecliptic.rv.alternatives import alias_frequencies, without
from ecliptic.rv.archive.joint_fit import E_SCALE, screened
from ecliptic.rv.inference.fitting import Fit, fit
from ecliptic.rv.inference.posterior import Posterior
from ecliptic.rv.inference.scan import scan
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.refit_records import Measured, Rival
from ecliptic.rv.stability import is_stable

MARGIN = 5.0
DEPTH = 20.0  # in ln L with the noise held: a deeper start never comes within the margin
N_PEAKS = 5
HALF_RESOLUTION = 0.5
MAX_RIVALS = 20


def rivals_of(best: Fit, expected: Sequence[int], widening: float = 1.0) -> tuple[Rival, ...]:
    """The rivals of a Keplerian fit, the most likely first.

    ``expected``: positions of the planets that must be found; others may move as they like.
    ``widening`` multiplies standard deviations.
    """
    apart = HALF_RESOLUTION / best.problem.velocities.span_days
    held = screened(best, best.shape)
    found: list[Fit] = []
    for planet in expected:
        for start in _starts(best, planet):
            trial = screened(best, start)
            if trial.log_likelihood < held.log_likelihood - DEPTH:
                continue
            full = fit(best.problem, trial.shape, theta=best.theta, e_scale=E_SCALE)
            if best.log_likelihood - full.log_likelihood < MARGIN and is_stable(full):
                found.append(full)
    found.sort(key=lambda each: -each.log_likelihood)
    kept = [best]
    for each in found:
        if not any(_same(each, other, expected, apart) for other in kept):
            kept.append(each)
    return tuple(_rival(best, each, expected, widening) for each in islice(kept, 1, MAX_RIVALS + 1))


def _starts(best: Fit, planet: int) -> Iterator[Array]:
    family = best.problem.family
    low, high = 1.0 / family.period_max_days, 1.0 / family.period_min_days
    f = float(best.shape[planet, 0])
    for frequency in alias_frequencies(f, low, high):
        start = best.shape.copy()
        start[planet, 0] = frequency
        yield start
        start = start.copy()
        start[planet, 1:] = 0.0
        yield start
    removal = without(best, planet)
    for frequency in scan(removal).peaks(N_PEAKS, 1.0).tolist():
        yield np.insert(removal.shape, planet, [frequency, 0.0, 0.0], axis=0)


def _same(one: Fit, other: Fit, expected: Sequence[int], apart: float) -> bool:
    """Whether the expected planets have the same periods, whichever is which."""
    a, b = (np.sort(each.shape[list(expected), 0]) for each in (one, other))
    return bool((np.abs(a - b) < apart).all())


def _rival(best: Fit, other: Fit, expected: Sequence[int], widening: float) -> Rival:
    chosen = list(expected)
    values, sigmas = other.elements()[chosen], widening * Posterior.of(other).sigmas()[chosen]

    def column(k: int) -> tuple[Measured, ...]:
        pairs = zip(values[:, k].tolist(), sigmas[:, k].tolist(), strict=True)
        return tuple(
            Measured(value=float(f"{value:.8g}"), sigma=float(f"{sigma:.4g}"))
            for value, sigma in pairs
        )

    loss = best.log_likelihood - other.log_likelihood
    return Rival(periods_days=column(0), semi_amplitudes_ms=column(1), loss=float(f"{loss:.3g}"))
