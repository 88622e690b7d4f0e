"""Killable children for the one step that no counted budget bounds (SymPy's algorithms).

``ask("ecliptic.grading.simplify_worker", request)`` sends one line of JSON to a child that runs
that module's :func:`serve` loop, and returns its reply. A child that takes too long or too much
memory is stopped; only this request is lost, and the next one gets a fresh child. The time is the
processor's time of the child, so that a busy machine changes no verdict; the clock on the wall
stops only a child that hangs. There are no signals and no clock interrupts in the calling process,
so this works in threads, in asynchronous code (through a thread) and under any test runner.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from queue import Empty, SimpleQueue
from typing import Any

from ecliptic.grading.work_budget import counted_work

SECONDS = 1.2
"""Processor time for all requests of one answer, from ready on: what stands behind the counted
budgets, which leave room for it within the 2 s of an answer."""
HANG_FACTOR = 20.0
"""How much longer than its processor time a child may take before it counts as hanging."""
START_SECONDS = 30.0
"""For starting a child; not part of the grading of an answer."""
MEMORY_BYTES = 512 * 2**20
MAX_LINE_BYTES = 1_000_000
_PROCESSOR_TIME = hasattr(signal, "setitimer")
"""Without timers of the processor's time (Windows) the clock on the wall decides."""
_FROM_OUTSIDE = tuple(
    -getattr(signal, name) for name in ("SIGKILL", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""How a child ends that somebody else stops: not by its own limits."""


class WorkerKilledError(Exception):
    """The child is gone; caught inside the package.

    It exceeded the ``limit`` "time" or "memory", could not be started ("process"), or was stopped
    by somebody else ("outside").
    """

    def __init__(self, limit: str) -> None:
        super().__init__(f"the worker was stopped: {limit}")
        self.limit = limit


class _Child:
    """One running child; used by one thread at a time."""

    def __init__(self, module: str) -> None:
        environment = dict(os.environ)
        environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
        for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            environment[variable] = "1"  # threads' stacks would count as memory
        environment["PYTHONHASHSEED"] = "0"  # the order of sets decides which way SymPy goes
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"import {module} as m; m.main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            bufsize=0,
        )
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self._ready = False

    def _read(self) -> None:
        assert self._process.stdout is not None
        with suppress(OSError, ValueError), self._process.stdout as stdout:
            while line := stdout.readline(MAX_LINE_BYTES):
                self._lines.put(line)
        self._lines.put(b"")  # the child has ended

    def _receive(self, seconds: float) -> bytes:
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            self.kill()
            raise WorkerKilledError("time") from None
        if not line:
            self.kill()
            raise WorkerKilledError(self._reason())
        return line

    def _reason(self) -> str:
        """Which limit ended a child that is gone; nothing else ends one of its own accord."""
        code = self._process.returncode
        if _PROCESSOR_TIME and code == -signal.SIGPROF:
            return "time"
        return "outside" if code in _FROM_OUTSIDE else "memory"

    def wait_until_ready(self) -> None:
        if not self._ready:
            self._receive(START_SECONDS)
            self._ready = True

    def ask(self, request: Any, seconds: float) -> tuple[Any, float]:
        """The reply, and the seconds that it took."""
        assert self._process.stdin is not None
        start = time.monotonic()
        try:
            self._process.stdin.write(json.dumps([seconds, request]).encode() + b"\n")
        except OSError:
            self._process.wait()
            reason = self._reason()
            self.kill()
            raise WorkerKilledError(reason) from None
        reply, used = json.loads(
            self._receive(seconds * HANG_FACTOR if _PROCESSOR_TIME else seconds)
        )
        if reply == {"limit": "memory"}:
            self.kill()
            raise WorkerKilledError("memory")
        return reply, used if _PROCESSOR_TIME else time.monotonic() - start

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        with suppress(OSError):
            self._process.kill()
        self._process.wait()
        self._reader.join(5.0)  # ends with the pipe, and closes it
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def forget(self) -> None:
        """In a forked copy of the parent: the child belongs to the other process."""
        self._process.returncode = 0
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


_idle: defaultdict[str, list[_Child]] = defaultdict(list)
_prepared: set[str] = set()
_lock = threading.Lock()


_allowance: ContextVar[list[float] | None] = ContextVar("allowance", default=None)


@contextmanager
def allowance(seconds: float = SECONDS) -> Iterator[None]:
    """All that is done inside is for one answer: it shares ``seconds`` of requests, and its work.

    The work is counted (:mod:`~ecliptic.grading.work_budget`); the seconds are those of children.
    """
    token = _allowance.set([seconds])
    try:
        with counted_work():
            yield
    finally:
        _allowance.reset(token)


def prepare(module: str) -> None:
    """Start a child in the background, so that the first request need not wait for its imports.

    Does nothing after the first time in a process.
    """
    if module in _prepared:
        return
    with _lock:
        if module in _prepared:
            return
        _prepared.add(module)
    _start_spare(module)


def _start_spare(module: str) -> None:
    """Start a child ahead of the next request, unless one is idle; it becomes ready by itself."""
    with _lock:
        if not _idle[module]:
            with suppress(OSError):
                _idle[module].append(_Child(module))


def ask(module: str, request: Any, seconds: float = SECONDS) -> Any:
    """The reply of ``module``'s child to ``request`` (both anything JSON can say).

    Raises
    ------
    WorkerKilledError
        The child took more than ``seconds`` or :data:`MEMORY_BYTES`, and was stopped; or two
        children, one after the other, were stopped from outside.
    """
    left = _allowance.get()
    if left is not None:
        seconds = min(seconds, left[0])
        if seconds <= 0:
            raise WorkerKilledError("time")
    try:
        try:
            reply, used = _ask_once(module, request, seconds)
        except WorkerKilledError as stopped:
            if stopped.limit != "outside":
                raise
            reply, used = _ask_once(module, request, seconds)
    except BaseException:
        if left is not None:
            left[0] = 0.0
        raise
    if left is not None:
        left[0] -= used
    return reply


def _ask_once(module: str, request: Any, seconds: float) -> tuple[Any, float]:
    child = _take(module)
    try:
        child.wait_until_ready()
        reply, used = child.ask(request, seconds)
    except BaseException:
        child.kill()
        _start_spare(module)
        raise
    with _lock:
        _idle[module].append(child)
    return reply, used


def _take(module: str) -> _Child:
    while True:
        with _lock:
            child = _idle[module].pop() if _idle[module] else None
        if child is None:
            try:
                return _Child(module)
            except OSError:  # the system starts no further process
                raise WorkerKilledError("process") from None
        if child.alive:
            return child
        child.kill()  # ended while idle: costs nobody an answer


def serve(answer: Callable[[Any], Any]) -> None:
    """In the child: limit the memory, then answer requests until the parent goes away.

    A line in is the seconds and the request; a line out is the reply and the seconds it took.
    """
    _limit_memory()
    if _PROCESSOR_TIME:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process, also within C code
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what a library prints must not be taken for a reply
    stdout.write(b'"ready"\n')
    stdout.flush()
    for line in stdin:
        seconds, request = json.loads(line)
        start = time.process_time()
        if _PROCESSOR_TIME:
            signal.setitimer(signal.ITIMER_PROF, seconds)
        try:
            reply = answer(request)
        except (MemoryError, RecursionError):
            reply = {"limit": "memory"}
        if _PROCESSOR_TIME:
            signal.setitimer(signal.ITIMER_PROF, 0.0)
        stdout.write(json.dumps([reply, time.process_time() - start]).encode() + b"\n")
        stdout.flush()


def _limit_memory() -> None:
    with suppress(ImportError):  # Windows has no resource limits; the time limit remains
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = MEMORY_BYTES if hard == resource.RLIM_INFINITY else min(MEMORY_BYTES, hard)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (limit, hard))


def close() -> None:
    """End all idle children (also done when the interpreter ends)."""
    with _lock:
        children = [child for idle in _idle.values() for child in idle]
        _idle.clear()
        _prepared.clear()
    for child in children:
        child.kill()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    for idle in _idle.values():
        for child in idle:
            child.forget()
    _idle.clear()
    _prepared.clear()


atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
