"""A suite is made: slots in worker processes, a panel of simple solvers, the files.

The same request and seed give the same tasks, whatever the number of workers and however often the
work was stopped: only figures of processor time differ.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecliptic.errors import EclipticError, OutputError, UsageError
from ecliptic.files import output_errors, write_bytes
from ecliptic.run import creation_files as files
from ecliptic.run.creation_panel import SIMPLE, Rates, panel_rates
from ecliptic.run.creation_records import Records, is_record
from ecliptic.run.creation_request import JOURNAL, PANEL, STATE, Request, open_request
from ecliptic.run.creation_slots import make
from ecliptic.run.engine import Progress
from ecliptic.run.folder import locked
from ecliptic.run.journal import Journal, encode
from ecliptic.run.processes import Job, outcomes
from ecliptic.run.termination import terminable

Report = Callable[[str, Progress], None]
"""Told of each change: which part of the work, and where it stands."""


@dataclass(frozen=True, slots=True)
class Creation:
    """A complete suite: where it is, its figures by tier, and the panel's rates."""

    out: Path
    places: files.Places
    figures: Mapping[str, Mapping[str, Any]]
    rates: Rates
    resumed: int


def create_suite(
    request: Request,
    out: Path,
    *,
    seed_given: bool = False,
    workers: int = 2,
    panel: bool = True,
    url: str | None = None,
    report: Report | None = None,
) -> Creation:
    """Make the suite of ``request`` in the folder ``out``, or go on with one that was stopped.

    Parameters
    ----------
    seed_given
        Whether the request's seed was asked for; else that of a creation begun here goes on.
    panel
        Measure the simple solvers, too.
    url
        Where the suite will be found, for its Croissant description.

    Raises
    ------
    UsageError
        Another suite was begun here.
    OutputError
        ``out`` is taken, or cannot be written.
    EclipticError
        A task cannot be made; says which and why.
    KeyboardInterrupt
        On Ctrl-C, SIGTERM and SIGHUP; what was made is kept.
    """
    if workers < 1:
        raise UsageError(f"workers must be at least 1, not {workers}")
    out = Path(out).expanduser()
    folder = work_folder(out)
    if out.exists() and not (folder / STATE).exists():
        raise OutputError(f"{out}: exists already; choose another --out")
    with terminable(), locked(folder):
        with output_errors(folder):
            folder.chmod(0o700)
        asked = open_request(folder, request, seed_given=seed_given)
        records, resumed = _make_all(asked, folder / JOURNAL, workers, report)
        whole = files.write_whole(records, folder)
        rates: Rates = {}
        if panel:
            told = None if report is None else _told(report)
            rates = panel_rates(whole, folder / PANEL, SIMPLE, workers, told)
        figures = records.figures()
        write_bytes(folder / STATE, b"")
        places = files.publish(records, whole, figures, rates, out, url)
        shutil.rmtree(folder, ignore_errors=True)
    return Creation(out, places, figures, rates, resumed)


def work_folder(out: Path) -> Path:
    """The private folder beside ``out`` that a creation works in."""
    return out.with_name(f"{out.name}.making")


def _make_all(
    request: Request, path: Path, workers: int, report: Report | None
) -> tuple[Records, int]:
    """Make every slot that the journal lacks; returns what is made, and how much of it before."""
    with Journal(path, is_record) as journal:
        os.chmod(path, 0o600)  # noqa: PTH101  (it may be open already)
        records = Records(request, path)
        resumed = records.n_published
        total = request.total

        def tell(key: str | None = None) -> None:
            if report is not None:
                report("tasks", Progress(total, records.n_published, resumed, key=key))

        def take() -> Job | None:
            slot = records.next_slot()
            return None if slot is None else Job(slot.key, slot)

        tell()
        with closing(outcomes(take, make, workers)) as stream:
            for outcome in stream:
                if outcome is None:
                    journal.tick()
                    continue
                if outcome.result is None:
                    failed = {"key": outcome.key, "status": "failed", "error": outcome.trace}
                    journal.append(encode(failed))
                    raise EclipticError(
                        f"{outcome.key}: could not be made: {outcome.reason} (the same command "
                        f"tries again; traceback, if any, in {path})"
                    )
                line = {"key": outcome.key, "status": "done", **outcome.result}
                start = path.stat().st_size
                journal.append(encode(line))
                records.add(line, start)
                tell(outcome.key)
    return records, resumed


def _told(report: Report) -> Callable[[str, Progress], None]:
    return lambda label, progress: report(f"panel: {label}", progress)
