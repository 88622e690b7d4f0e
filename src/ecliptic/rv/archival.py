r"""Protocol ``archival``: does an analysis of a real star agree with what is known of it?

The truth is a refit of the same velocities (:class:`~ecliptic.rv.refit_records.Refit`) beside the
published values. Grader, refit and agent share the task's declared family of models; a submission
may ask for another ``forward_model`` than that declares. The submitted planets are held, everything
else is fitted to what they leave, jitters included, as under protocol ``strict``.

==============  =================================================================================
criterion       passed when
==============  =================================================================================
``periods``     every expected planet has a partner whose period differs from the refit's median
                by at most three standard deviations, the published or the refit's, whichever
                is larger
``amplitudes``  the same of the semi-amplitudes
``residuals``   :math:`\ln L` at least the refit's less :math:`\tfrac12 \chi^2_{5p}(0.9973)` with p
                expected planets: inside the region that holds 3 sigma of the refit's posterior
``count``       as many planets as are expected
==============  =================================================================================

How planets are assigned, which are set aside, and where other periods than the published ones
count as right: :mod:`ecliptic.rv.archival_comparison`. The values of ``periods`` and ``amplitudes``
are the worst ratio of a deviation to what is allowed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ecliptic.errors import UsageError
from ecliptic.rv.archival_comparison import Comparison, compare
from ecliptic.rv.diagnosis import RVDiagnosis, diagnose
from ecliptic.rv.inference.declared import problem_of
from ecliptic.rv.inference.fitting import Fit, fit_noise
from ecliptic.rv.inference.problem import Problem
from ecliptic.rv.oracle import planet_elements
from ecliptic.rv.protocols import ArchivalProtocol
from ecliptic.rv.refit_records import Refit
from ecliptic.rv.strict import (
    Analysis,
    TaskKey,
    analyse,
    beyond_reach,
    figures_of,
    finite,
    worst_ratio,
)
from ecliptic.rv.submission import Submission
from ecliptic.rv.tasks import RVTask
from ecliptic.verdict import Criterion, Diagnosis, Verdict

KEPT_TASKS = 256
ONE_SIDED_FAULTS = (
    RVDiagnosis.WRONG_AMPLITUDE,
    RVDiagnosis.WRONG_ECCENTRICITY,
    RVDiagnosis.WRONG_PHASE,
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """What is the same for every submission to one task."""

    problem: Problem
    null: Fit
    refit: Refit


def archival_prepared(task: RVTask) -> Prepared:
    """The task's constants, kept by id and truth for the tasks graded last.

    Raises
    ------
    UsageError
        The task has no refit.
    """
    if task.truth.refit is None:
        raise UsageError(
            f"{task.source_id or task.id}: truth.refit is missing: protocol archival grades real "
            "stars; make such tasks with `ecliptic archive`, or take protocol strict"
        )
    return _prepared(TaskKey(task))


@lru_cache(maxsize=KEPT_TASKS)
def _prepared(key: TaskKey) -> Prepared:
    refit = key.task.truth.refit
    assert refit is not None
    problem = problem_of(key.task.observation)
    return Prepared(problem, fit_noise(problem), refit)


def grade_archival(task: RVTask, guess: Submission, rules: ArchivalProtocol) -> Verdict:
    """The verdict under protocol ``archival``."""
    side = archival_prepared(task)
    problem = side.problem
    if guess.forward_model is not None:
        asked = {"forward_model": guess.forward_model}
        problem = replace(problem, family=problem.family.model_copy(update=asked))
    submitted = planet_elements(guess.planets, task.observation.star_mass_sun)
    try:
        analysis = analyse(problem, side.null, submitted)
    except UsageError:  # orbits that cannot be integrated
        analysis = beyond_reach(problem, side.null, submitted)
    return judge_archival(task, guess, analysis, side.refit.log_likelihood, rules)


def judge_archival(
    task: RVTask, guess: Submission, analysis: Analysis, level: float, rules: ArchivalProtocol
) -> Verdict:
    """The verdict on an analysis of a submission; ``level`` is the refit's log-likelihood."""
    assert task.truth.refit is not None
    comparison = compare(task, analysis, task.truth.refit, rules)
    n_true, n_counted = len(comparison.truth), len(comparison.counted)
    held = analysis.held
    lowest = level - allowed_loss(n_true, rules.residual_sigmas)
    complete = len(comparison.pairs) == n_true
    criteria = {
        "periods": worst_ratio(comparison.period_ratios, complete),
        "amplitudes": worst_ratio(comparison.amplitude_ratios, complete),
        "residuals": Criterion(
            finite(held.log_likelihood), lowest, held.log_likelihood >= lowest, ">="
        ),
        "count": Criterion(float(n_counted), float(n_true), n_counted == n_true, "=="),
    }
    passes = sum(criterion.passed for criterion in criteria.values())
    passed = passes == len(criteria)
    details = _details(task, analysis, comparison)
    return Verdict(
        outcome="correct" if passed else "incorrect",
        score=passes / len(criteria),
        criteria=criteria,
        diagnosis=None if passed else _diagnosis(task, guess, comparison, details),
        details=details,
        protocol=rules.label,
    )


