r"""Marks of structure in a text: where problems, parts, solutions and answers are announced.

A mark is what an author or an OCR tool writes to say "here begins ...". Which of them count is
decided where they stand in order (:mod:`ecliptic.helio.ingest.outline`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ecliptic.helio.ingest.formulas import MASK, masked
from ecliptic.helio.ingest.labels import plain_label

Kind = Literal[
    "problem", "part", "subpart", "item", "list", "list end", "solution", "solution end",
    "problem end", "solutions", "answer", "heading",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Mark:
    """One announcement.

    Attributes
    ----------
    label
        Number or letter that it gives, without brackets; may be empty.
    shape
        How it is written: ``heading``, ``environment``, ``exam``, ``bold``, ``line``, ``list``.
    named
        Whether a word names it ("Problem 3", not "3.").
    after_blank
        Whether it starts a paragraph.
    detail
        Rest of a heading, the options of a list, or a second label ("3(a)" gives "a").
    """

    kind: Kind
    start: int
    end: int
    label: str = ""
    shape: str = "line"
    named: bool = False
    after_blank: bool = True
    detail: str = ""
    text_start: int = -1

    @property
    def place(self) -> int:
        """Where its first letter stands, behind spacing commands."""
        return self.start if self.text_start < 0 else self.text_start


_B = r"[ \t\x1f]*"
_NUMBER = r"\d{1,4}(?!\d)(?:[.\-]\d{1,3}(?!\d))?"
_PROBLEM_WORD = r"(?:problem|exercise|question|task|prob\.|ex\.|q\.?(?=\s?\d))"
_SOLUTION_WORD = r"(?:(?:model|worked|sample|short)\s+)?(?:solution|soln?\.?|answer|proof)s?"
_PROBLEM_HEAD = re.compile(
    rf"(?i){_PROBLEM_WORD}\s*(?:no\.?\s*)?[#~]?\s*({_NUMBER}|[A-Z](?![A-Za-z])|"
    rf"[IVX]{{1,5}}(?![A-Za-z]))"
    r"\s*[.:)\]\u2013\u2014-]*\s*(.*)",
    re.DOTALL,
)
_NUMBER_HEAD = re.compile(rf"({_NUMBER})\s*(?:[.:)]|$)\s*(.*)", re.DOTALL)
_PART_HEAD = re.compile(
    r"(?:(?i:part)\s*)?\(?([a-z]|[ivx]{1,5})\)[.:]?\s*(.*)|(?i:part)\s+\(?([a-z])\)?[.:]?\s*(.*)",
    re.DOTALL,
)
_SOLUTION_HEAD = re.compile(
    rf"(?i){_SOLUTION_WORD}(?:\s*(?:to|for|of))?(?:\s*{_PROBLEM_WORD})?\s*[#~]?"
    rf"\s*(?:({_NUMBER})(?!\d))?\s*(?:,?\s*(?:part\s*)?\(([a-z]|[ivx]{{1,4}})\))?\s*[.:)]*\s*(.*)",
    re.DOTALL,
)
_SOLUTIONS_HEAD = re.compile(
    r"(?i)(?:appendix[.:]?\s*)?(?:(?:model|worked|sample|full|brief)\s+)?(?:solutions|answers|"
    r"answer\s+key|solution\s+key)"
    r"(?:\s+(?:to|of|for)\s+(?:all\s+)?(?:the\s+)?(?:selected\s+)?(?:problems?\s+sets?.*|"
    r"problems|exercises|questions|"
    r"homework.*|assignment.*|sheet.*))?\s*[.:]?"
)
_ANSWER_WORD = r"(?:(?:the\s+)?(?:final\s+)?answer|final\s+result|result|ans\.?)"

_STRUCTURE = re.compile(
    r"\\(?P<be>begin|end)\s*\{(?P<env>[A-Za-z]+)\*?\}(?:\s?\[(?P<opt>[^\]\n]{0,200})\])?"
    r"|\\item(?![A-Za-z])[ \t]*(?:\[(?P<item>[^\]\n]{0,60})\])?"
    r"|\\(?P<exam>question|titledquestion|bonusquestion|part|bonuspart|subpart|"
    r"subsubpart)(?![A-Za-z])"
    r"(?:\s?\[[^\]\n]{0,40}\])?"
    r"|\\(?P<sec>(?:sub){0,2}section|(?:sub)?paragraph|chapter)\*?\s*\{"
    r"(?P<title>(?:[^{}\n]|\n(?![ \t]*\n)|\{[^{}]{0,200}\}){0,300})\}"
)
_LISTS = frozenset({"enumerate", "itemize", "description", "compactenum", "tasks", "inparaenum"})
_EXAM_LISTS = frozenset({"questions", "parts", "subparts", "subsubparts"})
_PROBLEMS_LIST = "problem problems prob exercise exercises exer exo question homeworkproblem task"
_PROBLEMS = frozenset(_PROBLEMS_LIST.split())
_SOLUTIONS_LIST = "solution solutions sol soln answer ans solutionordottedlines solutionbox"
_SOLUTIONS = frozenset(_SOLUTIONS_LIST.split())

_LEAD = (
    r"(?:\\(?:noindent|medskip|bigskip|smallskip|newpage|clearpage|pagebreak|indent|par|hfill|"
    r"vskip\s*[\d.]+\s*[a-z]{2}|vspace\*?\{[^{}\n]*\})(?![A-Za-z])[ \t\x1f\n]*)*"
)
_OPEN = (
    r"(?P<open>\{\s*\\(?:bf|it|sc|sl|em|bfseries|itshape|scshape|large|"
    r"Large)(?:\s*\\[a-z]+)?(?![A-Za-z])\s*|"
    r"\\(?:textbf|textit|textsc|underline|emph|uline|textsf)\s*\{(?:\s*\\[a-z]+\s*\{)?\s*|"
    r"\*{1,3}|_{2}|#{1,6}[ ]+(?:\*\*)?)?"
)
_LINE = re.compile(
    rf"^{_B}{_LEAD}{_B}{_OPEN}(?P<body>"
    rf"(?P<problem>(?i:{_PROBLEM_WORD})\s*[#~]?\s*(?:{_NUMBER}|[A-Z]|"
    rf"[IVX]{{1,5}})(?![A-Za-z\d])(?P<after>\s*[.:)]|(?=\s*[*}}(\n\u2013-])|(?=$)))"
    rf"|(?P<solution>(?i:{_SOLUTION_WORD})(?:\s+(?:to|for|"
    rf"of))?(?:\s*(?i:{_PROBLEM_WORD}))?\s?[#~]?(?:\s?{_NUMBER}(?!\d))?(?:\s?(?:part\s?)?\([a-z]{{1,4}}\))?"
    r"(?=\s*[.:)*}\n\u2013]|$))"
    rf"|(?P<answer>(?i:{_ANSWER_WORD})(?=\s*[:.*}}]))"
    r"|(?P<part>(?:(?i:part)\s*)?\((?:[a-z]|[ivx]{1,5})\)|[a-h]\)|"
    r"(?i:part)\s+\(?[a-z]\)?(?=\s*[.:*}]))"
    rf"|(?P<number>{_NUMBER}[.)](?=[\s*}}]|$))"
    r")",
    re.MULTILINE,
)
_TAIL = re.compile(
    r"[ \t]*(?:[.:)\u2013]|\*{1,3}|__|\}{1,2}|[ \t]|\((?:\d+\s*(?:points?|pts?|"
    r"marks?)\.?)\)){0,10}",
    re.I,
)
_SENTENCE_END = re.compile(r"[.:;?!)}\]*\x04]\s*$")


def find_marks(text: str, theorem_titles: dict[str, str]) -> list[Mark]:
    """All marks of a text in order; formulas are not looked into."""
    hidden = masked(text)
    problems = _PROBLEMS | {k for k, v in theorem_titles.items() if _is(_PROBLEM_WORD, v)}
    solutions = _SOLUTIONS | {k for k, v in theorem_titles.items() if _is(_SOLUTION_WORD, v)}
    exam = re.search(r"\\question(?![A-Za-z])|\\begin\{(?:questions|parts)\}", hidden) is not None
    found = list(_structure(hidden, problems, solutions, exam=exam))
    taken = {(mark.start, mark.end) for mark in found}
    found += [mark for mark in _lines(hidden, text) if (mark.start, mark.end) not in taken]
    found += [
        Mark("answer" if match[1][0] in "Aa" else "solution", *match.span(), shape="bold")
        for match in _INLINE_SOLUTION.finditer(hidden)
    ]
    found += [
        Mark("part", match.start(1), match.end(), match[2], "inline", after_blank=False)
        for match in _INLINE_PART.finditer(hidden)
    ]
    found += [part for mark in found if (part := _part_behind(mark, hidden)) is not None]
    found.sort(key=lambda mark: (mark.start, -mark.end))
    kept: list[Mark] = []
    for mark in found:
        if not kept or mark.start >= kept[-1].end:
            kept.append(mark)
    return kept


_INLINE_SOLUTION = re.compile(
    r"(?:\\(?:textbf|textit|textsc|emph|underline)\s*\{|\{\s*\\(?:bf|it|sc|em|bfseries|"
    r"itshape)\s+)\s*"
    r"((?i:solution|sol\.|answer|proof))\s*[.:]?\s*\}\s*[.:]?"
)
_INLINE_PART = re.compile(r"(?<=[.?!])[ \t]+(\(([b-z]|[ivx]{2,5})\))(?=\s)")
_PART_BEHIND = re.compile(
    r"\s*(?:\\textbf\{|\{\\bf\s|\*\*)?(\((?:[a-z]|[ivx]{1,5})\))(?:\}|\*\*)?(?=\s)"
)


def _part_behind(mark: Mark, text: str) -> Mark | None:
    """A part's label right behind another mark: ``Solution. (a) ...``."""
    if mark.kind not in ("problem", "solution", "item"):
        return None
    match = _PART_BEHIND.match(text, mark.end)
    if match is None:
        return None
    return Mark("part", match.start(1), match.end(), plain_label(match[1]), "line")


