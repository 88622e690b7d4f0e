"""The session's processes as the supervisor sees them: signals, limits, ends.

As the first process of a process namespace the supervisor reaches everything in it with one signal
to ``-1``, which no fork can slip past; elsewhere it has the session's process group only.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import time
from contextlib import suppress
from pathlib import Path

from .settings import Settings
from .usage import rules_namespace

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
REAP_SECONDS = 5.0
_PENDING_SIGNALS = 1024
_PAGE = resource.getpagesize()


def prctl(option: int, value: int) -> None:
    """Linux's ``prctl`` with one argument; elsewhere nothing."""
    call = getattr(ctypes.CDLL(None), "prctl", None)
    if call is not None:
        call(option, ctypes.c_ulong(value), 0, 0, 0)


def signal_session(leader: int, number: int) -> None:
    """Send a signal to all processes of the session."""
    try:
        if rules_namespace():
            os.kill(-1, number)
        else:
            os.killpg(leader, number)
    except (ProcessLookupError, PermissionError):
        return  # nobody is left


def reap(leader: int, patience_seconds: float = 0.0) -> int | None:
    """Collect ended children; the leader's wait status once it has ended.

    With patience, kill what is left of the session's processes and wait until they are gone, but
    never longer. Those that left its group become children of this process as their parents end.
    """
    deadline = time.monotonic() + patience_seconds
    found = None
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return found
        if pid == leader:
            found = status
        if pid == 0:
            if time.monotonic() >= deadline:
                return found
            _kill_children()
            time.sleep(0.002)


def _kill_children() -> None:
    try:
        pids = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    except OSError:
        return  # not Linux, or a kernel that does not list them
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(int(pid), signal.SIGKILL)


def apply_limits(settings: Settings) -> None:
    """Limit the calling process and all that it starts."""
    wanted = [
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_AS, _mapped_bytes() + settings.memory_bytes),
        (resource.RLIMIT_FSIZE, settings.file_bytes),
        (resource.RLIMIT_NOFILE, settings.open_files),
    ]
    if settings.process_rlimit is not None:
        wanted.append((resource.RLIMIT_NPROC, settings.process_rlimit))
    others = {"MSGQUEUE": 0, "NICE": 0, "RTPRIO": 0, "SIGPENDING": _PENDING_SIGNALS}
    for name, value in others.items():
        if hasattr(resource, f"RLIMIT_{name}"):
            wanted.append((getattr(resource, f"RLIMIT_{name}"), value))
    for kind, value in wanted:
        ceiling = resource.getrlimit(kind)[1]
        if ceiling != resource.RLIM_INFINITY:
            value = min(value, ceiling)
        resource.setrlimit(kind, (value, value))


def _mapped_bytes() -> int:
    """Address space that the interpreter and its libraries take before any cell."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * _PAGE
    except (OSError, ValueError):
        return 0


def volunteer_for_oom() -> None:
    """Let the kernel kill this process first when the machine's memory runs out."""
    try:
        Path("/proc/self/oom_score_adj").write_text("1000")
    except OSError:
        return


def describe_end(status: int) -> str:
    """How a process ended, from its wait status."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            return f"killed by {signal.Signals(number).name}"
        except ValueError:
            return f"killed by signal {number}"
    return f"exit status {os.WEXITSTATUS(status)}"
