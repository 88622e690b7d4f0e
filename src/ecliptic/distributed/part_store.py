"""Finished parts: each written in one step, with its hash in a journal, and verified on a return.

``parts.jsonl`` has a line a part: ``key`` (its file), ``status``, ``index``, ``rows``, ``bytes``,
``sha256``, ``tally``. Lines are appended as parts finish and put in order at the end, so that the
whole folder is the same bytes whatever the order was.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ecliptic.errors import EclipticError, UsageError
from ecliptic.files import atomic_file, output_errors, write_bytes
from ecliptic.run.journal import encode

JOURNAL, LOCK = "parts.jsonl", ".parts.lock"
_KINDS: dict[str, type] = {
    "key": str,
    "index": int,
    "rows": int,
    "bytes": int,
    "sha256": str,
    "tally": dict,
}


class PartStore:
    """The parts in a folder.

    Attributes
    ----------
    lines
        By index: the journal's lines of the parts that are there and whole.
    redone
        Parts that were damaged or missing although the journal has them.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: dict[int, dict[str, Any]] = {}
        self.redone: list[str] = []
        self._promised: dict[int, str] = {}
        for line in _read(folder / JOURNAL):
            path = folder / line["key"]
            self._promised[line["index"]] = line["sha256"]
            if path.is_file() and _hash(path) == line["sha256"]:
                self.lines[line["index"]] = line
            else:
                self.redone.append(line["key"])
        self._rewrite()
        with output_errors(folder / JOURNAL):
            self._file = os.open(folder / JOURNAL, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def add(
        self, index: int, name: str, data: bytes, rows: int, tally: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Bring a part onto the disk, then say so in the journal.

        Raises
        ------
        OutputError
            The system refuses to write; earlier parts stay valid.
        EclipticError
            A part that was made before has other bytes now.
        """
        found = hashlib.sha256(data).hexdigest()
        if self._promised.get(index, found) != found:
            raise EclipticError(
                f"{self.folder / name}: made anew it has other bytes than before, so the work does "
                "not repeat itself here; report it, and start in another folder"
            )
        write_bytes(self.folder / name, data)
        line = {
            "key": name,
            "status": "done",
            "index": index,
            "rows": rows,
            "bytes": len(data),
            "sha256": found,
            "tally": dict(tally),
        }
        with output_errors(self.folder / JOURNAL):
            _sync_folder(self.folder)
            text = encode(line)
            if os.write(self._file, text) < len(text):  # a disk that has become full
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file)
        self.lines[index] = line
        return line

    def drop(self, index: int) -> None:
        """Forget a part whose line does not fit the work, so that it is made anew."""
        self._promised.pop(index, None)
        self.redone.append(self.lines.pop(index)["key"])

    def ordered(self) -> list[dict[str, Any]]:
        """Lines in the order of their parts."""
        return [self.lines[index] for index in sorted(self.lines)]

    def seal(self) -> None:
        """Put the journal in order."""
        self._rewrite()

    def _rewrite(self) -> None:
        with atomic_file(self.folder / JOURNAL) as file:
            file.writelines(map(encode, self.ordered()))

    def close(self) -> None:
        """Let go of the journal."""
        os.close(self._file)


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """``folder``, made if there is none, and kept from a second writer until the block ends.

    Raises
    ------
    OutputError
        It cannot be made.
    UsageError
        Another command is writing there.
    """
    with output_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not _locked(folder / LOCK, lock):
            raise UsageError(
                f"{folder}: another command is writing here; wait for it or choose another --out"
            )
        try:
            yield
        finally:
            with suppress(OSError):
                if os.path.samestat(os.fstat(lock), (folder / LOCK).stat()):
                    (folder / LOCK).unlink()
    finally:
        os.close(lock)


def _locked(path: Path, lock: int) -> bool:
    """Whether the lock is ours, on the very file that others will find there."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(lock), path.stat())
    except (BlockingIOError, FileNotFoundError):  # or its holder has just removed it
        return False


@contextmanager
def opened(folder: Path) -> Iterator[PartStore]:
    """The parts in a folder that is :func:`held`."""
    store = PartStore(folder)
    try:
        yield store
    finally:
        store.close()


def _read(path: Path) -> Iterator[dict[str, Any]]:
    """Whole lines; what a crash cut short is made anew."""
    if not path.exists():
        return
    with output_errors(path), path.open("rb") as file:
        for text in file:
            try:
                line = json.loads(text)
            except ValueError:
                continue
            if isinstance(line, dict) and all(
                isinstance(line.get(name), kind) for name, kind in _KINDS.items()
            ):
                yield line


def _hash(path: Path) -> str:
    from ecliptic.suite.manifest import hash_file

    return hash_file(path)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
