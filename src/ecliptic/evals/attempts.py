"""Finished attempts as plain rows, from the logs of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from pathlib import Path

from inspect_ai._util.file import local_path
from inspect_ai.log import EvalLog

from ecliptic.analysis import Attempt, read_attempts


class AttemptRow(Attempt):
    """An attempt of a run, under the run's own words for agent and task."""

    __slots__ = ()

    @property
    def pattern(self) -> str:
        """The agent."""
        return self.agent

    @property
    def sample(self) -> str:
        """The task."""
        return self.task


def rows_of(logs: Iterable[tuple[str, EvalLog]]) -> Iterator[AttemptRow]:
    """The attempts in each pattern's log; the agent is called as the run calls it."""
    for pattern, log in logs:
        for attempt in read_attempts(Path(local_path(log.location))):
            given = {each.name: getattr(attempt, each.name) for each in fields(attempt)}
            yield AttemptRow(**given | {"agent": pattern})
