"""Finds the published Stargazer task files in a folder, a checkout or a zip archive."""

from __future__ import annotations

import lzma
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from ecliptic.errors import SuiteError, TaskError
from ecliptic.files import is_utf8, parse_json, read_json, reason, require_regular
from ecliptic.suite import Problem, natural_order

KEYS = ("task_id", "config", "observations")
"""What a JSON object must hold to be taken for a task file."""
MAX_MEMBER_BYTES = 5_000_000
MAX_ARCHIVE_BYTES = 200_000_000
"""Of what is unpacked from one archive; the published tasks are below 0.2 MB each."""
_PIECE_BYTES = 4096
_LISTED_ALSO = "a folder, a task file (.json) or a .zip of them"


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A JSON object that looks like a published task, and the name of its file."""

    name: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Found:
    """One JSON file, its folder, and its value, or why there is none."""

    name: str
    folder: str
    value: object = None
    fault: str = ""


def find_task_files(path: Path) -> tuple[list[SourceFile], list[Problem]]:
    """Task files below ``path``, and what is wrong with other JSON files beside them.

    JSON files in folders without any task (results, settings) are passed over, hidden folders are
    not entered. Archives are read in memory, never unpacked to the disk.

    Raises
    ------
    SuiteError
        Nothing there, or nothing that looks like a published task.
    """
    files: list[SourceFile] = []
    others: list[tuple[str, Problem]] = []
    task_folders: set[str] = set()
    ours = False
    for found in _candidates(path):
        value = found.value
        if isinstance(value, dict) and value.keys() >= set(KEYS):
            files.append(SourceFile(found.name, value))
            task_folders.add(found.folder)
            continue
        others.append((found.folder, _problem(found)))
        ours |= isinstance(value, dict) and str(value.get("schema")).startswith("ecliptic.")
    if files:
        return files, [problem for folder, problem in others if folder in task_folders]
    if ours:
        raise SuiteError(f"{path}: is a suite of ecliptic already; use it as it is")
    if not others:
        raise SuiteError(f"{path}: holds no JSON files; give {_LISTED_ALSO}")
    problem = next((other for _, other in others if not other.field), others[0][1])
    if len(others) == 1:
        raise SuiteError(f"{problem}; no task could be imported")
    raise SuiteError(
        f"{path}: none of {len(others)} JSON files is a published task "
        f"({', '.join(KEYS)}); the first: {problem}"
    )


def _problem(found: _Found) -> Problem:
    if found.fault:
        return Problem(found.name, "", found.fault)
    if not isinstance(found.value, dict):
        return Problem(found.name, "", "must hold a JSON object")
    missing = next(key for key in KEYS if key not in found.value)
    return Problem(found.name, missing, "is missing: not a published task file")


def _candidates(path: Path) -> Iterator[_Found]:
    try:
        if path.is_dir():
            yield from _in_folder(path)
            return
        if not path.exists():
            raise SuiteError(f"{path}: no such file or folder; give {_LISTED_ALSO}")
        require_regular(path)
        if path.suffix.lower() == ".zip" or zipfile.is_zipfile(path):
            yield from _in_archive(path)
        elif path.suffix.lower() == ".json":
            yield _from_file(path)
        else:
            raise SuiteError(f"{path}: must be {_LISTED_ALSO}; unpack other archives first")
    except OSError as error:
        raise SuiteError(f"{error.filename or path}: {reason(error)}") from None


def _in_folder(root: Path) -> Iterator[_Found]:
    def refuse(error: OSError) -> None:
        raise error

    for folder, subfolders, names in os.walk(root, onerror=refuse):
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        for name in sorted(names, key=natural_order):
            if name.lower().endswith(".json") and not name.startswith("."):
                yield _from_file(Path(folder, name))


def _from_file(path: Path) -> _Found:
    name = str(path)
    if not is_utf8(name):
        return _Found(ascii(name), str(path.parent), fault="has a name that is not valid UTF-8")
    try:
        return _Found(name, str(path.parent), read_json(path))
    except TaskError as error:
        return _Found(name, str(path.parent), fault=_without(name, error))


def _without(name: str, error: TaskError) -> str:
    """What is wrong, without the file's name: a problem names its file itself."""
    return str(error).removeprefix(" ".join(f"{name}:".split())).strip()


def _in_archive(path: Path) -> Iterator[_Found]:
    try:
        archive = zipfile.ZipFile(path)
    except NotImplementedError as error:
        raise SuiteError(f"{path}: a zip archive that cannot be read ({error})") from None
    except (zipfile.BadZipFile, struct.error, ValueError, EOFError) as error:
        fault = str(error).lower()
        raise SuiteError(f"{path}: not a zip archive, or a damaged one ({fault})") from None
    with archive:
        members = [member for member in archive.infolist() if _wanted(member)]
        left = MAX_ARCHIVE_BYTES
        for member in sorted(members, key=lambda member: natural_order(member.filename)):
            # The size in the directory may lie, but not below what is read: see _from_member.
            left -= min(member.file_size, MAX_MEMBER_BYTES)
            if left < 0:
                raise SuiteError(
                    f"{path}: its JSON files are larger than {MAX_ARCHIVE_BYTES / 1e6:.0f} MB "
                    "together; this is no archive of the benchmark"
                )
            yield _from_member(archive, member, f"{path}/{member.filename}")


def _wanted(member: zipfile.ZipInfo) -> bool:
    parts = PurePosixPath(member.filename).parts
    hidden = any(part.startswith((".", "__MACOSX")) for part in parts)
    return member.filename.lower().endswith(".json") and not hidden


def _from_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> _Found:
    folder = str(PurePosixPath(name).parent)
    try:
        if member.file_size > MAX_MEMBER_BYTES:
            limit = f"more than {MAX_MEMBER_BYTES / 1e6:.0f} MB"
            return _Found(name, folder, fault=f"is too large for a task: {limit}")
        # It ends at the size that the directory tells. In small pieces, as what is unpacked of
        # one piece is bounded by nothing but its compressed size.
        with archive.open(member) as file:
            data = b"".join(iter(lambda: file.read(_PIECE_BYTES), b""))
        return _Found(name, folder, parse_json(data, name))
    except TaskError as error:
        return _Found(name, folder, fault=_without(name, error))
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        struct.error,
        EOFError,
        OSError,  # from bzip2 too
        ValueError,
        MemoryError,  # a dictionary of gigabytes
    ) as error:
        fault = str(error) or type(error).__name__
        return _Found(name, folder, fault=f"is damaged in the archive ({fault})")
    except NotImplementedError as error:
        return _Found(name, folder, fault=f"cannot be unpacked ({error})")
    except RuntimeError:  # zipfile's way to say that a password is needed
        return _Found(name, folder, fault="is encrypted; unpack the archive first")
