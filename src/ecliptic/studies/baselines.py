"""A cell of a solver without a language model, through :mod:`ecliptic.run`."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

from ecliptic.errors import UsageError
from ecliptic.run import Progress, RunSummary, run_suite
from ecliptic.studies.definition import StarOptions
from ecliptic.studies.grid import Cell
from ecliptic.studies.subjects import Subject
from ecliptic.suite import Suite, load_suite


def run_baseline(
    cell: Cell, folder: Path, workers: int, progress: Callable[[Progress], None] | None = None
) -> RunSummary:
    """Solve and grade what is not done yet."""
    entry = cell.subject.entry
    assert cell.baseline is not None
    assert isinstance(entry, StarOptions)
    return run_suite(
        chosen_stars(cell.subject),
        cell.baseline.solver,
        entry.protocol,
        workers,
        folder,
        options=cell.baseline.options,
        progress=progress,
        suite_source=cell.subject.source,
    )


def chosen_stars(subject: Subject) -> Suite:
    """The stars that the entry asks for, the same as for the agents.

    Raises
    ------
    UsageError
        The suite has no such tier.
    """
    entry = subject.entry
    assert isinstance(entry, StarOptions)
    suite = load_suite(subject.source)
    chosen = list(suite.entries())
    if entry.tiers is not None or entry.per_tier is not None:
        tiers = [each.load().tier for each in chosen]
        known = dict.fromkeys(tiers)
        for tier in entry.tiers or ():
            if tier not in known:
                raise UsageError(
                    f"tiers: {subject.source} has no tier '{tier}'; it has {', '.join(known)}"
                )
        taken = dict.fromkeys(entry.tiers or known, 0)
        kept = []
        for each, tier in zip(chosen, tiers, strict=True):
            if tier in taken and (entry.per_tier is None or taken[tier] < entry.per_tier):
                taken[tier] += 1
                kept.append(each)
        chosen = kept
    chosen = list(islice(chosen, entry.limit))
    return Suite(chosen, name=suite.name, manifest=suite.manifest, folder=suite.folder)
