"""Arguments for bubblewrap: what the agent's code sees of this machine.

The file system holds the interpreter with its library, the chosen distributions, the system's
shared libraries, the runner, and one writable folder in memory. No other program, no home, no
environment.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Iterator
from pathlib import Path

from .distributions import installed_entries
from .limits import MEBIBYTE

FOLDER = "/lab"
RUNNER_FOLDER = Path(__file__).parent / "inside"
PYTHON = "/opt/python/bin/python3"
PACKAGES = "/opt/packages"
_RUNNER = "/opt/laboratory/inside"
_PARENTS = (
    *("/etc", "/usr", "/nix", "/opt", "/opt/python", "/opt/python/bin"),
    *(PACKAGES, f"{PACKAGES}/__pycache__", "/opt/laboratory"),
)
SHARED_MEMORY_BYTES = 64 * MEBIBYTE
_OWN_BYTES = 16 * MEBIBYTE
_EMPTY_BYTES = 65_536
_UNUSED_UIDS = range(1_900_000_000, 1_900_000_000 + 2**24)  # systemd's "unused" region


def environment(folder: str, runner: str) -> dict[str, str]:
    """All environment variables of a session with this folder and this place of the runner."""
    return {
        "HOME": folder,
        "TMPDIR": folder,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "XDG_CONFIG_HOME": f"{runner}/config",
        "MPLBACKEND": "agg",
        "MPLCONFIGDIR": f"{folder}/.matplotlib",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }


def bootstrap(runner_parent: str, packages: str | None) -> str:
    """Python code that starts the runner from a folder, with packages from another."""
    added = [runner_parent] if packages is None else [packages, runner_parent]
    return f"import sys; sys.path += {added!r}; from inside import supervisor; supervisor.main()"


def runner_command(python: str, folder: str) -> list[str]:
    """Command that starts the runner where its folder was copied to, for instance in a container.

    ``folder`` is the copy of :data:`RUNNER_FOLDER`, whose name must stay ``inside``.
    """
    return [python, "-I", "-c", bootstrap(str(Path(folder).parent), None)]


def arguments(
    bwrap: str, packages: tuple[str, ...], harness_pidfd: int, modules: list[str]
) -> list[str]:
    """The whole command line of the jail that sessions are born in."""
    code = (
        f"import sys; sys.path += {[PACKAGES, str(Path(_RUNNER).parent)]!r}; "
        f"from inside import nursery; nursery.main({harness_pidfd}, {modules!r})"
    )
    return [*_jailed(bwrap, packages), "-c", code]


def trial(bwrap: str) -> list[str]:
    """The command line of the same jail, without packages, that ends at once."""
    return [*_jailed(bwrap, ()), "-c", ""]


def _jailed(bwrap: str, packages: tuple[str, ...]) -> list[str]:
    command = [bwrap, *_namespaces(), "--clearenv"]
    for name, value in {
        **environment(FOLDER, _RUNNER),
        "LD_LIBRARY_PATH": "/opt/python/lib",
    }.items():
        command += ["--setenv", name, value]
    for folder in _PARENTS:
        # named one by one, since bubblewrap may create parents that only root can enter
        command += ["--perms", "0755", "--dir", folder]
    command += [*_system(), *_interpreter()]
    for relative, path in installed_entries(packages).items():
        command += ["--ro-bind", str(path), f"{PACKAGES}/{relative}"]
    command += ["--ro-bind", str(RUNNER_FOLDER), _RUNNER, "--proc", "/proc", "--dev", "/dev"]
    for folder in (FOLDER, "/dev/shm"):  # covered by each session's own
        command += ["--size", str(_OWN_BYTES), "--tmpfs", folder]
    command += ["--symlink", FOLDER.lstrip("/"), "/tmp", "--chdir", "/"]
    command += ["--remount-ro", "/dev", "--remount-ro", "/"]
    return [*command, "--", PYTHON, "-I", "-S"]


def session_uid() -> int | None:
    """A user of its own for a session that root starts; ``None`` for an ordinary user.

    Root mapped into a user namespace is still root to ``/proc/sys/kernel/core_pattern`` and its
    like, so that a jail made by root must leave that user for good.
    """
    if os.geteuid() != 0:
        return None
    ranges = _uid_ranges()
    if any(_UNUSED_UIDS.start in ids and _UNUSED_UIDS.stop - 1 in ids for ids in ranges):
        return secrets.choice(_UNUSED_UIDS)
    widest = max(ranges, key=len)
    return None if len(widest) < 2 else widest[-1 - secrets.randbelow(max(1, len(widest) // 4))]


def _uid_ranges() -> list[range]:
    lines = Path("/proc/self/uid_map").read_text().splitlines()
    fields = [[int(word) for word in line.split()] for line in lines]
    return [range(first, first + length) for first, _, length in fields]


def _namespaces() -> list[str]:
    apart = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    apart += ["--unshare-cgroup-try", "--hostname", "laboratory", "--as-pid-1", "--new-session"]
    needed = ["CAP_SYS_ADMIN", "CAP_SETPCAP"]  # for the sessions' own namespaces
    if session_uid() is None:
        apart += ["--unshare-user", "--uid", "0", "--gid", "0"]
        needed += ["CAP_SETFCAP"]  # without it Linux lets nobody map user 0 into a namespace
    else:
        needed += ["CAP_SETUID", "CAP_SETGID"]
    apart += ["--cap-drop", "ALL"]
    return apart + [word for capability in needed for word in ("--cap-add", capability)]


def _system() -> Iterator[str]:
    """Shared libraries and the loader; never ``/usr/local``, ``/etc`` or a program."""
    for name in ("lib", "lib64", "lib32"):
        outer, inner = Path("/", name), Path("/usr", name)
        if inner.is_dir():
            yield from ("--ro-bind", str(inner), str(inner), *_without_packages(inner, inner))
        if outer.is_symlink():
            yield from ("--symlink", str(outer.readlink()), str(outer))
        elif outer.is_dir():
            yield from ("--ro-bind", str(outer), str(outer))
    for path in ("/nix/store", "/etc/ld.so.cache"):
        yield from ("--ro-bind-try", path, path)


def _interpreter() -> Iterator[str]:
    binary = Path(getattr(sys, "_base_executable", None) or sys.executable).resolve()
    yield from ("--ro-bind", str(binary), PYTHON)
    base = Path(sys.base_prefix).resolve()
    for name in {"lib", sys.platlibdir}:
        if (base / name).is_dir():
            inner = Path("/opt/python", name)
            yield from ("--ro-bind", str(base / name), str(inner))
            yield from _without_packages(base / name, inner)


def _without_packages(library: Path, inside: Path) -> Iterator[str]:
    """Cover every folder with packages in a library folder."""
    for python in library.glob("python*"):
        for name in ("site-packages", "dist-packages"):
            folder = python / name
            if folder.is_dir() and not folder.is_symlink():
                yield from ("--perms", "0755", "--size", str(_EMPTY_BYTES), "--tmpfs")
                yield str(inside / folder.relative_to(library))
                yield from ("--remount-ro", str(inside / folder.relative_to(library)))
