"""The suite that a run takes where none is named, and names of suites in general."""

from __future__ import annotations

import os
from pathlib import Path

from ecliptic.errors import SuiteError
from ecliptic.suite import Suite, load_suite

QUICK = "quick"
QUICK_SEED = 20260
TASKS_PER_TIER = 4


def quick_suite() -> Suite:
    """Twelve generated tasks of the published recipe, four a tier; the same on every machine."""
    from ecliptic.rv import generate_many

    tasks = [
        task
        for tier in ("easy", "medium", "hard")
        for task in generate_many(QUICK_SEED, TASKS_PER_TIER, recipe="paper", tier=tier)
    ]
    return Suite.of(tasks, name=QUICK)


def open_suite(source: str | os.PathLike[str]) -> Suite:
    """The suite at a path, or the embedded one for the name ``quick``.

    Raises
    ------
    SuiteError
        There is nothing at the path, or nothing that is a suite.
    """
    if os.fspath(source) == QUICK and not Path(QUICK).exists():
        return quick_suite()
    if os.fspath(source) == "":
        raise SuiteError(f"a suite needs a path, or the name '{QUICK}'")
    return load_suite(source)
