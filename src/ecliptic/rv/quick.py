"""The suite that a run takes where none is named."""

from __future__ import annotations

from ecliptic.rv.generator import generate_many
from ecliptic.suite import Suite

QUICK = "quick"
QUICK_SEED = 20260
TASKS_PER_TIER = 4


def quick_suite() -> Suite:
    """Twelve generated tasks of the published recipe, four a tier; the same on every machine."""
    tasks = [
        task
        for tier in ("easy", "medium", "hard")
        for task in generate_many(QUICK_SEED, TASKS_PER_TIER, recipe="paper", tier=tier)
    ]
    return Suite.of(tasks, name=QUICK)
