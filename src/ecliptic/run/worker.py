"""The worker process: receives observations, sends back submissions, and ends with its parent.

Workers are plain subprocesses, not forks: the parent's threads and locks do not matter, a script
needs no ``if __name__ == "__main__"``, and each one gets an environment of its own. No task, grade
or suite is ever in here.

The parent sends ``{"solver": ..., "options": ...}`` once, then ``{"number": n, "observation":
...}`` a task. The worker answers ``{"ready": true}`` or ``{"refusal": why}``, then for each task
``{"number": n, "wall_s": ..., "cpu_s": ...}`` with ``submission``, ``unreadable`` (why) or
``failure`` (reason and traceback).
"""

from __future__ import annotations

import faulthandler
import json
import os
import signal
import socket
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any

from ecliptic.errors import UsageError
from ecliptic.model import short
from ecliptic.run.messages import Line, MessageError
from ecliptic.run.plan import MAX_REASON, Solver, find_solver, reason_of
from ecliptic.rv.tasks import Observation

MAX_SUBMISSION_BYTES = 1_000_000


def main(handle: int) -> None:
    """Serve the parent at the other end of the socket ``handle`` until it closes."""
    faulthandler.enable()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when a run ends
    os.set_inheritable(handle, False)  # a solver's own children must not keep the line open
    line = Line(socket.socket(fileno=handle))
    home, process = Path.cwd(), os.getpid()
    plan = line.receive()
    try:
        solver = find_solver(plan["solver"], plan["options"])
        warm_up(plan["solver"], solver)
    except UsageError as error:
        line.send({"refusal": str(error)})
        return
    tasks: SimpleQueue[dict[str, Any]] = SimpleQueue()
    Thread(target=_receive, args=(line, tasks), daemon=True).start()
    line.send({"ready": True})
    while True:
        task = tasks.get()
        with suppress(OSError):
            os.chdir(home)  # wherever the last task went
        answer = solve(solver, Observation.model_validate(task["observation"]))
        if os.getpid() != process:  # a child that the solver forked and let return
            os._exit(0)
        line.send_encoded(_encoded({"number": task["number"], **answer}))


def _receive(line: Line, tasks: SimpleQueue[dict[str, Any]]) -> None:
    """Hand tasks on; when the parent is gone, end at once, even in the middle of a task."""
    try:
        while True:
            tasks.put(line.receive())
    except (OSError, MessageError):
        os._exit(0)


def solve(solver: Solver, observation: Observation) -> dict[str, Any]:
    """What the solver makes of one observation: a submission, or why there is none."""
    wall, cpu = time.perf_counter(), time.process_time()
    trace = ""
    try:
        returned: object = solver(observation)
        key, value = _plain(returned)
    except (Exception, SystemExit) as error:  # noqa: BLE001  (a fault of one task is data)
        trace = traceback.format_exc()
        key, value = "failure", reason_of(error)
    timing = {
        "wall_s": round(time.perf_counter() - wall, 6),
        "cpu_s": round(time.process_time() - cpu, 6),
    }
    return {key: value, **timing, **({"traceback": trace} if trace else {})}


def _plain(returned: object) -> tuple[str, object]:
    """The submission as JSON holds it, or why JSON cannot."""
    if isinstance(returned, bytes):
        returned = returned.decode("utf-8", errors="replace")
    try:
        text = json.dumps(returned, default=_simpler)
    except (TypeError, ValueError, RecursionError):
        return "unreadable", f"{short(returned, MAX_REASON)} is not plain data"
    if len(text) > MAX_SUBMISSION_BYTES:
        return "unreadable", f"it is longer than {MAX_SUBMISSION_BYTES} bytes"
    return "submission", json.loads(text)


def _simpler(value: object) -> object:
    import numpy as np
    from pydantic import BaseModel

    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError


def _encoded(answer: dict[str, Any]) -> bytes:
    # Surrogates in a reason or a traceback are escaped by JSON, so this cannot fail.
    return json.dumps(answer).encode()


def warm_up(name: str, solver: Solver) -> None:
    """Import and compile what a registered solver needs, so that no task is charged for it.

    A function of somebody's own is not called: nobody knows what a call of it costs.

    Raises
    ------
    UsageError
        The solver refuses its options.
    """
    if ":" in name:
        return
    import numpy as np

    times = np.linspace(0.0, 30.0, 30) ** 1.01
    observation = Observation(
        times_days=times,
        rvs_ms=10.0 * np.cos(times),
        sigmas_ms=np.ones(30),
        instruments=("A",) * 30,
        star_mass_sun=1.0,
    )
    try:
        solver(observation)
    except UsageError:
        raise
    except Exception:  # noqa: BLE001  (only a task of the suite may fail)
        return
