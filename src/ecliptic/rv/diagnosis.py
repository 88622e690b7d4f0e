r"""Why a submission failed, in one word and with the figures that show it.

The first rule that holds decides:

1. ``no_planets``: nothing was submitted for a star that has planets.
2. The submitted period of a poor pair is an ``alias``, through the sampling (a sidereal or solar
   day, two days, a lunar month, a year), or a ``harmonic`` (a small ratio) of the period of a
   true planet that is not in a good pair, and is not itself the period of a true planet.
3. ``missed_planet`` or ``spurious_planet``: the numbers differ.
4. The poorest pair has a ``wrong_period``, or its largest
   fault is ``wrong_amplitude``, ``wrong_eccentricity`` or ``wrong_phase`` (orientation included).
5. ``no_improvement``: delta-BIC fails.
6. ``poor_residuals``: the RMS fails.

Two more say why nothing could be graded at all: ``malformed`` and ``over_budget``.

A pair is poor when it was dropped for its distance, or when the match fails and its own
:math:`\exp(-d)` is below the score that is demanded (protocol ``strict``: when its distance or its
period is beyond the planet's own tolerance). Two periods agree when their frequencies
differ by at most a quarter of the resolution :math:`1/T` of the span T. An alias or harmonic is
named within half of it and 5 % of the frequency expected, and only cycles that fit twice into the
span can alias.

A distance's curve term mixes all faults. To first order its part from an amplitude that is off
is :math:`|\Delta\ln K|`, from the eccentricity :math:`|\Delta e|`, and the phase accounts for
the rest, :math:`\delta^2 = 2\,(\mathrm{rms}/K)^2 - (\Delta\ln K)^2 - (\Delta e)^2`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from ecliptic.rv import matching
from ecliptic.rv.jit import compiled
from ecliptic.rv.matching import Matching
from ecliptic.rv.submission import SubmittedPlanet
from ecliptic.rv.tasks import Planet
from ecliptic.verdict import Criterion, Diagnosis, Verdict


class RVDiagnosis(StrEnum):
    """The closed vocabulary of radial-velocity diagnoses."""

    NO_PLANETS = "no_planets"
    MISSED_PLANET = "missed_planet"
    SPURIOUS_PLANET = "spurious_planet"
    ALIAS = "alias"
    HARMONIC = "harmonic"
    WRONG_PERIOD = "wrong_period"
    WRONG_ECCENTRICITY = "wrong_eccentricity"
    WRONG_AMPLITUDE = "wrong_amplitude"
    WRONG_PHASE = "wrong_phase"
    POOR_RESIDUALS = "poor_residuals"
    NO_IMPROVEMENT = "no_improvement"
    MALFORMED = "malformed"
    OVER_BUDGET = "over_budget"


CYCLES_DAYS = {
    "sidereal day": 0.99726957,
    "solar day": 1.0,
    "two days": 2.0,
    "lunar month": 29.530589,
    "year": 365.25636,
}
RATIOS = {"P/3": 1 / 3, "P/2": 1 / 2, "2P/3": 2 / 3, "3P/2": 3 / 2, "2P": 2.0, "3P": 3.0}
CONFUSIONS = (
    *((RVDiagnosis.HARMONIC, name) for name in RATIOS),
    *((RVDiagnosis.ALIAS, name) for name in CYCLES_DAYS),
)
_RATIOS, _CYCLES_DAYS = tuple(RATIOS.values()), tuple(CYCLES_DAYS.values())
SAME_PERIOD, CONFUSED_PERIOD = 0.25, 0.5  # in units of the frequency resolution
RELATIVE_TOLERANCE = 0.05  # of the expected frequency: short spans tell little apart


def ungraded(code: RVDiagnosis, message: str, protocol: str) -> Verdict:
    """The verdict on an agent that handed in nothing that could be graded: not passed."""
    return Verdict("incorrect", 0.0, {}, Diagnosis(code, message), {}, protocol)


def poor_pairs(match: Matching, criterion: Criterion) -> list[tuple[int, int, float]]:
    """The pairs that protocol ``paper`` calls poor, the poorest first."""
    tolerance = -math.log(min(max(criterion.threshold, 1e-300), 1.0))
    poor = sorted(match.dropped, key=_distance, reverse=True)
    if not criterion.passed:
        loose = [pair for pair in match.pairs if pair[2] > tolerance]
        poor += sorted(loose, key=_distance, reverse=True)
    return poor


def diagnose(
    truth: Sequence[Planet],
    guess: Sequence[SubmittedPlanet],
    match: Matching,
    *,
    poor: Sequence[tuple[int, int, float]],
    improves: bool,
    figures: Mapping[str, float | None],
    span_days: float,
) -> Diagnosis:
    """The first rule that explains a submission that failed; see the module's docstring.

    ``poor`` holds the poor pairs, the poorest first; ``improves`` says whether delta-BIC passed;
    ``figures`` are the evidence where the planets themselves are right.
    """
    if truth and not guess:
        return Diagnosis(
            RVDiagnosis.NO_PLANETS,
            "no planet was submitted",
            {"n_true": len(truth), "n_submitted": 0},
        )
    # A wrong planet is not always assigned to the true one that it imitates.
    paired = {pair[0] for pair in match.pairs if pair not in poor}
    for _, j, _ in poor:
        period_days = guess[j].period_days
        if any(same_period(each.period_days, period_days, span_days) for each in truth):
            continue  # it is a planet's own: what ratio it has to another's says nothing
        for i in range(len(truth)):
            found = _nearest_confusion(truth[i].period_days, period_days, span_days)
            if found >= 0 and i not in paired:
                return _confusion(truth, guess, match, i, j, *CONFUSIONS[found])
    if len(guess) < len(truth):
        return Diagnosis(
            RVDiagnosis.MISSED_PLANET,
            f"{len(guess)} of {len(truth)} planets were submitted",
            {
                "unmatched_truth": list(match.unmatched_truth),
                "true_periods_days": [truth[i].period_days for i in match.unmatched_truth],
            },
        )
    if len(guess) > len(truth):
        return Diagnosis(
            RVDiagnosis.SPURIOUS_PLANET,
            f"{len(guess)} planets were submitted for {len(truth)}",
            {
                "unmatched_guess": list(match.unmatched_guess),
                "periods_days": [guess[j].period_days for j in match.unmatched_guess],
            },
        )
    if poor:
        return _fault_of_pair(truth, guess, match, *poor[0][:2], span_days)
    code, message = (
        (RVDiagnosis.POOR_RESIDUALS, "the planets fit, but the residuals are too large")
        if improves
        else (RVDiagnosis.NO_IMPROVEMENT, "the planets do not improve on a model without them")
    )
    return Diagnosis(code, message, dict(figures))


def confused_period(
    true_days: float, submitted_days: float, span_days: float
) -> tuple[RVDiagnosis, str] | None:
    """The alias or harmonic of ``true_days`` that lies nearest to ``submitted_days``, if any."""
    found = _nearest_confusion(true_days, submitted_days, span_days)
    return CONFUSIONS[found] if found >= 0 else None


@compiled
def same_period(true_days: float, submitted_days: float, span_days: float) -> bool:
    """Whether two periods differ by less than the data's span can tell apart."""
    return not abs(1.0 / true_days - 1.0 / submitted_days) * span_days > SAME_PERIOD


