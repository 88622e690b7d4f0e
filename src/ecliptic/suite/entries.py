"""Where the tasks of a suite are, and what kept a file from becoming one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecliptic.suite.parquet import keys_of, read_index, read_row
from ecliptic.suite.truth import joined_task
from ecliptic.worlds import read_task


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one file that was to be imported; ``field`` may be empty."""

    file: str
    field: str
    message: str

    def __str__(self) -> str:
        return " ".join(f"{self.file}: {self.field} {self.message}".split())


@dataclass(frozen=True, slots=True)
class Entry:
    """Where one task of a suite is: small, picklable, and unique by ``key`` within its suite.

    ``key`` is the file's stem, or the ``source_id`` (in a table where these are not unique, the
    id). ``id`` is the task's id where it could be told without reading the task.
    """

    key: str
    id: str | None
    path: str = ""
    row: tuple[int, int] | None = None
    """In a Parquet file: the row group, and the row in it."""
    task: Any = None
    truth: str = ""
    """Of a sealed task: the file that its truth is in."""

    def load(self) -> Any:
        """Read and validate the task; raises :class:`TaskError` naming file and field."""
        if self.task is not None:
            return self.task
        if self.row is not None:
            task = read_row(self.path, self.row, self.key)
        else:
            task = read_task(Path(self.path))
        return joined_task(task, self.truth, self.key) if self.truth else task


def parquet_entries(path: Path, prefix: str = "") -> list[Entry]:
    """The tasks of a Parquet file; ``prefix`` keeps the keys of several files apart."""
    ids, source_ids, places = zip(*read_index(path), strict=True)
    keys = keys_of(ids, source_ids)
    where = str(path)
    return [
        Entry(prefix + key, task_id, where, place)
        for key, task_id, place in zip(keys, ids, places, strict=True)
    ]


def natural_order(text: str) -> list[tuple[int, int, str]]:
    """Sort key that puts ``seed9`` before ``seed10``."""
    parts = re.findall(r"([0-9]+)|([^0-9]+)", text)
    return [(0, int(digits), "") if digits else (1, 0, rest) for digits, rest in parts]
