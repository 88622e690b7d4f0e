"""Which agent fails how, on which kind of task."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ecliptic.analysis.failures.labelling import Labelled
from ecliptic.analysis.failures.vocabulary import ORDER, FailureCode
from ecliptic.analysis.formats import Table
from ecliptic.analysis.tables import ALL, TIERS, text_table

HEADER = ("agent", "kind", "failed", "label", "primary", "share", "any")


@dataclass(frozen=True, slots=True)
class ConfusionRow:
    """One label of one agent on one kind of task.

    Attributes
    ----------
    agent
        With its model, where it has one.
    kind
        Tier or type; ``all`` for the sum.
    attempts, failed
        Labelled attempts that did not pass, errors included, are ``failed``; ``attempts`` counts
        those that passed, too.
    code
        The label.
    primary
        How many have it as their primary label.
    share
        Of the failed ones, 0 to 1.
    any
        How many have it at all.
    """

    agent: str
    kind: str
    attempts: int
    failed: int
    code: FailureCode
    primary: int
    share: float
    any: int

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return asdict(self) | {"code": str(self.code)}


def confusion(rows: Iterable[Labelled]) -> list[ConfusionRow]:
    """Counts and shares by agent and kind, the commonest primary label first.

    Attempts that could not be read are left out. An agent without a failure has no row.
    """
    groups: dict[tuple[str, str], list[Labelled]] = {}
    for row in rows:
        if row.skipped:
            continue
        for kind in (row.attempt.kind, ALL):
            groups.setdefault((row.attempt.arm, kind), []).append(row)
    agents = dict.fromkeys(agent for agent, _ in groups)
    found: list[ConfusionRow] = []
    for agent in agents:
        kinds = [kind for name, kind in groups if name == agent]
        for kind in sorted(kinds, key=_rank):
            found += _rows(agent, kind, groups[agent, kind])
    return found


def _rank(kind: str) -> tuple[int, str]:
    order = (*TIERS, "numeric", "symbolic", "textual", "structured")
    return (order.index(kind), "") if kind in order else (len(order) + (kind == ALL), kind)


def _rows(agent: str, kind: str, group: Sequence[Labelled]) -> list[ConfusionRow]:
    failed = [row for row in group if row.labels]
    primary = Counter(row.labels[0].code for row in failed)
    having = Counter(code for row in failed for code in {label.code for label in row.labels})
    order = sorted(having, key=lambda code: (-primary[code], -having[code], ORDER[code]))
    return [
        ConfusionRow(
            agent, kind, len(group), len(failed), code,
            primary[code], primary[code] / len(failed), having[code],
        )
        for code in order
    ]  # fmt: skip


def confusion_text(rows: Sequence[ConfusionRow]) -> str:
    """The table in plain characters; what repeats from line to line is told once."""
    return text_table(HEADER, _cells(rows))


def failure_table(rows: Sequence[ConfusionRow], title: str = "Why attempts fail") -> Table:
    """The same for :func:`ecliptic.analysis.render`: CSV, LaTeX, Markdown, JSON."""
    return Table(title, HEADER, _cells(rows), [row.to_dict() for row in rows])


def _cells(rows: Sequence[ConfusionRow]) -> list[list[str]]:
    cells: list[list[str]] = []
    last: tuple[str, str] = ("", "")
    for row in rows:
        here = (row.agent, row.kind)
        cells.append(
            [
                row.agent if row.agent != last[0] else "",
                row.kind if here != last else "",
                f"{row.failed}/{row.attempts}" if here != last else "",
                str(row.code),
                str(row.primary),
                f"{100 * row.share:.0f} %",
                str(row.any),
            ]
        )
        last = here
    return cells
