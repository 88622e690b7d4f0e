"""Between the harness and the process with the agent's code; the first process of the jail.

It cannot be signalled from inside (the kernel protects the first process of a namespace), nor
read or traced (it is not dumpable), and only it holds the channel to the harness. Between cells
the whole session is frozen, so nothing computes, prints or forks while nobody looks.
"""

from __future__ import annotations

import itertools
import json
import os
import select
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import processes, usage
from .pipes import LineReader, LineTooLongError, write_all
from .run import CellRun, Outcome
from .session import Session
from .settings import Settings

_LONGEST_LINE = 1 << 30
_FIRST_LOOK_SECONDS, _RARE_LOOK_SECONDS = 0.5, 10.0
_WAKINGS = 3
HARMLESS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGPIPE")


class HarnessGoneError(Exception):
    """The harness closed the channel, or sends what is no message."""


class Harness:
    """The channel to the harness; a message is one line of JSON."""

    def __init__(self) -> None:
        self.reader = LineReader(os.dup(0), _LONGEST_LINE)
        self._out = os.dup(1)
        self._waiting: list[dict[str, Any]] = []
        empty = os.open(os.devnull, os.O_RDWR)
        os.dup2(empty, 0)
        os.dup2(empty, 1)

    def receive(self, meanwhile: Callable[[], object] | None = None) -> dict[str, Any]:
        """The next message; waits for it and calls ``meanwhile`` from time to time."""
        poll = select.poll()
        poll.register(self.reader.fd, select.POLLIN)
        pause = _FIRST_LOOK_SECONDS
        while not self._waiting:
            if meanwhile is None or poll.poll(pause * 1000):
                self.poll()
            else:
                meanwhile()
                pause = min(2 * pause, _RARE_LOOK_SECONDS)
        return self._waiting.pop(0)

    def poll(self) -> None:
        """Read once and keep what came for :meth:`receive`."""
        try:
            lines = self.reader.read()
            if lines is None:
                raise HarnessGoneError
            self._waiting += [json.loads(line) for line in lines]
        except (LineTooLongError, ValueError) as error:
            raise HarnessGoneError from error

    def take_interrupt(self, cell: int) -> bool:
        """Whether an interrupt of this cell has come; it is taken away."""
        found = {"interrupt": cell} in self._waiting
        self._waiting = [message for message in self._waiting if "interrupt" not in message]
        return found

    def send(self, message: dict[str, Any]) -> None:
        """Answer."""
        write_all(self._out, json.dumps(message).encode() + b"\n")


class Supervisor:
    """Runs cells one after another, and starts a new session when one is lost."""

    def __init__(
        self, harness: Harness, settings: Settings, preload: dict[str, dict[str, Any]]
    ) -> None:
        self.harness = harness
        self.settings = settings
        self.preload = preload
        self.session: Session | None = None
        self._woken = 0

    def serve(self) -> None:
        """Answer until the harness goes."""
        self._start()
        self.harness.send({"ready": True})
        number = 0
        while True:
            message = self.harness.receive(self._watch)
            if "restart" in message:
                self._restart()
                self.harness.send({"id": message["restart"]})
            if "code" not in message:
                continue  # also an interrupt that came too late
            number += 1
            outcome = self._run(message, f"<cell {number}>")
            self.harness.send({"id": message["id"], **outcome.message()})

    def _start(self) -> Session:
        if self.session is None:
            self.session = Session(self.settings, self.preload)
        return self.session

    def _watch(self) -> None:
        """Between cells: what has been woken is stopped again, what goes on being woken killed."""
        if self.session is None or not usage.awake():
            self._woken = 0
            return
        self._woken += 1
        if not self.session.freeze() or self._woken > _WAKINGS:
            self.session.kill()  # which the next cell tells

    def _run(self, message: dict[str, Any], name: str) -> Outcome:
        session = self._start()
        run = CellRun(session, self.settings, float(message["seconds"]))
        run.begin(message["code"], name)
        poll = select.poll()
        poll.register(self.harness.reader.fd, select.POLLIN)
        while not run.over:
            ready = run.wait(poll)
            if self.harness.reader.fd in ready:
                self.harness.poll()
                if self.harness.take_interrupt(message["id"]):
                    run.hurry()
        outcome = run.finish()
        if outcome.lost:
            if run.broke_limit and usage.rules_namespace():
                _empty(self.settings.folder)
                outcome.emptied = True
            self._restart()
        return outcome

    def _restart(self) -> None:
        if self.session is not None:
            self.session.kill()
            self.session.close()
            self.session = None
        self._start()

    def end(self) -> None:
        """Kill what is left."""
        if self.session is not None:
            self.session.kill()


def _empty(folder: str) -> None:
    """Delete what a session left, where it filled the file system with small files."""
    for place in {folder, "/dev/shm"}:
        # What is in a folder is moved to the top before the folder goes: folders can be nested
        # deeper than a walk down could follow.
        number = itertools.count()
        prefix = os.urandom(8).hex()
        kept: set[str] = set()
        while entries := [entry for entry in os.scandir(place) if entry.path not in kept]:
            for entry in entries:
                try:
                    _take_apart(entry, lambda: f"{place}/{prefix}-{next(number)}")  # noqa: B023
                except OSError:
                    kept.add(entry.path)


def _take_apart(entry: os.DirEntry[str], new_path: Callable[[], str]) -> None:
    if not entry.is_dir(follow_symlinks=False):
        Path(entry.path).unlink()
        return
    Path(entry.path).chmod(0o700)
    for inner in list(os.scandir(entry.path)):
        if inner.is_dir(follow_symlinks=False):
            Path(inner.path).chmod(0o700)  # its entry '..' changes
        Path(inner.path).rename(new_path())
    Path(entry.path).rmdir()


def _protect() -> None:
    """Become deaf and opaque to the processes that are started here."""
    processes.prctl(processes.PR_SET_DUMPABLE, 0)
    if usage.rules_namespace():  # elsewhere it must live to end the session
        processes.prctl(processes.PR_SET_PDEATHSIG, signal.SIGKILL)
    processes.prctl(processes.PR_SET_CHILD_SUBREAPER, 1)
    for name in HARMLESS:
        signal.signal(getattr(signal, name), signal.SIG_IGN)


def main() -> None:
    """Serve the harness on standard input and output until it closes them."""
    harness = Harness()
    first = harness.receive()
    settings = Settings(**first["settings"])
    _protect()
    os.umask(0o077)
    try:
        import numpy as np  # before the first fork, so that every session has it at once

        np.array([0.0]) @ np.array([0.0])
    except ImportError:
        sys.stderr.write("numpy is missing\n")
    supervisor = Supervisor(harness, settings, first["preload"])
    try:
        supervisor.serve()
    except (HarnessGoneError, BrokenPipeError):
        pass
    finally:
        supervisor.end()
