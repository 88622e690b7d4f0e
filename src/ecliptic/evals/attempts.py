"""Finished attempts as plain rows, from the logs of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from inspect_ai.log import EvalLog, EvalSample, read_eval_log_samples

from ecliptic.evals.stop_reasons import StopReason

_NOT_NEEDED = {"events", "messages", "attachments", "store"}


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """One attempt: which pattern on which kind of task, and how it ended.

    ``kind`` is a record's type or a star's tier. ``passed`` is ``None`` where the attempt ended in
    an error without having passed, ``verified`` where there was no verifier.
    """

    pattern: str
    sample: str
    epoch: int
    uuid: str
    kind: str
    stop: str
    passed: bool | None
    undecided: bool
    verified: bool | None
    tokens: int
    cost: float
    error: str


def rows_of(logs: Iterable[tuple[str, EvalLog]]) -> Iterator[AttemptRow]:
    """The attempts in each pattern's log."""
    for pattern, log in logs:
        samples = read_eval_log_samples(
            log.location, all_samples_required=False, exclude_fields=_NOT_NEEDED
        )
        for sample in samples:
            yield _row(pattern, sample)


def _row(pattern: str, sample: EvalSample) -> AttemptRow:
    score = next(iter((sample.scores or {}).values()), None)
    value: dict[str, Any] = score.value if score and isinstance(score.value, dict) else {}
    metadata = (score.metadata if score else None) or {}
    usage = (sample.model_usage or {}).values()
    error = sample.error.message if sample.error else ""
    return AttemptRow(
        pattern=pattern,
        sample=str(sample.id),
        epoch=sample.epoch,
        uuid=sample.uuid or "",
        kind=str(metadata.get("type") or metadata.get("tier") or "unread"),
        stop=str(metadata.get("stop") or StopReason.OUR_ERROR),
        passed=_flag(value.get("passed_graded")),
        undecided=bool(_flag(value.get("undecided"))),
        verified=_flag(value.get("passed_with_verifier")),
        tokens=sum(each.total_tokens for each in usage),
        cost=sum(each.total_cost or 0.0 for each in usage),
        error=str(metadata.get("error") or error),
    )


def _flag(value: Any) -> bool | None:
    """``None`` for NaN and for what is not there."""
    return None if value is None or value != value else bool(value)
