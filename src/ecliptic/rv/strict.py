r"""Protocol ``strict``: did the agent find what the data hold?

Grader, oracle and agent share the task's declared family of models
(:mod:`ecliptic.rv.inference.problem`). The submitted planets are held as they are; offsets, drifts,
trend, jitters and the activity's amplitude are fitted to what they leave, and the activity's shape
follows from the indicators. Noise that the agent submits is not used.

=============  ==================================================================================
criterion      passed when
=============  ==================================================================================
``detection``  delta-BIC > 20 against the model without planets, and against each model without
               one of them, the others and the noise refitted (holds where nothing is submitted)
``residuals``  without activity: RMS at most 1.1 times the oracle's; with it: ln L at least the
               oracle's less 10
``recovery``   every true planet is matched by one with a distance within its tolerance
               (:mod:`ecliptic.rv.recovery`), at most 1 (tier ``faint``: 2)
``periods``    every matched period is right within the larger of three posterior standard
               deviations and a quarter of the frequency resolution
``count``      as many planets as there are
=============  ==================================================================================

Planets are assigned one to one with the least total distance, whatever the distance. The value of
``recovery`` and ``periods`` is the worst ratio of a deviation to what is allowed.
``match_score`` is the mean of :math:`\exp(-d)` over the true or the submitted planets, whichever
are more; one without a partner counts 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from ecliptic.rv import matching, orbit
from ecliptic.rv.diagnosis import diagnose
from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.inference.fitting import NO_PLANETS, Fit, fit, fit_noise, start_of
from ecliptic.rv.inference.holding import hold, interacting
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.inference.scan import scan
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.matching import Matching
from ecliptic.rv.oracle import consult, planet_elements, true_elements
from ecliptic.rv.protocols import StrictProtocol
from ecliptic.rv.recovery import recovery_of
from ecliptic.rv.submission import Submission
from ecliptic.rv.tasks import Observation, Recovery, RVTask
from ecliptic.verdict import Criterion, Verdict

KEPT_TASKS = 256
LARGEST = 1e100  # m/s


@dataclass(frozen=True, slots=True)
class Analysis:
    """A set of planets against an observation; nothing in here knows of a truth.

    ``held`` is the fit with the planets held; ``delta_bic`` that against no planets, and
    ``delta_bic_per_planet`` that against the model without each.
    """

    problem: Problem
    elements: Array
    held: Fit
    null: Fit
    bic: float
    delta_bic: float
    delta_bic_per_planet: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is the same for every submission to one task."""

    problem: Problem
    null: Fit
    truth: Array
    recovery: Recovery


def strict_prepared(task: RVTask) -> Prepared:
    """The task's constants: the oracle's record, computed where the task does not bring it.

    Kept by id and truth for the tasks graded last.
    """
    return _prepared(TaskKey(task))


class TaskKey:
    """A task, compared by its id and its truth alone."""

    __slots__ = ("_key", "task")

    def __init__(self, task: RVTask) -> None:
        self.task = task
        self._key = (task.id, task.truth)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TaskKey) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key[0])


@lru_cache(maxsize=KEPT_TASKS)
def _prepared(key: TaskKey) -> Prepared:
    task = key.task
    if task.truth.recovery is None:
        oracle = consult(task)
        problem, recovery = oracle.problem, recovery_of(task, oracle)
    else:
        problem, recovery = problem_of(task.observation), task.truth.recovery
    return Prepared(problem, fit_noise(problem), true_elements(task), recovery)


def analyse(problem: Problem, null: Fit, planets: Array, pulls: Sequence[Array] = ()) -> Analysis:
    """Planets of elements P, K, e, omega, M0, (n_planets, 5), held against the data.

    ``pulls``: the interaction, (n,), of all planets but each one, where it is known.
    """
    count = len(planets)
    if not _within_reach(problem, planets):
        return beyond_reach(problem, null, planets)
    held = hold(problem, planets)
    bic = problem.bic(held.log_likelihood, count)
    gains = []
    for j in range(count):
        rest = np.delete(planets, j, axis=0)
        still = (
            problem.with_velocities(problem.velocities.rvs_ms - pulls[j])
            if pulls
            else interacting(problem, rest)
        )
        reduced = fit(still, start_of(problem, rest), theta=held.theta)
        gains.append(reduced.bic - bic)
    return Analysis(problem, planets, held, null, bic, null.bic - bic, tuple(gains))


def beyond_reach(problem: Problem, null: Fit, planets: Array) -> Analysis:
    """The analysis of planets so extreme that no velocity can be computed."""
    nothing = np.full(len(problem), math.inf)
    held = Fit(problem, NO_PLANETS, np.empty(0), null.theta, nothing, -math.inf)
    lost = (-math.inf,) * len(planets)
    return Analysis(problem, planets, held, null, math.inf, -math.inf, lost)


