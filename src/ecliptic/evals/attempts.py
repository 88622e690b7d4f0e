"""Finished attempts as plain rows, from the logs of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from inspect_ai._util.file import local_path
from inspect_ai.log import EvalLog

from ecliptic.analysis import Attempt, read_attempts


def rows_of(logs: Iterable[tuple[str, EvalLog]]) -> Iterator[Attempt]:
    """The attempts in each pattern's log; the agent is called as the run calls it."""
    for pattern, log in logs:
        for attempt in read_attempts(Path(local_path(log.location))):
            yield replace(attempt, agent=pattern)
