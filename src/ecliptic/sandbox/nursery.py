"""The harness's handle on the jail that sessions are born in: one a process and set of packages."""

from __future__ import annotations

import atexit
import json
import os
import platform
import socket
import subprocess
import threading

from ecliptic.errors import UsageError

from . import jail, seccomp
from .isolation import explain, find_bubblewrap
from .limits import Limits

_WARM = {
    "scipy": ("scipy.optimize", "scipy.signal", "scipy.stats", "scipy.linalg", "scipy.interpolate"),
    "astropy": ("astropy.units", "astropy.timeseries"),
    "matplotlib": ("matplotlib.pyplot",),
    "sympy": ("sympy",),
}
_END_SECONDS = 5.0
_lock = threading.Lock()
_nurseries: dict[tuple[int, tuple[str, ...]], Nursery] = {}


class Nursery:
    """A running jail. Use :func:`new_session`."""

    def __init__(self, packages: tuple[str, ...]) -> None:
        bwrap = find_bubblewrap()
        if bwrap is None:
            raise UsageError("bubblewrap has gone since it was found")
        modules = [name for package in packages for name in _WARM.get(package, ())]
        harness = os.pidfd_open(os.getpid())
        try:
            command = jail.arguments(bwrap, packages, harness, modules)
            self._start(command, harness)
        finally:
            os.close(harness)

    def _start(self, command: list[str], harness: int) -> None:
        self._control, other = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        # In memory: a full disk keeps no jail from starting.
        self._complaints = os.fdopen(os.memfd_create("complaints"), "w+b")
        with other:
            self._process = subprocess.Popen(
                command,
                stdin=other.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=self._complaints,
                env={},
                cwd="/",
                pass_fds=(harness,),
                start_new_session=True,
            )

    def bear(self, limits: Limits, uid: int | None, channel: socket.socket) -> int | None:
        """Ask for a session at the other end of a channel.

        What comes back is a process descriptor of its supervisor, or nothing if the jail has ended.
        """
        request = {
            "uid": uid,
            "filter": seccomp.program(platform.machine()).hex(),
            "folders": {jail.FOLDER: limits.disk_bytes, "/dev/shm": jail.SHARED_MEMORY_BYTES},
            "files": limits.files,
        }
        try:
            socket.send_fds(self._control, [json.dumps(request).encode()], [channel.fileno()])
            self._control.settimeout(limits.start_seconds)
            _, descriptors, _, _ = socket.recv_fds(self._control, 1, 1)
        except OSError:
            return None
        return descriptors[0] if descriptors else None

    def complaint(self) -> str:
        """What bubblewrap said."""
        self._complaints.seek(0)
        return self._complaints.read(20_000).decode("utf-8", "replace")

    def close(self) -> str:
        """End the jail with all sessions; what bubblewrap said, its last words included."""
        self._control.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        complaint = self.complaint()
        self._complaints.close()
        return complaint


def new_session(
    packages: tuple[str, ...], limits: Limits, uid: int | None, channel: socket.socket
) -> int:
    """Have a session born at the other end of a channel; a process descriptor of its supervisor.

    Raises
    ------
    UsageError
        The jail cannot be started.
    """
    key = (os.getpid(), packages)
    complaint = ""
    with _lock:
        for _ in range(2):
            if key not in _nurseries:
                _nurseries[key] = Nursery(packages)
            supervisor = _nurseries[key].bear(limits, uid, channel)
            if supervisor is not None:
                return supervisor
            complaint = _nurseries.pop(key).close()
    raise UsageError(f"the laboratory's jail ends as soon as it is started: {explain(complaint)}")


def warm_up(packages: tuple[str, ...]) -> None:
    """Start the jail for a set of packages now, so that the first sessions find it warm.

    Raises
    ------
    UsageError
        Bubblewrap or one of the packages is missing.
    """
    key = (os.getpid(), packages)
    with _lock:
        if key not in _nurseries:
            _nurseries[key] = Nursery(packages)


def failure(packages: tuple[str, ...]) -> str:
    """Why a session may not have come up, in bubblewrap's words."""
    with _lock:
        nursery = _nurseries.get((os.getpid(), packages))
        return explain(nursery.complaint()) if nursery is not None else "the jail has ended"


@atexit.register
def close_all() -> None:
    """End this process's jails with all sessions; the next session starts another."""
    with _lock:
        for (owner, _), nursery in _nurseries.items():
            if owner == os.getpid():
                nursery.close()
        _nurseries.clear()