def allowed_loss(n_planets: int, sigmas: float) -> float:
    """What may be lost in ln L: half the chi-square that holds ``sigmas`` with 5 a planet."""
    from scipy.special import gammaincinv

    share = math.erf(sigmas / math.sqrt(2.0))
    return float(gammaincinv(2.5 * max(n_planets, 1), share))


def _diagnosis(
    task: RVTask, guess: Submission, comparison: Comparison, details: dict[str, Any]
) -> Diagnosis:
    observation = task.observation
    counted = [guess.planets[j] for j in comparison.counted]
    delta_bic = details["delta_bic"]
    found = diagnose(
        task.truth.planets,
        counted,
        comparison.match,
        poor=comparison.poor,
        improves=delta_bic is not None and delta_bic > 0.0,
        figures={name: details[name] for name in ("delta_bic", "rms_ms", "log_likelihood")},
        span_days=float(observation.times_days[-1] - observation.times_days[0]),
    )
    if found.code not in ONE_SIDED_FAULTS:
        return found
    # The distance blames the part of a curve that is off most; here period and amplitude count.
    worst = comparison.poor[0]
    index = comparison.pairs.index(worst)
    period, amplitude = comparison.period_ratios[index], comparison.amplitude_ratios[index]
    code, name = (
        (RVDiagnosis.WRONG_PERIOD, "period")
        if period > amplitude
        else (RVDiagnosis.WRONG_AMPLITUDE, "semi-amplitude")
    )
    return Diagnosis(
        code,
        f"submitted planet {comparison.counted[worst[1]]} is that of {worst[0]}, but its {name} is "
        f"off by {max(period, amplitude):.3g} times what is allowed",
        {**found.evidence, "period_ratio": finite(period), "amplitude_ratio": finite(amplitude)},
    )


def _details(task: RVTask, analysis: Analysis, comparison: Comparison) -> dict[str, Any]:
    n_true, n_counted = len(comparison.truth), len(comparison.counted)
    partners = max(n_true, n_counted)
    closeness = [math.exp(-d) for _, _, d in comparison.pairs]
    score = sum(closeness) / partners if partners else 1.0
    figures = figures_of(task, analysis)
    held, n = analysis.held, len(analysis.problem)
    reward = held.log_likelihood / n + 0.3 * analysis.delta_bic / n - 0.1 * held.rms_ms
    place = comparison.counted
    pairs = [[i, place[j], d] for i, j, d in comparison.pairs]
    return {
        "reward": finite(reward + score - 0.2 * abs(n_true - n_counted)),
        **figures,
        "forward_model": analysis.problem.family.forward_model,
        "match_score": score,
        "pairs": pairs,
        "period_ratios": [finite(ratio) for ratio in comparison.period_ratios],
        "amplitude_ratios": [finite(ratio) for ratio in comparison.amplitude_ratios],
        "rival": comparison.rival,
        "tolerated": [j for j in range(len(analysis.elements)) if j not in place],
        "unmatched_truth": [i for i in range(n_true) if i not in {pair[0] for pair in pairs}],
        "unmatched_guess": [j for j in place if j not in {pair[1] for pair in pairs}],
    }
