"""Which of a task's logs a run goes on from: the one that holds most, whatever the clock says.

Inspect goes on from the log whose file was written last, and deletes the task's others. A clock
that was put right between two runs, or that jumps back during one, or a log that came back from a
backup, would make it delete the log that holds all that was paid for.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from inspect_ai._util.file import local_path
from inspect_ai.log import list_eval_logs, read_eval_log_sample_summaries

_LONG_AGO = 946_684_800
"""2000-01-01. No log was written before."""


@contextmanager
def ordered_by_content(folder: Path) -> Iterator[None]:
    """Date the folder's logs long ago meanwhile, those that hold more after those that hold less.

    So any log that is written meanwhile is the newest. In the end they get their own time back, or
    the present one where theirs is yet to come.
    """
    logs = list_eval_logs(str(folder)) if folder.is_dir() else []
    paths = [Path(local_path(log.name)) for log in logs]
    times = {path: path.stat().st_mtime_ns for path in paths}
    held = {path: (*_held(path), times[path]) for path in paths}
    try:
        for rank, path in enumerate(sorted(paths, key=lambda path: held[path]), start=1):
            _date(path, (_LONG_AGO + rank) * 10**9)
        yield
    finally:
        for path, written in times.items():
            _date(path, min(written, time.time_ns()))


def _held(path: Path) -> tuple[int, int]:
    """How many attempts a log holds that ended without an error, and how many in all.

    Inspect begins a log with all that the one before it holds, so that a later one holds more.
    """
    attempts = read_eval_log_sample_summaries(str(path))
    return sum(each.completed and each.error is None for each in attempts), len(attempts)


def _date(path: Path, written: int) -> None:
    # It may be gone by now, or another user's, and then it stays as it is.
    with suppress(FileNotFoundError, PermissionError):
        os.utime(path, ns=(written, written))
