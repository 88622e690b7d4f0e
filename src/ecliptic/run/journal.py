"""A run's results as JSON lines: appended so that no crash repeats or loses a finished task.

Each record is one line, written by one ``write``. Once it is written, the end of this process
cannot lose it; ``fsync`` follows within half a second, so that a power failure costs no more than
that. A line that a crash or a full disk cut short is dropped when the journal is opened again, and
so are records of tasks that failed: both are run anew.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import numpy as np

from ecliptic.errors import UsageError
from ecliptic.files import atomic_file, output_errors, require_regular

SYNC_SECONDS = 0.5


def encode(record: Mapping[str, Any]) -> bytes:
    """One line of strict JSON; what JSON cannot say (NaN, infinities) becomes null.

    Raises
    ------
    TypeError
        For a value that has no JSON form.
    """
    return json.dumps(_plain(record), allow_nan=False, separators=(",", ":")).encode() + b"\n"


def _plain(value: Any) -> Any:
    if isinstance(value, float | np.floating):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.ndarray | np.generic):
        return _plain(value.tolist())
    return value


class Journal:
    """A file of JSON lines, such as ``results.jsonl`` of one run, open for appending.

    ``sound`` tells whole records from damaged ones; each has a ``key`` and a ``status``.

    Attributes
    ----------
    finished
        Keys of the tasks that need not run again.
    dropped
        How many damaged lines were removed on opening.
    """

    def __init__(self, path: Path, sound: Callable[[Any], bool] | None = None) -> None:
        self.path = path
        self._sound = is_result if sound is None else sound
        self.finished: set[str] = set()
        self.dropped = 0
        self._recover()
        with output_errors(path):
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
            self._size = os.fstat(self._file).st_size
        self._synced = time.monotonic()
        self._dirty = False

    def _recover(self) -> None:
        """Read what is there; rewrite the file without damaged lines and failed tasks."""
        if not self.path.exists():
            return
        require_regular(self.path)
        keep: list[tuple[int, int]] = []
        unfinished = 0
        with self.path.open("rb") as file:
            start = 0
            for line in file:
                record = _decode(line, self._sound)
                if record is None:
                    self.dropped += 1
                elif record["status"] != "done" or record["key"] in self.finished:
                    unfinished += 1
                else:
                    self.finished.add(record["key"])
                    keep.append((start, len(line)))
                start += len(line)
        if unfinished == 0 and self.dropped == 0:
            return
        if unfinished == 0 and self.dropped == 1 and _end(keep) == sum(size for _, size in keep):
            with output_errors(self.path):
                # Only the last line is torn: cutting it off needs no space on a full disk.
                os.truncate(self.path, _end(keep))
            return
        with self.path.open("rb") as old, atomic_file(self.path) as new:
            for start, size in keep:
                old.seek(start)
                new.write(old.read(size))

    def append(self, line: bytes) -> None:
        """Write one encoded record.

        Raises
        ------
        OutputError
            If the system refuses; the file then ends with the last whole line.
        """
        with output_errors(self.path):
            try:
                written = os.write(self._file, line)
                if written < len(line):  # the disk filled within the line: a second try says so
                    os.write(self._file, line[written:])
            except OSError:
                with suppress(OSError):
                    os.ftruncate(self._file, self._size)
                raise
        self._size += len(line)
        self._dirty = True
        self.tick()

    def tick(self) -> None:
        """Bring what was appended onto the disk itself, if the last time is long enough ago."""
        if self._dirty and time.monotonic() - self._synced >= SYNC_SECONDS:
            self._sync()

    def _sync(self) -> None:
        with output_errors(self.path):
            os.fsync(self._file)
        self._synced = time.monotonic()
        self._dirty = False

    def close(self) -> None:
        """Sync and close."""
        try:
            self._sync()
        finally:
            os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _end(spans: list[tuple[int, int]]) -> int:
    return sum(spans[-1]) if spans else 0


_KINDS: dict[str, tuple[type, ...]] = {
    "key": (str,),
    "task_id": (str, type(None)),
    "source_id": (str, type(None)),
    "tier": (str, type(None)),
    "difficulty": (int, type(None)),
    "solver": (str,),
    "protocol": (str,),
    "status": (str,),
    "verdict": (dict, type(None)),
    "wall_s": (int, float, type(None)),
    "cpu_s": (int, float, type(None)),
    "error": (dict, type(None)),
}
_VERDICT: dict[str, tuple[type, ...]] = {
    "outcome": (str,),
    "passed": (bool,),
    "score": (int, float),
    "criteria": (dict,),
    "diagnosis": (dict, type(None)),
    "details": (dict,),
}
_CRITERION: dict[str, tuple[type, ...]] = {
    "value": (int, float, type(None)),
    "threshold": (int, float),
    "passed": (bool,),
}


def is_result(record: Any) -> bool:
    """Whether a JSON value has all that the record of a run needs, each of its type."""
    if not _has(record, _KINDS) or "submission" not in record:
        return False
    verdict = record["verdict"]
    if record["status"] != "done":
        return verdict is None and record["error"] is not None
    return _has(verdict, _VERDICT) and all(
        _has(criterion, _CRITERION) for criterion in verdict["criteria"].values()
    )


def _decode(line: bytes, sound: Callable[[Any], bool]) -> dict[str, Any] | None:
    """The record of a whole, undamaged line, else None."""
    if not line.endswith(b"\n"):
        return None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return record if sound(record) else None


def _has(record: object, kinds: Mapping[str, tuple[type, ...]]) -> bool:
    return isinstance(record, dict) and all(
        isinstance(record.get(name, _MISSING), types) for name, types in kinds.items()
    )


_MISSING = object()


def read_results(path: str | os.PathLike[str]) -> Iterator[dict[str, Any]]:
    """The records of a results folder (or of its ``results.jsonl``), in the order they finished.

    Torn and damaged lines are passed over, and so is a second record of a task. Tasks that failed
    have the status ``failed``.

    Raises
    ------
    UsageError
        If there are no results.
    """
    seen: set[str] = set()
    for _, record in scan(results_file(path)):
        if record is not None and record["key"] not in seen:
            seen.add(record["key"])
            yield record


def scan(file: Path) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Where each line starts and the record that it holds; None for a damaged one."""
    start = 0
    with file.open("rb") as lines:
        for line in lines:
            yield start, _decode(line, is_result)
            start += len(line)


def results_file(path: str | os.PathLike[str]) -> Path:
    """The ``results.jsonl`` that a results folder, or a path to the file itself, stands for."""
    given = Path(path)
    file = given / "results.jsonl" if given.is_dir() else given
    if not file.is_file():
        raise UsageError(f"{file}: no results here; give the folder that `ecliptic run` wrote")
    return file