@compiled
def _nearest_confusion(true_days: float, submitted_days: float, span_days: float) -> int:
    """Index into ``CONFUSIONS``, -1 for none."""
    found = -1
    if same_period(true_days, submitted_days, span_days):
        return found
    true, submitted = 1.0 / true_days, 1.0 / submitted_days
    best = CONFUSED_PERIOD / span_days
    for k in range(len(_RATIOS)):
        expected = true / _RATIOS[k]
        miss = abs(submitted - expected)
        if miss < best and miss <= RELATIVE_TOLERANCE * expected:
            best = miss
            found = k
    for k in range(len(_CYCLES_DAYS)):
        if span_days < 2.0 * _CYCLES_DAYS[k]:
            continue
        cycle = 1.0 / _CYCLES_DAYS[k]
        for expected in (abs(true - cycle), true + cycle):
            miss = abs(submitted - expected)
            if miss < best and miss <= RELATIVE_TOLERANCE * expected:
                best = miss
                found = len(_RATIOS) + k
    return found


def _distance(pair: tuple[int, int, float]) -> float:
    return pair[2]


def _confusion(
    truth: Sequence[Planet],
    guess: Sequence[SubmittedPlanet],
    match: Matching,
    i: int,
    j: int,
    code: RVDiagnosis,
    name: str,
) -> Diagnosis:
    return Diagnosis(
        code,
        f"submitted planet {j} at {guess[j].period_days:.6g} d is the {name} {code.value} of the "
        f"true planet {i} at {truth[i].period_days:.6g} d",
        {"which": name, **_pair_evidence(truth, guess, match, i, j)},
    )


def _fault_of_pair(
    truth: Sequence[Planet],
    guess: Sequence[SubmittedPlanet],
    match: Matching,
    i: int,
    j: int,
    span_days: float,
) -> Diagnosis:
    evidence = _pair_evidence(truth, guess, match, i, j)
    if not same_period(truth[i].period_days, guess[j].period_days, span_days):
        return Diagnosis(
            RVDiagnosis.WRONG_PERIOD,
            f"submitted planet {j} has {guess[j].period_days:.6g} d, the true planet {i} "
            f"{truth[i].period_days:.6g} d",
            evidence,
        )
    curve, _, amplitude, e = match.terms[:, i, j].tolist()
    amplitude /= matching.AMPLITUDE_WEIGHT
    e /= matching.E_WEIGHT
    square = 2.0 * (curve / matching.CURVE_WEIGHT) * (curve / matching.CURVE_WEIGHT)
    phase = math.sqrt(max(square - amplitude * amplitude - e * e, 0.0))
    faults = {
        RVDiagnosis.WRONG_AMPLITUDE: (amplitude, "amplitude"),
        RVDiagnosis.WRONG_ECCENTRICITY: (e, "eccentricity"),
        RVDiagnosis.WRONG_PHASE: (phase, "phase or orientation"),
    }
    code = max(faults, key=lambda fault: faults[fault][0])
    return Diagnosis(
        code,
        f"submitted planet {j} has the period of the true planet {i}, but its {faults[code][1]} "
        "is off",
        evidence,
    )


def _pair_evidence(
    truth: Sequence[Planet],
    guess: Sequence[SubmittedPlanet],
    match: Matching,
    i: int,
    j: int,
) -> dict[str, Any]:
    terms = match.terms[:, i, j].tolist()
    return {
        "truth": i,
        "guess": j,
        "true_period_days": truth[i].period_days,
        "period_days": guess[j].period_days,
        "distance_terms": {
            name: term if math.isfinite(term) else None
            for name, term in zip(matching.TERMS, terms, strict=True)
        },
    }
