"""The true planets of a star beside the submitted ones: which periods agree, what is left."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv.diagnosis import CYCLES_DAYS, SAME_PERIOD

if TYPE_CHECKING:
    from ecliptic.rv import RVTask
    from ecliptic.rv.submission import Submission

Array = NDArray[np.float64]
PERIOD_SIGMAS = 3.0
MIN_WINDOW = 0.1
"""Height of the spectral window, 1 at frequency 0; by chance it is 1 / n."""
LARGEST = 1e100  # m/s
SAME = 1e-3
"""Columns nearer to each other than this count as one."""


@dataclass(frozen=True)
class System:
    r"""Truth and submission of one star.

    Attributes
    ----------
    star
        With its truth.
    submission
        What was handed in.
    truth, guess
        Elements P, K, e, omega, M0; (n_true, 5) and (n_submitted, 5).
    true_curves, guess_curves
        Velocity of each planet at the times, less its part along offsets, drifts and trend of the
        declared family, which are fitted whatever is submitted; (n_planets, n_times), m/s.
    noise
        The data less the true planets, in the same way; (n_times,), m/s.
    basis
        Orthonormal columns of these linear terms, (n_times, q).
    span_days
        Of the observations.
    terms
        The addends of the distance of each true and submitted planet, (4, n_true, n_submitted):
        :mod:`ecliptic.rv.matching`.
    pairs
        Submitted planet by true one, where their periods agree: frequencies within the larger of
        a quarter of the resolution :math:`1/T` and three standard deviations of the period. Of
        several assignments the one with most pairs, then with the least total distance.
    """

    star: RVTask
    submission: Submission
    truth: Array
    guess: Array
    true_curves: Array
    guess_curves: Array
    noise: Array
    basis: Array
    span_days: float
    terms: Array
    pairs: dict[int, int]

    @property
    def lost(self) -> list[int]:
        """True planets whose period was not submitted."""
        return [i for i in range(len(self.truth)) if i not in self.pairs]

    @property
    def loose(self) -> list[int]:
        """Submitted planets whose period is that of no true one."""
        taken = set(self.pairs.values())
        return [j for j in range(len(self.guess)) if j not in taken]

    @cached_property
    def cycles_days(self) -> dict[str, float]:
        """Cycles that the sampling does have: twice in the span, and in the spectral window."""
        times = np.asarray(self.star.observation.times_days)
        return {
            name: cycle
            for name, cycle in CYCLES_DAYS.items()
            if self.span_days >= 2.0 * cycle and window_height(times, cycle) >= MIN_WINDOW
        }

    def unfitted(self, i: int) -> Array:
        """What the submitted planet of its period, if there is one, leaves of a true planet."""
        j = self.pairs.get(i)
        curve: Array = self.true_curves[i]
        return curve if j is None else curve - self.guess_curves[j]

    def flat(self, series: Array) -> Array:
        """A series less its part along the linear terms."""
        out: Array = series - self.basis @ (self.basis.T @ series)
        return out

    def share(self, j: int, target: Array) -> float:
        """Share of a series' variance that a submitted planet takes: its curve, or its period."""
        total = float(target @ target)
        return float(np.sum((self._at(j).T @ target) ** 2)) / total if total > 0.0 else 0.0

    def sources(self, j: int) -> tuple[dict[int, float], float]:
        r"""Where the signal at a submitted period comes from: a part for each true planet, noise.

        With Q the sinusoids of that period and the curve as submitted, and d the data less all
        submitted planets of right periods, :math:`d = \sum_i u_i + n`, the part of a source u is
        :math:`(Q^T u) \cdot (Q^T d) / |Q^T d|^2`. The parts add up to 1; one may be negative.
        """
        Q = self._at(j)
        unfitted = [Q.T @ self.unfitted(i) for i in range(len(self.truth))]
        noise = Q.T @ self.noise
        whole = sum(unfitted, noise)
        square = float(whole @ whole)
        if not square > 0.0:
            return {}, 0.0
        parts = {i: float(each @ whole) / square for i, each in enumerate(unfitted)}
        return parts, float(noise @ whole) / square

    def helps(self, j: int) -> bool:
        """Whether the submission leaves less of the data with this planet than without it."""
        left = self.noise + self.true_curves.sum(axis=0) - self.guess_curves.sum(axis=0)
        without = left + self.guess_curves[j]
        return float(left @ left) < float(without @ without)

    def _at(self, j: int) -> Array:
        """Orthonormal columns of a submitted planet: sinusoids of its period, its own curve.

        (n_times, 3), or 2 where the orbit is circular.
        """
        angle = 2.0 * np.pi * np.asarray(self.star.observation.times_days) / self.guess[j, 0]
        curve = self.guess_curves[j]
        size = max(math.sqrt(float(curve @ curve)), 1e-300) / math.sqrt(len(angle))
        columns = [self.flat(np.cos(angle)), self.flat(np.sin(angle)), curve / size]
        U, sizes, _ = np.linalg.svd(np.column_stack(columns), full_matrices=False)
        kept: Array = U[:, sizes > SAME * max(float(sizes[0]), 1e-300)]
        return kept


