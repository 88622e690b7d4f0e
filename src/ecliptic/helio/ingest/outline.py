"""From marks to problems: which text states what, and which text solves it.

The marks are walked in order. A weak mark ("3." or "(a)" at the start of a line) counts only where
it comes next in its sequence; what is decided without an explicit mark is noted on the node.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from ecliptic.errors import TaskError
from ecliptic.helio.ingest.labels import following, letter, letter_value, roman, roman_value
from ecliptic.helio.ingest.marks import Mark
from ecliptic.helio.ingest.nodes import Node, Region

MAX_PROBLEMS = 2_000
MAX_PARTS = 60
"""Parts of one problem."""

MAX_LISTS = 12
"""Lists inside one another; deeper ones are text."""


@dataclass(slots=True)
class _List:
    level: int | None = None  # of its items; None: not structure
    decided: bool = False
    shape: str = "enumerate"
    options: str = ""
    count: int = 0
    in_solution: bool = False


@dataclass(slots=True)
class Outline:
    """Problems in order and the regions of text outside all of them."""

    problems: list[Node]
    outside: list[Region]


def outline(
    text: str, marks: list[Mark], region: Region, known: list[Node] | None = None
) -> Outline:
    """Problems of a region of text; with ``known`` ones, their solutions out of that region.

    Raises
    ------
    TaskError
        More problems or parts than a problem set has.
    """
    inside = [mark for mark in marks if region[0] <= mark.start < region[1]]
    return _Walk(text, inside, region, known).run()


class _Walk:
    def __init__(
        self, text: str, marks: list[Mark], region: Region, known: list[Node] | None
    ) -> None:
        self._text, self._marks, self._region = text, marks, region
        self.problems: list[Node] = [] if known is None else known
        self._outside: list[Region] = []
        self._path: list[Node] = []
        self._mode: Literal["outside", "statement", "solution", "between"] = "outside"
        self._owner: Node | None = None
        self._lists: list[_List] = []
        self._too_deep = 0
        self._by_label = False
        """Inside a solution of a whole problem, whose labels name the parts."""
        self._reference = known is not None
        """In a section or file of solutions: problems are looked up, not made."""
        self._environment_open = False
        self._strong = any(m.kind == "problem" and (m.named or m.shape == "heading") for m in marks)
        self._bold = any(m.kind == "problem" and m.shape == "bold" for m in marks)
        self._index = 0

    def run(self) -> Outline:
        at = self._region[0]
        for index, mark in enumerate(self._marks):
            self._index = index
            if not self._counts(mark):
                continue
            self._flush(at, mark.start)
            at = mark.end
            self._take(mark)
        self._flush(at, self._region[1])
        return Outline(self.problems, self._outside)

    # Where text goes

    def _flush(self, start: int, end: int) -> None:
        if not self._text[start:end].strip():
            return
        region = (start, end)
        if self._mode == "outside" or not self._path:
            self._outside.append(region)
        elif self._mode == "statement":
            if not self._reference:
                self._path[-1].statement.append(region)
        elif self._mode == "solution":
            if self._owner is not None:
                self._owner.solution.append(region)
        else:
            self._path[-1].lead.append(region)

    # Which marks count

    def _counts(self, mark: Mark) -> bool:
        if mark.kind == "problem":
            return self._problem_counts(mark)
        if mark.kind == "part":
            return self._part_counts(mark)
        if mark.kind == "answer":
            return bool(self._path) and self._mode in ("solution", "statement")
        if mark.kind == "item":
            return self._item_counts(mark)
        if mark.kind == "solution" and not mark.label:
            return bool(self._path) and not (
                self._environment_open and mark.shape in ("line", "bold")
            )
        if mark.kind == "heading" and self._mode == "solution" and self._path:
            return "aragraph" not in self._text[mark.start : mark.start + 13]
        return True

    def _problem_counts(self, mark: Mark) -> bool:
        if mark.named or mark.shape == "heading":
            return mark.shape not in ("line", "bold") or not self._in_environment(mark)
        if self._strong or any(entry.level is not None for entry in self._lists):
            return False
        if (self._bold and mark.shape == "line") or not mark.after_blank:
            return False
        if self._environment_open:
            return False
        if self._reference:
            return self._find(mark.label) is not None
        last = self.problems[-1].label if self.problems else ""
        if not last:
            return mark.label.isdecimal() and len(mark.label) <= 3  # four digits are a year
        return mark.label == following(last, as_roman=False) if last.isdecimal() else True

    def _in_environment(self, mark: Mark) -> bool:
        """Whether "Problem 3" at a line's start is a mention inside a solution's environment."""
        return self._environment_open and not self._reference

    def _part_counts(self, mark: Mark) -> bool:
        if mark.shape == "exam":
            return bool(self._path)
        if not self._path or any(
            entry.level == 1 for entry in self._lists if not entry.in_solution
        ):
            return self._subpart_counts(mark) if self._path else False
        return self._level_of_part(mark) is not None

    def _subpart_counts(self, mark: Mark) -> bool:
        return self._level_of_part(mark) == 2

    def _level_of_part(self, mark: Mark) -> int | None:
        """Level that a written label opens or, in a solution, refers to; ``None``: just text."""
        label, problem = mark.label, self._path[0]
        if mark.shape == "inline" and self._mode == "statement" and len(self._path) == 2:
            return 1 if label == following(self._path[1].label, as_roman=False) else None
        part = self._path[1] if len(self._path) > 1 else None
        if self._mode == "solution" or self._reference:
            owner_part = self._owner_part()
            if problem.part(label) is not None and self._may_solve(problem, label):
                return 1
            if owner_part is not None and owner_part.part(label) is not None:
                return 2
            if self._reference or mark.shape == "inline":
                return None
            if self._by_label:
                message = f"the solution has a part ({label}) that the question has not"
                problem.doubt(0.5, mark.start, "question", message)
                return None
            if self._environment_open:
                if label in ("a", "i") and not problem.parts and mark.after_blank:
                    message = f"the solution is divided ({label}), ... and the question is not"
                    problem.doubt(0.5, mark.start, "question", message)
                return None
        if mark.shape == "inline":
            return None
        if mark.shape == "line" and not mark.after_blank and not self._after_mark(mark.start):
            return None
        if part is not None and roman_value(label) is not None:
            last = part.parts[-1].label if part.parts else ""
            fits = label == following(last, as_roman=True)
            if fits and label != following(part.label, as_roman=False):
                return 2
        last = problem.parts[-1].label if problem.parts else ""
        expected = {following(last, as_roman=False)} if not roman_like(problem.parts) else set()
        if not problem.parts or roman_like(problem.parts):
            expected.add(following(last, as_roman=True))
        return 1 if label in expected else None

    def _after_mark(self, start: int) -> bool:
        """Whether only a sentence's end or a mark stands before."""
        before = self._text[max(0, start - 80) : start].rstrip()
        return before[-1:] in ".:;?!)}]$*" or not before

    def _owner_part(self) -> Node | None:
        if self._owner is not None and self._owner.level == 1:
            return self._owner
        return self._path[1] if len(self._path) > 1 else None

    def _may_solve(self, problem: Node, label: str) -> bool:
        """Whether ``(label)`` inside a solution begins the solution of that part."""
        part = problem.part(label)
        if part is None or (part.solved and part is not self._owner):
            return part is not None and self._reference and not part.solution
        return part is not self._owner or not part.solution

    def _item_counts(self, mark: Mark) -> bool:
        if not self._lists or self._too_deep:
            return False
        current = self._lists[-1]
        if not current.decided:
            current.decided = True
            current.level = self._level_of_list(current, mark)
        return current.level is not None

    def _level_of_list(self, current: _List, mark: Mark) -> int | None:
        labelled = letter_value(mark.label) or mark.label.isdecimal() or roman_value(mark.label)
        if current.shape in ("itemize", "description", "tasks") and not labelled:
            return None
        outer = [entry for entry in self._lists[:-1] if entry.level is not None]
        if self._mode == "solution" and self._owner is not None:
            current.in_solution = True
            problem = self._path[0]
            if (
                self._owner.level == 0
                and problem.parts
                and not any(part.solution for part in problem.parts)
            ):
                return 1
            part = self._owner
            return 2 if part.level == 1 and part.parts and not part.parts[0].solution else None
        if outer:
            level = (outer[-1].level or 0) + 1
            if self._reference:
                current.in_solution = True
                parent = self._path[-1] if self._path else None
                return level if level <= 2 and parent is not None and parent.parts else None
            return level if level <= 2 else None
        if self._path:
            level = self._path[-1].level + 1
            if self._reference:
                current.in_solution = True
                return level if level <= 2 and self._path[-1].parts else None
            return level if level <= 2 else None
        return None if self._strong else 0

    # What a mark does

    def _take(self, mark: Mark) -> None:
        kind = mark.kind
        if kind == "problem":
            self._close_environment(mark.start)
            self._open_problem(mark)
        elif kind == "part":
            level = 1 if mark.shape == "exam" or not self._path else self._level_of_part(mark)
            self._open_part(level or 1, mark)
        elif kind == "subpart":
            if len(self._path) > 1:
                self._open_part(2, mark)
        elif kind == "item":
            self._open_item(mark)
        elif kind == "list":
            if len(self._lists) >= MAX_LISTS:
                self._too_deep += 1
                return
            self._lists.append(_List(shape=mark.shape, options=mark.detail))
        elif kind == "list end":
            self._close_list(mark)
        elif kind == "solution":
            self._open_solution(mark)
        elif kind == "solution end":
            self._environment_open = False
            if self._mode == "solution":
                self._mode = "between"
                self._owner = None
        elif kind == "problem end":
            if self._mode == "statement":
                self._mode = "between"
                del self._path[1:]
        elif kind == "answer":
            self._open_answer(mark)
        elif kind == "solutions":
            self._open_solutions(mark)
        else:
            self._close_environment(mark.start)
            self._mode, self._path, self._owner = "outside", [], None

    def _close_environment(self, at: int) -> None:
        if self._environment_open and self._owner is not None:
            message = "the environment of this solution has no end; it was ended at the next mark"
            self._owner.doubt(0.6, at, "latex", message)
        self._environment_open = False

    def _find(self, label: str) -> Node | None:
        return next((problem for problem in self.problems if problem.label == label), None)

    def _open_problem(self, mark: Mark, label: str | None = None) -> None:
        label = mark.label if label is None else label
        self._owner, self._by_label = None, False
        if mark.shape != "list":
            self._lists = [entry for entry in self._lists if entry.shape == "exam"]
        if self._reference:
            self._refer(mark, label)
            return
        used = {problem.label for problem in self.problems}
        count = len(self.problems) + 1
        given = label or str(count)
        node = Node(0, given, mark.place, title=mark.detail if mark.kind == "problem" else "")
        if given in used:
            free = next(str(n) for n in range(count, count + len(used) + 1) if str(n) not in used)
            node.label = free
            node.doubt(0.6, mark.start, "number", f"the number {given} was used before; now {free}")
        if mark.shape == "line" and not mark.named:
            node.certainty = min(node.certainty, 0.85)
        self.problems.append(node)
        if len(self.problems) > MAX_PROBLEMS:
            raise TaskError(
                f"more than {MAX_PROBLEMS:,} problems were found; split the file into problem sets"
            )
        self._path, self._mode = [node], "statement"

    def _refer(self, mark: Mark, label: str) -> None:
        node = self._find(label) if label else self._next_unsolved()
        if node is None:
            self._path, self._mode = [], "outside"
            return
        self._path = [node]
        self._begin_solution(node, mark.place)

    def _next_unsolved(self) -> Node | None:
        return next(
            (p for p in self.problems if not p.solved and not any(q.solved for q in p.parts)), None
        )

    def _open_part(self, level: int, mark: Mark, label: str | None = None) -> None:
        if not self._path:
            return
        problem = self._path[0]
        parent = problem if level == 1 else (self._owner_part() or problem)
        given = mark.label if label is None else label
        if mark.shape == "exam":
            self._close_environment(mark.start)
            parent = problem if level == 1 else self._path[1]
            given = letter(len(parent.parts) + 1) if level == 1 else roman(len(parent.parts) + 1)
        existing = parent.part(given)
        solving = self._mode == "solution" or self._reference
        if existing is not None and solving and mark.shape != "exam":
            if self._reference:
                self._path = [problem, existing] if level == 1 else [problem, parent, existing]
            self._by_label = not self._reference and self._owner is not existing
            self._begin_solution(existing, mark.place)
            return
        lead = []
        if self._mode == "between":
            lead, self._path[-1].lead = self._path[-1].lead, []
        node = Node(level, given, mark.place)
        if existing is not None:
            node.label = following(parent.parts[-1].label, as_roman=level == 2)
            node.doubt(0.6, mark.start, "number", f"({given}) was used before; now ({node.label})")
        if lead:
            node.statement += lead
            message = "text between two parts was taken as the beginning of this question"
            node.doubt(0.7, lead[0][0], "question", message)
        if mark.shape in ("line", "inline") and not mark.after_blank:
            node.certainty = min(node.certainty, 0.7 if mark.shape == "inline" else 0.85)
        parent.parts.append(node)
        if len(parent.parts) > MAX_PARTS:
            raise TaskError(
                f"problem {problem.label} has more than {MAX_PARTS} parts; split it by hand"
            )
        self._path = [problem, node] if level == 1 else [problem, parent, node]
        self._mode, self._owner = "statement", None

    def _open_item(self, mark: Mark) -> None:
        current = self._lists[-1]
        current.count += 1
        level = current.level or 0
        label = self._item_label(current, mark, level)
        if level == 0:
            self._close_environment(mark.start)
            self._open_problem(mark, label)
            return
        if not self._path:
            return
        if current.in_solution:
            parent = self._path[0] if level == 1 else self._owner_part()
            target = parent.part(label) if parent else None
            if target is None and parent is not None and current.count <= len(parent.parts):
                target = parent.parts[current.count - 1]
            if target is not None:
                self._begin_solution(target, mark.place)
            return
        del self._path[level:]
        self._open_part(level, mark, label)

    def _item_label(self, current: _List, mark: Mark, level: int) -> str:
        if mark.label and (
            mark.label.isdecimal() or letter_value(mark.label.lower()) or roman_value(mark.label)
        ):
            return mark.label.lower()
        if start := re.search(r"start\s*=\s*(\d{1,3})", current.options):
            count = current.count + int(start[1]) - 1
        else:
            count = current.count
        if level == 0:
            unnumbered = len(self._lists) == 1 and not self._reference and current.count == 1
            if unnumbered and self.problems and not start:  # a list that goes on
                current.count = len(self.problems) + 1
                return str(current.count)
            return str(count)
        if "roman" in current.options or re.search(r"\bi\b", current.options) or level == 2:
            return roman(count)
        return letter(count)

    def _close_list(self, mark: Mark) -> None:
        if self._too_deep or not self._lists:
            self._too_deep = max(self._too_deep - 1, 0)
            return
        closed = self._lists.pop()
        level = closed.level
        if mark.shape == "exam":
            level = 1 if len(self._path) > 1 else 0
            self._close_environment(mark.start)
        if level is None or closed.in_solution or not self._path:
            return
        if level == 0:
            self._mode, self._path, self._owner = "outside", [], None
            return
        del self._path[level:]
        self._mode, self._owner = "between", None

    def _open_solution(self, mark: Mark) -> None:
        environment = mark.shape == "environment"
        self._by_label = False
        self._close_environment(mark.start)
        node: Node | None = None
        if mark.label:
            node = self._find(mark.label)
            if node is None and not self._path:
                return
        if node is not None:
            self._path = [node]
            if mark.detail and (part := node.part(mark.detail)):
                node = part
                self._path.append(part)
        elif mark.detail and self._path and (part := self._path[0].part(mark.detail)):
            node = part
        if node is None:
            if not self._path:
                return
            node = self._owner_part() if self._reference and self._owner else None
            node = node or self._path[-1]
            if self._solves_all():
                node = self._path[0]
                if not environment:
                    self._path = [node]
        if self._reference:
            node.solution.clear()  # what stood before repeats the question
        self._begin_solution(node, mark.place)
        self._environment_open = environment

    def _solves_all(self) -> bool:
        """Whether the solution that opens here starts again at the first part."""
        problem = self._path[0]
        if len(self._path) < 2 or any(part.solved for part in problem.parts):
            return False
        if len(problem.parts) < 2:
            return False
        for mark in self._marks[self._index + 1 :]:
            if mark.kind == "part":
                return mark.label == problem.parts[0].label
            if mark.kind == "item":
                return True
            if mark.kind not in ("list", "answer"):
                return False
        return False

    def _begin_solution(self, node: Node, at: int) -> None:
        self._mode, self._owner = "solution", node
        if node.solution_start < 0:
            node.solution_start = at

    def _open_answer(self, mark: Mark) -> None:
        node = self._owner if self._mode == "solution" and self._owner else self._path[-1]
        if self._mode != "solution":
            self._begin_solution(node, mark.place)
        node.answer_at.append(mark.end)

    def _open_solutions(self, mark: Mark) -> None:
        """A heading "Solutions": of all problems if their numbers start again, else of this one."""
        first = next(
            (
                m
                for m in self._marks[self._index + 1 :]
                if m.kind in ("problem", "solution", "list", "heading")
            ),
            None,
        )
        again = first is not None and (
            first.kind == "list"
            or first.shape in ("exam", "environment")
            or self._find(first.label) is not None
        )
        if self.problems and (again or not self._path):
            self._close_environment(mark.start)
            self._reference = True
            self._lists.clear()
            self._path, self._mode, self._owner = [], "outside", None
            self._strong = any(
                m.kind == "problem" and (m.named or m.shape == "heading")
                for m in self._marks[self._index + 1 :]
            )
        elif self._path:
            self._open_solution(mark)


def roman_like(parts: list[Node]) -> bool:
    """Whether parts are numbered i, ii, iii."""
    return bool(parts) and parts[0].label == "i"
