"""Result records become a table of passes by tier and criterion."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TYPE_CHECKING, Any

from ecliptic.analysis.intervals import wilson_interval

if TYPE_CHECKING:
    from rich.table import Table

TIERS = ("easy", "medium", "hard", "frontier", "faint", "real")
ALL, UNREAD = "all", "unread"
MANY = 300  # from here on an interval may be narrower than two per cent


@dataclass(slots=True)
class PassRow:
    """Counts of one tier.

    ``graded`` tasks have a verdict; ``failed`` ones could not be run, and are neither passed nor
    not passed. ``criteria`` counts the graded tasks that pass each criterion, ``diagnoses`` why the
    others did not pass.
    """

    tier: str
    graded: int = 0
    failed: int = 0
    passed: int = 0
    criteria: Counter[str] = field(default_factory=Counter)
    diagnoses: Counter[str] = field(default_factory=Counter)
    cpu_s: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float | None:
        """Share of the graded tasks that passed."""
        return self.passed / self.graded if self.graded else None

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson 95 % interval of the rate."""
        return wilson_interval(self.passed, self.graded)

    @property
    def median_cpu_s(self) -> float | None:
        """Median CPU seconds of the solver on a graded task."""
        return median(self.cpu_s) if self.cpu_s else None

    def add(self, record: Mapping[str, Any]) -> None:
        """Count one result record."""
        verdict = record["verdict"]
        if record["status"] != "done" or verdict is None:
            self.failed += 1
            return
        self.graded += 1
        self.passed += bool(verdict["passed"])
        if verdict.get("diagnosis"):
            self.diagnoses[str(verdict["diagnosis"].get("code"))] += 1
        for name, criterion in verdict["criteria"].items():
            self.criteria[name] += bool(criterion["passed"])
        if record["cpu_s"] is not None:
            self.cpu_s.append(record["cpu_s"])


@dataclass(frozen=True, slots=True)
class PassTable:
    """Rows in the order of difficulty, the last one over all tiers."""

    rows: tuple[PassRow, ...]
    criteria: tuple[str, ...]

    def header(self) -> list[str]:
        """Column titles."""
        return ["tier", "tasks", "failed", "passed", "95 % CI", *self.criteria, "CPU s"]

    def cells(self, row: PassRow) -> list[str]:
        """What a row shows, one text a column."""
        low, high = row.interval
        rate = "-" if row.rate is None else f"{row.passed} ({100 * row.rate:.0f} %)"
        digits = 0 if row.graded < MANY else 1
        interval = f"{100 * low:.{digits}f}–{100 * high:.{digits}f} %" if row.graded else "-"
        cpu = "-" if row.median_cpu_s is None else f"{row.median_cpu_s:.2f}"
        passes = [str(row.criteria[name]) if row.graded else "-" for name in self.criteria]
        total = str(row.graded + row.failed)
        return [row.tier, total, str(row.failed), rate, interval, *passes, cpu]

    def to_text(self) -> str:
        """The table in plain characters, for logs and pipes."""
        return text_table(self.header(), list(map(self.cells, self.rows)))

    def to_rich(self) -> Table:
        """The table for a terminal."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table

        table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
        for index, title in enumerate(self.header()):
            table.add_column(title, justify="right" if index else "left", overflow="fold")
        for row in self.rows:
            if row.tier == ALL:
                table.add_section()
            table.add_row(*self.cells(row), style="bold" if row.tier == ALL else None)
        return table


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns in plain characters, all but the first to the right, with a rule below the header."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    ruled = [header, ["-" * width for width in widths], *rows]
    return "\n".join(_aligned(cells, widths) for cells in ruled)


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        cell.rjust(width) if index else cell.ljust(width)
        for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join([first, *rest]).rstrip()


def pass_table(records: Iterable[Mapping[str, Any]]) -> PassTable:
    """Count passes by tier, one record a task.

    Tasks that could not even be read have no tier; they stand in a row ``unread``.
    """
    rows: dict[str, PassRow] = {}
    criteria: dict[str, None] = {}
    for record in records:
        verdict = record["verdict"] or {}
        criteria |= dict.fromkeys(verdict.get("criteria", ()))
        for tier in (record["tier"] or UNREAD, ALL):
            rows.setdefault(tier, PassRow(tier)).add(record)
    rows.setdefault(ALL, PassRow(ALL))
    others = sorted(rows.keys() - {*TIERS, ALL, UNREAD})
    order = [tier for tier in (*TIERS, *others, UNREAD, ALL) if tier in rows]
    return PassTable(tuple(rows[tier] for tier in order), tuple(criteria))
