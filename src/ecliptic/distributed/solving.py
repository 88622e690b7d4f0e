"""One observation solved in a process of its own, on whatever machine an engine runs the job.

The job holds the observation alone, and so does the solver's process: the task with its truth stays
with the process that started the run.
"""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import dataclass
from multiprocessing.connection import wait
from types import SimpleNamespace
from typing import Any, cast

from ecliptic.errors import EclipticError, UsageError
from ecliptic.run.plan import Plan
from ecliptic.run.pool import TICK_SECONDS, SolverProcess
from ecliptic.rv.tasks import Observation

CLUSTER_VARIABLES = ("RAY_",)
"""Beginnings of environment variables that a solver is not given."""
MAX_STARTS = 2


@dataclass(frozen=True, slots=True)
class Solving:
    """Which solver a job is for, and where its module may be found besides ``sys.path``."""

    solver: str
    options: tuple[tuple[str, Any], ...]
    folder: str

    def __call__(self, given: dict[str, Any]) -> dict[str, Any]:
        """The solver's answer to ``given["observation"]`` within ``given["seconds"]``.

        Returns
        -------
        dict
            ``message`` (as :mod:`ecliptic.run.worker` describes), or ``overdue`` (seconds), or
            ``died`` (how its process ended, twice).
        """
        for last in (False, True):
            process = _ready(self)
            answer = _solved(process, given)
            if "message" not in answer:
                _end(self)
            if last or "died" not in answer:
                return answer
        raise AssertionError("unreachable")


_RUNNING: dict[str, SolverProcess] = {}


def _ready(solving: Solving) -> SolverProcess:
    """The process of this solver that waits for work, started if there is none."""
    kept = _RUNNING.get(repr(solving))
    if kept is not None and kept.process.poll() is None:
        return kept
    for other in list(_RUNNING):
        _RUNNING.pop(other).end()
    for name in [name for name in os.environ if name.startswith(CLUSTER_VARIABLES)]:
        del os.environ[name]  # of this process, which has read them: not for its children
    if solving.folder and solving.folder not in sys.path:
        sys.path.append(solving.folder)
    plan = cast("Plan", SimpleNamespace(solver=solving.solver, options=dict(solving.options)))
    with os.fdopen(os.dup(2), "ab") as log:
        process = SolverProcess(plan, log)
    _RUNNING[repr(solving)] = process
    while not process.ready:
        wait([process.line.fileno()], TICK_SECONDS)
        for message in process.messages():
            if message is None:
                code = _end(solving)
                raise EclipticError(f"a solver ended before it was ready (exit code {code})")
            if "refusal" in message:
                _end(solving)
                raise UsageError(str(message["refusal"]))
            process.ready = process.ready or "ready" in message
        if process.overdue:
            _end(solving)
            raise EclipticError("a solver was not ready in time")
    return process


def _solved(process: SolverProcess, given: dict[str, Any]) -> dict[str, Any]:
    observation = Observation.model_validate(given["observation"])
    number = process.number + 1
    attempt = cast("Any", SimpleNamespace(observation=observation))
    process.give(cast("Any", None), attempt, number, given["seconds"])
    while True:
        wait([process.line.fileno()], TICK_SECONDS)
        for message in process.messages():
            if message is None:
                return {"died": _how(process)}
            if message.get("number") == number:
                process.attempt = None
                return {"message": message}
        if process.overdue:
            return {"overdue": process.elapsed}


def _how(process: SolverProcess) -> str:
    code = process.end()
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"


def _end(solving: Solving) -> int:
    return _RUNNING.pop(repr(solving)).end()
