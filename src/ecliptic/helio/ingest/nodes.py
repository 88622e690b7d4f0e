"""A problem, part or subpart of an outline."""

from __future__ import annotations

from dataclasses import dataclass, field

Region = tuple[int, int]
"""Start and end of a stretch of text."""


@dataclass(slots=True)
class Node:
    """A problem, a part or a subpart, with the regions of text that belong to it.

    ``certainty`` falls where a boundary was inferred; ``notes`` say why, with the offset.
    """

    level: int
    label: str
    start: int
    title: str = ""
    statement: list[Region] = field(default_factory=list)
    solution: list[Region] = field(default_factory=list)
    lead: list[Region] = field(default_factory=list)
    solution_start: int = -1
    answer_at: list[int] = field(default_factory=list)
    parts: list[Node] = field(default_factory=list)
    certainty: float = 1.0
    notes: list[tuple[int, str, str]] = field(default_factory=list)

    @property
    def solved(self) -> bool:
        """Whether a solution was announced here."""
        return self.solution_start >= 0

    def part(self, label: str) -> Node | None:
        """The part of that label."""
        return next((part for part in self.parts if part.label == label), None)

    def doubt(self, certainty: float, at: int, kind: str, message: str) -> None:
        """Lower the certainty and say why."""
        self.certainty = min(self.certainty, certainty)
        self.notes.append((at, kind, message))
