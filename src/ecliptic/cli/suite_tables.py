"""The tables that ``ecliptic suite`` prints."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ecliptic.analysis.intervals import wilson_interval
from ecliptic.analysis.tables import text_table

if TYPE_CHECKING:
    from ecliptic.suite import Suite


def figures_table(figures: Mapping[str, Mapping[str, Any]]) -> str:
    """Ceilings, floors (tasks that such a submission passes), acceptance and costs by tier."""
    floors = list(dict.fromkeys(name for each in figures.values() for name in each["floor"]))
    names = [name.replace("_", " ") for name in floors]
    head = ["tier", "tasks", "oracle", "ceiling", "95 % CI", "lowest", *names, "accepted", "CPU s"]
    rows = []
    for tier, each in figures.items():
        ceiling, draws = each["ceiling"], each["draws"]
        low, high = wilson_interval(ceiling["passed"], ceiling["draws"])
        tried = [each["floor"].get(name) for name in floors]
        rows.append(
            [
                tier,
                str(each["tasks"]),
                f"{each['oracle']}/{each['tasks']}",
                f"{100 * ceiling['passed'] / ceiling['draws']:.1f} %",
                f"{100 * low:.1f}–{100 * high:.1f} %",
                f"{100 * ceiling['lowest']:.0f} %",
                *("-" if one is None else f"{one['passed']}/{one['tasks']}" for one in tried),
                f"{draws['accepted']}/{draws['judged']}",
                f"{each['cpu_s']['make'] + each['cpu_s']['audit']:.1f}",
            ]
        )
    lines = [text_table(head, rows)]
    for tier, each in figures.items():
        if each["draws"]["rejected"]:
            told = ", ".join(f"{why} {n}" for why, n in each["draws"]["rejected"].items())
            lines.append(f"rejected, {tier}: {told}")
    return "\n".join(lines)


def panel_table(rates: Mapping[str, Mapping[str, Mapping[str, int]]]) -> str:
    """Tasks that simple solvers pass."""
    tiers = list(next(iter(rates.values())))
    rows = [
        [label, *(f"{each[tier]['passed']}/{each[tier]['tasks']}" for tier in tiers)]
        for label, each in rates.items()
    ]
    return text_table(["passed by", *tiers], rows)


def counts_table(opened: Suite) -> str:
    """How many tasks of each tier there are."""
    counts = Counter(task.tier for task in opened)
    return text_table(["tier", "tasks"], [[tier, str(n)] for tier, n in counts.items()])
