"""Worker processes that lose no more than one task when one of them dies or hangs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import IO, Any

from ecliptic.errors import EclipticError, UsageError
from ecliptic.run.attempt import Entry, Result, failure, header, overdue
from ecliptic.run.plan import Plan
from ecliptic.run.worker import Ready, Refusal, Started

START_SECONDS = 300.0
"""For a worker to import its solver, or to read one task."""
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


class _Worker:
    """One process, the task that it works on, and the time by which it must be heard of."""

    def __init__(self, plan: Plan, log: IO[bytes]) -> None:
        self.connection: Connection[Any, Any]
        self.connection, other = Pipe()
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
        self.connection.send(plan)
        self.entry: Entry | None = None
        self.header: dict[str, Any] = {}
        self.ready = False
        self.since = time.monotonic()
        self.seconds: float = START_SECONDS

    def give(self, entry: Entry) -> None:
        self.entry, self.header = entry, {}
        self._restart_clock(START_SECONDS)
        with suppress(OSError):  # it has just died: the next look finds out
            self.connection.send(entry)

    def heard(self, message: Started) -> None:
        self.header = message.header
        self._restart_clock(message.seconds)

    def _restart_clock(self, seconds: float) -> None:
        self.since, self.seconds = time.monotonic(), seconds

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self.since

    def messages(self) -> Iterator[Ready | Refusal | Started | Result | None]:
        """What has arrived; ends with ``None`` if the process is dead."""
        dead = self.process.poll() is not None
        try:
            while self.connection.poll():
                yield self.connection.recv()
        except (EOFError, OSError):
            dead = True
        if dead:
            yield None

    def end(self) -> int:
        """Kill it with all its children; returns the exit code."""
        with suppress(ProcessLookupError, PermissionError):  # it may have ended by itself
            os.killpg(self.process.pid, signal.SIGKILL)
        self.connection.close()
        return self.process.wait()


class Pool:
    """Runs entries on ``size`` workers, each with one thread for BLAS, FINUFFT and numba.

    No entry is handed out before a worker is free for it. ``seconds`` caps the budget that a
    task's tier gives.
    """

    def __init__(
        self, plan: Plan, size: int, log: IO[bytes], *, seconds: float | None = None
    ) -> None:
        self._plan, self._size, self._log = plan, size, log
        self._cap = seconds
        self._workers: list[_Worker] = []
        self._false_starts = 0

    def results(self, entries: Iterator[Entry]) -> Iterator[Result | None]:
        """One result an entry, as they come; ``None`` about every quarter second between them.

        The task of a worker that dies is tried once more at the end, with no other beside it.
        Closing the iterator ends all workers.

        Raises
        ------
        UsageError
            The solver refuses its options.
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
        while upcoming is not None or any(worker.entry for worker in self._workers):
            for worker in self._workers:
                if upcoming is not None and worker.ready and worker.entry is None:
                    worker.give(upcoming)
                    upcoming = next(entries, None)
            while upcoming is not None and len(self._workers) < size:
                self._workers.append(_Worker(self._plan, self._log))
            wait([worker.connection for worker in self._workers], TICK_SECONDS)
            for worker in list(self._workers):
                for message in worker.messages():
                    if isinstance(message, Result):
                        worker.entry = None
                        yield message
                    elif isinstance(message, Started):
                        worker.heard(message)
                        if self._cap is not None:
                            worker.seconds = min(worker.seconds, self._cap)
                    elif isinstance(message, Ready):
                        self._false_starts = 0
                        worker.ready = True
                    elif isinstance(message, Refusal):
                        raise UsageError(message.problem)
                    elif worker.entry is None or last_try:
                        yield self._bury(worker)
                    else:
                        died.append(worker.entry)
                        worker.entry = None
                        self._bury(worker)
                if worker in self._workers and self._overdue(worker):
                    yield self._bury(worker, is_overdue=True)
            yield None

    def _overdue(self, worker: _Worker) -> bool:
        waiting = worker.entry is not None or not worker.ready
        return waiting and worker.elapsed > worker.seconds

    def _bury(self, worker: _Worker, *, is_overdue: bool = False) -> Result | None:
        """Remove a dead or hanging worker; the result of its task, if it had one."""
        elapsed, code = worker.elapsed, worker.end()
        self._workers.remove(worker)
        if worker.entry is None:
            if not worker.ready:
                self._false_starts += 1
                if self._false_starts >= MAX_FALSE_STARTS:
                    raise EclipticError(
                        f"workers end before they are ready (exit code {code}); "
                        f"see the last lines of {self._log.name}"
                    )
            return None
        top = worker.header or header(worker.entry.key, self._plan, None)
        if is_overdue:
            if worker.header:
                return overdue(top, worker.seconds, elapsed)
            reason = f"stopped after {worker.seconds:g} s, the limit for reading the task"
        else:
            signal_name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            reason = f"worker died ({signal_name})"
        return failure(top, reason, "", {"wall_s": round(elapsed, 6), "cpu_s": None})

    def _end_all(self) -> None:
        while self._workers:
            self._workers.pop().end()
