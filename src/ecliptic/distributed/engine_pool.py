"""The workers of a run on any engine: solvers there, tasks and grades here.

An engine is sent observations and sends submissions back. The truth never leaves the process that
started the run, so neither a solver nor any machine of the cluster holds it.
"""

from __future__ import annotations

import traceback
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecliptic.distributed.solving import Solving
from ecliptic.errors import UsageError
from ecliptic.run.attempt import Attempt, Entry, Result, Timing, failure, header
from ecliptic.run.plan import Plan, reason_of
from ecliptic.run.processes import Job, Outcome

if TYPE_CHECKING:
    from ecliptic.distributed.engine import Engine
    from ecliptic.rv.tasks import RVTask

_NO_TIMING: dict[str, float | None] = {"wall_s": None, "cpu_s": None}


class EnginePool:
    """As :class:`ecliptic.run.pool.Pool`, with an engine in place of processes of its own.

    ``folder``: where the module of a solver ``module:function`` is looked for besides the path.
    """

    def __init__(
        self,
        engine: Engine,
        plan: Plan,
        *,
        seconds: float | None = None,
        folder: Path | None = None,
    ) -> None:
        self._engine, self._plan = engine, plan
        self._cap = float("inf") if seconds is None else seconds
        self._folder = "" if folder is None else str(folder)

    def results(self, entries: Iterator[Entry]) -> Iterator[Result | None]:
        """One result a task, as they come; ``None`` now and then between them.

        Raises
        ------
        UsageError
            The solver cannot be imported there, or refuses its options.
        """
        tasks: dict[str, RVTask] = {}
        unread: deque[Result] = deque()

        def take() -> Job | None:
            for entry in entries:
                try:
                    task = entry.load()
                    attempt = Attempt(entry.key, task, self._plan)
                except Exception as error:  # noqa: BLE001  (a damaged task is data)
                    top = header(entry.key, self._plan, None)
                    trace = traceback.format_exc()
                    unread.append(failure(top, reason_of(error), trace, _NO_TIMING))
                    continue
                tasks[entry.key] = task
                return Job(entry.key, self.sent(attempt))
            return None

        work = Solving(self._plan.solver, tuple(self._plan.options.items()), self._folder)
        with closing(self._engine.outcomes(take, _Solved(work))) as stream:
            for outcome in stream:
                while unread:
                    yield unread.popleft()
                if outcome is None:
                    yield None
                else:
                    yield self._result(tasks.pop(outcome.key), outcome)
        yield from unread

    def sent(self, attempt: Attempt) -> dict[str, Any]:
        """All that a job holds."""
        seconds = min(attempt.budget_seconds, self._cap)
        return {"observation": attempt.observation.model_dump(mode="json"), "seconds": seconds}

    def _result(self, task: RVTask, outcome: Outcome) -> Result:
        # Begun anew: the time that a job waits for a worker is not the solver's.
        attempt = Attempt(outcome.key, task, self._plan)
        answer = outcome.result
        if answer is None:
            timing = {"wall_s": outcome.wall_s, "cpu_s": None}
            return attempt.failed(outcome.reason, outcome.trace, timing)
        if "refusal" in answer:
            raise UsageError(answer["refusal"])
        if "overdue" in answer:
            return attempt.overdue(min(attempt.budget_seconds, self._cap), answer["overdue"])
        if "died" in answer:
            timing = {"wall_s": outcome.wall_s, "cpu_s": None}
            return attempt.failed(f"worker died ({answer['died']})", "", timing)
        return _graded(attempt, answer["message"])


class _Solved:
    """The work on one job, where a refusal of the solver is an answer, not a fault of the task."""

    def __init__(self, solving: Solving) -> None:
        self._solving = solving

    def __call__(self, given: dict[str, Any]) -> dict[str, Any]:
        try:
            return self._solving(given)
        except UsageError as error:
            return {"refusal": str(error)}


def _graded(attempt: Attempt, message: dict[str, Any]) -> Result:
    timing: Timing = {name: _seconds(message.get(name)) for name in _NO_TIMING}
    if "failure" in message:
        trace = str(message.get("traceback", ""))
        return attempt.failed(str(message["failure"]), trace, timing)
    if "unreadable" in message:
        return attempt.unreadable(str(message["unreadable"]), timing)
    return attempt.graded(message.get("submission"), timing)


def _seconds(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None  # type: ignore[arg-type]
