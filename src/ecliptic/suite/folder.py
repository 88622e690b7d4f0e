"""Suites in folders: a JSON file a task, and a manifest that lists them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ecliptic.errors import SuiteError, TaskError
from ecliptic.files import is_utf8, read_json, require_regular, resolved
from ecliptic.suite.entries import Entry, natural_order, parquet_entries
from ecliptic.suite.manifest import CROISSANT, MANIFEST, Manifest, read_manifest
from ecliptic.worlds import is_known

_HEAD_BYTES = 256
_HEAD = re.compile(rb'\s*\{\s*"schema":\s*"([^"\\]+)",\s*"id":\s*"([^"\\]+)"')


def open_folder(folder: Path) -> tuple[Manifest, list[Entry]]:
    """The suite's manifest and its entries: in the manifest's order, else in that of the names.

    Where there is no ``suite.json`` the manifest holds the folder's name and its files.

    Raises
    ------
    SuiteError
        No task files, none of them readable, a name that is not UTF-8, or others than the manifest
        lists.
    """
    names = (path.name for path in folder.iterdir())
    found = sorted(
        (
            n
            for n in names
            if n.endswith((".json", ".parquet")) and not n.startswith(".") and n != CROISSANT
        ),
        key=natural_order,
    )
    for name in found:
        if not is_utf8(name):
            raise SuiteError(f"{folder}: file name {name!r} is not valid UTF-8; rename the file")
    manifest = Manifest(resolved(folder).name, tuple(found))
    if MANIFEST in found:
        found.remove(MANIFEST)
        manifest = read_manifest(folder / MANIFEST)
        _compare(folder, found, manifest.files)
        found = list(manifest.files)
    entries: list[Entry] = []
    for file in found:
        path = folder / file
        if path.suffix == ".parquet":
            entries += parquet_entries(path, f"{path.stem}/" if len(found) > 1 else "")
        else:
            entries.append(Entry(path.stem, _peek(path), str(path)))
    if not entries:
        raise SuiteError(f"{folder}: holds no task files (*.json or *.parquet){_inside(folder)}")
    if not any(entry.id for entry in entries):
        _refuse_foreign(folder, entries)
    return manifest, entries


def _inside(folder: Path) -> str:
    suites = sorted(path.parent for path in folder.glob(f"*/{MANIFEST}"))
    return f"; did you mean {suites[0]}?" if suites else ""


def _peek(path: Path) -> str | None:
    """The id out of a task file's first bytes, ``None`` where it is not plain to see."""
    try:
        require_regular(path)
        with path.open("rb") as file:
            match = _HEAD.match(file.read(_HEAD_BYTES))
        if match:
            schema, task_id = match[1].decode(), match[2].decode()
        else:
            data = read_json(path)
            schema, task_id = data["schema"], data["id"]  # type: ignore[index]
    except (OSError, UnicodeDecodeError, TaskError, TypeError, KeyError):
        return None  # told in full when the task is loaded
    known = isinstance(task_id, str) and isinstance(schema, str) and is_known(schema)
    return task_id if known else None


def _refuse_foreign(folder: Path, entries: Sequence[Entry]) -> None:
    """Say at once that a folder is no suite, rather than once for each of its files."""
    for entry in entries:
        try:
            entry.load()
        except TaskError as error:
            fault = str(error)
            if "published Stargazer file" in fault:
                raise SuiteError(
                    f"{folder}: holds published Stargazer files, not a suite; "
                    f"run `ecliptic import stargazer {folder}` first"
                ) from None
        else:
            return
    more = f" (and {len(entries) - 1} more)" if len(entries) > 1 else ""
    raise SuiteError(f"{folder}: holds no readable task: {fault}{more}")


def _compare(folder: Path, found: Sequence[str], listed: Sequence[str]) -> None:
    there, known = set(found), set(listed)
    missing = [name for name in listed if name not in there]
    added = [name for name in found if name not in known]
    for names, fault in ((missing, "lacks"), (added, "also holds")):
        if names:
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            raise SuiteError(
                f"{folder}: {fault} {names[0]}{more}: {MANIFEST} lists {len(listed)} task files, "
                f"{len(found)} are there; write the suite again, "
                f"or remove {MANIFEST} to use what is there"
            )
