"""Attempts out of logs: Inspect's, and those of ``ecliptic run``."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ecliptic.analysis.attempts import Attempt
from ecliptic.analysis.eval_archive import EvalArchive
from ecliptic.analysis.log_headers import LogHeader, log_header
from ecliptic.analysis.log_samples import FOREIGN_FORM, attempt_of, ended_at
from ecliptic.analysis.run_records import MANIFEST, RESULTS, is_run, run_attempts
from ecliptic.errors import TaskError, UsageError
from ecliptic.files import read_json

Report = Callable[[int, int, int], None]
"""Told after each log: logs read, logs in all, attempts so far."""
Row = tuple[str, float, Attempt]
"""Run, time of the end, attempt."""
_NAMED_BY_INSPECT = re.compile(r"\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d.*\.json$")


def read_attempts(
    paths: Iterable[str | os.PathLike[str]] | str | os.PathLike[str],
    *,
    report: Report | None = None,
) -> list[Attempt]:
    """The attempts in logs, each counted once.

    Parameters
    ----------
    paths
        Logs of Inspect (``.eval``, or ``.json``), folders of ``ecliptic run``, and folders that
        hold such ones at any depth.
    report
        Is told after each log.

    Returns
    -------
    list of Attempt
        In the order of the logs, and in each of its data set. An attempt that is in several logs,
        as a retry of the run leaves them, counts as the one that was finished last. A log that is
        not finished gives what it has.

    Raises
    ------
    UsageError
        A path does not exist or holds no log.
    TaskError
        A log cannot be read; says which and why.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    logs = find_logs(Path(path) for path in given)
    kept: dict[tuple[str, str, int], tuple[float, Attempt]] = {}
    by_uuid: dict[str, tuple[str, str, int]] = {}
    for number, log in enumerate(logs, 1):
        is_file = not log.is_dir()
        for run, ended, attempt in _read(log):
            key = (run, attempt.task, attempt.epoch)
            if is_file and attempt.uuid:
                # A log that was copied or made anew from another one repeats its samples.
                key = by_uuid.setdefault(attempt.uuid, key)
            if key not in kept or ended >= kept[key][0]:
                kept[key] = (ended, attempt)
        if report is not None:
            report(number, len(logs), len(kept))
    return [attempt for _, attempt in kept.values()]


def find_logs(paths: Iterable[Path]) -> list[Path]:
    """Log files and folders of runs, each once, those of a folder in the order of their names.

    Raises
    ------
    UsageError
        A path does not exist or holds no log.
    """
    found: dict[Path, None] = {}
    for path in paths:
        path = path.expanduser()
        if not path.exists():
            raise UsageError(f"{path}: no such file or folder; name logs or a folder of logs")
        logs = list(_below(path)) if path.is_dir() else [_file(path)]
        if not logs:
            raise UsageError(
                f"{path}: holds no log (.eval files, or {MANIFEST} with {RESULTS}); name the "
                "folder that a run wrote to"
            )
        found |= dict.fromkeys(Path(os.path.abspath(log)) for log in logs)  # noqa: PTH100
    return list(found)


def _file(path: Path) -> Path:
    if path.name in {MANIFEST, RESULTS} and is_run(path.parent):
        return path.parent
    if path.suffix in {".eval", ".json"}:
        return path
    raise UsageError(f"{path}: is no log; name .eval files, or folders that runs wrote to")


def _below(folder: Path) -> Iterator[Path]:
    if is_run(folder):
        yield folder
    for place, folders, files in os.walk(folder):
        folders.sort()
        here = Path(place)
        yield from (here / name for name in folders if is_run(here / name))
        for name in sorted(files):
            if name.endswith(".eval") or _NAMED_BY_INSPECT.match(name):
                yield here / name


def _read(log: Path) -> Iterator[Row]:
    if log.is_dir():
        for attempt in run_attempts(log):
            yield str(log), 0.0, attempt
    elif log.suffix == ".json":
        yield from _read_json(log)
    else:
        with EvalArchive(log) as archive:
            header = archive.header()
            known = _known(log, header)
            rows = [_row(sample, known, log, archive) for sample in archive.summaries()]
        yield from _in_order(rows, header, log)


def _read_json(log: Path) -> Iterator[Row]:
    data = read_json(log)
    if not isinstance(data, dict) or not isinstance(data.get("eval"), dict):
        raise TaskError(f"{log}: is not a log of Inspect; move it away or name the others")
    known = _known(log, data)
    rows = [_row(sample, known, log, None) for sample in data.get("samples") or []]
    yield from _in_order(rows, data, log)


def _in_order(rows: list[Row], header: dict[str, Any], log: Path) -> list[Row]:
    """In the order of the data set, as samples stand in the log by when they were done."""
    try:
        names = (header["eval"].get("dataset") or {}).get("sample_ids") or []
        places = {str(name): place for place, name in enumerate(names)}
    except FOREIGN_FORM as error:
        raise _foreign_form(log, error) from None
    return sorted(rows, key=lambda row: (places.get(row[2].task, len(places)), row[2].epoch))


def _row(sample: Any, header: LogHeader, log: Path, archive: EvalArchive | None) -> Row:
    def in_full() -> dict[str, Any]:
        return {} if archive is None else archive.scores(sample["id"], sample["epoch"])

    try:
        return header.run, ended_at(sample), attempt_of(sample, header, log, in_full)
    except FOREIGN_FORM as error:
        raise _foreign_form(log, error) from None


def _known(log: Path, header: dict[str, Any]) -> LogHeader:
    try:
        return log_header(header)
    except FOREIGN_FORM as error:
        raise _foreign_form(log, error) from None


def _foreign_form(log: Path, error: Exception) -> TaskError:
    what = json.dumps(str(error))
    return TaskError(
        f"{log}: has a form that is not known ({type(error).__name__}: {what}); write it anew with "
        "'inspect log convert'"
    )
