"""The scorer of stars: the best submission of an attempt, and why the attempt ended."""

from __future__ import annotations

import json
import math
from functools import lru_cache
from typing import Any

import anyio
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from ecliptic.analysis.tables import TIERS
from ecliptic.analysis.verdict_figures import FIGURES, short_form
from ecliptic.errors import TaskError
from ecliptic.evals.episodes import REASONS, SUBMISSIONS_KEY, find_episode
from ecliptic.evals.score_metrics import clustered_error, mean_of_known
from ecliptic.evals.stop_reasons import StopReason, interruption
from ecliptic.evals.text_submission import last_submission
from ecliptic.rv import Budget, Environment, RVTask
from ecliptic.suite import load_suite
from ecliptic.verdict import Verdict

CRITERIA = (
    "delta_bic",
    "rms",
    "match",
    "count",
    "detection",
    "residuals",
    "recovery",
    "periods",
)
NO_SUBMISSION = "no submission was graded"


@lru_cache(maxsize=4)
def stars_of(suite: str, truth: str | None = None) -> dict[str, RVTask]:
    """The tasks of a suite by id, as they were when the last task of Inspect was made of any.

    They hold the truth: for this process only.
    """
    return {star.id: star for star in load_suite(suite, truth=truth)}


def find_star(suite: str, star_id: str, truth: str | None = None) -> RVTask:
    """One task; raises :class:`TaskError` where the suite does not hold it (any more)."""
    star = stars_of(suite, truth).get(star_id)
    if star is None:
        raise TaskError(f"{suite}: no task '{star_id}', which the log names")
    return star


@scorer(metrics={"*": [mean_of_known(), clustered_error()]})
def planet_grade(
    suite: str,
    protocol: str = "paper",
    feedback: str = "criteria",
    by_text: bool = False,
    truth: str | None = None,
) -> Scorer:
    """Grades the best submission; scored again from a log, those that the log's store holds.

    Value, every key for every sample (NaN where it does not apply):

    ``passed``
        An attempt without a submission, or ended by an error before it passed, counts as 0.
    ``passed_graded``
        The same, NaN where it was ended by an error without having passed.
    ``score``, ``submissions``, ``repeats``
        Of the best submission; how many were graded; how many of these hardly differed from
        an earlier one.
    ``error``
        1 where it was ended by an error of ours or of the provider.
    each criterion, each tier
        Whether the best submission meets it; ``passed`` of the tasks of that tier.
    """

    async def score(state: TaskState, target: Target) -> Score:
        del target  # empty: the truth is in the suite
        stopped = interruption()
        episode = find_episode(state.uuid)
        handed_in = [each["submission"] for each in state.store.get(SUBMISSIONS_KEY) or []]
        if episode is not None:
            environment = episode.environment
        else:
            star = await anyio.to_thread.run_sync(find_star, suite, str(state.sample_id), truth)
            environment = await _replayed(star, protocol, feedback, handed_in)
        by_reply = by_text and not handed_in and not environment.history
        in_text = last_submission(state) if by_reply else None
        if in_text is not None:
            kept = json.loads(json.dumps(in_text))
            await anyio.to_thread.run_sync(environment.step, kept)
        reason = _reason(environment, stopped, by_text)
        best = environment.best
        verdict = None if best is None else best.verdict
        return Score(
            value=_values(environment, verdict, reason, str(state.metadata.get("tier"))),
            answer=None if best is None or best.submission is None else _text(best.submission),
            explanation=_explanation(verdict, reason, environment),
            metadata={
                "tier": state.metadata.get("tier"),
                "stop": str(reason),
                "error": stopped[1] if stopped and reason == stopped[0] else "",
                FIGURES: short_form(verdict),
                "verdict": None if verdict is None else verdict.to_dict(),
                "submissions": [_kept(each) for each in environment.history],
            },
        )

    return score


async def _replayed(
    star: RVTask, protocol: str, feedback: str, submissions: list[Any]
) -> Environment:
    budget = Budget(math.inf, math.inf, max(1, len(submissions) + 1))
    environment = Environment(star, protocol, feedback, budget)

    def replay() -> None:
        environment.reset()
        for submission in submissions:
            environment.step(submission)

    await anyio.to_thread.run_sync(replay)
    return environment


def _reason(
    environment: Environment, stopped: tuple[StopReason, str] | None, by_text: bool
) -> StopReason:
    """What ended the attempt; one that passed is solved, whatever came after."""
    own = environment.last_verdict
    if environment.best is not None and own is not None and own.passed:
        return StopReason.SOLVED
    if stopped is not None:
        return stopped[0]
    if by_text and environment.history:
        return StopReason.ANSWERED
    if environment.left <= 0:
        return StopReason.SUBMISSIONS
    if environment.history and environment.history[-1].feedback.status == "over":
        return REASONS[environment.reason]
    return StopReason.GAVE_UP


def _values(
    environment: Environment, verdict: Verdict | None, reason: StopReason, tier: str
) -> dict[str, Any]:
    passed = float(verdict is not None and verdict.passed)
    graded = [attempt for attempt in environment.history if attempt.verdict is not None]
    criteria = {} if verdict is None else verdict.criteria
    return {
        "passed": passed,
        "passed_graded": math.nan if reason.is_error else passed,
        "score": 0.0 if verdict is None else verdict.score,
        "submissions": len(graded),
        "repeats": sum(attempt.repeat_of is not None for attempt in graded),
        "error": float(reason.is_error),
        **{
            name: float(criteria[name].passed) if name in criteria else math.nan
            for name in CRITERIA
        },
        **{name: passed if name == tier else math.nan for name in TIERS},
    }


def _text(submission: Any) -> str:
    return json.dumps(submission.to_dict())


def _kept(attempt: Any) -> dict[str, Any]:
    return {
        "submission": None if attempt.submission is None else attempt.submission.to_dict(),
        "status": attempt.feedback.status,
        "passed": attempt.verdict is not None and attempt.verdict.passed,
        "score": None if attempt.verdict is None else attempt.verdict.score,
        "seconds": round(attempt.seconds, 3),
        "tokens": attempt.tokens,
        "repeat_of": attempt.repeat_of,
    }


def _explanation(verdict: Verdict | None, reason: StopReason, environment: Environment) -> str:
    if verdict is None:
        last = environment.history[-1].feedback.text if environment.history else ""
        what = f"{NO_SUBMISSION}; ended by: {reason}"
        return f"{what}. {last}" if last else what
    if verdict.diagnosis is None:
        return f"passed; ended by: {reason}"
    return f"{verdict.diagnosis.code}: {verdict.diagnosis.message}; ended by: {reason}"
