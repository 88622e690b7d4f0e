"""The task of an attempt with its truth, from its suite or its file of question records."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ecliptic.errors import EclipticError

if TYPE_CHECKING:
    from ecliptic.helio import Record
    from ecliptic.rv import RVTask
    from ecliptic.suite import Suite

KEPT_SUITES, KEPT_TASKS = 8, 512


def forget_truths() -> None:
    """Read suites and records anew from here on: they may have been mended."""
    for kept in (_star, _suite, _records):
        kept.cache_clear()


def find_star(source: str, task_id: str, truth: Path | None) -> tuple[RVTask | None, str]:
    """A star with its truth, or ``None`` and why it is not at hand.

    ``source`` is where the suite is: a folder, a file, or a shipped name. ``truth`` is the private
    part of a sealed suite, or a whole suite that holds the task where the first is not there.
    """
    if not source and truth is None:
        return None, "the log does not name its suite"
    try:
        return _star(source, task_id, truth), ""
    except EclipticError as error:
        return None, str(error)


@lru_cache(maxsize=KEPT_TASKS)
def _star(source: str, task_id: str, truth: Path | None) -> RVTask:
    star: RVTask = _suite(source, truth).find(task_id).load()
    return star


@lru_cache(maxsize=KEPT_SUITES)
def _suite(source: str, truth: Path | None) -> Suite:
    from ecliptic.suite import load_suite

    try:
        suite = load_suite(source)
    except EclipticError:
        if truth is None:
            raise
        suite = load_suite(truth)
    if suite.sealed and truth is not None:
        return load_suite(source, truth=truth)
    suite.require_truth()
    return suite


def find_record(source: str, record_id: str) -> tuple[Record | None, str]:
    """A question record with its gold answer, or ``None`` and why it is not at hand."""
    if not source:
        return None, "the log does not name its records"
    try:
        record = _records(source).get(record_id)
    except EclipticError as error:
        return None, str(error)
    return record, "" if record is not None else f"{source}: no record '{record_id}'"


@lru_cache(maxsize=KEPT_SUITES)
def _records(source: str) -> dict[str, Record]:
    from ecliptic.helio import load

    return {record.id: record for record in load(source)}
