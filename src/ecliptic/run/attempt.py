"""One task, one solver, one result record: the part of a run that knows the truth.

It lives in the process that runs everything. The solver works in another one, which is given the
observation alone and hands back plain JSON, so nothing sealed is in its reach.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ecliptic.model import short
from ecliptic.run.journal import encode
from ecliptic.run.plan import MAX_REASON, Plan
from ecliptic.rv.diagnosis import RVDiagnosis, ungraded
from ecliptic.rv.environment import Environment

if TYPE_CHECKING:
    from ecliptic.rv.tasks import RVTask
    from ecliptic.verdict import Verdict

MAX_KEPT_BYTES = 100_000
"""Longest submission that a record repeats in full."""
Timing = Mapping[str, float | None]


class Entry(Protocol):
    """One task of a suite before it is read: small, unique by ``key``."""

    @property
    def key(self) -> str:
        """Unique within the suite."""
        ...

    def load(self) -> RVTask:
        """Read the task; raises TaskError if it is damaged."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """One finished task: its journal line, and the part of it that a progress bar shows."""

    key: str
    line: bytes
    passed: bool = False
    failure: str | None = None


class Attempt:
    """One episode of one submission, within the limits that every agent has."""

    def __init__(self, key: str, task: RVTask, plan: Plan) -> None:
        self._header = header(key, plan, task)
        self._env = Environment(task, plan.protocol)
        self.observation = self._env.reset()
        self.budget_seconds = self._env.budget.seconds

    def graded(self, submission: object, timing: Timing) -> Result:
        """The result of what the solver handed in.

        What is malformed, or comes after the time budget, is the solver's fault, hence a verdict
        and not a failure: were it left out of the rate, nonsense would raise it.
        """
        said = self._env.step(submission).feedback
        verdict = self._env.last_verdict
        if verdict is None:
            code = RVDiagnosis.MALFORMED if said.status == "malformed" else RVDiagnosis.OVER_BUDGET
            return self._ungraded(code, said.text.partition("\n")[0], submission, timing)
        return self._done(verdict, submission, timing)

    def unreadable(self, why: str, timing: Timing) -> Result:
        """The result where the solver returned something that is no submission at all."""
        message = f"The submission was not accepted: {why}."
        return self._ungraded(RVDiagnosis.MALFORMED, message, None, timing)

    def overdue(self, seconds: float, elapsed_s: float) -> Result:
        """The result of a solver that was stopped because its time was up."""
        message = f"no submission within {seconds:g} s, the time budget"
        timing = {"wall_s": round(elapsed_s, 6), "cpu_s": None}
        return self._ungraded(RVDiagnosis.OVER_BUDGET, message, None, timing)

    def failed(self, reason: str, trace: str, timing: Timing) -> Result:
        """The result where the solver could not run to its end."""
        return failure(self._header, reason, trace, timing)

    def _ungraded(
        self, code: RVDiagnosis, message: str, submission: object, timing: Timing
    ) -> Result:
        verdict = ungraded(code, message, self._header["protocol"])
        return self._done(verdict, submission, timing)

    def _done(self, verdict: Verdict, submission: object, timing: Timing) -> Result:
        record = {
            **self._header,
            "status": "done",
            "verdict": verdict.to_dict(),
            "submission": _kept(submission),
            **timing,
            "error": None,
        }
        return Result(self._header["key"], encode(record), passed=verdict.passed)


def header(key: str, plan: Plan, task: RVTask | None) -> dict[str, Any]:
    """The part of a record that is known before the solver starts."""
    return {
        "key": key,
        "task_id": task and task.id,
        "source_id": task and task.source_id,
        "tier": task and task.tier,
        "difficulty": task and task.difficulty,
        "solver": plan.solver,
        "protocol": plan.protocol.label,
    }


def failure(top: Mapping[str, Any], reason: str, trace: str, timing: Timing) -> Result:
    """The result of a task that did not come to a verdict."""
    record = {
        **top,
        "status": "failed",
        "verdict": None,
        "submission": None,
        **timing,
        "error": {"reason": reason, "traceback": trace},
    }
    return Result(str(top["key"]), encode(record), failure=reason)


def _kept(submission: object) -> object:
    """The submission, or how it looks where it is far longer than any that can be graded."""
    if len(encode({"submission": submission})) <= MAX_KEPT_BYTES:
        return submission
    return short(submission, MAX_REASON)
