"""The panel: simple solvers, whose pass rates say how hard the tiers of a suite are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ecliptic.run.engine import Progress, run_suite
from ecliptic.suite import load_suite

Rates = dict[str, dict[str, dict[str, int]]]
"""By label and tier: tasks, and how many of them pass."""


@dataclass(frozen=True, slots=True)
class PanelSolver:
    """A solver with its options, under the name that the card gives it."""

    label: str
    solver: str
    options: Mapping[str, Any] = field(default_factory=dict)


SIMPLE = (
    PanelSolver("classical", "classical"),
    PanelSolver("greedy", "greedy"),
    PanelSolver("greedy, GP", "greedy", {"activity": True}),
)
"""The published pipeline, and one that takes one peak after the other, without and with the GP."""


def panel_rates(
    tasks: Path,
    folder: Path,
    panel: Sequence[PanelSolver],
    workers: int,
    report: Callable[[str, Progress], None] | None,
) -> Rates:
    """One blind submission of each solver on each task under protocol ``strict``; resumable."""
    rates: Rates = {}
    for number, each in enumerate(panel):
        progress = None if report is None else _labelled(report, each.label)
        summary = run_suite(
            load_suite(tasks),
            each.solver,
            "strict",
            workers,
            folder / str(number),
            options=each.options,
            progress=progress,
        )
        rates[each.label] = {
            row.tier: {"tasks": row.graded + row.failed, "passed": row.passed}
            for row in summary.table().rows
        }
    return rates


def _labelled(report: Callable[[str, Progress], None], label: str) -> Callable[[Progress], None]:
    return lambda progress: report(label, progress)
