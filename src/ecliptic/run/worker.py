"""The worker process: receives entries, sends back results, and ends with its parent.

Workers are plain subprocesses, not forks: the parent's threads and locks do not matter, a script
needs no ``if __name__ == "__main__"``, and each one gets an environment of its own.
"""

from __future__ import annotations

import faulthandler
import os
import signal
from dataclasses import dataclass
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import Any

from ecliptic.errors import UsageError
from ecliptic.run.attempt import Entry, attempt, warm_up
from ecliptic.run.plan import Plan, find_solver


@dataclass(frozen=True, slots=True)
class Ready:
    """The solver is imported and warm."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """No task of this run can be solved: the solver is not there, or an option is wrong."""

    problem: str


@dataclass(frozen=True, slots=True)
class Started:
    """A task is read: what its record will begin with, and the seconds that it may take."""

    header: dict[str, Any]
    seconds: float


def main(handle: int) -> None:
    """Serve the parent at the other end of the socket ``handle`` until it closes."""
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when a run ends
    os.set_inheritable(handle, False)  # a solver's own children must not keep the line open
    connection: Connection[Any, Any] = Connection(handle)
    plan: Plan = connection.recv()
    entries: SimpleQueue[Entry] = SimpleQueue()
    Thread(target=_receive, args=(connection, entries), daemon=True).start()

    def started(header: dict[str, Any]) -> None:
        from ecliptic.rv.budget import budget_of

        connection.send(Started(header, budget_of(header["difficulty"]).seconds))

    try:
        solver = find_solver(plan)
        warm_up(plan, solver)
        connection.send(Ready())
        while True:
            connection.send(attempt(entries.get(), plan, solver, started))
    except UsageError as error:
        connection.send(Refusal(str(error)))


def _receive(connection: Connection[Any, Any], entries: SimpleQueue[Entry]) -> None:
    """Hand entries on; when the parent is gone, end at once, even in the middle of a task."""
    while True:
        try:
            entries.put(connection.recv())
        except (EOFError, OSError):
            os._exit(0)
