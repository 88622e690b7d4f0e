"""What the session's processes use together, and whether any of them runs, read from ``/proc``.

Only where the supervisor is the first of a process namespace: elsewhere others would count, too.
A process is more than its first thread, which may end before the others and then shows no memory.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from .settings import Settings

_SOCKETS_EACH = 2
_MAPPINGS_EACH = 4096
_FEW = 8
_ENDED = b"ZX"
_AWAKE = b"RS"  # what waits in the kernel stops when it comes back from there
_STATE, _THREADS = 0, 17  # fields of "stat" behind the name
_HELD = (b"RssAnon:", b"VmSwap:", b"VmPTE:")  # kB; page tables can exceed the pages they map
_SHARE = (b"Pss_Anon:", b"SwapPss:")


def excess(settings: Settings) -> str | None:
    """Which limit the session's processes break together, in words."""
    if not rules_namespace():
        return None
    found = list(_processes())
    if max(len(found), sum(threads for _, threads, _ in found)) > settings.processes:
        return f"more than {settings.processes} processes and threads"
    places = [_with_memory(place, threads, state) for place, threads, state in found]
    most = settings.memory_bytes
    if sum(map(_held_bytes, places)) > most and sum(map(_share_bytes, places)) > most:
        return f"more than {most >> 20} MB of memory"
    if _sockets() > _SOCKETS_EACH * settings.open_files:
        return f"more than {_SOCKETS_EACH * settings.open_files} sockets"
    for folder in (settings.folder, "/dev/shm"):
        room = os.statvfs(folder)
        if room.f_files - room.f_ffree > settings.inodes:
            return f"more than {settings.inodes} files in {folder}"
    return None


def mapping_excess(settings: Settings) -> str | None:
    """Like :func:`excess`, for mappings, each of which takes some memory of the kernel; slow."""
    if not rules_namespace():
        return None
    found = list(_processes())
    if len(found) <= _FEW:  # what one process may have is limited by the kernel
        return None
    most = _MAPPINGS_EACH * settings.processes
    places = [_with_memory(place, threads, state) for place, threads, state in found]
    if sum(map(_mappings, places)) > most:
        return f"more than {most} mappings of memory"
    return None


def rules_namespace() -> bool:
    """Whether this process is the first of a process namespace."""
    return os.getpid() == 1


def awake() -> bool:
    """Whether any thread of the session is neither stopped nor gone."""
    if not rules_namespace():
        return False
    for place, threads, state in _processes():
        if state in _AWAKE:
            return True
        if threads > 1 and any(state in _AWAKE for _, _, state in _listed(f"{place}/task")):
            return True
    return False


def _processes() -> Iterator[tuple[str, int, bytes]]:
    """Folder, number of threads and state of each process but this."""
    return (found for found in _listed("/proc") if found[0] != "/proc/1")


def _listed(folder: str) -> Iterator[tuple[str, int, bytes]]:
    try:
        names = os.listdir(folder)  # noqa: PTH208
    except OSError:
        return
    for name in names:
        if name.isdigit():
            place = f"{folder}/{name}"
            # The name of a process is what it likes, and no text.
            fields = _read(f"{place}/stat").rpartition(b")")[2].split()
            if len(fields) > _THREADS:
                yield place, int(fields[_THREADS]), fields[_STATE]


def _with_memory(place: str, threads: int, state: bytes) -> list[str]:
    """Folders that show the memory of a process, unless their thread ends meanwhile."""
    if state not in _ENDED or threads == 1:
        return [place]
    return [thread for thread, _, own in _listed(f"{place}/task") if own not in _ENDED]


def _held_bytes(places: list[str]) -> int:
    """What a process holds; pages shared after a fork count in each."""
    return max((_sum(_read(f"{place}/status"), _HELD) for place in places), default=0)


def _share_bytes(places: list[str]) -> int:
    """Like :func:`_held_bytes`, each shared page counted once in all; slower."""
    rollups = [_sum(_read(f"{place}/smaps_rollup"), _SHARE) for place in places]
    if not any(rollups):  # closed to all but its owner
        return _held_bytes(places)
    tables = [_sum(_read(f"{place}/status"), _HELD[-1:]) for place in places]
    return max(rollups) + max(tables)


def _mappings(places: list[str]) -> int:
    return max((_read(f"{place}/maps").count(b"\n") for place in places), default=0)


def _sum(text: bytes, names: tuple[bytes, ...]) -> int:
    lines = (line.split() for line in text.splitlines() if line.startswith(names))
    return sum(int(words[1]) for words in lines) << 10


def _sockets() -> int:
    """Sockets of this network namespace; each holds memory that belongs to no process."""
    words = _read("/proc/net/sockstat").split()
    return int(words[2]) if words[:2] == [b"sockets:", b"used"] else 0


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""
