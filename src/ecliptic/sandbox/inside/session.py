"""The supervisor's handle on the process that runs the agent's code."""

from __future__ import annotations

import fcntl
import os
import signal
import time
from collections.abc import Iterable
from typing import Any

from . import processes, usage
from .pipes import LineReader
from .settings import Settings

_WORKER_REQUESTS = 3
_WORKER_REPLIES = 4
_OUT_OF_THE_WAY = 64
_HIGHEST_DESCRIPTOR = 65_536
_PIPE_BYTES = 1 << 20
_FREEZE_SECONDS = 5.0  # a process that ends gives memory back first
_STOP_SECONDS = 0.0005
_LOOKS = 2


class Session:
    """A forked worker with its pipes. Everything it started goes with it."""

    def __init__(self, settings: Settings, preload: dict[str, dict[str, Any]]) -> None:
        child_requests, self.requests = os.pipe()
        replies, child_replies = os.pipe()
        self.output, child_output = os.pipe()
        _widen(self.output)
        self.pid = os.fork()
        if self.pid == 0:
            _become_worker(settings, preload, child_requests, child_replies, child_output)
        for fd in (child_requests, child_replies, child_output):
            os.close(fd)
        for fd in (self.requests, replies, self.output):
            os.set_blocking(fd, False)
        self.replies = LineReader(replies, settings.reply_bytes)
        self.death = os.pidfd_open(self.pid) if hasattr(os, "pidfd_open") else None
        self.status: int | None = None

    def interrupt(self) -> None:
        """Ask the running cell to stop."""
        if self.status is None:
            os.kill(self.pid, signal.SIGINT)

    def freeze(self) -> bool:
        """Let nothing of the session run until :meth:`resume`; whether that was achieved.

        Processes that wake each other are stopped again until all are found at rest.
        """
        deadline = time.monotonic() + _FREEZE_SECONDS
        at_rest = 0
        while at_rest < _LOOKS and time.monotonic() < deadline:
            processes.signal_session(self.pid, signal.SIGSTOP)
            at_rest += 1
            if usage.awake():
                at_rest = 0
                time.sleep(_STOP_SECONDS)
        return at_rest == _LOOKS

    def resume(self) -> None:
        """Undo :meth:`freeze`."""
        processes.signal_session(self.pid, signal.SIGCONT)

    def ended(self) -> bool:
        """Whether the worker is gone; collects other ended processes on the way."""
        status = processes.reap(self.pid)
        if status is not None:
            self.status = status
        return self.status is not None

    def wait_for_end(self, seconds: float) -> bool:
        """Whether the worker ends within a time."""
        deadline = time.monotonic() + seconds
        while not self.ended():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.005)
        return True

    def kill(self) -> None:
        """End every process of the session; pipes stay readable until :meth:`close`."""
        processes.signal_session(self.pid, signal.SIGKILL)
        status = processes.reap(self.pid, processes.REAP_SECONDS)
        if self.status is None:
            self.status = status if status is not None else 0

    def close(self) -> None:
        """Give back the descriptors."""
        _close(fd for fd in (self.requests, self.replies.fd, self.output, self.death) if fd)


def _become_worker(
    settings: Settings, preload: dict[str, dict[str, Any]], requests: int, replies: int, output: int
) -> None:
    """In the forked child: leave the supervisor's descriptors behind, and serve. Never returns."""
    status = 1
    try:
        os.setsid()
        _arrange_descriptors(requests, replies, output)
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1):
            signal.signal(number, signal.SIG_DFL)
        processes.prctl(processes.PR_SET_DUMPABLE, 1)
        processes.prctl(processes.PR_SET_PDEATHSIG, signal.SIGKILL)
        processes.volunteer_for_oom()
        processes.apply_limits(settings)
        os.chdir(settings.folder)
        from .worker import Worker

        Worker(settings, preload).serve(_WORKER_REQUESTS, _WORKER_REPLIES)
        status = 0
    except BaseException as error:  # noqa: BLE001  (nothing may escape into the supervisor's code)
        os.write(2, f"{type(error).__name__}: {error}\n".encode("utf-8", "backslashreplace"))
    finally:
        os._exit(status)


def _arrange_descriptors(requests: int, replies: int, output: int) -> None:
    """0 is empty, 1 and 2 the captured output, 3 and 4 the supervisor; all others are closed."""
    moved = [fcntl.fcntl(fd, fcntl.F_DUPFD, _OUT_OF_THE_WAY) for fd in (requests, replies, output)]
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.dup2(moved[2], 1)
    os.dup2(moved[2], 2)
    os.dup2(moved[0], _WORKER_REQUESTS, inheritable=False)
    os.dup2(moved[1], _WORKER_REPLIES, inheritable=False)
    os.closerange(_WORKER_REPLIES + 1, _HIGHEST_DESCRIPTOR)


def _widen(pipe: int) -> None:
    """Room for much output between two looks, where the kernel grants it."""
    try:
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except (AttributeError, OSError):
        return


def _close(descriptors: Iterable[int]) -> None:
    for fd in descriptors:
        os.close(fd)
