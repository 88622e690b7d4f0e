"""The suite itself, and how one is opened."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from ecliptic.errors import SuiteError
from ecliptic.files import reason
from ecliptic.suite.entries import Entry, Problem, parquet_entries
from ecliptic.suite.folder import open_folder
from ecliptic.suite.joining import joined
from ecliptic.suite.manifest import Manifest
from ecliptic.suite.parquet import is_sealed, keys_of
from ecliptic.worlds import SHIPPED, read_task

if TYPE_CHECKING:
    from ecliptic.task import Task

_TASKS = "a folder of task files, a task's .json or a suite's .parquet"


class Suite(Sequence[Any]):
    """An ordered collection of tasks, each read at the moment it is asked for.

    ``for task in suite`` may be repeated; ``suite[0]``, ``suite[-1]`` are tasks and ``suite[:10]``
    is a suite. ``problems`` tells which files of an import were left out. ``manifest`` is what its
    ``suite.json`` says, and ``folder`` where that stands. ``sealed``: its tasks have no truth, so
    that they can be played and not graded.
    """

    def __init__(
        self,
        entries: Sequence[Entry],
        *,
        name: str,
        problems: Sequence[Problem] = (),
        manifest: Manifest | None = None,
        folder: Path | None = None,
        sealed: bool = False,
    ) -> None:
        self._entries = tuple(entries)
        self.name = name
        self.problems = tuple(problems)
        self.manifest = manifest
        self.folder = folder
        self.sealed = sealed
        _refuse_duplicates(self._entries)

    @classmethod
    def of(cls, tasks: Sequence[Task], *, name: str, problems: Sequence[Problem] = ()) -> Suite:
        """A suite of tasks that are in memory."""
        keys = keys_of([task.id for task in tasks], [task.source_id for task in tasks])
        entries = [Entry(key, task.id, task=task) for key, task in zip(keys, tasks, strict=True)]
        return cls(entries, name=name, problems=problems)

    def __len__(self) -> int:
        return len(self._entries)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice) -> Suite: ...
    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            part = self._entries[index]
            return Suite(part, name=self.name, manifest=self.manifest, sealed=self.sealed)
        return self._entries[index].load()

    def __iter__(self) -> Iterator[Any]:
        return (entry.load() for entry in self._entries)

    def __repr__(self) -> str:
        return f"<Suite '{self.name}': {len(self)} tasks>"

    def entries(self) -> Iterator[Entry]:
        """Where the tasks are, in order; reading each is left to the caller."""
        return iter(self._entries)

    @property
    def protocol(self) -> str | None:
        """How the suite says that it is graded; ``None`` where it does not say."""
        return None if self.manifest is None else self.manifest.protocol

    def require_truth(self) -> None:
        """Raise a :class:`SuiteError` where there is nothing to grade with."""
        if self.sealed:
            raise SuiteError(
                f"{self.name}: its truth is sealed; give --truth FOLDER, the private part "
                "(load_suite(path, truth=FOLDER))"
            )

    def find(self, name: str) -> Entry:
        """The entry with this key or id."""
        for entry in self._entries:
            if name in (entry.key, entry.id):
                return entry
        close = difflib.get_close_matches(name, [entry.key for entry in self._entries], n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise SuiteError(f"{self.name}: no task '{name}' in this suite{hint}")

    @cached_property
    def checksum(self) -> str:
        """SHA-256 over the tasks' ids in order, in hex.

        It is the same for a folder and a Parquet file of the same tasks. As an id is a hash of the
        public part, this covers all that an agent sees, not the sealed truth. A file so damaged
        that its id cannot be told counts by its key.
        """
        names = [entry.id or f"?{entry.key}" for entry in self._entries]
        return hashlib.sha256("\n".join(names).encode()).hexdigest()


def _refuse_duplicates(entries: Sequence[Entry]) -> None:
    first: dict[str, Entry] = {}
    for entry in entries:
        if entry.id is None:
            continue
        other = first.setdefault(entry.id, entry)
        if other is not entry:
            raise SuiteError(
                f"{_place(other)} and {_place(entry)} hold the same task ({entry.id}); remove one"
            )


def _place(entry: Entry) -> str:
    if entry.row is None:
        return entry.path or f"task {entry.key}"
    return f"{entry.path} (group {entry.row[0]} row {entry.row[1]})"


def load_suite(
    path: str | os.PathLike[str], *, truth: str | os.PathLike[str] | None = None
) -> Suite:
    """Open a suite: a shipped name, a folder of task files (or Parquet parts), or one such file.

    Tasks are validated when they are read, so that one damaged file does not hide the others.

    Parameters
    ----------
    truth
        Of a sealed suite: the folder of its private part. All commitments are then verified at
        once, and the tasks are whole. Without it a sealed suite can be played but not graded.

    Raises
    ------
    SuiteError
        Nothing there, nothing in it, not a suite at all, files missing, two tasks of one id, or a
        truth that does not fit.
    TaskError
        A single task file that is damaged.
    """
    suite = _opened(path)
    if truth is None:
        return suite
    private = Path(truth).expanduser()
    if not suite.sealed:
        raise SuiteError(f"{os.fspath(path)}: holds its truth itself; leave --truth out")
    entries = joined(list(suite.entries()), suite.manifest, private, os.fspath(path))
    return Suite(entries, name=suite.name, manifest=suite.manifest, folder=suite.folder)


def _opened(path: str | os.PathLike[str]) -> Suite:
    name, where = os.fspath(path), Path(path).expanduser()
    if not name:
        raise SuiteError(f"a suite needs a path, or a shipped name ({', '.join(SHIPPED)})")
    if name in SHIPPED and not where.exists():
        return _shipped(name)
    try:
        if where.is_dir():
            manifest, entries = open_folder(where)
            sealed = any(is_sealed(path) for path in {e.path for e in entries if e.row is not None})
            return Suite(
                entries, name=manifest.name, manifest=manifest, folder=where, sealed=sealed
            )
        if not where.exists():
            raise SuiteError(_nothing_at(where))
        if where.suffix == ".parquet":
            entries = parquet_entries(where)
            return Suite(entries, name=where.stem, sealed=is_sealed(str(where)))
        if where.suffix == ".zip":
            raise SuiteError(f"{where}: is an archive, not a suite; {_IMPORT.format(where)}")
        task = read_task(where)
        return Suite([Entry(where.stem, task.id, str(where))], name=where.stem)
    except OSError as error:
        raise SuiteError(f"{where}: {reason(error)}") from None


def _shipped(name: str) -> Suite:
    module, _, function = SHIPPED[name].partition(":")
    suite: Suite = getattr(importlib.import_module(module), function)()
    return suite


_IMPORT = "if it is the published benchmark, run `ecliptic import stargazer {}`"


def _nothing_at(where: Path) -> str:
    names = [p.name for p in where.parent.iterdir()] if where.parent.is_dir() else []
    close = difflib.get_close_matches(where.name, names, n=1)
    hint = f"; did you mean {where.parent / close[0]}?" if close else ""
    advice = "make one with `ecliptic import` or `ecliptic generate`"
    return f"no suite at {where}{hint or f'; give {_TASKS}, or {advice}'}"
