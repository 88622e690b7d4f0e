"""What a human must look at: items with a place, collected on the way and written as a list."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ecliptic.files import write_bytes


@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file that was read."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to look at.

    ``kind`` is one of ``question``, ``solution``, ``final``, ``type``, ``unit``, ``hint``,
    ``number``, ``figure``, ``table``, ``reference``, ``latex``, ``text``, ``encoding``,
    ``include``, ``macro``.
    """

    place: Place
    kind: str
    message: str
    record_id: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.kind}: {self.message}"


@dataclass(slots=True)
class TodoList:
    """Items in the order of their finding; the same one is noted once."""

    items: list[Item] = field(default_factory=list)

    def note(self, place: Place, kind: str, message: str, record_id: str = "") -> None:
        """Add an item unless it stands there already."""
        item = Item(place, kind, message, record_id)
        if item not in self.items[-200:]:
            self.items.append(item)


def write_todo(items: Iterable[Item], path: Path, drafts_path: str) -> int:
    """Write the list in Markdown, grouped by record; returns how many items.

    Raises
    ------
    OutputError
        The file cannot be written.
    """
    groups: dict[str, list[Item]] = {}
    count = 0
    for item in items:
        groups.setdefault(item.record_id, []).append(item)
        count += 1
    lines = ["# To do", "", f"Drafts: `{drafts_path}`. {count} items.", ""]
    for record_id in sorted(groups, key=lambda name: name != ""):
        lines += [f"## {record_id or 'The files'}", ""]
        lines += [
            f"- [ ] `{item.place}` **{item.kind}**: {' '.join(item.message.split())}"
            for item in groups[record_id]
        ]
        lines.append("")
    write_bytes(path, "\n".join(lines).encode())
    return count
