"""The session's processes as the supervisor sees them: freezing, killing, counting, limits.

As the first process of a process namespace the supervisor reaches everything in it with one signal
to ``-1``, which no fork can slip past; elsewhere it has the session's process group only.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import time
from pathlib import Path

from .settings import Settings

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_CHILD_SUBREAPER = 36
REAP_SECONDS = 5.0
_PAGE = resource.getpagesize()
_SOCKETS_EACH = 2


def prctl(option: int, value: int) -> None:
    """Linux's ``prctl`` with one argument; elsewhere nothing."""
    call = getattr(ctypes.CDLL(None), "prctl", None)
    if call is not None:
        call(option, ctypes.c_ulong(value), 0, 0, 0)


def rules_namespace() -> bool:
    """Whether this process is the first of a process namespace."""
    return os.getpid() == 1


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

    With patience, wait until no child is left, but never longer.
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
            time.sleep(0.002)


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
    for name in ("RLIMIT_MSGQUEUE", "RLIMIT_NICE", "RLIMIT_RTPRIO"):
        if hasattr(resource, name):
            wanted.append((getattr(resource, name), 0))
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


def excess(settings: Settings) -> str | None:
    """Which limit the session's processes break together, in words; only inside a namespace."""
    if not rules_namespace():
        return None
    pids = [name for name in os.listdir("/proc") if name.isdigit() and name != "1"]  # noqa: PTH208
    if len(pids) > settings.processes or _threads(pids) > settings.processes:
        return f"more than {settings.processes} processes and threads"
    if _private_bytes(pids) > settings.memory_bytes and _share_bytes(pids) > settings.memory_bytes:
        return f"more than {settings.memory_bytes >> 20} MB of memory"
    if _sockets() > _SOCKETS_EACH * settings.open_files:
        return f"more than {_SOCKETS_EACH * settings.open_files} sockets"
    for folder in (settings.folder, "/dev/shm"):
        room = os.statvfs(folder)
        if room.f_files - room.f_ffree > settings.inodes:
            return f"more than {settings.inodes} files in {folder}"
    return None


def _sockets() -> int:
    """Unix sockets of this network namespace; each holds memory that belongs to no process."""
    try:
        return Path("/proc/net/unix").read_bytes().count(b"\n") - 1
    except OSError:
        return 0


def _threads(pids: list[str]) -> int:
    total = 0
    for pid in pids:
        try:
            total += int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[17])
        except (OSError, ValueError, IndexError):
            continue
    return total


def _private_bytes(pids: list[str]) -> int:
    """Resident pages that back no file, summed; pages shared after a fork count in each process."""
    total = 0
    for pid in pids:
        try:
            _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
        except (OSError, ValueError):
            continue
        total += (int(resident) - int(shared)) * _PAGE
    return total


def _share_bytes(pids: list[str]) -> int:
    """Like :func:`_private_bytes`, each shared page counted once in all; slower."""
    total = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
            total += (
                sum(int(line.split()[1]) for line in lines if line.startswith("Pss_Anon")) << 10
            )
        except OSError:
            total += _private_bytes([pid])
    return total


def describe_end(status: int) -> str:
    """How a process ended, from its wait status."""
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        try:
            return f"killed by {signal.Signals(number).name}"
        except ValueError:
            return f"killed by signal {number}"
    return f"exit status {os.WEXITSTATUS(status)}"
