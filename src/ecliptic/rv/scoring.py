r"""Grading: a submission and a task become a verdict.

Protocol ``strict`` stands in :mod:`ecliptic.rv.strict`, protocol ``archival`` in
:mod:`ecliptic.rv.archival`. Protocol ``paper`` is the published
evaluator (Stargazer, Liu et al. 2026, arXiv:2604.15664).

Residuals are the velocities less the submitted planets less one offset per instrument, the
weighted mean of the rest, with variances :math:`s_i^2 = \sigma_i^2 + \sigma_\mathrm{jit}^2 +
10^{-12}`.

.. math::
   \ln L &= -\tfrac12 \sum_i \left[ r_i^2 / s_i^2 + \ln 2\pi s_i^2 \right] \\
   \mathrm{BIC} &= -2 \ln L + (5\, n_\mathrm{planets} + n_\mathrm{instruments}) \ln n \\
   \Delta\mathrm{BIC} &= \mathrm{BIC}_\mathrm{null} - \mathrm{BIC} \\
   R &= \ln L / n + 0.3\, \Delta\mathrm{BIC} / n - 0.1\, \mathrm{RMS} + \mathrm{match}
        - 0.2\, |n_\mathrm{true} - n_\mathrm{submitted}|

The null model has offsets alone and no jitter. A submission passes when delta-BIC, RMS, match
score (:mod:`ecliptic.rv.matching`) and the number of planets all hold.
"""

from __future__ import annotations

import math

from ecliptic.rv import matching
from ecliptic.rv.archival import archival_prepared, grade_archival
from ecliptic.rv.assessment import planet_rows, prepared
from ecliptic.rv.diagnosis import diagnose, poor_pairs
from ecliptic.rv.protocols import (
    AnyProtocol,
    ArchivalProtocol,
    PaperProtocol,
    StrictProtocol,
    protocol_of,
)
from ecliptic.rv.strict import finite, grade_strict, strict_prepared
from ecliptic.rv.submission import GRADER_LIMITS, Submission, read_submission
from ecliptic.rv.tasks import RVTask
from ecliptic.verdict import Criterion, Verdict


def evaluate(task: RVTask, submission: object, protocol: str | AnyProtocol = "paper") -> Verdict:
    """Grade a submission (a mapping, JSON text or a :class:`Submission`) against a task's truth.

    ``verdict.criteria`` holds ``delta_bic``, ``rms``, ``match`` and ``count`` under protocol
    ``paper``, and ``detection``, ``residuals``, ``recovery``, ``periods`` and ``count`` under
    ``strict``, ``periods``, ``amplitudes``, ``residuals`` and ``count`` under ``archival``;
    ``verdict.score`` is the share of them that passed. A figure that overflows is
    ``None`` and its criterion fails.

    Raises
    ------
    SubmissionError
        The submission is malformed (limits: :data:`~ecliptic.rv.submission.GRADER_LIMITS`).
    UsageError
        There is no such protocol, or ``archival`` is asked for a task without a refit.
    MissingExtraError
        An N-body model is asked for and REBOUND is not installed.
    """
    rules = protocol_of(protocol)
    return grade(task, read_submission(submission, GRADER_LIMITS), rules)


def prepare(task: RVTask, rules: AnyProtocol) -> None:
    """Compute what grading needs of a task and what is the same for every submission."""
    if isinstance(rules, StrictProtocol):
        strict_prepared(task)
    elif isinstance(rules, ArchivalProtocol):
        archival_prepared(task)
    else:
        prepared(task)


def grade(task: RVTask, guess: Submission, rules: AnyProtocol) -> Verdict:
    """The verdict on what :func:`~ecliptic.rv.submission.read_submission` has returned."""
    if isinstance(rules, StrictProtocol):
        return grade_strict(task, guess, rules)
    if isinstance(rules, ArchivalProtocol):
        return grade_archival(task, guess, rules)
    return _grade_paper(task, guess, rules)


def _grade_paper(task: RVTask, guess: Submission, rules: PaperProtocol) -> Verdict:
    task_side = prepared(task)
    n, n_true, n_guess = task_side.n_times, len(task_side.truth), len(guess.planets)

    figures, terms, distances = task_side.assess(planet_rows(guess.planets), guess.sigma_jitter_ms)
    log_likelihood, rms_ms, mae_ms, *gammas = figures
    match = matching.match(terms, distances)
    bic = task_side.bic(log_likelihood, n_guess)
    delta_bic = task_side.bic_null - bic
    miscount = abs(n_true - n_guess)
    reward = log_likelihood / n + 0.3 * delta_bic / n - 0.1 * rms_ms + match.score - 0.2 * miscount

    max_rms_ms = rules.rms_factor * task_side.median_sigma_ms
    # NaN fails every comparison, and an infinite delta-BIC says nothing either.
    better = delta_bic > rules.min_delta_bic and math.isfinite(delta_bic)
    close = rms_ms <= max_rms_ms
    alike = match.score >= rules.min_match
    criteria = {
        "delta_bic": Criterion(finite(delta_bic), rules.min_delta_bic, better, ">"),
        "rms": Criterion(finite(rms_ms), max_rms_ms, close, "<="),
        "match": Criterion(match.score, rules.min_match, alike, ">="),
        "count": Criterion(float(n_guess), float(n_true), not miscount, "=="),
    }
    passes = better + close + alike + (not miscount)
    return Verdict(
        outcome="correct" if passes == 4 else "incorrect",
        score=passes / 4,
        criteria=criteria,
        diagnosis=None
        if passes == 4
        else diagnose(
            task.truth.planets,
            guess.planets,
            match,
            poor=poor_pairs(match, criteria["match"]),
            improves=better,
            figures={name: criteria[name].value for name in ("delta_bic", "rms")},
            span_days=task_side.span_days,
        ),
        details={
            "reward": finite(reward),
            "log_likelihood": finite(log_likelihood),
            "bic": finite(bic),
            "bic_null": finite(task_side.bic_null),
            "delta_bic": finite(delta_bic),
            "rms_ms": finite(rms_ms),
            "mae_ms": finite(mae_ms),
            "gamma_per_instrument_ms": {
                label: finite(gamma) for label, gamma in zip(task_side.labels, gammas, strict=True)
            },
            "match_score": match.score,
            "pairs": [list(pair) for pair in match.pairs],
            "unmatched_truth": match.unmatched_truth,
            "unmatched_guess": match.unmatched_guess,
        },
        protocol=rules.label,
    )
