"""A report: a folder of pages, from logs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecliptic.errors import EclipticError, TaskError, UsageError
from ecliptic.report.attempt_page import Place, attempt_context, places_of
from ecliptic.report.attempts_list import attempts_context
from ecliptic.report.output_folder import OutputFolder, check_place, report_folder
from ecliptic.report.overview import overview
from ecliptic.report.rendering import render

if TYPE_CHECKING:
    from ecliptic.analysis import Attempt
    from ecliptic.analysis.failures import Labelled

Progress = Callable[[int, int], None]
"""Told after each page: how many are written, of how many."""


@dataclass(frozen=True, slots=True)
class Written:
    """What a report holds: attempts, pages written, and one line for each log left out."""

    folder: Path
    attempts: int
    pages: int
    unread: tuple[str, ...]


def write_report(
    paths: Iterable[str | os.PathLike[str]],
    out: str | os.PathLike[str],
    *,
    title: str = "",
    max_pages: int | None = None,
    progress: Progress | None = None,
) -> Written:
    """Write a static site about the attempts in logs.

    It opens from the file system and asks the network for nothing. The same logs give the same
    bytes.

    Parameters
    ----------
    paths
        Logs, as :func:`ecliptic.analysis.read_attempts` takes them.
    out
        Folder of the site. An earlier report there is replaced as a whole.
    title
        Heads the first page.
    max_pages
        Pages of single attempts at most; the first ones of the list. All by default.
    progress
        Is told after each page.

    Raises
    ------
    UsageError
        There is no log, none can be read, or ``out`` holds something that is no report.
    OutputError
        The folder cannot be written; an earlier report stays as it was.
    MissingExtraError
        Plotly or Jinja is not installed.
    """
    folder = Path(out)
    check_place(folder)
    attempts, unread = read_all([Path(path) for path in paths])
    if not attempts:
        why = f": {unread[0]}" if unread else ""
        raise UsageError(f"no attempt to report{why}")
    attempts = in_order(attempts)
    places = places_of(attempts)
    with report_folder(folder) as partial:
        shown = places if max_pages is None else places[:max_pages]
        labelled = _write_attempts(partial, shown, progress)
        labelled += _labelled([place.attempt for place in places[len(shown) :]])
        listed = attempts_context(places, len(shown), labelled)
        partial.write("attempts.html", render("attempts.html", listed))
        partial.write("index.html", render("index.html", overview(places, labelled, title, unread)))
    return Written(folder, len(attempts), len(shown) + 2, tuple(unread))


def read_all(paths: Sequence[Path]) -> tuple[list[Attempt], list[str]]:
    """The attempts of all logs that can be read, and a line for each one that cannot."""
    from ecliptic.analysis.logs import find_logs, read_attempts

    logs = find_logs(paths)
    try:
        return read_attempts(logs), []
    except TaskError:
        pass
    sound: list[Path] = []
    unread: list[str] = []
    for log in logs:
        try:
            read_attempts(log)
        except EclipticError as error:
            unread.append(str(error))
        else:
            sound.append(log)
    return (read_attempts(sound) if sound else []), unread


def in_order(attempts: Iterable[Attempt]) -> list[Attempt]:
    """By world, suite, agent, kind and task, whatever the order of the logs."""
    from ecliptic.analysis.tables import TIERS

    worlds = ("stargazer", "helio")
    kinds = (*TIERS, "numeric", "symbolic", "textual", "structured")

    def rank(attempt: Attempt) -> tuple[Any, ...]:
        world, kind = attempt.world, attempt.kind
        return (
            worlds.index(world) if world in worlds else len(worlds),
            attempt.suite,
            attempt.protocol,
            attempt.arm,
            kinds.index(kind) if kind in kinds else len(kinds),
            kind,
            attempt.task,
            attempt.epoch,
            attempt.uuid,
        )

    return sorted(attempts, key=rank)


def _write_attempts(
    folder: OutputFolder, places: Sequence[Place], progress: Progress | None
) -> list[Labelled]:
    labelled = []
    for at, place in enumerate(places):
        before = places[at - 1] if at else None
        after = places[at + 1] if at + 1 < len(places) else None
        context = attempt_context(place, before, after, folder.keep_image)
        folder.write(place.file, render("attempt.html", context))
        labelled.append(context["labelled"])
        if progress is not None:
            progress(at + 1, len(places))
    return labelled


def _labelled(attempts: Sequence[Attempt]) -> list[Labelled]:
    from ecliptic.analysis.failures import label_all

    return list(label_all(attempts).rows)