def _within_reach(problem: Problem, planets: Array) -> bool:
    """Whether velocities of such planets can be squared."""
    data = problem.velocities
    curves = orbit.curves(data.times_days, data.reference_days, planets)
    return bool(np.isfinite(planets).all() and (np.abs(curves) < LARGEST).all())


def residual_peaks(
    observation: Observation, submission: Submission, count: int = 5
) -> list[tuple[float, float]]:
    """Periods in days where one more planet would help most, and the gain in ln L of a sinusoid.

    From the public part and the submission alone.
    """
    problem = problem_of(observation)
    rows = planet_elements(submission.planets, observation.star_mass_sun)
    if not _within_reach(problem, rows):
        return []
    power = scan(hold(problem, rows))
    peaks = power.peaks(count, 1.0).tolist()
    gains = np.interp(peaks, power.frequencies, power.power).tolist()
    return [(1.0 / f, gain) for f, gain in zip(peaks, gains, strict=True)]


def grade_strict(task: RVTask, guess: Submission, rules: StrictProtocol) -> Verdict:
    """The verdict under protocol ``strict``."""
    side = strict_prepared(task)
    submitted = planet_elements(guess.planets, task.observation.star_mass_sun)
    analysis = analyse(side.problem, side.null, submitted)
    return judge(task, guess, analysis, side.recovery, rules)


def judge(
    task: RVTask,
    guess: Submission,
    analysis: Analysis,
    recovery: Recovery,
    rules: StrictProtocol,
) -> Verdict:
    """The verdict on an analysis of a submission, given what the oracle reached."""
    comparison = compare(task, analysis, recovery, rules)
    criteria = _criteria(analysis, comparison, recovery, rules)
    passes = sum(criterion.passed for criterion in criteria.values())
    passed = passes == len(criteria)
    observation = task.observation
    details = _details(task, analysis, comparison)
    return Verdict(
        outcome="correct" if passed else "incorrect",
        score=passes / len(criteria),
        criteria=criteria,
        diagnosis=None
        if passed
        else diagnose(
            task.truth.planets,
            guess.planets,
            comparison.match,
            poor=comparison.poor,
            improves=criteria["detection"].passed,
            figures={name: details[name] for name in ("delta_bic", "rms_ms", "log_likelihood")},
            span_days=float(observation.times_days[-1] - observation.times_days[0]),
        ),
        details=details,
        protocol=rules.label,
    )


@dataclass(frozen=True, slots=True)
class Comparison:
    """Submitted planets beside the true ones; ratios are to what is allowed, by pair."""

    match: Matching
    pairs: list[tuple[int, int, float]]
    tolerances: list[float]
    distance_ratios: list[float]
    period_ratios: list[float]
    n_true: int
    n_submitted: int

    @property
    def poor(self) -> list[tuple[int, int, float]]:
        """Pairs that fail, the worst first."""
        ratios = zip(self.pairs, self.distance_ratios, self.period_ratios, strict=True)
        failing = [(max(d, p), pair) for pair, d, p in ratios if not max(d, p) <= 1.0]
        return [pair for _, pair in sorted(failing, reverse=True)]

    @property
    def complete(self) -> bool:
        """Whether every true planet has a partner."""
        return len(self.pairs) == self.n_true


def compare(
    task: RVTask, analysis: Analysis, recovery: Recovery, rules: StrictProtocol
) -> Comparison:
    """Assign the submitted planets to the true ones and measure each pair."""
    data = analysis.problem.velocities
    truth, guess = true_elements(task), analysis.elements
    terms = matching.distance_terms(
        orbit.curves(data.times_days, data.reference_days, truth), truth, truth[:, 2].copy(),
        orbit.curves(data.times_days, data.reference_days, guess), guess, guess[:, 2].copy(),
    )  # fmt: skip
    match = matching.match(terms, matching.distances(terms))
    pairs = sorted(match.pairs + match.dropped)
    cap = rules.max_tolerance_faint if task.tier == "faint" else rules.max_tolerance
    tolerances = [
        min(max(each, rules.base_tolerance), max(cap, rules.base_tolerance))
        for each in recovery.tolerances
    ]
    periods = []
    for i, j, _ in pairs:
        f_true, f_guess = 1.0 / float(truth[i, 0]), 1.0 / float(guess[j, 0])
        sigma = recovery.period_sigmas_days[i] * f_true * f_true
        allowed = max(rules.period_sigmas * sigma, rules.period_resolution / data.span_days)
        periods.append(abs(f_guess - f_true) / allowed)
    return Comparison(
        match=match,
        pairs=pairs,
        tolerances=tolerances,
        distance_ratios=[d / tolerances[i] for i, _, d in pairs],
        period_ratios=periods,
        n_true=len(truth),
        n_submitted=len(guess),
    )


