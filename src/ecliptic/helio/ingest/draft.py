"""A node of the outline becomes a draft record, with a confidence and what a human must look at."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ecliptic.grading.reading import infer_type
from ecliptic.helio.ingest.asked import Asked, read_asked
from ecliptic.helio.ingest.finals import Final, find_final, is_prose
from ecliptic.helio.ingest.groups import unbalanced
from ecliptic.helio.ingest.guidance import infer_hint
from ecliptic.helio.ingest.nodes import Node, Region
from ecliptic.helio.ingest.references import Target
from ecliptic.helio.ingest.source import Source, count_breaks
from ecliptic.helio.ingest.steps import split_steps
from ecliptic.helio.ingest.tidy import finished, tidy
from ecliptic.helio.ingest.todo import Item, Place
from ecliptic.helio.records import Record

DEFAULT_THRESHOLD = 0.75
MAX_PASSAGE = 60_000
"""Characters of one question or solution; what is longer is a mistake of structure."""
MAX_PARAGRAPHS = 100


@dataclass
class Text:
    """A source ready to be cut: its labels, which of them are used, and its kind."""

    source: Source
    targets: dict[str, Target]
    used: frozenset[str]
    markdown: bool


@dataclass
class Passage:
    """Regions tidied and put together, with the place where they begin."""

    text: str
    place: Place
    items: list[Item] = field(default_factory=list)


class Drafter:
    """Makes the records of one problem set.

    Parameters
    ----------
    statements, solutions
        The text of the questions and that of the solutions, which may be the same.
    """

    def __init__(
        self, author: str, year: int, source_file: str, statements: Text, solutions: Text,
        threshold: float,
    ) -> None:  # fmt: skip
        self._author, self._year, self._file = author, year, source_file
        self._statements, self._solutions = statements, solutions
        self._threshold = threshold

    def records_of(self, problem: Node) -> tuple[list[Record], list[Item]]:
        """Records of a problem's parts (of itself without any), and their to-do items."""
        stem = self._passage(problem.statement, problem, self._statements, problem.start)
        if not problem.parts:
            record, own = self._record((problem,), [], stem, [])
            return [record], own
        records: list[Record] = []
        items: list[Item] = []
        preamble = [finished(stem.text)] if stem.text.strip() else []
        inherited = stem.items
        if problem.solution:
            inherited = [*inherited, *self._undivided(problem)]
        last = problem.parts[-1]
        if (
            not problem.solution
            and last.solution
            and not any(part.solution or part.parts for part in problem.parts[:-1])
            and len(problem.parts) > 1
        ):
            message = "the earlier parts have no solution: is this one for all of them?"
            last.doubt(0.5, last.solution_start, "solution", message)
        for part in problem.parts:
            name = f"({part.label})"
            text = self._passage(part.statement, problem, self._statements, part.start)
            if not part.parts:
                record, noted = self._record((problem, part), preamble, text, inherited)
                records.append(record)
                items += noted
                preamble = [*preamble, f"{name} {record.question} Answer: {record.final}".strip()]
                inherited = []
                continue
            if text.text.strip():
                preamble = [*preamble, f"{name} {finished(text.text)}"]
            inherited = [*inherited, *text.items]
            for subpart in part.parts:
                text = self._passage(subpart.statement, problem, self._statements, subpart.start)
                record, noted = self._record((problem, part, subpart), preamble, text, inherited)
                records.append(record)
                items += noted
                shown = f"{name}({subpart.label}) {record.question} Answer: {record.final}"
                preamble = [*preamble, shown.strip()]
                inherited = []
        return records, items

    def _undivided(self, problem: Node) -> list[Item]:
        """A solution of the whole problem where its parts should have one each."""
        last = problem.parts[-1]
        place = self._solutions.source.place(problem.solution_start)
        if any(part.solution or any(p.solution for p in part.parts) for part in problem.parts):
            message = "text before the first part of the solution was left out"
            words = "".join(self._solutions.source.text[a:b] for a, b in problem.solution)
            return [Item(place, "solution", message)] if re.search(r"\w{3}", words) else []
        message = "the solution is not divided into parts; all of it was given to the last one"
        target = last.parts[-1] if last.parts else last
        target.solution, target.solution_start = problem.solution, problem.solution_start
        target.answer_at = problem.answer_at
        target.doubt(0.4, problem.solution_start, "solution", "this solution is that of all parts")
        return [Item(place, "solution", message)]

    def _record(
        self, path: tuple[Node, ...], preamble: list[str], question: Passage, inherited: list[Item]
    ) -> tuple[Record, list[Item]]:
        problem, node = path[0], path[-1]
        sub_id = "_".join(step.label for step in path[1:])
        number = problem.label
        record_id = f"{self._year}_{self._author}_{number.replace('.', '-')}"
        record_id += f"_{sub_id}" if sub_id else ""
        items = [*inherited, *question.items]
        place = self._statements.source.place(node.start)

        def note(where: Place, kind: str, message: str) -> None:
            items.append(Item(where, kind, message))

        question_text = finished(question.text)
        question_certainty = node.certainty
        solution = self._solution_passage(node, problem)
        for at, kind, message in [*node.notes, *(problem.notes if node is not problem else [])]:
            text = self._solutions if kind == "solution" else self._statements
            note(text.source.place(at), kind, message)
        if not node.solved and not solution.text.strip():
            split = _guess_solution(question.text)
            if split is not None:
                question_text, rest, lines = split
                where = Place(question.place.file, question.place.line + lines)
                note(
                    where,
                    "question",
                    "no mark says where the question ends; this was taken for the solution",
                )
                solution = Passage(rest, where)
                question_certainty = min(question_certainty, 0.4)
        if not question_text:
            note(place, "question", "no text of the question was found")
            question_certainty = 0.0
        items += solution.items
        asked = read_asked(question_text)
        answers = self._answers(node, problem)
        steps = split_steps(solution.text)
        if not steps:
            where = solution.place if node.solved else place
            note(
                where,
                "solution",
                "the solution is empty" if node.solved else "no solution was found",
            )
            final = Final("", "nothing", 0.0, 0)
        else:
            final = find_final(solution.text, answers, asked)
            self._check_final(final, solution.place, note)
        kind, kind_certainty = self._type(final, asked, solution.place, note)
        hint = ""
        if final.text:
            unit_certainty = self._check_unit(final, kind, asked, solution.place, note)
            hint, lacking = infer_hint(kind, final.text)
            if lacking:
                note(_line(solution.place, final.line), "hint", lacking)
        else:
            unit_certainty = 0.0
        step_texts = [step.text for step in steps]
        for what, where, texts in (
            ("question", question.place, [question_text]),
            ("step", solution.place, step_texts),
            ("final", _line(solution.place, final.line), [final.text]),
        ):
            fault = next((fault for fault in map(unbalanced, texts) if fault), "")
            if fault:
                note(where, "latex", f"the {what} is no balanced LaTeX: {fault}")
        certainties = {
            "question": round(question_certainty, 2),
            "final": round(final.confidence, 2),
            "type": round(kind_certainty, 2),
            "unit": round(unit_certainty, 2),
        }
        if question_certainty < self._threshold and not any(
            item.kind in ("question", "number", "latex", "solution") for item in items
        ):
            note(place, "question", "unsure where this question begins and ends")
        items.sort(key=lambda item: (item.place.file != place.file, item.place.line))
        items = [Item(item.place, item.kind, item.message, record_id) for item in _once(items)]
        meta: dict[str, object] = {
            "author": self._author,
            "year": self._year,
            "source_file": place.file,
            "source_line": place.line,
        }
        if problem.title:
            meta["title"] = finished(problem.title)
        meta |= {
            "confidence": min(certainties.values()),
            "confidences": certainties,
            "final_from": final.how,
            "draft": bool(items),
            "todo": [str(item) for item in items],
        }
        record = Record(
            id=record_id,
            q_id=int(number) if number.isdecimal() else None,
            sub_id=sub_id,
            preamble=tuple(preamble),
            question=question_text,
            hint=hint,
            step=tuple(step_texts),
            final=final.text,
            type=kind,
            meta=meta,
        )
        return record, items

    # Passages

    def _passage(self, regions: list[Region], problem: Node, text: Text, start: int) -> Passage:
        place = text.source.place(regions[0][0] if regions else start)
        items: list[Item] = []
        parts = [self._tidied(region, problem, text, items) for region in regions]
        joined = "\n\n".join(parts)
        return Passage(_restored(joined, text.source.verbatim), place, items)

    def _tidied(self, region: Region, problem: Node, text: Text, items: list[Item]) -> str:
        start, end = region
        if end - start > MAX_PASSAGE:
            message = (
                f"{end - start:,} characters in one piece: only the first {MAX_PASSAGE:,} were read"
            )
            items.append(Item(text.source.place(start), "text", message))
            end = start + MAX_PASSAGE

        def note(offset: int, kind: str, message: str) -> None:
            items.append(Item(text.source.place(start + offset), kind, message))

        def resolve(command: str, label: str, offset: int) -> str:
            target = text.targets.get(label)
            if target is None:
                note(offset, "reference", f"'{label}' is referred to and has no label")
                return "??"
            if target.kind in ("figure", "table"):
                note(offset, target.kind, f"the text refers to a {target.kind}")
                return target.number
            number = target.number or _number_of(target, problem)
            if not _inside(target.offset, problem):
                shown = number or label
                note(
                    offset,
                    "reference",
                    f"refers to {target.kind} {shown}, which is not in this problem",
                )
            if not number:
                return label
            word = {"cref": "equation ", "Cref": "Equation ", "autoref": "Equation "}
            prefix = word.get(command, "") if target.kind == "equation" else ""
            bracketed = target.kind == "equation" and command != "ref"
            return prefix + (f"({number})" if bracketed else number)

        def tag(label: str) -> str:
            target = text.targets.get(label)
            return target.number if target is not None and label in text.used else ""

        raw = text.source.text[start:end]
        for mention in _OTHER_PROBLEM.finditer(raw):
            if mention[1] and mention[1] != problem.label:
                note(mention.start(), "reference", f"the text refers to problem {mention[1]}")
            elif not mention[1]:
                note(mention.start(), "reference", "the text refers to another problem")
        return tidy(raw, note, resolve, tag, markdown=text.markdown)

    def _solution_passage(self, node: Node, problem: Node) -> Passage:
        start = node.solution_start if node.solution_start >= 0 else node.start
        return self._passage(node.solution, problem, self._solutions, start)

    def _answers(self, node: Node, problem: Node) -> list[str]:
        found = []
        for at in node.answer_at:
            region = next(((a, b) for a, b in node.solution if a <= at < b or at == a), None)
            if region is not None:
                found.append(self._tidied((at, region[1]), problem, self._solutions, []))
        return found

    # Checks

    def _check_final(
        self, final: Final, place: Place, note: Callable[[Place, str, str], None]
    ) -> None:
        where = _line(place, final.line)
        if not final.text:
            note(where, "final", "no final answer was found in this solution")
        elif final.others:
            shown = "; ".join(final.others[:3])
            note(where, "final", f"taken: {final.text} ({final.how}); also possible: {shown}")
        elif final.confidence < self._threshold:
            note(where, "final", f"unsure: {final.text} ({final.how})")

    def _type(
        self, final: Final, asked: Asked, place: Place, note: Callable[[Place, str, str], None]
    ) -> tuple[str, float]:
        if not final.text:
            return asked.types[0] if asked.types else "textual", 0.0
        kind = infer_type(final.text)
        if is_prose(final.text) or final.how in ("whole solution", "concluding words"):
            kind = "textual"
        if not asked.types:
            certainty = 0.85
        elif kind in asked.types:
            certainty = 0.95 if kind == asked.types[0] else 0.85
        else:
            certainty = 0.6
            wanted = " or ".join(asked.types)
            message = f"the answer looks {kind}, the question seems to ask for a {wanted} one"
            note(_line(place, final.line), "type", message)
        return kind, certainty

    def _check_unit(
        self, final: Final, kind: str, asked: Asked, place: Place,
        note: Callable[[Place, str, str], None],
    ) -> float:  # fmt: skip
        if kind != "numeric":
            return 1.0
        from ecliptic.grading.parse_failure import ParseFailure
        from ecliptic.grading.quantities import read_quantities

        where = _line(place, final.line)
        try:
            unit = read_quantities(final.text).quantities[-1].unit
        except ParseFailure:
            note(where, "unit", f"the unit of {final.text} cannot be read")
            return 0.3
        if unit is not None:
            return 0.95
        if asked.unit:
            note(where, "unit", f"the answer has no unit; the question names {asked.unit}")
            return 0.3
        if asked.pure:
            return 0.9
        note(where, "unit", f"{final.text} has no unit: a pure number?")
        return 0.6


