"""Faults of the folder that a run writes its logs to, as one line each."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

from inspect_ai._util.file import local_path
from inspect_ai.log import (
    EvalLog,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
    read_eval_log_samples,
)
from inspect_ai.log._recorders.buffer.database import resolve_db_dir
from pydantic import ValidationError

from ecliptic.analysis.eval_archive import EvalArchive
from ecliptic.errors import OutputError, TaskError, UsageError
from ecliptic.files import reason, require_regular

KEPT = "finished attempts are kept, and the same command (without --fresh) goes on from there"
INSPECT = "inspect_ai"
BESIDE_LOGS = (".eval-set-id", "eval-set.json", "logs.json")
"""What Inspect keeps in a folder of logs."""
_SYSTEM = re.compile(r"(?:[A-Za-z]*Error\(|\[Errno )(\d+)[,\]] *'?([^']*)")


def logs_in(folder: Path) -> list[Path]:
    """The logs in a folder that Inspect goes on with, and all else at its top that is called one.

    Like Inspect's, they may be further down.
    """
    listed = list_eval_logs(str(folder)) if folder.is_dir() else []
    return sorted({*folder.glob("*.eval"), *(Path(local_path(each.name)) for each in listed)})


def check_logs(folder: Path) -> None:
    """See that every log in the folder can be read, before a run is added to them.

    Raises
    ------
    TaskError
        One cannot, an empty or a damaged file for instance: which, and what to do. Or what Inspect
        keeps beside them cannot.
    UsageError
        Inspect would not find them again in a folder of that name.
    """
    _check_place(folder)
    for name in BESIDE_LOGS:
        _check_beside(folder / name)
    for path in logs_in(folder):
        if path.is_symlink() and path.is_file():
            raise TaskError(
                f"{path}: is a symbolic link, which Inspect passes over, so that its attempts "
                "would be made again; put the log itself there"
            )
        if path.suffix == ".eval":
            with EvalArchive(path) as archive:
                archive.verify()
                archive.header()
        _check_form(path)


def _check_place(folder: Path) -> None:
    # Inspect names the logs by addresses, but quotes nothing in them.
    place = str(folder.absolute())
    if local_path(f"file://{place}") != place:
        raise UsageError(
            f"{place!r}: Inspect keeps no logs in a folder whose path holds #, ?, a line break, or "
            "% before two figures; choose another with --out"
        )


def _check_beside(path: Path) -> None:
    if path.is_dir() or not path.exists():
        return  # of a folder the system tells, and a missing one is made
    try:
        require_regular(path)
        path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = reason(error) if isinstance(error, OSError) else "is not text in UTF-8"
        raise TaskError(f"{path}: {why}; delete it, Inspect writes it anew") from None


def _check_form(path: Path) -> None:
    """Whether this version of Inspect makes sense of a log, as one of a later version may not."""
    try:
        header = read_eval_log(str(path), header_only=True)
        read_eval_log_sample_summaries(str(path))
        if header.eval.packages.get(INSPECT) != version(INSPECT):
            for _ in read_eval_log_samples(str(path), all_samples_required=False):
                pass
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise TaskError(
            f"{path}: is not a log that this version of Inspect ({version(INSPECT)}) can read "
            f"({_in_words(error)}); move it away, or install the version that wrote it"
        ) from None


def _in_words(error: Exception) -> str:
    if isinstance(error, ValidationError):
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        return f"field '{'.'.join(map(str, first['loc']))}': {first['msg']}"
    return next(iter(str(error).splitlines()), type(error).__name__)


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