def _criteria(
    analysis: Analysis, comparison: Comparison, recovery: Recovery, rules: StrictProtocol
) -> dict[str, Criterion]:
    n_true, n_submitted = comparison.n_true, comparison.n_submitted
    if n_submitted:
        weakest = min(analysis.delta_bic, *analysis.delta_bic_per_planet)
        detected = weakest > rules.min_delta_bic and math.isfinite(weakest)
        detection = Criterion(finite(weakest), rules.min_delta_bic, detected, ">")
    else:  # nothing is claimed, and that must not depend on what is true
        detection = Criterion(0.0, 0.0, True, ">=")
    held = analysis.held
    if analysis.problem.gp is None:
        highest = rules.rms_factor * recovery.rms_ms
        rms = held.rms_ms
        residuals = Criterion(finite(rms), highest, rms <= highest, "<=")
    else:
        lowest = recovery.log_likelihood - rules.log_likelihood_loss
        ln_L = held.log_likelihood
        residuals = Criterion(finite(ln_L), lowest, ln_L >= lowest, ">=")
    return {
        "detection": detection,
        "residuals": residuals,
        "recovery": worst_ratio(comparison.distance_ratios, comparison.complete),
        "periods": worst_ratio(comparison.period_ratios, comparison.complete),
        "count": Criterion(float(n_submitted), float(n_true), n_true == n_submitted, "=="),
    }


def worst_ratio(ratios: list[float], complete: bool) -> Criterion:
    """The criterion that no ratio exceeds 1 and every true planet has a partner."""
    worst = max(ratios, default=0.0)
    if not complete or not math.isfinite(worst):
        return Criterion(None, 1.0, False, "<=")
    return Criterion(worst, 1.0, worst <= 1.0, "<=")


def _details(task: RVTask, analysis: Analysis, comparison: Comparison) -> dict[str, Any]:
    held, n = analysis.held, len(analysis.problem)
    partners = max(comparison.n_true, comparison.n_submitted)
    closeness = [math.exp(-d) for _, _, d in comparison.pairs]
    closeness += [0.0] * (partners - len(closeness))
    score = sum(closeness) / partners if partners else 1.0
    miscount = abs(comparison.n_true - comparison.n_submitted)
    reward = held.log_likelihood / n + 0.3 * analysis.delta_bic / n - 0.1 * held.rms_ms
    paired_truth = {i for i, _, _ in comparison.pairs}
    paired_guess = {j for _, j, _ in comparison.pairs}
    return {
        "reward": finite(reward + score - 0.2 * miscount),
        **figures_of(task, analysis),
        "match_score": score,
        "lowest_match": min(closeness, default=1.0),
        "pairs": [list(pair) for pair in comparison.pairs],
        "tolerances": comparison.tolerances,
        "period_deviations": [finite(ratio) for ratio in comparison.period_ratios],
        "unmatched_truth": [i for i in range(comparison.n_true) if i not in paired_truth],
        "unmatched_guess": [j for j in range(comparison.n_submitted) if j not in paired_guess],
    }


def figures_of(task: RVTask, analysis: Analysis) -> dict[str, Any]:
    """What an analysis says of the fit itself; no figure depends on the truth."""
    held, noise = analysis.held, analysis.held.noise
    labels = task.observation.instrument_labels
    return {
        "log_likelihood": finite(held.log_likelihood),
        "bic": finite(analysis.bic),
        "bic_null": finite(analysis.null.bic),
        "delta_bic": finite(analysis.delta_bic),
        "delta_bic_per_planet": [finite(gain) for gain in analysis.delta_bic_per_planet],
        "rms_ms": finite(held.rms_ms),
        "mae_ms": finite(float(np.mean(np.abs(held.residuals_ms)))),
        "chi_square": finite(_chi_square(held)),
        "gamma_per_instrument_ms": dict(zip(labels, _offsets(task, analysis), strict=True)),
        "jitter_per_instrument_ms": dict(zip(labels, noise.jitters_ms, strict=True)),
        "activity_ms": noise.gp_ms if held.problem.gp is not None else None,
    }


def _chi_square(held: Fit) -> float:
    """Sum of squared residuals over their white variances, jitter included."""
    data = held.problem.velocities
    jitters = np.array(held.noise.jitters_ms)[data.instruments]
    return float(np.sum(held.residuals_ms**2 / (data.variances + jitters**2)))


def _offsets(task: RVTask, analysis: Analysis) -> list[float | None]:
    """Each instrument's zero point in the middle of the observations."""
    problem, held = analysis.problem, analysis.held
    data = problem.velocities
    if not math.isfinite(held.log_likelihood):
        return [None] * data.n_instruments
    pulled = interacting(problem, analysis.elements).velocities.rvs_ms - data.rvs_ms
    curves = orbit.curves(data.times_days, data.reference_days, analysis.elements).sum(axis=0)
    linear = task.observation.rvs_ms + pulled - curves - held.residuals_ms
    coefficients = np.linalg.lstsq(problem.basis, linear, rcond=None)[0]
    return [finite(value) for value in coefficients[: data.n_instruments].tolist()]


def finite(figure: float) -> float | None:
    """The figure, or ``None`` where JSON could not hold it."""
    return figure if math.isfinite(figure) else None