def _is(words: str, title: str) -> bool:
    return re.match(rf"(?i){words}", title.strip()) is not None


def _structure(
    text: str, problems: frozenset[str], solutions: frozenset[str], *, exam: bool
) -> Iterator[Mark]:
    for match in _STRUCTURE.finditer(text):
        start, end = match.span()
        if name := match["env"]:
            begins = match["be"] == "begin"
            lower = name.lower()
            if name in _LISTS or name in _EXAM_LISTS:
                shape = "exam" if name in _EXAM_LISTS else name
                options = match["opt"] or ""
                yield Mark(
                    "list" if begins else "list end", start, end, shape=shape, detail=options
                )
            elif lower in solutions or name in solutions:
                yield Mark(
                    "solution" if begins else "solution end", start, end, shape="environment"
                )
            elif lower in problems or name in problems:
                option = (match["opt"] or "").strip()
                number = re.fullmatch(rf"(?i)(?:{_PROBLEM_WORD})?\s*({_NUMBER})\.?", option)
                label = number[1] if number else ""
                detail = "" if number else option
                kind: Kind = "problem" if begins else "problem end"
                yield Mark(kind, start, end, label, "environment", named=True, detail=detail)
        elif word := match["exam"]:
            if not exam or (word == "part" and text[end : end + 1] == "{"):
                continue
            if word == "titledquestion":
                title = re.compile(r"\s*\{([^{}\n]{0,200})\}").match(text, end)
                yield Mark(
                    "problem", start, title.end() if title else end, "", "exam", named=True,
                    detail=title[1] if title else "",
                )  # fmt: skip
                continue
            kind = "problem" if "question" in word else "subpart" if "sub" in word else "part"
            yield Mark(kind, start, end, "", "exam", named=True)
        elif match["sec"]:
            yield _heading(match["title"], start, end)
        else:
            label = match["item"]
            yield Mark("item", start, end, plain_label(label or ""), "list", detail=label or "")


