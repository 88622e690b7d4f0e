"""A warm process in the jail from which sessions are forked, each into namespaces of its own.

Importing scipy, astropy and matplotlib costs a second of processor time. This process has done it
once and never runs an agent's code. A session is a fork of it that enters new namespaces, mounts
its own ``/proc``, folder and shared memory, gives up all rights for good, has its system calls
filtered, and goes on as :mod:`supervisor`. Requests are packets of JSON on standard input, a
socket; each brings the session's channel along, and is answered by a process descriptor of the
supervisor, so that the harness can end what does not end by itself.
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from pathlib import Path
from typing import Any, NoReturn

from . import processes, supervisor

_NEW = {"mount": 0x20000, "cgroup": 0x2000000, "uts": 0x4000000, "ipc": 0x8000000, "net": 1 << 30}
_NEW_PID, _NEW_USER = 0x20000000, 0x10000000
_USER = 1000
_READ_ONLY, _NO_SUID, _NO_DEV, _NO_EXEC, _REMOUNT, _BIND = 1, 2, 4, 8, 32, 4096
_RECURSIVE, _PRIVATE = 16384, 1 << 18
_SEALED = _REMOUNT | _BIND | _READ_ONLY | _NO_SUID | _NO_DEV | _NO_EXEC
_PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _PR_CAP_AMBIENT = 24, 38, 22, 47
_HIDDEN = (
    *("/proc/kcore", "/proc/keys", "/proc/sched_debug", "/proc/timer_list", "/proc/kallsyms"),
    *("/proc/config.gz", "/proc/cmdline", "/proc/key-users"),
    "/dev/pts/ptmx",  # terminals are counted for the whole machine, their buffers nowhere
    "/dev/zero",  # mapped as shared, it is memory that no limit counts
)
_REQUEST_BYTES = 1 << 16
_LIBC = ctypes.CDLL(None, use_errno=True)


def main(harness_pidfd: int, modules: list[str]) -> None:
    """Serve until the harness goes; import ``modules`` one by one while nothing is asked."""
    control = socket.socket(fileno=os.dup(0))
    for name in supervisor.HARMLESS:
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    own_pids = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
    poll = select.poll()
    poll.register(control.fileno(), select.POLLIN)
    poll.register(harness_pidfd, select.POLLIN)
    waiting = ["numpy", *modules]
    while True:
        if waiting:
            _import(waiting.pop(0))
            if not waiting:
                gc.collect()
                gc.freeze()  # so that a session's collector does not copy these pages
        ready = {fd for fd, _ in poll.poll(0 if waiting else 1000)}
        processes.reap(0)
        if harness_pidfd in ready:
            return
        if control.fileno() in ready:
            data, fds, _, _ = socket.recv_fds(control, _REQUEST_BYTES, 1)
            if not data:
                return
            _bear(json.loads(data), fds[0], own_pids, control)
            os.close(fds[0])


def _import(name: str) -> None:
    try:
        importlib.import_module(name)
    except ImportError:
        sys.stderr.write(f"{name} cannot be imported\n")


def _bear(request: dict[str, Any], channel: int, own_pids: int, control: socket.socket) -> None:
    """Fork a session as the first process of a new process namespace."""
    _check(_LIBC.unshare(_NEW_PID), "unshare")
    pid = os.fork()
    if pid == 0:
        _become_supervisor(request, channel)
    pidfd = os.pidfd_open(pid)
    try:
        socket.send_fds(control, [b"."], [pidfd])
    finally:
        os.close(pidfd)
    _check(_LIBC.setns(own_pids, _NEW_PID), "setns")


def _become_supervisor(request: dict[str, Any], channel: int) -> NoReturn:
    try:
        os.setsid()
        os.dup2(channel, 0)
        os.dup2(channel, 1)
        os.closerange(3, 65_536)
        # The jail's own /proc stays writable, by a descriptor that is closed before foreign code.
        own_process = os.open("/proc/self", os.O_PATH | os.O_DIRECTORY)
        _enter(request)
        _renounce(request["uid"], own_process, bytes.fromhex(request["filter"]))
        os.close(own_process)
        supervisor.main()
    except BaseException as error:  # noqa: BLE001  (the harness must hear of it)
        os.write(1, json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode() + b"\n")
    finally:
        os._exit(0)


def _enter(request: dict[str, Any]) -> None:
    """New namespaces, with file systems of its own in the places that are not shared."""
    _check(_LIBC.unshare(sum(_NEW.values())), "unshare")
    _mount(None, "/", None, _RECURSIVE | _PRIVATE)
    _mount("proc", "/proc", "proc", _NO_SUID | _NO_DEV | _NO_EXEC)
    for place in _HIDDEN:
        if Path(place).exists():
            _mount("/dev/null", place, None, _BIND)
            _mount(None, place, None, _SEALED)
    processes.volunteer_for_oom()  # for good: nothing in /proc can be written from here on
    _mount(None, "/proc", None, _SEALED)
    for place, size in request["folders"].items():
        options = f"size={size},nr_inodes={request['files']},mode=1777"
        _mount("tmpfs", place, "tmpfs", _NO_SUID | _NO_DEV, options)
    os.chdir("/")


def _renounce(uid: int | None, own_process: int, program: bytes) -> None:
    """Give up user, capabilities and system calls, in an order that leaves no way back."""
    if uid is None:
        _nest_user(own_process)
    for capability in range(64):
        _LIBC.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    _LIBC.prctl(_PR_CAP_AMBIENT, 4, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _check(_LIBC.capset(header, nothing), "capset")
    _check(_LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "prctl")
    steps = ctypes.create_string_buffer(program, len(program))
    whole = _Program(len(program) // 8, ctypes.addressof(steps))
    _check(_LIBC.prctl(_PR_SET_SECCOMP, 2, ctypes.byref(whole), 0, 0), "seccomp")
    held = [line for line in Path("/proc/self/status").read_text().splitlines() if "Cap" in line]
    if any(int(line.split()[1], 16) for line in held) or os.getuid() != os.geteuid():
        raise PermissionError(f"rights are left: {held}")


def _nest_user(own_process: int) -> None:
    """A user namespace inside, which owns none of the others and counts its processes apart."""
    _check(_LIBC.unshare(_NEW_USER), "unshare")
    mapped = f"{_USER} 0 1"
    for name, text in {"setgroups": "deny", "uid_map": mapped, "gid_map": mapped}.items():
        file = os.open(name, os.O_WRONLY, dir_fd=own_process)
        os.write(file, text.encode())
        os.close(file)


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]


def _mount(
    source: str | None, target: str, kind: str | None, flags: int, options: str | None = None
) -> None:
    given = [None if text is None else text.encode() for text in (source, target, kind, options)]
    done = _LIBC.mount(given[0], given[1], given[2], ctypes.c_ulong(flags), given[3])
    _check(done, f"mount {target}")


def _check(value: int, what: str) -> None:
    if value != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
