"""Processes that work on one task after another: a death or a fault costs one, never others.

They are for work of our own on whole tasks, such as audits. Solvers, which must not see a truth,
run elsewhere (:mod:`ecliptic.run.pool`).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import traceback
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from ecliptic.errors import EclipticError
from ecliptic.run.pool import THREAD_LIMITS

Work = Callable[[Any], dict[str, Any]]
"""A function of a module (or a ``partial`` of one) that makes JSON of what a job holds."""
TICK_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Job:
    """One piece of work; ``key`` comes back with its outcome."""

    key: str
    given: Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a job as JSON, or why there is none (and the traceback of a fault)."""

    key: str
    result: dict[str, Any] | None
    reason: str
    trace: str
    wall_s: float


class _Worker:
    def __init__(self, work: Work) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_serve, args=(other, work), daemon=True)
        with _single_threaded():
            self.process.start()
        other.close()
        self.ready = False
        self.job: Job | None = None
        self.since = time.monotonic()

    def give(self, job: Job) -> None:
        self.job, self.since = job, time.monotonic()
        with suppress(OSError):  # it has just died: the next look finds out
            self.pipe.send(job.given)

    def end(self) -> int:
        self.process.kill()
        self.process.join()
        self.pipe.close()
        return self.process.exitcode or 0


def outcomes(
    take: Callable[[], Job | None], work: Work, size: int
) -> Generator[Outcome | None, None, None]:
    """One outcome a job, as they come; ``None`` about every quarter second between them.

    ``take`` gives the next job when a worker is free for it, or ``None`` where there is none at
    present; an outcome may bring new ones. The end comes when there is none and all workers are
    idle. Closing the iterator ends all workers.

    Raises
    ------
    EclipticError
        A worker ends before it is ready.
    """
    workers: list[_Worker] = []
    upcoming = take()
    try:
        while upcoming is not None or any(worker.job for worker in workers):
            while upcoming is not None and len(workers) < size:
                workers.append(_Worker(work))
            for worker in workers:
                if upcoming is not None and worker.ready and worker.job is None:
                    worker.give(upcoming)
                    upcoming = take()
            wait([worker.pipe for worker in workers], TICK_SECONDS)
            for worker in list(workers):
                alive, outcome = _look(worker)
                if not alive:
                    workers.remove(worker)
                    outcome = _bury(worker)
                if outcome is not None:
                    yield outcome
            yield None
            if upcoming is None:
                upcoming = take()
    finally:
        for worker in workers:
            worker.end()


def _look(worker: _Worker) -> tuple[bool, Outcome | None]:
    """Whether the worker lives, and the outcome that has arrived."""
    try:
        if not worker.pipe.poll():
            return worker.process.is_alive(), None
        message = worker.pipe.recv()
    except (EOFError, OSError):
        return False, None
    if not worker.ready:
        worker.ready = True
        return True, None
    job, worker.job = worker.job, None
    assert job is not None
    result, reason, trace = message
    return True, Outcome(job.key, result, reason, trace, _elapsed(worker))


def _bury(worker: _Worker) -> Outcome | None:
    """The outcome of a dead worker's job, if it had one."""
    worker.process.join(5.0)  # its own exit code, rather than that of being killed
    code = worker.end()
    if not worker.ready:
        raise EclipticError(f"a worker ended before it was ready (exit code {code})")
    if worker.job is None:
        return None
    name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    return Outcome(worker.job.key, None, f"worker died ({name})", "", _elapsed(worker))


def _elapsed(worker: _Worker) -> float:
    return round(time.monotonic() - worker.since, 3)


@contextmanager
def _single_threaded() -> Iterator[None]:
    """The environment of new processes: numpy reads it when it is imported, so it is set before."""
    before = {name: os.environ.get(name) for name in THREAD_LIMITS}
    os.environ.update(dict.fromkeys(THREAD_LIMITS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _serve(pipe: Connection, work: Work) -> None:
    """Work on what arrives until the parent closes the line or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's affair
    with suppress(EOFError, OSError):
        pipe.send("ready")
        while True:
            given = pipe.recv()
            answer: tuple[dict[str, Any] | None, str, str]
            try:
                answer = work(given), "", ""
            except EclipticError as error:
                answer = None, str(error), ""
            except Exception as error:  # noqa: BLE001  (a fault on one task costs no other)
                answer = None, f"{type(error).__name__}: {error}", traceback.format_exc()
            pipe.send(answer)
