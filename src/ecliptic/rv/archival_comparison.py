r"""Submitted planets beside those that are known of a real star.

Planets are assigned one to one with the least total distance (:mod:`ecliptic.rv.matching`). One
that has the period of a signal that the task tolerates (a weak or disputed planet, an unexplained
signal, or a planet that only transits tell of) is set aside before: it counts neither for nor
against.

Where other periods fit the velocities as well (:class:`~ecliptic.rv.refit_records.Rival`), nothing
that an analyst is given tells them from the published ones. A submission that has the periods and
amplitudes of a rival within three of its standard deviations is as right as one that has those of
the refit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ecliptic.rv import matching, orbit
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.matching import Matching
from ecliptic.rv.oracle import true_elements
from ecliptic.rv.protocols import ArchivalProtocol
from ecliptic.rv.refit_records import KnownPlanet, Measured, Refit, Rival
from ecliptic.rv.strict import Analysis
from ecliptic.rv.tasks import RVTask


@dataclass(frozen=True, slots=True)
class Comparison:
    """Submitted planets beside the known ones; ratios are to what is allowed, by pair.

    ``counted`` are the positions of the submitted planets that are not set aside; pairs count in
    these. ``rival`` numbers the rival of the refit that the ratios are of, if it is one.
    """

    truth: Array
    counted: list[int]
    match: Matching
    pairs: list[tuple[int, int, float]]
    period_ratios: list[float]
    amplitude_ratios: list[float]
    rival: int | None = None

    @property
    def poor(self) -> list[tuple[int, int, float]]:
        """Pairs that fail, the worst first."""
        ratios = zip(self.pairs, self.period_ratios, self.amplitude_ratios, strict=True)
        failing = [(max(p, a), pair) for pair, p, a in ratios if not max(p, a) <= 1.0]
        return [pair for _, pair in sorted(failing, reverse=True)]


def compare(task: RVTask, analysis: Analysis, refit: Refit, rules: ArchivalProtocol) -> Comparison:
    """Assign the submitted planets to the expected ones and measure each pair."""
    data = analysis.problem.velocities
    truth = true_elements(task)
    aside = _set_aside(analysis.elements, refit, data.span_days, rules)
    counted = [j for j in range(len(analysis.elements)) if j not in aside]
    guess = np.ascontiguousarray(analysis.elements[counted])
    terms = matching.distance_terms(
        orbit.curves(data.times_days, data.reference_days, truth), truth, truth[:, 2].copy(),
        orbit.curves(data.times_days, data.reference_days, guess), guess, guess[:, 2].copy(),
    )  # fmt: skip
    match = matching.match(terms, matching.distances(terms))
    pairs = sorted(match.pairs + match.dropped)
    sigmas = rules.sigmas
    periods, amplitudes = [], []
    for i, j, _ in pairs:
        known = refit.planets[i]
        off = abs(float(guess[j, 0]) - known.period_days.value)
        periods.append(off / max(known.allowed("period_days", sigmas), 1e-300))
        off = abs(float(guess[j, 1]) - known.semi_amplitude_ms.value)
        amplitudes.append(off / max(known.allowed("semi_amplitude_ms", sigmas), 1e-300))
    found = Comparison(truth, counted, match, pairs, periods, amplitudes)
    if not found.poor or len(guess) != len(truth):
        return found
    for number, rival in enumerate(refit.rivals):
        other = _as_rival(found, guess, rival, sigmas)
        if not other.poor:
            return replace(other, rival=number)
    return found


def _as_rival(found: Comparison, guess: Array, rival: Rival, sigmas: float) -> Comparison:
    """The ratios to what a rival allows, its planets assigned by their periods."""
    from scipy.optimize import linear_sum_assignment

    def ratios(column: int, values: tuple[Measured, ...]) -> Array:
        middle = np.array([each.value for each in values])
        allowed = sigmas * np.array([each.sigma or 0.0 for each in values])
        off = np.abs(np.subtract.outer(middle, guess[:, column]))
        out: Array = off / np.maximum(allowed, 1e-300)[:, np.newaxis]
        return out

    periods, amplitudes = ratios(0, rival.periods_days), ratios(1, rival.semi_amplitudes_ms)
    rows, columns = linear_sum_assignment(np.minimum(periods, 1e6))
    distances = matching.distances(found.match.terms)
    return replace(
        found,
        pairs=[
            (i, j, float(distances[i, j]))
            for i, j in zip(rows.tolist(), columns.tolist(), strict=True)
        ],
        period_ratios=periods[rows, columns].tolist(),
        amplitude_ratios=amplitudes[rows, columns].tolist(),
    )


def _set_aside(
    submitted: Array, refit: Refit, span_days: float, rules: ArchivalProtocol
) -> set[int]:
    """Positions of submitted planets that have the period of a tolerated signal, one of each."""
    aside: set[int] = set()
    for known in refit.tolerated:
        misses = {
            j: min(_miss(float(P), known, value, span_days, rules) for value in _periods(known))
            for j, P in enumerate(submitted[:, 0].tolist())
            if j not in aside
        }
        nearest = min(misses, key=misses.__getitem__, default=None)
        if nearest is not None and misses[nearest] <= 1.0:
            aside.add(nearest)
    return aside


def _periods(known: KnownPlanet) -> list[float]:
    published = known.published.get("period_days")
    return [known.period_days.value, *([published.value] if published else [])]


def _miss(
    P: float, known: KnownPlanet, value: float, span_days: float, rules: ArchivalProtocol
) -> float:
    """How far a period is off, in frequency, over what is allowed."""
    sigma = known.allowed("period_days", rules.sigmas) / value**2
    return abs(1.0 / P - 1.0 / value) / max(sigma, rules.tolerated_resolution / span_days)
