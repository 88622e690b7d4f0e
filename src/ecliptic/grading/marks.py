"""Where an answer is marked as final: boxes, tags, headings and sentences that say so."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ecliptic.grading.pieces import strip_delimiters

_BOX = re.compile(r"\\(?:boxed|fbox)(?![A-Za-z])\s*")
_TAG = re.compile(r"<(/?)(final_answer|answer|final)>", re.I)
_LONGEST_IN_TAG = 4000
MAX_MARKS = 40
"""Marks of a final answer that are looked at, counted from the end."""
_MARK = re.compile(
    r"(?:^|(?<=[\n.!?;]))[#>*_ \t]{0,12}"
    r"(?:(?:the|my|our)\s+)?(?:final\s+(?:answer|result)|answer|ans\.?)"
    r"(?: ?\([^()\n]{0,40}\))?[*_ \t]{0,8}(?:(?:is\b ?:?|[:=])[*_ \t]{0,8}|(?=\n))",
    re.I,
)
_NAMED = re.compile(r"ans|result|####", re.I)
"""Without it no passage is marked in words."""
_SENTENCE_MARK = re.compile(
    r"\b(?:the|my|our)\s+(?:final\s+|correct\s+)?answer\s+is\b\s*:?\s*|^[ \t]*####[ \t]*",
    re.I | re.M,
)


@dataclass(frozen=True, slots=True)
class Mark:
    """One marked answer: where it begins and ends in the text."""

    start: int
    end: int
    text: str
    how: str


def marked(text: str) -> list[Mark]:
    """Every marked answer, in order; a box inside a marked line stands for the line."""
    found = [*_boxes(text)]
    found += _tagged(text)[-MAX_MARKS:]
    named = _NAMED.search(text) is not None
    for pattern in (_MARK, _SENTENCE_MARK) if named else ():
        for match in list(pattern.finditer(text))[-MAX_MARKS:]:
            content, end = _passage(text, match.end(), sentence=pattern is _SENTENCE_MARK)
            if content.strip(" *_.:$"):
                found.append(Mark(match.start(), end, content, "marked as final"))
    found.sort(key=lambda item: (item.start, -item.end))
    outer: list[Mark] = []
    for item in found:
        inside = [other for other in outer if item.start >= other.start and item.end <= other.end]
        if not inside:
            outer.append(item)
        elif item.how == "boxed":  # a box inside a marked line is the tighter of the two
            outer[outer.index(inside[0])] = item
    return outer


def _tagged(text: str) -> list[Mark]:
    """What stands between an opening tag and the next closing one of its name."""
    if "</" not in text:
        return []
    tags = list(_TAG.finditer(text))
    ends: dict[str, re.Match[str]] = {}
    partner: dict[int, re.Match[str]] = {}
    for tag in reversed(tags):
        name = tag[2].lower()
        if tag[1]:
            ends[name] = tag
        elif name in ends and ends[name].start() - tag.end() <= _LONGEST_IN_TAG:
            partner[tag.start()] = ends[name]
    found: list[Mark] = []
    position = 0
    for tag in tags:
        end = partner.get(tag.start())
        if end is not None and tag.start() >= position:
            position = end.end()
            inner = text[tag.end() : end.start()].strip()
            found.append(Mark(tag.start(), position, inner, "answer tag"))
    return found


def _boxes(text: str) -> list[Mark]:
    found = []
    for match in list(_BOX.finditer(text))[-MAX_MARKS:]:
        start = match.end()
        if start < len(text) and text[start] == "{":
            end = closing_brace(text, start)
            if end > 0:
                found.append(Mark(match.start(), end + 1, text[start + 1 : end], "boxed"))
        elif start < len(text) and text[start] not in "}\n":
            found.append(Mark(match.start(), start + 1, text[start], "boxed"))
    return found


def closing_brace(text: str, start: int) -> int:
    """Where the brace that opens at ``start`` closes, or -1."""
    depth = 0
    index = start
    while index < len(text):
        character = text[index]
        if character == "\\":
            index += 1
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                return index
        index += 1
    return -1


def _passage(text: str, start: int, *, sentence: bool) -> tuple[str, int]:
    """The rest of the line, or the whole section when the mark is a heading."""
    begin = start
    while begin < len(text) and text[begin] in " \t*_:":
        begin += 1
    if text[begin : begin + 1] == "\n":
        section_end = text.find("\n#", begin + 1)
        end = section_end if section_end >= 0 else len(text)
        return text[begin:end].strip(), end
    paragraph_end = text.find("\n\n", begin)
    end = paragraph_end if paragraph_end >= 0 else len(text)
    line_end = text.find("\n", begin, end)
    if line_end >= 0 and not _open_at(text[begin:line_end]):
        end = line_end
    if sentence:
        stop = re.compile(r"[.;](?:\s+(?=[A-Z(])|\s*$)").search(text, begin, end)
        if stop and not _open_at(text[begin : stop.start()]):
            end = stop.start()
    return text[begin:end].strip().rstrip("*_ "), end


def _open_at(text: str) -> bool:
    """Whether a formula is still open at the end of ``text``."""
    return (
        text.count("$$") % 2 == 1
        or text.replace("$$", "").replace(r"\$", "").count("$") % 2 == 1
        or text.count(r"\[") > text.count(r"\]")
        or text.count(r"\begin{") > text.count(r"\end{")
        or text.count(r"\(") > text.count(r"\)")
        or not text.strip()
    )


_UNIT_BEHIND = re.compile(
    r"[\s$]*((?:\\[,;: ]|~|\s)*(?:\$?\s*(?:\\(?:mathrm|text|rm)|\\circ|\^|\\%|%|°|[A-Za-zµμÅ]))"
    r"[^\n.;,=]{0,40}?)(?:[.,;]?\s*(?:\n|$)|\$*\s*$)"
)


def with_unit_behind(text: str, found: Mark, kind: str) -> str:
    """A boxed number with the unit that stands right behind the box."""
    if kind != "numeric" or found.how != "boxed" or re.search(r"[A-Za-z%°]", found.text):
        return found.text
    match = _UNIT_BEHIND.match(text[found.end : found.end + 80])
    if not match or len(match[1].split()) > 4:
        return found.text
    return f"{strip_delimiters(found.text)} {strip_delimiters(match[1].strip(' $'))}"
