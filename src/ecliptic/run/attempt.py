"""One task, one solver, one result record: what a worker does, without any process around it."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ecliptic.errors import UsageError
from ecliptic.model import short
from ecliptic.run.journal import encode
from ecliptic.run.plan import MAX_REASON, Plan, Solver, reason_of

if TYPE_CHECKING:
    from ecliptic.rv.tasks import RVTask
    from ecliptic.verdict import Verdict


class Entry(Protocol):
    """One task of a suite before it is read: small, picklable, unique by ``key``."""

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


def warm_up(plan: Plan, solver: Solver) -> None:
    """Import and compile what solving and grading need, so that no task is charged for it.

    A function of somebody's own is not called: nobody knows what a call of it costs.

    Raises
    ------
    UsageError
        The solver refuses its options.
    """
    import numpy as np

    from ecliptic.rv.tasks import Instrument, Noise, Observation, RVTask, Truth

    times = np.linspace(0.0, 30.0, 30) ** 1.01
    task = RVTask.create(
        tier="easy",
        observation=Observation(
            times_days=times,
            rvs_ms=10.0 * np.cos(times),
            sigmas_ms=np.ones(30),
            instruments=("A",) * 30,
            star_mass_sun=1.0,
        ),
        truth=Truth(
            planets=(), instruments=(Instrument(label="A"),), noise=Noise(sigma_white_ms=1.0)
        ),
        difficulty=1,
    )
    _solve_and_grade(task, plan, lambda _: {"planets": []}, _Clock())
    if ":" in plan.solver:
        return
    try:
        solver(task.observation)
    except UsageError:
        raise
    except Exception:  # noqa: BLE001  (only a task of the suite may fail)
        return


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


def attempt(
    entry: Entry, plan: Plan, solver: Solver, started: Callable[[dict[str, Any]], None]
) -> Result:
    """Solve and grade one task; a fault becomes a record with the status ``failed``.

    ``started`` is called with the record's header once the task is read and the clock runs.

    Raises
    ------
    UsageError
        The solver refuses its options.
    """
    top = header(entry.key, plan, None)
    clock = _Clock()
    try:
        task = entry.load()
        top = header(entry.key, plan, task)
        started(top)
        clock = _Clock()
        submission, verdict = _solve_and_grade(task, plan, solver, clock)
        return _done(top, verdict, submission, clock.read())
    except UsageError:  # a wrong option is wrong for every task
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001  (a fault of one task is data)
        return failure(top, reason_of(error), traceback.format_exc(), clock.read())


def _solve_and_grade(
    task: RVTask, plan: Plan, solver: Solver, clock: _Clock
) -> tuple[object, Verdict]:
    """One episode of one submission, within the limits that every agent has.

    A malformed submission is the solver's fault, hence a verdict and not a failure.
    """
    from ecliptic.rv.diagnosis import RVDiagnosis, ungraded
    from ecliptic.rv.environment import Environment

    env = Environment(task, plan.protocol)
    submission: object = solver(env.reset())
    clock.stop()
    said = env.step(submission).feedback
    if env.last_verdict is not None:
        return submission, env.last_verdict
    code = RVDiagnosis.MALFORMED if said.status == "malformed" else RVDiagnosis.OVER_BUDGET
    message = said.text.partition("\n")[0]
    return _json_safe(submission), ungraded(code, message, plan.protocol.label)


def _json_safe(submission: object) -> object:
    """What was handed in where JSON can hold it, else how it looks."""
    try:
        encode({"submission": submission})
    except (TypeError, ValueError, RecursionError):
        return short(submission, MAX_REASON)
    return submission


def _done(
    top: Mapping[str, Any],
    verdict: Verdict,
    submission: object,
    timing: Mapping[str, float | None],
) -> Result:
    record = {
        **top,
        "status": "done",
        "verdict": verdict.to_dict(),
        "submission": submission,
        **timing,
        "error": None,
    }
    return Result(str(top["key"]), encode(record), passed=verdict.passed)


def overdue(top: Mapping[str, Any], seconds: float, elapsed_s: float) -> Result:
    """The result of a solver that was stopped because its time was up: not passed."""
    from ecliptic.rv.diagnosis import RVDiagnosis, ungraded

    message = f"no submission within {seconds:g} s, the time budget"
    verdict = ungraded(RVDiagnosis.OVER_BUDGET, message, top["protocol"])
    return _done(top, verdict, None, {"wall_s": round(elapsed_s, 6), "cpu_s": None})


def failure(
    top: Mapping[str, Any], reason: str, trace: str, timing: Mapping[str, float | None]
) -> Result:
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


class _Clock:
    """Wall and CPU seconds of the solver alone; grading is not counted."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()
        self._taken: dict[str, float | None] = {}

    def stop(self) -> None:
        self._taken = {
            "wall_s": round(time.perf_counter() - self._wall, 6),
            "cpu_s": round(time.process_time() - self._cpu, 6),
        }

    def read(self) -> dict[str, float | None]:
        if not self._taken:
            self.stop()
        return self._taken
