"""An attempt in full, from its log and its suite."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.failures.details import Details
from ecliptic.analysis.failures.run_reading import facts_of, read_record
from ecliptic.analysis.failures.sample_reading import (
    calls_of,
    read_sample,
    reply_of,
    score_of,
    source_in,
    submissions_of,
)
from ecliptic.analysis.failures.truths import find_record, find_star
from ecliptic.analysis.log_samples import FOREIGN_FORM
from ecliptic.errors import TaskError

STARS, QUESTIONS = "stargazer", "helio"
BY_TEXT = "hand_in:text"


def read_details(attempt: Attempt, *, truth: str | os.PathLike[str] | None = None) -> Details:
    """All that the log holds of an attempt, and its task with the truth where that is at hand.

    Parameters
    ----------
    attempt
        A row of :func:`ecliptic.analysis.read_attempts`.
    truth
        The private part of a sealed suite; or a whole suite, where the one that the log names is
        not on this machine.

    Raises
    ------
    TaskError
        The log is gone, cannot be read, or does not hold the attempt.
    MissingExtraError
        The log is compressed in a way that needs an extra.
    """
    private = None if truth is None else Path(os.path.abspath(Path(truth).expanduser()))  # noqa: PTH100
    if attempt.log.is_dir():
        record = read_record(attempt)
        try:
            facts = facts_of(record)
        except FOREIGN_FORM as error:
            raise foreign_form(attempt, error) from None
        task, missing = find_star(attempt.suite_source, attempt.task, private)
        return Details(attempt, task, missing, facts, verdict=record.get("verdict"))
    sample = read_sample(attempt)
    try:
        return _of_sample(attempt, sample, private)
    except FOREIGN_FORM as error:
        raise foreign_form(attempt, error) from None


def _of_sample(attempt: Attempt, sample: dict[str, Any], truth: Path | None) -> Details:
    calls, verdict = calls_of(sample), score_of(sample).get("verdict")
    task: Any = None
    missing = "the task is not one of ours"
    if attempt.world == STARS:
        task, missing = find_star(attempt.suite_source, attempt.task, truth)
        if task is None and (stated := source_in(attempt.log)) not in {"", attempt.suite_source}:
            task, missing = find_star(stated, attempt.task, truth)
    elif attempt.world == QUESTIONS:
        task, missing = find_record(source_in(attempt.log) or attempt.suite_source, attempt.task)
    return Details(
        attempt=attempt,
        task=task,
        missing=missing,
        submissions=submissions_of(sample, calls) if attempt.world == STARS else (),
        calls=calls,
        reply=reply_of(sample),
        verdict=verdict if isinstance(verdict, dict) else None,
        by_text=BY_TEXT in attempt.agent.split("+"),
    )


def foreign_form(attempt: Attempt, error: Exception) -> TaskError:
    """One line about values of another kind or size than ours."""
    what = " ".join(str(error)[:200].split())
    return TaskError(
        f"{attempt.log}: '{attempt.task}' has a form that is not known "
        f"({type(error).__name__}: {what}); write the log anew with 'inspect log convert'"
    )
