"""A LaTeX problem set with solutions becomes draft records and a to-do list."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from ecliptic.errors import TaskError, UsageError
from ecliptic.helio.ingest.draft import DEFAULT_THRESHOLD, Drafter, Text
from ecliptic.helio.ingest.macros import expand
from ecliptic.helio.ingest.marks import Mark, find_marks
from ecliptic.helio.ingest.nodes import Node, Region
from ecliptic.helio.ingest.outline import Outline, outline
from ecliptic.helio.ingest.pages import strip_pages
from ecliptic.helio.ingest.references import REFERENCE, find_targets
from ecliptic.helio.ingest.source import is_markdown, read_source
from ecliptic.helio.ingest.todo import Item, TodoList
from ecliptic.helio.records import Record

_TITLE_WORDS = re.compile(
    r"(?:\\(?:title|author|date|section|subsection|chapter|lhead|rhead|chead|"
    r"cfoot)\*?\s*\{[^{}]{0,300}\}|\\[A-Za-z]+\*?(?:\[[^\]]*\])?(?:\{[^{}]{0,80}\})*|^#.*$|"
    r"\*\*[^*\n]*\*\*|%.*)",
    re.M,
)
_WORDS = re.compile(r"[A-Za-z]{3,}")
FEW_WORDS = 8
"""So few words outside of all problems are a title, not a text."""


@dataclass(frozen=True, slots=True)
class Drafts:
    """Draft records in order, and what a human must look at."""

    records: tuple[Record, ...]
    todo: tuple[Item, ...]
    problems: int

    @property
    def needing_a_human(self) -> int:
        """Records with at least one item of their own."""
        return sum(bool(record.meta["draft"]) for record in self.records)

    @property
    def types(self) -> dict[str, int]:
        """How many records there are of each type, the commonest first."""
        return dict(Counter(record.type for record in self.records).most_common())

    @property
    def mean_confidence(self) -> float:
        """Mean over the records of the least certain of what was inferred."""
        values = [float(record.meta["confidence"]) for record in self.records]
        return sum(values) / len(values)


def draft_records(
    path: str | Path,
    *,
    author: str,
    year: int,
    solutions: str | Path | None = None,
    threshold: float = DEFAULT_THRESHOLD,
) -> Drafts:
    """Read a problem set with its solutions.

    Parameters
    ----------
    path
        LaTeX, or the Markdown with formulas that OCR tools write.
    solutions
        A second file with the solutions, numbered as the problems are.
    threshold
        What is inferred with a confidence below it goes to the to-do list, 0 to 1.

    Raises
    ------
    TaskError
        The file cannot be read, is too large, or holds no problem that can be recognised.
    UsageError
        ``author`` cannot stand in an identifier, or ``threshold`` is outside of 0 to 1.
    """
    name = re.sub(r"[\s_]+", "-", author.strip())
    if not re.fullmatch(r"[^\W_][\w.'-]*", name):
        raise UsageError(f"--author '{author}': give a family name, such as Lee")
    if not 0 <= threshold <= 1:
        raise UsageError(f"--threshold {threshold}: give a number from 0 to 1")
    path = Path(path)
    todo = TodoList()
    statements, marks, region = _read(path, todo)
    found = outline(statements.source.text, marks, region)
    if not found.problems:
        raise TaskError(
            f"{path}: no problem was found; number them, for example "
            r"\section*{Problem 1}, \question, \item in enumerate, or '1.' at the start of a line"
        )
    _note_outside(found, statements, todo)
    answers = statements
    if solutions is not None:
        answers, solution_marks, solution_region = _read(Path(solutions), todo)
        _check_no_solutions(found.problems, path)
        problems = found.problems
        outline(answers.source.text, solution_marks, solution_region, problems)
    drafter = Drafter(name, year, path.name, statements, answers, threshold)
    records: list[Record] = []
    for problem in found.problems:
        made, items = drafter.records_of(problem)
        records += made
        todo.items += items
    return Drafts(tuple(records), tuple(todo.items), len(found.problems))


def _read(path: Path, todo: TodoList) -> tuple[Text, list[Mark], Region]:
    source = read_source(path, todo)
    expanded = expand(source, todo)
    source = expanded.source
    markdown = is_markdown(source.text) or path.suffix in {".md", ".mmd"}
    ocr = markdown or ("\\documentclass" not in source.text and "\\(" in source.text)
    source = strip_pages(source, todo, ocr=ocr)
    text = source.text
    begin = re.search(r"\\begin\{document\}", text)
    region = (begin.end() if begin else 0, len(text))
    used = frozenset(match[2] for match in REFERENCE.finditer(text))
    marks = find_marks(text, expanded.theorem_titles)
    return Text(source, find_targets(text), used, markdown), marks, region


def _check_no_solutions(problems: list[Node], path: Path) -> None:
    for problem in problems:
        if problem.solved or any(part.solved for part in problem.parts):
            raise UsageError(
                f"{path}: problem {problem.label} has a solution in this file already; "
                "leave out --solutions"
            )


def _note_outside(found: Outline, text: Text, todo: TodoList) -> None:
    for start, end in found.outside:
        passage = _TITLE_WORDS.sub(" ", text.source.text[start:end])
        if len(_WORDS.findall(passage)) > FEW_WORDS:
            lead = len(text.source.text[start:end]) - len(text.source.text[start:end].lstrip())
            shown = " ".join(passage.split())[:60]
            message = f"text outside of all problems was left out: '{shown} ...'"
            todo.note(text.source.place(start + lead), "text", message)
