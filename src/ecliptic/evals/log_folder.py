"""Faults of the folder that a run writes its logs to, as one line each."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from inspect_ai.log import EvalLog
from inspect_ai.log._recorders.buffer.database import resolve_db_dir

from ecliptic.analysis.eval_archive import EvalArchive
from ecliptic.errors import OutputError
from ecliptic.files import reason

KEPT = "finished attempts are kept, and the same command (without --fresh) goes on from there"
_SYSTEM = re.compile(r"(?:[A-Za-z]*Error\(|\[Errno )(\d+)[,\]] *'?([^']*)")


def check_logs(folder: Path) -> None:
    """See that every log in the folder can be read, before a run is added to them.

    Raises
    ------
    TaskError
        One cannot, an empty or a cut file for instance: which, and what to do.
    """
    for path in sorted(folder.glob("*.eval")):
        with EvalArchive(path) as archive:
            archive.header()


@contextmanager
def storage_errors(folder: Path) -> Iterator[None]:
    """Turn what the system refuses while a run writes into ``folder`` into an :class:`OutputError`.

    Inspect also keeps the samples under way in a database, elsewhere.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise OutputError(
            f"{resolve_db_dir()}, where Inspect keeps the attempts under way, cannot be written: "
            f"{error}; {KEPT}"
        ) from error
    except BrokenPipeError:
        raise  # of the terminal, not of the folder
    except OSError as error:
        raise OutputError(f"{error.filename or folder}: {reason(error)}; {KEPT}") from error


def check_written(folder: Path, logs: Iterable[EvalLog]) -> None:
    """See that the logs of a run were written to their end.

    Raises
    ------
    OutputError
        One was not, because of a full disk for instance. Inspect returns it without a plan and as
        an error, and what it holds on disk may be less than what was done.
    """
    for log in logs:
        if log.status == "error" and log.error is not None and not log.plan.steps:
            found = _SYSTEM.search(log.error.message)
            why = log.error.message if found is None else reason(_as_error(found))
            raise OutputError(f"{folder}: the log cannot be written: {why}; {KEPT}")


def _as_error(found: re.Match[str]) -> OSError:
    return OSError(int(found[1]), found[2].strip())
