"""Reading JSON and writing files so that a fault is one line and a half-written file never shows.

Everything is written under a hidden temporary name beside its target and renamed when complete.
"""

from __future__ import annotations

import errno
import json
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ecliptic.errors import OutputError, TaskError

MAX_JSON_BYTES = 50_000_000
TOO_LARGE = f"is too large for a task: more than {MAX_JSON_BYTES / 1e6:.0f} MB"
_ADVICE = {
    errno.ENOSPC: "free some space, then try again",
    errno.EDQUOT: "free some of your quota, then try again",
    errno.EROFS: "choose a place that can be written to",
    errno.EACCES: "check its permissions or choose another path",
    errno.EPERM: "check its permissions or choose another path",
    errno.ENOENT: "check the path",
    errno.EEXIST: "a file stands where a folder is needed, choose another path",
    errno.ENOTDIR: "a file stands where a folder is needed, choose another path",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.ELOOP: "mend the symbolic link, which leads back to itself",
}


def reason(error: OSError) -> str:
    """What the system refused, in its own words, and what to do about it."""
    text = (error.strerror or str(error)).lower()
    advice = _ADVICE.get(error.errno or 0)
    return f"{text}; {advice}" if advice else text


def require_regular(path: Path) -> None:
    """Raise an ``OSError`` for a pipe, a socket or a device, which could be read for ever."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # of a folder the system itself tells
        raise OSError(errno.EINVAL, "not a regular file", str(path))


def is_utf8(name: str) -> bool:
    """Whether a name from the file system can be written into UTF-8 text."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def resolved(path: Path) -> Path:
    """The path without symbolic links; an ``OSError`` where they lead in a circle."""
    try:
        target = path.resolve()
    except RuntimeError:  # of Python before 3.13; later ones return the link
        target = path
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return target


@contextmanager
def output_errors(path: Path) -> Iterator[None]:
    """Turn what the system refuses while ``path`` is written into an :class:`OutputError`."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {reason(error)}") from error


def check_folder(folder: Path) -> None:
    """Make ``folder`` and see that files can be made in it.

    Raises
    ------
    OutputError
        They cannot, with the reason.
    """
    with output_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """A binary file that takes its name only when the block ends without an error.

    Raises
    ------
    OutputError
        Full disk, missing permission and the like; neither the old nor a partial file is harmed
        or left.
    """
    with output_errors(path):
        target = resolved(path)  # through a symbolic link, not in its place
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = _beside(target)
        try:
            with partial.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            partial.replace(target)
        except BaseException:
            with suppress(OSError):
                partial.unlink(missing_ok=True)
            raise


def write_bytes(path: Path, data: bytes) -> None:
    """Replace the contents of ``path`` in one step."""
    with atomic_file(path) as file:
        file.write(data)


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """A new folder to fill, which takes the place of ``path`` when the block ends without an error.

    What ``path`` held before is removed, so the caller must have made sure that it may be. Files
    are not forced to the disk one by one: after a power cut some may be empty, never silently
    missing.
    """
    with output_errors(path):
        target = resolved(path)
        target.parent.mkdir(parents=True, exist_ok=True)
        partial = _beside(target)
        partial.mkdir()
        try:
            yield partial
            _swap(partial, target)
        except BaseException:
            shutil.rmtree(partial, ignore_errors=True)
            raise


def _swap(new: Path, path: Path) -> None:
    old = _beside(path)
    existed = path.exists()
    if existed:
        path.rename(old)
    try:
        new.rename(path)
    except BaseException:
        if existed:
            old.rename(path)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _beside(path: Path) -> Path:
    """A fresh hidden name in the same folder, hence on the same file system."""
    return path.parent / f".{path.name[:80]}.{secrets.token_hex(4)}.partial"


def read_json(path: Path) -> object:
    """The value that a JSON file holds.

    Raises
    ------
    TaskError
        Naming the file: unreadable, no regular file, too large, not UTF-8, or not JSON, with line
        and column.
    """
    try:
        require_regular(path)
        with path.open("rb") as file:
            data = file.read(MAX_JSON_BYTES + 1)
    except OSError as error:
        raise TaskError(f"{path}: {reason(error)}") from None
    if len(data) > MAX_JSON_BYTES:
        raise TaskError(f"{path}: {TOO_LARGE}")
    return parse_json(data, str(path))


def parse_json(data: bytes, where: str) -> object:
    """The value that JSON text in UTF-8 holds; ``where`` names it in the :class:`TaskError`."""
    try:
        return json.loads(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        text = f"is not UTF-8 text: byte 0x{data[error.start]:02x} at offset {error.start}"
    except json.JSONDecodeError as error:
        text = _json_fault(error)
    except RecursionError:
        text = "is nested too deeply"
    except ValueError as error:  # an integer of more digits than Python reads
        text = f"is not valid JSON: {str(error).partition(';')[0].lower()}"
    raise TaskError(f"{where}: {text}")


def _json_fault(error: json.JSONDecodeError) -> str:
    if not error.doc.strip():
        return "is empty"
    place = f"at line {error.lineno} column {error.colno}"
    rest = error.doc[error.pos :].strip()
    if not rest or error.msg.startswith("Unterminated string"):
        return f"is cut short: the JSON text ends {place} before it is complete"
    return f"is not valid JSON: {error.msg.lower()} {place}"