def _heading(title: str, start: int, end: int) -> Mark:
    """What a heading announces."""
    bare = re.sub(r"\\[a-z]+\*?(?![A-Za-z])|[{}*_]", " ", title)
    bare = re.sub(r"\s+", " ", bare).strip()
    if _SOLUTIONS_HEAD.fullmatch(bare):
        return Mark("solutions", start, end, shape="heading", detail=bare)
    if match := _PROBLEM_HEAD.fullmatch(bare):
        return Mark("problem", start, end, match[1], "heading", named=True, detail=match[2].strip())
    if match := _SOLUTION_HEAD.fullmatch(bare):
        if match[3].strip() and not match[1]:
            return Mark("heading", start, end, shape="heading", detail=bare)
        return Mark("solution", start, end, match[1] or "", "heading", detail=match[2] or "")
    if match := _PART_HEAD.fullmatch(bare):
        label, rest = (match[1], match[2]) if match[1] else (match[3], match[4])
        return Mark("part", start, end, label.lower(), "heading", named=True, detail=rest.strip())
    if match := _NUMBER_HEAD.fullmatch(bare):
        return Mark("problem", start, end, match[1], "heading", detail=match[2].strip())
    return Mark("heading", start, end, shape="heading", detail=bare)


def _lines(text: str, raw: str) -> Iterator[Mark]:
    for match in _LINE.finditer(text):
        opening = (match["open"] or "").strip()
        start, at = match.start(), match.start("body")
        if opening.startswith("#"):
            line_end = text.find("\n", match.start("body"))
            line_end = len(text) if line_end < 0 else line_end
            yield _heading(raw[match.start("body") : line_end], start, line_end)
            continue
        shape = "bold" if opening else "line"
        before = text[max(0, start - 200) : start]
        blank = not before.strip() or re.search(r"\n[ \t\x1f]*\n[\s]*$", before) is not None
        blank = (
            blank
            or re.search(r"(?:\\\\|\\par|\\(?:med|big|small)skip|\\end\{\w+\*?\})\s*$", before)
            is not None
        )
        blank = blank or re.search(r"(?:^|\n)\\[A-Za-z]+[^\n]*\}\s*$", before) is not None
        blank = (
            blank
            or re.search(r"^\s*\\(?:par|medskip|bigskip|smallskip|noindent)", match[0]) is not None
        )
        if not blank and not opening and not _SENTENCE_END.search(before):
            continue  # a broken line of running text
        body_end = match.end("body")
        tail = _TAIL.match(text, body_end)
        end = tail.end() if tail else body_end
        if (
            opening
            and (line := _bold_rest(text, body_end, opening)) is not None
            and match["problem"]
        ):
            detail, end = line
        else:
            detail = ""
        if match["problem"]:
            head = _PROBLEM_HEAD.fullmatch(match["problem"])
            label = head[1] if head else ""
            yield Mark(
                "problem",
                start,
                end,
                label,
                shape,
                named=True,
                after_blank=blank,
                detail=detail,
                text_start=at,
            )
        elif match["solution"] is not None:
            words = match["solution"]
            section = _SOLUTIONS_HEAD.fullmatch(words.strip())
            if section and (opening or not text[body_end : body_end + 1].strip()):
                yield Mark("solutions", start, end, shape=shape, after_blank=blank, text_start=at)
                continue
            if re.match(r"(?i)answer", words) and not re.search(r"\d|\(", words):
                yield Mark("answer", start, end, shape=shape, after_blank=blank, text_start=at)
                continue
            head = _SOLUTION_HEAD.fullmatch(words)
            label, part = (head[1] or "", head[2] or "") if head else ("", "")
            yield Mark(
                "solution", start, end, label, shape, after_blank=blank, detail=part, text_start=at
            )
        elif match["answer"]:
            yield Mark("answer", start, end, shape=shape, after_blank=blank, text_start=at)
        elif match["part"]:
            label = plain_label(match["part"]).lower()
            yield Mark("part", start, end, label, shape, after_blank=blank, text_start=at)
        elif match["number"]:
            yield Mark(
                "problem",
                start,
                end,
                match["number"].rstrip(".)"),
                shape,
                after_blank=blank,
                text_start=at,
            )


def _bold_rest(text: str, start: int, opening: str) -> tuple[str, int] | None:
    """Rest of an emphasised line and where it ends: the title of a problem."""
    closing = {"*": opening, "_": opening}.get(opening[0], "}")
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    end = text.find(closing, start, line_end)
    if end < 0 or MASK in text[start:end]:
        return None
    title = text[start:end].strip(" .:)\u2013-")
    tail = _TAIL.match(text, end)
    return title, tail.end() if tail else end
