"""Everything of protocol ``paper`` that is computed from numbers alone, in one compiled call.

:class:`Prepared` holds what is the same for every submission to a task; the formulas stand in
:mod:`ecliptic.rv.scoring` and :mod:`ecliptic.rv.matching`.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ecliptic.rv import matching, orbit
from ecliptic.rv.jit import compiled
from ecliptic.rv.submission import SubmittedPlanet
from ecliptic.rv.tasks import Planet, RVTask

MAX_E_IN_CURVE = 0.95
VARIANCE_FLOOR = 1e-12
PARAMETERS_PER_PLANET = 5
Array = NDArray[np.float64]


def planet_rows(planets: Sequence[SubmittedPlanet | Planet]) -> Array:
    """Shape (n_planets, 6): period, m sin i, e, omega, l, Omega."""
    rows = [
        (p.period_days, p.m_sin_i_mjup, p.e, p.omega_rad, p.l_rad, p.Omega_rad) for p in planets
    ]
    return np.array(rows, dtype=np.float64) if rows else np.empty((0, 6))


class Prepared:
    """What is the same for every submission to one task."""

    def __init__(self, task: RVTask) -> None:
        data = task.observation
        self.truth = planet_rows(task.truth.planets)
        self.labels = data.instrument_labels
        self.n_times = len(data.times_days)
        self.span_days = float(data.times_days[-1] - data.times_days[0])
        self.median_sigma_ms = float(np.median(data.sigmas_ms))
        self._instrument = np.array(data.instrument_index)
        self._t_ref_days, self._star_mass_sun = data.t_ref_days, data.star_mass_sun
        self._truth_elements = elements(self.truth, self._star_mass_sun)
        truth_curves = orbit.curves(
            np.array(data.times_days), self._t_ref_days, self._truth_elements
        )
        # One writable array for all series: each argument of a kernel has its cost.
        self._series = np.vstack(
            [data.times_days, data.rvs_ms, np.square(data.sigmas_ms), truth_curves]
        )
        null, _, _ = self.assess(np.empty((0, 6)), 0.0)
        self.bic_null = self.bic(null[0], 0)

    def bic(self, log_likelihood: float, n_planets: int) -> float:
        """Bayesian information criterion of a model with this many planets."""
        n_parameters = PARAMETERS_PER_PLANET * n_planets + len(self.labels)
        return -2.0 * log_likelihood + n_parameters * math.log(self.n_times)

    def assess(self, guess: Array, sigma_jitter_ms: float) -> tuple[list[float], Array, Array]:
        """Log-likelihood, RMS, MAE, an offset per instrument; distance terms; distances."""
        figures, terms, distances = _assess(
            self._series,
            self._instrument,
            len(self.labels),
            self._t_ref_days,
            self._star_mass_sun,
            self.truth,
            self._truth_elements,
            guess,
            sigma_jitter_ms,
        )
        return figures.tolist(), terms, distances


_prepared: dict[int, tuple[weakref.ref[RVTask], Prepared]] = {}


def prepared(task: RVTask) -> Prepared:
    """The task's constants, computed once for as long as the task lives.

    Kept by identity: tasks are immutable, and hashing or comparing them costs more than grading.
    """
    key = id(task)
    entry = _prepared.get(key)
    if entry is not None and entry[0]() is task:
        return entry[1]
    constants = Prepared(task)
    _prepared[key] = (weakref.ref(task, lambda _: _prepared.pop(key, None)), constants)
    return constants


@compiled
def elements(rows: NDArray[np.float64], star_mass_sun: float) -> NDArray[np.float64]:
    """Elements as in :mod:`ecliptic.rv.orbit`, shape (n, 5), with e clipped to [0, 0.95]."""
    out = np.empty((rows.shape[0], 5))
    scale = orbit.K_JUPITER_YEAR_MS * star_mass_sun ** (-2.0 / 3.0)
    for j in range(rows.shape[0]):
        period, mass, e, omega, l, Omega = rows[j]  # noqa: E741
        e = min(max(e, 0.0), MAX_E_IN_CURVE)
        root = math.sqrt(1.0 - e * e)
        out[j, 0] = period
        out[j, 1] = scale * mass * (period / orbit.DAYS_PER_YEAR) ** (-1.0 / 3.0) / root
        out[j, 2] = e
        out[j, 3] = omega
        out[j, 4] = l - Omega - omega
    return out


@compiled
def _assess(
    series: Array,
    instrument: NDArray[np.int64],
    n_instruments: int,
    t_ref_days: float,
    star_mass_sun: float,
    truth: Array,
    truth_elements: Array,
    guess: Array,
    sigma_jitter_ms: float,
) -> tuple[Array, Array, Array]:
    n = series.shape[1]
    guess_elements = elements(guess, star_mass_sun)
    guess_curves = orbit.curves(series[0], t_ref_days, guess_elements)
    terms = matching.distance_terms(
        series[3:], truth_elements, truth[:, 2], guess_curves, guess_elements, guess[:, 2]
    )
    rest = series[1].copy()
    for j in range(guess_curves.shape[0]):
        for i in range(n):
            rest[i] -= guess_curves[j, i]

    weighted, weights = np.zeros(n_instruments), np.zeros(n_instruments)
    extra = sigma_jitter_ms * sigma_jitter_ms + VARIANCE_FLOOR
    for i in range(n):
        weight = 1.0 / (series[2, i] + extra)
        weighted[instrument[i]] += weight * rest[i]
        weights[instrument[i]] += weight
    figures = np.empty(3 + n_instruments)
    figures[3:] = weighted / weights

    minus_two_log_likelihood, square, absolute = 0.0, 0.0, 0.0
    for i in range(n):
        variance = series[2, i] + extra
        residual = rest[i] - figures[3 + instrument[i]]
        minus_two_log_likelihood += residual * residual / variance
        minus_two_log_likelihood += math.log(2.0 * math.pi * variance)
        square += residual * residual
        absolute += abs(residual)
    figures[0] = -0.5 * minus_two_log_likelihood
    figures[1] = math.sqrt(square / n)
    figures[2] = absolute / n
    return figures, terms, matching.distances(terms)
