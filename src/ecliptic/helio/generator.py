"""Questions from a seed: one record, or as many as wanted over all families."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import active_children, get_context

from ecliptic.arguments import one_of, seed_number, whole_number
from ecliptic.errors import UsageError
from ecliptic.helio.families.answers import FORMS, Form
from ecliptic.helio.families.catalogue import family_of, topics_of_families
from ecliptic.helio.families.writing import Recipe, problem, problems
from ecliptic.helio.records import Record

_MAX_INDEX = 2**32 - 1  # one word of a spawn key


def generate(
    family: str, seed: int, *, form: str | None = None, index: int = 0, hints: bool = True
) -> Record:
    """The record of one problem: its last part, with earlier parts and answers as preamble.

    Parameters
    ----------
    family
        Name of a family (:func:`family_names`).
    seed
        0 to 2^128 - 1; the same seed gives the same record on every machine.
    form
        ``numeric``, ``symbolic`` or ``textual``; by default the family's first.
    index
        Number of the problem within the seed.
    hints
        Whether the record says what form the answer should have.

    Raises
    ------
    UsageError
        A family or form that is not known, or a number out of range.
    """
    return generate_parts(family, seed, form=form, index=index, hints=hints)[-1]


def generate_parts(
    family: str, seed: int, *, form: str | None = None, index: int = 0, hints: bool = True
) -> tuple[Record, ...]:
    """All parts of the problem whose last part :func:`generate` gives."""
    forms = family_of(family).forms
    chosen = forms[0] if form is None else one_of("form", form, FORMS)
    number = whole_number("index", index, 0, _MAX_INDEX)
    return problem(Recipe(seed_number(seed), family, chosen, hints), number)


def generate_many(
    seed: int,
    count: int,
    *,
    families: Sequence[str] | None = None,
    forms: Sequence[str] | None = None,
    hints: bool = True,
    workers: int = 1,
) -> Iterator[Record]:
    """``count`` records, shared out evenly over families and their forms, in this order.

    No two records of a family have one text. Where a problem has several parts all are given in
    order, as far as the family's share goes: of a problem that does not fit, the last parts. The
    records are the same for any number of workers.

    Raises
    ------
    UsageError
        At once, for a name that is not known or a number out of range.
    ProofError
        While records are taken: a family's answer could not be proven.
    """
    names = tuple(dict.fromkeys(topics_of_families() if families is None else families))
    wanted = {one_of("form", form, FORMS) for form in (FORMS if forms is None else forms)}
    cells = [(name, form) for name in names for form in family_of(name).forms if form in wanted]
    workers = whole_number("workers", workers, 1, 512)
    if not names:
        raise UsageError("families: is empty; leave it out for all")
    if not cells:
        raise UsageError(f"no family of {', '.join(names[:5])} has a form of {sorted(wanted)}")
    total = whole_number("count", count, 1, _MAX_INDEX)
    share, rest = divmod(total, len(cells))
    quota = {cell: share + (position < rest) for position, cell in enumerate(cells)}
    used = seed_number(seed)
    jobs = [
        _Job(used, name, tuple((form, quota[n, form]) for n, form in cells if n == name), hints)
        for name in names
    ]
    return _run([job for job in jobs if any(number for _, number in job.quotas)], workers)


def family_names() -> tuple[str, ...]:
    """All families in the order of the curriculum."""
    return tuple(topics_of_families())


@dataclass(frozen=True, slots=True)
class _Job:
    """All records of one family, so that one process sees all its texts."""

    seed: int
    family: str
    quotas: tuple[tuple[Form, int], ...]
    hints: bool


def _run(jobs: list[_Job], workers: int) -> Iterator[Record]:
    if workers <= 1 or len(jobs) == 1:
        for job in jobs:
            yield from _records(job)
        return
    # Spawned, as a fork of a process with threads (numba, progress bars) may hang.
    others = set(active_children())
    pool = ProcessPoolExecutor(min(workers, len(jobs)), get_context("spawn"))
    finished = False
    try:
        with _interrupts_ignored():  # inherited: Ctrl-C is the parent's to handle
            futures = [pool.submit(_list, job) for job in jobs]
        for future in futures:
            yield from future.result()
        finished = True
    finally:
        if not finished:  # nobody waits for what they are at
            for worker in set(active_children()) - others:
                worker.terminate()
        pool.shutdown()


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Processes started within are not reached by a terminal's Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _list(job: _Job) -> list[Record]:
    return list(_records(job))


def _records(job: _Job) -> Iterator[Record]:
    seen: set[str] = set()
    for form, number in job.quotas:
        left = number
        endless = problems(Recipe(job.seed, job.family, form, job.hints), seen)
        while left > 0:
            parts = next(endless)
            yield from parts[-left:]
            left -= len(parts)
