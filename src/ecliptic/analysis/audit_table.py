"""Audits of a suite become a table by tier: what is solvable, and what can be reached."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from ecliptic.analysis.intervals import wilson_interval
from ecliptic.analysis.tables import ALL, TIERS, UNREAD, text_table

IDENTIFIABLE = frozenset({"identifiability", "further_planet"})
UNIQUE = frozenset({"uniqueness", "solver_rival"})
COLUMNS = (
    "tier", "tasks", "failed", "truth", "oracle", "identifiable", "unique", "ceiling", "95 % CI",
    "floor", "accepted", "CPU s",
)  # fmt: skip


@dataclass(slots=True)
class AuditRow:
    """Counts of one tier.

    ``audited`` tasks have an audit, ``failed`` ones could not be audited. ``floor`` counts tasks
    that a submission without insight passes. ``draws`` and ``passed_draws`` are those of the
    ceiling, over all tasks. ``reasons`` counts the conditions that did not hold.
    """

    tier: str
    audited: int = 0
    failed: int = 0
    truth: int = 0
    oracle: int = 0
    identifiable: int = 0
    unique: int = 0
    floor: int = 0
    accepted: int = 0
    draws: int = 0
    passed_draws: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    cpu_s: list[float] = field(default_factory=list)

    @property
    def ceiling(self) -> float | None:
        """Mean share of fresh noise that the oracle passes; every task has as many draws."""
        return self.passed_draws / self.draws if self.draws else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson 95 % interval of the ceiling over all draws.

        The suite's tasks are taken as they are. Draws of one task are alike, for which the
        interval is rather too wide than too narrow.
        """
        return wilson_interval(self.passed_draws, self.draws)

    def add(self, line: Mapping[str, Any]) -> None:
        """Count one line of an audit file."""
        audit = line["audit"]
        if audit is None:
            self.failed += 1
            return
        reasons = set(audit["reasons"])
        self.audited += 1
        self.truth += audit["truth"]["passed"]
        self.oracle += audit["oracle"]["passed"]
        self.identifiable += not reasons & IDENTIFIABLE
        self.unique += not reasons & UNIQUE
        self.floor += any(audit["floor"].values())
        self.accepted += audit["accepted"]
        self.reasons.update(audit["reasons"])
        self.cpu_s.append(audit["cpu_seconds"])
        if audit["ceiling"] is not None:
            self.draws += audit["ceiling"]["draws"]
            self.passed_draws += audit["ceiling"]["passed"]


@dataclass(frozen=True, slots=True)
class AuditTable:
    """Rows in the order of difficulty, the last one over all tiers."""

    rows: tuple[AuditRow, ...]

    def cells(self, row: AuditRow) -> list[str]:
        """What a row shows, one text a column."""
        counts = (row.truth, row.oracle, row.identifiable, row.unique)
        low, high = row.interval
        ceiling = "-" if row.ceiling is None else f"{100 * row.ceiling:.1f} %"
        interval = "-" if row.ceiling is None else f"{100 * low:.1f}–{100 * high:.1f} %"
        return [
            row.tier,
            str(row.audited + row.failed),
            str(row.failed),
            *(_of(count, row.audited) for count in counts),
            ceiling,
            interval,
            _of(row.floor, row.audited),
            _of(row.accepted, row.audited),
            f"{median(row.cpu_s):.1f}" if row.cpu_s else "-",
        ]

    def to_text(self) -> str:
        """The table in plain characters, then the reasons of each tier."""
        lines = [text_table(COLUMNS, [self.cells(row) for row in self.rows])]
        for row in self.rows:
            if row.reasons and row.tier != ALL:
                told = ", ".join(f"{why} {count}" for why, count in row.reasons.most_common())
                lines.append(f"reasons, {row.tier}: {told}")
        return "\n".join(lines)


def _of(count: int, total: int) -> str:
    return f"{count}/{total}" if total else "-"


def audit_table(lines: Iterable[Mapping[str, Any]]) -> AuditTable:
    """Count the lines of an audit file by tier; a task that could not be read has none."""
    rows: dict[str, AuditRow] = {}
    for line in lines:
        for tier in (line["tier"] or UNREAD, ALL):
            rows.setdefault(tier, AuditRow(tier)).add(line)
    rows.setdefault(ALL, AuditRow(ALL))
    return AuditTable(tuple(rows[tier] for tier in (*TIERS, UNREAD, ALL) if tier in rows))
