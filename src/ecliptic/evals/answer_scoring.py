"""The scorer of question records: the deterministic grade, and the verifier's beside it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, get_args

import anyio
from inspect_ai.scorer import Score, Scorer, Target, scorer
from inspect_ai.solver import TaskState

from ecliptic.analysis.verdict_figures import FIGURES, short_form
from ecliptic.errors import TaskError
from ecliptic.evals.score_metrics import clustered_error, mean_of_known
from ecliptic.evals.stop_reasons import StopReason, interruption
from ecliptic.evals.verifier_role import find_verifier
from ecliptic.grading import ChatModel, Verifier, grade
from ecliptic.helio import Record, load
from ecliptic.helio.records import AnswerType
from ecliptic.verdict import Verdict

TYPES: tuple[str, ...] = get_args(AnswerType)


@lru_cache(maxsize=4)
def records_of(source: str) -> dict[str, Record]:
    """The records of a file or a named set, by id, as they were when the last task was made of any.

    So what is graded is what was asked, whatever becomes of the file while a run goes on.
    """
    return {record.id: record for record in load(source)}


def find_record(source: str, record_id: str) -> Record:
    """One record; raises :class:`TaskError` where the source does not hold it (any more)."""
    record = records_of(source).get(record_id)
    if record is None:
        raise TaskError(f"{source}: no record '{record_id}', which the log names")
    return record


@scorer(metrics={"*": [mean_of_known(), clustered_error()]})
def answer_grade(
    records: str, verifier: bool | None = None, allow_self_judge: bool = False
) -> Scorer:
    """Grades the last reply against the record of the sample's id.

    Value, every key for every sample (NaN where it does not apply):

    ``passed``
        By the rules alone; an undecided answer and an attempt that ended in an error count as 0.
    ``passed_graded``
        The same, NaN where the attempt ended in an error.
    ``undecided``, ``error``
        1 where they are so.
    ``passed_with_verifier``
        With the verifier's judgement of undecided answers; NaN without a verifier.
    ``format``
        Share of the demands on the form that are met.
    ``numeric``, ``symbolic``, ``textual``, ``structured``
        ``passed``, for records of that type.
    """
    judges: dict[str, Verifier] = {}

    async def score(state: TaskState, target: Target) -> Score:
        del target  # the record holds more: rules, claims, schema
        record = await anyio.to_thread.run_sync(find_record, records, str(state.sample_id))
        stopped = interruption()
        answer = state.output.completion
        verdict = await _graded(record, answer)
        judged = None
        chat = find_verifier(verifier, allow_self_judge)
        if chat is not None and verdict.outcome == "undecided":
            judged = await _graded(record, answer, _kept(judges, chat))
        reason, error = stopped or (
            StopReason.ANSWERED if answer.strip() else StopReason.GAVE_UP,
            "",
        )
        return Score(
            value=_values(record, verdict, judged, reason, chat is not None),
            answer=answer,
            explanation=_explanation(verdict, reason, error),
            metadata={
                "type": record.type,
                "stop": str(reason),
                "error": error,
                FIGURES: short_form(verdict),
                "verdict": verdict.to_dict(),
                "verdict_with_verifier": None if judged is None else judged.to_dict(),
            },
        )

    return score


def _kept(judges: dict[str, Verifier], chat: ChatModel) -> Verifier:
    # One for all samples, since it keeps the normal forms of golds.
    return judges.setdefault("verifier", Verifier(chat))


async def _graded(record: Record, answer: str, verifier: Verifier | None = None) -> Verdict:
    return await anyio.to_thread.run_sync(lambda: grade(record, answer, verifier=verifier))


def _values(
    record: Record, verdict: Verdict, judged: Verdict | None, reason: StopReason, asked: bool
) -> dict[str, Any]:
    passed = float(verdict.passed)
    form = verdict.criteria.get("format")
    return {
        "passed": passed,
        "passed_graded": math.nan if reason.is_error else passed,
        "undecided": math.nan if reason.is_error else float(verdict.outcome == "undecided"),
        "error": float(reason.is_error),
        "passed_with_verifier": float((judged or verdict).passed) if asked else math.nan,
        "format": math.nan if form is None or form.value is None else form.value,
        **{kind: passed if kind == record.type else math.nan for kind in TYPES},
    }


def _explanation(verdict: Verdict, reason: StopReason, error: str) -> str:
    if reason.is_error:
        return f"not graded ({reason}): {error}"
    if verdict.diagnosis is None:
        return "correct"
    return f"{verdict.outcome}, {verdict.diagnosis.code}: {verdict.diagnosis.message}"
