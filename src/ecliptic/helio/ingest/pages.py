"""What page layout and OCR leave between the lines: page numbers, running headers, lost pages."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

from ecliptic.helio.ingest.formulas import find_formulas
from ecliptic.helio.ingest.source import BREAK, SOFT, Source, substitute
from ecliptic.helio.ingest.todo import TodoList

_PAGE = re.compile(
    r"(?:[-\u2013\u2014]\s*)?\d{1,3}(?:\s*[-\u2013\u2014])?|(?i:page)\s+\d{1,3}(?:\s*(?:of|"
    r"/)\s*\d{1,3})?|\d{1,3}\s*/\s*\d{1,3}"
)
_MISSING = re.compile(r"\[MISSING_PAGE_[A-Z]+(?::\d+)?\]")
_HYPHEN = re.compile(r"([A-Za-z]{2,})-\n[ \t]*([a-z]{2,})([^\s]{0,40})")
_NO_HEADER = re.compile(r"[\\$#*:?]|^\(?[a-z\d]{1,3}[.)]|^(?i:solution|answer|problem|exercise)")
MIN_REPEATS = 3
MAX_HEADER = 80


def strip_pages(source: Source, todo: TodoList, *, ocr: bool) -> Source:
    """The source without page numbers and running headers; each line left out is noted.

    A number alone in its paragraph is a page number, and so is one in two lines beside a running
    header; a short line that comes three times or more is a header. Only texts out of OCR are
    searched for them; words divided at a line's end are joined there too.
    """
    text = source.text

    def lost(match: re.Match[str]) -> str:
        message = "the OCR tool lost a page here: compare with the original"
        todo.note(source.place(match.start()), "text", message)
        return " "

    text = substitute(_MISSING, lost, text)
    if not ocr:
        return replace(source, text=text)
    starts = [0, *(match.end() for match in BREAK.finditer(text))]
    lines = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    bare = [line.strip() for line in lines]
    inside = _lines_in_formulas(text, starts)
    repeated = Counter(
        line for line in bare if 3 < len(line) <= MAX_HEADER and not _NO_HEADER.search(line)
    )
    headers = {line for line, count in repeated.items() if count >= MIN_REPEATS}
    junk: list[int] = []
    for index, line in enumerate(bare):
        if index in inside or not line:
            continue
        alone = all(
            not 0 <= other < len(bare) or not bare[other] or bare[other] in headers
            for other in (index - 1, index + 1)
        )
        if line in headers or (alone and _PAGE.fullmatch(line)):
            junk.append(index)
    for index in junk:
        lines[index] = SOFT if BREAK.search(lines[index]) else ""
    if junk:
        shown = ", ".join(str(source.places[index].line) for index in junk[:8])
        more = ", ..." if len(junk) > 8 else ""
        message = f"taken for page numbers or running headers and left out: lines {shown}{more}"
        todo.note(source.places[junk[0]], "text", message)
    return replace(source, text=_joined("".join(lines), source, todo))


def _lines_in_formulas(text: str, starts: list[int]) -> set[int]:
    inside: set[int] = set()
    line = 0
    for span in find_formulas(text):
        while line + 1 < len(starts) and starts[line + 1] <= span.start:
            line += 1
        last = line
        while last + 1 < len(starts) and starts[last + 1] < span.end:
            last += 1
        inside.update(range(line, last + 1))
    return inside


def _joined(text: str, source: Source, todo: TodoList) -> str:
    words = set(re.findall(r"[A-Za-z]+(?:-[A-Za-z]+)?", text))
    words |= {word.lower() for word in words}

    def join(match: re.Match[str]) -> str:
        whole, divided = match[1] + match[2], f"{match[1]}-{match[2]}"
        if divided in words:
            return divided + match[3]
        if whole.lower() not in words:
            message = f"'{match[1]}-' and '{match[2]}' of two lines were joined to '{whole}'"
            todo.note(source.place(match.start()), "text", message)
        return whole + match[3]

    return substitute(_HYPHEN, join, text)