def _once(items: list[Item]) -> list[Item]:
    """Items without repetitions; one figure and one table a record are enough to look at."""
    seen: set[object] = set()
    kept = []
    for item in items:
        key = item.kind if item.kind in ("figure", "table") else item
        if key not in seen:
            seen.add(key)
            kept.append(item)
    return kept


def _line(place: Place, lines: int) -> Place:
    return Place(place.file, place.line + lines)


def _inside(offset: int, problem: Node) -> bool:
    nodes = [problem, *problem.parts, *(p for part in problem.parts for p in part.parts)]
    regions = [region for node in nodes for region in (*node.statement, *node.solution)]
    starts = [node.start for node in nodes]
    return any(a <= offset < b for a, b in regions) or offset in starts


def _number_of(target: Target, problem: Node) -> str:
    """Number of the problem or part whose text holds a label."""
    for node in (*problem.parts, problem):
        if any(a <= target.offset < b for a, b in node.statement):
            return f"({node.label})" if node.level else node.label
    return ""


_OTHER_PROBLEM = re.compile(
    r"(?i)\b(?:problem|exercise|question)s?[\s~]+(\d{1,3})\b|\b(?:previous|preceding|"
    r"last)\s+(?:problem|exercise)\b"
)
_VERBATIM = re.compile(r"\x02(\d+)\x03")


def _restored(text: str, verbatim: list[str]) -> str:
    def passage(match: re.Match[str]) -> str:
        index = int(match[1])
        return verbatim[index] if index < len(verbatim) else ""

    return _VERBATIM.sub(passage, text)


def _guess_solution(text: str) -> tuple[str, str, int] | None:
    """Question, solution and lines between their starts, where nothing marks the solution."""
    paragraphs = list(re.finditer(r"\S.*?(?=\n[ \t\x1f]*\n|\Z)", text, re.DOTALL))
    if not 2 <= len(paragraphs) <= MAX_PARAGRAPHS:
        return None
    asking = [
        index
        for index, paragraph in enumerate(paragraphs[:-1])
        if paragraph[0].rstrip().endswith("?") or read_asked(paragraph[0]).types
    ]
    last = asking[0] if asking else 0
    start = paragraphs[last + 1].start()
    return finished(text[:start]), text[start:], count_breaks(text[:start])
