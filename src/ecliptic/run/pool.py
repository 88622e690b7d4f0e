"""Worker processes that lose no more than one task when one of them dies or hangs."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import suppress
from itertools import count
from multiprocessing.connection import wait
from typing import IO, Any, TypeGuard

from ecliptic.errors import EclipticError, UsageError
from ecliptic.run.attempt import Attempt, Entry, Result, failure, header
from ecliptic.run.messages import Line, MessageError
from ecliptic.run.plan import Plan, reason_of

START_SECONDS = 300.0
"""For a worker to import its solver and warm it up."""
SEND_SECONDS = 60.0
MAX_FALSE_STARTS = 3
TICK_SECONDS = 0.25
THREAD_LIMITS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMBA_NUM_THREADS",
)
_COMMAND = "import sys; sys.path[:] = sys.argv[2:]; from ecliptic.run.worker import main; "
_NO_TIMING: dict[str, float | None] = {"wall_s": None, "cpu_s": None}


class SolverProcess:
    """One process, the task that it works on, and the time by which it must be heard of."""

    def __init__(self, plan: Plan, log: IO[bytes]) -> None:
        ours, other = socket.socketpair()
        self.line = Line(ours, send_seconds=SEND_SECONDS)
        with other:
            handle = other.fileno()
            self.process = subprocess.Popen(
                [sys.executable, "-c", _COMMAND + "main(int(sys.argv[1]))", str(handle), *sys.path],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[handle],
                env=os.environ | dict.fromkeys(THREAD_LIMITS, "1"),
                start_new_session=True,  # Ctrl-C reaches the parent alone
            )
        self.entry: Entry | None = None
        self.attempt: Attempt | None = None
        self.number = -1
        self.ready = False
        self._restart_clock(START_SECONDS)
        self._send({"solver": plan.solver, "options": dict(plan.options)})

    def give(self, entry: Entry, attempt: Attempt, number: int, seconds: float) -> None:
        """Send it the observation of an attempt; its clock starts."""
        self.entry, self.attempt, self.number = entry, attempt, number
        self._restart_clock(seconds)
        observation = attempt.observation.model_dump(mode="json")
        self._send({"number": number, "observation": observation})

    def _send(self, message: dict[str, Any]) -> None:
        with suppress(MessageError):  # it has just died: the next look finds out
            self.line.send(message)

    def _restart_clock(self, seconds: float) -> None:
        self.since, self.seconds = time.monotonic(), seconds

    @property
    def elapsed(self) -> float:
        """Seconds since its clock was started."""
        return time.monotonic() - self.since

    @property
    def overdue(self) -> bool:
        """Whether what it works on has taken longer than it may."""
        waiting = self.attempt is not None or not self.ready
        return waiting and self.elapsed > self.seconds

    def messages(self) -> Iterator[dict[str, Any] | None]:
        """What has arrived; ends with ``None`` if the process is dead or talks nonsense."""
        dead = self.process.poll() is not None
        try:
            yield from self.line.arrived()
        except MessageError:
            dead = True
        if dead:
            yield None

    def end(self) -> int:
        """Kill it with all its children; returns the exit code."""
        with suppress(ProcessLookupError, PermissionError):  # it may have ended by itself
            os.killpg(self.process.pid, signal.SIGKILL)
        self.line.close()
        return self.process.wait()


class Pool:
    """Runs entries on ``size`` workers, each with one thread for BLAS, FINUFFT and numba.

    No entry is read before a worker is free for it. ``seconds`` caps the budget that a task's tier
    gives.
    """

    def __init__(
        self, plan: Plan, size: int, log: IO[bytes], *, seconds: float | None = None
    ) -> None:
        self._plan, self._size, self._log = plan, size, log
        self._cap = float("inf") if seconds is None else seconds
        self._workers: list[SolverProcess] = []
        self._false_starts = 0
        self._numbers = count()

    def results(self, entries: Iterator[Entry]) -> Iterator[Result | None]:
        """One result an entry, as they come; ``None`` about every quarter second between them.

        The task of a worker that dies is tried once more at the end, with no other beside it.
        Closing the iterator ends all workers.

        Raises
        ------
        UsageError
            There is no such solver, or it refuses its options.
        EclipticError
            No worker can be started.
        """
        died: list[Entry] = []
        try:
            yield from self._run(entries, self._size, died, last_try=False)
            if died:
                self._end_all()
                yield from self._run(iter(died), 1, died, last_try=True)
        finally:
            self._end_all()

    def _run(
        self, entries: Iterator[Entry], size: int, died: list[Entry], *, last_try: bool
    ) -> Iterator[Result | None]:
        upcoming = next(entries, None)
        while upcoming is not None or any(worker.attempt for worker in self._workers):
            for worker in self._workers:
                while upcoming is not None and worker.ready and worker.attempt is None:
                    unread = self._hand_out(worker, upcoming)
                    upcoming = next(entries, None)
                    if unread is not None:
                        yield unread
            while upcoming is not None and len(self._workers) < size:
                self._workers.append(SolverProcess(self._plan, self._log))
            wait([worker.line.fileno() for worker in self._workers], TICK_SECONDS)
            for worker in list(self._workers):
                for message in worker.messages():
                    if message is not None:
                        result = self._take(worker, message)
                        if result is not None:
                            yield result
                    elif worker.entry is None or last_try:
                        yield self._bury(worker)
                    else:
                        died.append(worker.entry)
                        worker.attempt = worker.entry = None
                        self._bury(worker)
                if worker in self._workers and worker.overdue:
                    yield self._bury(worker, is_overdue=True)
            yield None

    def _hand_out(self, worker: SolverProcess, entry: Entry) -> Result | None:
        """Give a task to a worker; the result instead, if the task cannot be read."""
        try:
            attempt = Attempt(entry.key, entry.load(), self._plan)
        except Exception as error:  # noqa: BLE001  (a damaged task is data)
            top = header(entry.key, self._plan, None)
            return failure(top, reason_of(error), traceback.format_exc(), _NO_TIMING)
        seconds = min(attempt.budget_seconds, self._cap)
        worker.give(entry, attempt, next(self._numbers), seconds)
        return None

    def _take(self, worker: SolverProcess, message: dict[str, Any]) -> Result | None:
        """What a message says of the worker's task; nothing if it is about another one."""
        if "refusal" in message and not worker.ready:
            raise UsageError(str(message["refusal"]))
        if "ready" in message:
            self._false_starts = 0
            worker.ready = True
            return None
        attempt = worker.attempt
        if attempt is None or message.get("number") != worker.number:
            return None
        worker.attempt = worker.entry = None
        timing = {name: _seconds(message.get(name)) for name in _NO_TIMING}
        if "failure" in message:
            trace = str(message.get("traceback", ""))
            return attempt.failed(str(message["failure"]), trace, timing)
        if "unreadable" in message:
            return attempt.unreadable(str(message["unreadable"]), timing)
        return attempt.graded(message.get("submission"), timing)

    def _bury(self, worker: SolverProcess, *, is_overdue: bool = False) -> Result | None:
        """Remove a dead or hanging worker; the result of its task, if it had one."""
        elapsed, code = worker.elapsed, worker.end()
        self._workers.remove(worker)
        if worker.attempt is None:
            if not worker.ready:
                self._false_starts += 1
                if self._false_starts >= MAX_FALSE_STARTS:
                    raise EclipticError(
                        f"workers end before they are ready (exit code {code}); "
                        f"see the last lines of {self._log.name}"
                    )
            return None
        if is_overdue:
            return worker.attempt.overdue(worker.seconds, elapsed)
        signal_name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        timing = {"wall_s": round(elapsed, 6), "cpu_s": None}
        return worker.attempt.failed(f"worker died ({signal_name})", "", timing)

    def _end_all(self) -> None:
        while self._workers:
            self._workers.pop().end()


def _seconds(value: object) -> float | None:
    return float(value) if _is_number(value) else None


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)
