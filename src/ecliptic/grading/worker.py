"""Killable children for the one step that no counted budget bounds (SymPy's algorithms).

``ask("ecliptic.grading.simplify_worker", request)`` sends one line of JSON to a child that runs
that module's :func:`serve` loop, and returns its reply. A child that takes too long or too much
memory is killed; only this request is lost, and the next one gets a fresh child. There are no
signals and no clock interrupts in the calling process, so this works in threads, in asynchronous
code (through a thread) and under any test runner.
"""

from __future__ import annotations

import atexit
import json
import os
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
"""For all requests of one answer, from ready on: what stands behind the counted budgets, which
leave room for it within the 2 s of an answer."""
START_SECONDS = 30.0
"""For starting a child; not part of the grading of an answer."""
MEMORY_BYTES = 512 * 2**20
MAX_LINE_BYTES = 1_000_000


class WorkerKilledError(Exception):
    """The child exceeded ``limit`` ("time" or "memory") and is gone; caught inside the package."""

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
            raise WorkerKilledError("memory")  # nothing else ends a child of its own accord
        return line

    def wait_until_ready(self) -> None:
        if not self._ready:
            self._receive(START_SECONDS)
            self._ready = True

    def ask(self, request: bytes, seconds: float) -> Any:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(request + b"\n")
        except OSError:
            self.kill()
            raise WorkerKilledError("memory") from None
        reply = json.loads(self._receive(seconds))
        if reply == {"limit": "memory"}:
            self.kill()
            raise WorkerKilledError("memory")
        return reply

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
        The child took more than ``seconds`` or :data:`MEMORY_BYTES`, and was stopped.
    """
    line = json.dumps(request).encode()
    left = _allowance.get()
    if left is not None:
        seconds = min(seconds, left[0])
        if seconds <= 0:
            raise WorkerKilledError("time")
    child = _take(module)
    try:
        child.wait_until_ready()
        start = time.monotonic()
        reply = child.ask(line, seconds)
    except BaseException:
        if left is not None:
            left[0] = 0.0
        child.kill()
        _start_spare(module)
        raise
    if left is not None:
        left[0] -= time.monotonic() - start
    with _lock:
        _idle[module].append(child)
    return reply


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
    """In the child: limit the memory, then answer requests until the parent goes away."""
    _limit_memory()
    stdin, stdout = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # what a library prints must not be taken for a reply
    stdout.write(b'"ready"\n')
    stdout.flush()
    for line in stdin:
        try:
            reply = answer(json.loads(line))
        except (MemoryError, RecursionError):
            reply = {"limit": "memory"}
        stdout.write(json.dumps(reply).encode() + b"\n")
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
