"""Writing suites, one task at a time, so that half a suite is never taken for a whole one."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from ecliptic.errors import OutputError, SuiteError, TaskError
from ecliptic.files import atomic_file, atomic_folder, output_errors, read_json, resolved
from ecliptic.suite.manifest import AUDIT_SUFFIX, MANIFEST, MANIFEST_SCHEMA, Manifest
from ecliptic.suite.parquet import write_rows

if TYPE_CHECKING:
    from ecliptic.task import Task


def write_suite(
    tasks: Iterable[Task],
    path: str | os.PathLike[str],
    *,
    name: str | None = None,
    overwrite: bool = False,
) -> int:
    """Write tasks to ``path``: one Parquet file where it ends in ``.parquet``, else a folder.

    A folder holds a JSON file for each task and ``suite.json``, which lists them in order, so that
    a file lost later is missed. Nothing shows under ``path`` before everything is written.

    Parameters
    ----------
    tasks
        Any iterable, of one world; it is run through once and not held in memory.
    name
        Of the suite, kept in the folder's manifest; the folder's name if not given.
    overwrite
        Replace a suite that is already there. Anything else than a suite is never replaced.

    Returns
    -------
    int
        How many tasks were written.

    Raises
    ------
    OutputError
        ``path`` is taken, or the system refuses to write.
    SuiteError
        No tasks, two of the same id, or tasks of two worlds.
    """
    target = Path(path).expanduser()
    parquet = target.suffix == ".parquet"
    with output_errors(target):
        (_check_file if parquet else _check_folder)(target, overwrite)
    stream = _checked(tasks, str(target))
    first = next(stream, None)
    if first is None:
        raise SuiteError(f"{target}: no tasks to write")
    if parquet:
        with atomic_file(target) as file:
            return write_rows(file, first, stream, f"{first.to_dict()['schema']}")
    with atomic_folder(target) as folder:
        files = list(_write_files(chain([first], stream), folder))
        Manifest(name or resolved(target).name, tuple(files)).write(folder)
    return len(files)


def _checked(tasks: Iterable[Task], where: str) -> Iterator[Task]:
    seen: set[str] = set()
    world = None
    for task in tasks:
        world = world or task.world
        if task.world != world:
            raise SuiteError(f"{where}: {task.id} is of world '{task.world}', not '{world}'")
        if task.id in seen:
            raise SuiteError(f"{where}: {task.source_id or task.id} comes twice ({task.id})")
        seen.add(task.id)
        yield task


def _write_files(tasks: Iterable[Task], folder: Path) -> Iterator[str]:
    taken = {MANIFEST}
    for task in tasks:
        file = _file_name(task, taken)
        try:
            text = json.dumps(task.to_dict(), allow_nan=False)
        except (TypeError, ValueError) as error:
            name = task.source_id or task.id
            raise TaskError(f"{name}: cannot be written as JSON: {error}") from None
        (folder / file).write_text(text + "\n", encoding="utf-8")
        taken.add(file.casefold())
        yield file


def _file_name(task: Task, taken: set[str]) -> str:
    """A name that is safe everywhere, made unique by the id where ``source_id`` had to change."""
    wanted = task.source_id or task.id
    safe = re.sub(r"[^A-Za-z0-9_+.-]", "_", wanted).lstrip(".-")[:100]
    if safe != wanted or f"{safe}.json".casefold() in taken:
        safe = f"{safe}-{task.id}".lstrip("-")
    return f"{safe}.json"


def _check_file(target: Path, overwrite: bool) -> None:
    if target.is_dir():
        raise OutputError(f"{target}: is a folder; choose another name")
    if target.exists() and not overwrite:
        raise OutputError(f"{target}: exists already; {_HOW}")


_HOW = "choose another name or overwrite it (--overwrite, overwrite=True)"


def _check_folder(target: Path, overwrite: bool) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise OutputError(f"{target}: is a file; choose a folder, or a name that ends in .parquet")
    ours = _listed(target)
    foreign = [
        item.name
        for item in target.iterdir()
        if item.is_dir() or not (item.name in ours or item.name.endswith(AUDIT_SUFFIX))
    ]
    if foreign:
        raise OutputError(
            f"{target}: holds files of another kind ({min(foreign)}); choose an empty or new folder"
        )
    if not ours:
        return
    if not overwrite:
        raise OutputError(f"{target}: holds a suite already; {_HOW}")


def _listed(folder: Path) -> set[str]:
    """Names of the files of a suite that was written here, its manifest included."""
    try:
        data = read_json(folder / MANIFEST)
    except TaskError:
        return set()
    if not isinstance(data, dict) or data.get("schema") != MANIFEST_SCHEMA:
        return set()
    files, hashes = data.get("files"), data.get("sha256")
    listed = {MANIFEST, *map(str, files)} if isinstance(files, list) else {MANIFEST}
    return listed | set(hashes) if isinstance(hashes, dict) else listed
