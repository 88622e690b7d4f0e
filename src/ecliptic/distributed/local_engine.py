"""Processes of this machine."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from ecliptic.distributed.engine import Stream, Take, retried
from ecliptic.errors import UsageError
from ecliptic.run.processes import Work, outcomes


class LocalEngine:
    """So many worker processes, each with one thread."""

    def __init__(self, workers: int = 2) -> None:
        if workers < 1:
            raise UsageError(f"workers must be at least 1, not {workers}")
        self._workers = workers

    @property
    def workers(self) -> int:
        """How many jobs run at the same time."""
        return self._workers

    def outcomes(self, take: Take, work: Work) -> Stream:
        """One outcome a job; see :class:`ecliptic.distributed.engine.Engine`."""
        return retried(lambda next_job: outcomes(next_job, work, self._workers), take)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing to give back: workers end with their stream."""
