"""Details out of a record of ``ecliptic run``."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.failures.details import GRADED, MALFORMED, OVER, SubmissionFacts
from ecliptic.analysis.run_records import RESULTS
from ecliptic.errors import SubmissionError, TaskError
from ecliptic.files import reason

KEPT_RUNS = 16
UNGRADED = {"malformed": MALFORMED, "over_budget": OVER}
"""Status of what was not graded, by the diagnosis of its verdict."""


def read_record(attempt: Attempt) -> dict[str, Any]:
    """The JSON of an attempt's record; raises :class:`TaskError` where there is none."""
    path = attempt.log / RESULTS
    try:
        state = path.stat()
        start = _places(path, state.st_mtime_ns, state.st_size).get(attempt.uuid)
        if start is None:
            raise TaskError(f"{path}: holds no result of '{attempt.uuid}'")
        with path.open("rb") as file:
            file.seek(start)
            record: dict[str, Any] = json.loads(file.readline())
    except OSError as error:
        raise TaskError(f"{path}: {reason(error)}") from None
    return record


@lru_cache(maxsize=KEPT_RUNS)
def _places(path: Path, mtime_ns: int, size: int) -> dict[str, int]:
    """Where the last record of each task starts."""
    del mtime_ns, size  # a file that has grown is read anew
    places: dict[str, int] = {}
    start = 0
    with path.open("rb") as file:
        for line in file:
            # One that is cut short was being written as the run was stopped.
            with suppress(ValueError, KeyError, TypeError, RecursionError):
                places[str(json.loads(line)["key"])] = start
            start += len(line)
    return places


def facts_of(record: dict[str, Any]) -> tuple[SubmissionFacts, ...]:
    """The one submission of a solver; none where it could not run to its end."""
    from ecliptic.rv import read_submission
    from ecliptic.rv.submission import GRADER_LIMITS

    verdict = record["verdict"]
    if verdict is None:
        return ()
    diagnosis = verdict.get("diagnosis") or {}
    status = UNGRADED.get(str(diagnosis.get("code")), GRADED)
    if status != GRADED and record["submission"] is None and status == OVER:
        return ()  # it was stopped before it had anything
    said, submission = str(diagnosis.get("message") or "") if status != GRADED else "", None
    if status == GRADED:
        try:
            submission = read_submission(record["submission"], GRADER_LIMITS)
        except SubmissionError as error:
            status, said = MALFORMED, str(error)
    return (
        SubmissionFacts(
            number=1,
            status=status,
            submission=submission,
            passed=bool(verdict["passed"]),
            score=verdict["score"] if status == GRADED else None,
            seconds=record.get("wall_s"),
            said=said,
        ),
    )