def window_height(times_days: Array, period_days: float) -> float:
    r"""Spectral window :math:`|\sum_k \exp(2 \pi i t_k / P)|^2 / n^2`."""
    return float(np.abs(np.exp(2j * np.pi * times_days / period_days).mean()) ** 2)


def system_of(star: RVTask, submission: Submission) -> System:
    """Truth and submission of one star, compared by their periods."""
    from ecliptic.rv import matching, orbit
    from ecliptic.rv.inference.problem import Problem
    from ecliptic.rv.oracle import planet_elements, true_elements

    data = star.observation
    truth = true_elements(star)
    guess = planet_elements(submission.planets, data.star_mass_sun)
    basis, _ = np.linalg.qr(Problem.of(data).basis)
    times = np.array(data.times_days)
    span_days = float(times[-1] - times[0])
    true_curves = orbit.curves(times, data.t_ref_days, truth)
    guess_curves = orbit.curves(times, data.t_ref_days, guess)
    terms = matching.distance_terms(
        true_curves, truth, truth[:, 2].copy(), guess_curves, guess, guess[:, 2].copy()
    )

    def flat(curves: Array) -> Array:
        # What overflows takes no part in any comparison.
        rows = np.where(np.isfinite(curves) & (np.abs(curves) < LARGEST), curves, 0.0)
        out: Array = rows - (rows @ basis) @ basis.T
        return out

    velocities = flat(np.array(data.rvs_ms)[np.newaxis])[0]
    return System(
        star=star,
        submission=submission,
        truth=truth,
        guess=guess,
        true_curves=flat(true_curves),
        guess_curves=flat(guess_curves),
        noise=velocities - flat(true_curves).sum(axis=0),
        basis=basis,
        span_days=span_days,
        terms=terms,
        pairs=_pairs(
            truth[:, 0],
            guess[:, 0],
            allowed_frequencies(star, truth[:, 0], span_days),
            matching.distances(terms),
        ),
    )


def allowed_frequencies(star: RVTask, periods_days: Array, span_days: float) -> list[float]:
    """By how much a frequency, 1/day, may be off and is still that of each true planet."""
    recovery = star.truth.recovery
    base = SAME_PERIOD / span_days if span_days > 0 else np.inf
    if recovery is None:
        return [base] * len(periods_days)
    return [
        max(base, PERIOD_SIGMAS * sigma / (P * P))
        for sigma, P in zip(recovery.period_sigmas_days, periods_days.tolist(), strict=True)
    ]


def _pairs(
    truth: Array, guess: Array, allowed: Sequence[float], distances: Array
) -> dict[int, int]:
    from scipy.optimize import linear_sum_assignment

    if not len(truth) or not len(guess):
        return {}
    ratio = np.abs(np.subtract.outer(1.0 / truth, 1.0 / guess)) / np.array(allowed)[:, np.newaxis]
    agree = ratio <= 1.0
    rows, columns = linear_sum_assignment(np.where(agree, np.minimum(distances, 1e6), 1e9))
    return {int(i): int(j) for i, j in zip(rows, columns, strict=True) if agree[i, j]}
