r"""The final answer out of a model's prose.

What counts, in this order: JSON with an ``answer``, whatever is boxed or marked as final, and
without such a mark the last line, display or sentence that holds a formula or number. Marks are
all collected; when several disagree the grade is decided by comparing each of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ecliptic.grading.cleaning import clean, letters
from ecliptic.grading.formulas import last_formulas
from ecliptic.grading.pieces import strip_delimiters, unwrap_text
from ecliptic.grading.rules import DEFAULT_RULES, Rules

MAX_ANSWER_CHARACTERS = 20_000
_BOX = re.compile(r"\\(?:boxed|fbox)(?![A-Za-z])\s*")
_TAG = re.compile(r"<(final_answer|answer|final)>(.{0,4000}?)</\1>", re.DOTALL | re.I)
MAX_PARTS = 6
"""Lines of an answer that may be the parts of one."""
MAX_MARKS = 40
"""Marks of a final answer that are looked at, counted from the end."""
_MARK = re.compile(
    r"(?:^|(?<=[\n.!?;]))[#>*_ \t]{0,12}"
    r"(?:(?:the|my|our)\s+)?(?:final\s+(?:answer|result)|answer|ans\.?)"
    r"(?: ?\([^()\n]{0,40}\))?[*_ \t]{0,8}(?:(?:is\b ?:?|[:=])[*_ \t]{0,8}|(?=\n))",
    re.I,
)
_SENTENCE_MARK = re.compile(
    r"\b(?:the|my|our)\s+(?:final\s+|correct\s+)?answer\s+is\b\s*:?\s*|^[ \t]*####[ \t]*",
    re.I | re.M,
)
_CORRECTION = re.compile(
    r"\b(?:wait|on reflection|reconsider\w*|correct(?:ion|ing|ed)|mistake\w*|actually|instead|"
    r"revis\w+|rather|oops|sorry|should be|let me re\w*|scratch that|error|wrong)\b",
    re.I,
)
_REFUSAL = re.compile(
    r"(?:i\s+)?(?:do\s+not|don'?t|cannot|can'?t|could\s+not|am\s+unable\s+to)\s+"
    r"(?:know|determine|say|tell|answer|solve)\b.{0,80}|unknown|n/?a|no\s+answer|none|\?+|-+|"
    r"(?:the\s+)?(?:correct\s+|final\s+|right\s+)?answer",
    re.I | re.S,
)
_RESTATED = re.compile(
    r",?\s*(?:i\.\s?e\.|that is(?=,)|or,? equivalently|equivalently|in other words),?\s+", re.I
)
_KEYS = ("answer", "final_answer", "final answer", "final", "result", "solution")


@dataclass(frozen=True, slots=True)
class Extraction:
    """What the grader takes for the answer.

    Attributes
    ----------
    text
        The answer; empty when there is none.
    how
        Where it was found, such as ``boxed`` or ``last formula``.
    readings
        The same answer cut out less or more tightly, ``text`` first: for a parser to try in turn.
    alternatives
        All different answers that were marked as final, in order; more than one is a hedge unless
        they agree.
    notes
        What was removed or not looked at, for the verdict.
    rules
        Contested rules that chose.
    data
        The value, where the answer is JSON.
    oversized
        The answer cannot be told because too much of the text was not looked at.
    """

    text: str
    how: str
    readings: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    data: Any = None
    oversized: bool = False
    together: str = ""
    """All short lines of an unmarked answer as one: the parts may stand on a line each."""


@dataclass(frozen=True, slots=True)
class _Found:
    """One marked answer: where it begins and ends in the text."""

    start: int
    end: int
    text: str
    how: str


def extract(
    answer: object,
    *,
    kind: str = "symbolic",
    question: str = "",
    hint: str = "",
    rules: Rules = DEFAULT_RULES,
) -> Extraction:
    """The final answer of ``answer`` (text, or an object that JSON can say)."""
    if answer is None:
        return Extraction("", "nothing was handed in")
    if isinstance(answer, bytes):
        answer = answer.decode("utf-8", errors="replace")
    if not isinstance(answer, str):
        return _from_data(answer, kind, "value", ())
    cleaned = clean(answer, known=(question, hint))
    text = cleaned.text
    notes = cleaned.notes
    if not text:
        return Extraction("", "nothing is left", notes=notes)
    data = _read_json(text, whole=kind == "structured")
    if data is not None:
        return _from_data(data, kind, "JSON", notes)
    if kind == "structured":
        return Extraction(text, "whole text", (text,), notes=notes)
    if _REFUSAL.fullmatch(text.strip(" .!*_\n")):
        return Extraction("", "no answer is given", notes=notes)
    found = _marked(text)
    if found:
        return _from_marks(text, found, kind, rules, notes)
    if cleaned.cut:
        return Extraction("", "no marked answer", notes=notes, oversized=True)
    return _unmarked(text, kind, "", notes)


def _read_json(text: str, *, whole: bool) -> Any:
    """JSON that the text is, or that it ends in and that names an answer."""
    if text[:1] in "{[" and text[-1:] in "}]":
        value = _loads(text)
        if isinstance(value, dict | list) and (whole or isinstance(value, dict)):
            return value
    if not whole and '"' not in text:
        return None
    end = text.rfind("}")
    start = text.rfind("{", 0, end)
    for _ in range(20):  # outwards from the last object
        if start < 0:
            return None
        value = _loads(text[start : end + 1])
        if isinstance(value, dict) and (whole or any(key in value for key in _KEYS)):
            return value
        start = text.rfind("{", 0, start)
    return None


def _loads(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None


def _refuse(name: str) -> None:
    raise ValueError(name)


def _from_data(data: Any, kind: str, how: str, notes: tuple[str, ...]) -> Extraction:
    if isinstance(data, Mapping):
        for key in _KEYS:
            if key in data and (kind != "structured" or len(data) == 1):
                inner = _from_data(data[key], kind, f"{how} field '{key}'", notes)
                unit = data.get("unit") or data.get("units")
                if kind != "structured" and isinstance(unit, str) and unit not in inner.text:
                    text = f"{inner.text} {unit}"
                    return Extraction(text, inner.how, (text,), notes=notes, data=inner.data)
                return inner
        if kind != "structured" and "value" in data:
            text = f"{_plain(data['value'])} {_plain(data.get('unit') or data.get('units') or '')}"
            return Extraction(text.strip(), how, (text.strip(),), notes=notes, data=data)
    text = _plain(data)
    if isinstance(data, str) and kind != "structured":
        inner = extract(data, kind=kind)
        return Extraction(
            inner.text, how, inner.readings, inner.alternatives, (*notes, *inner.notes)
        )
    return Extraction(text, how, (text,), notes=notes, data=data)


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return ""


def _marked(text: str) -> list[_Found]:
    found = [*_boxes(text)]
    found += [_Found(m.start(), m.end(), m[2].strip(), "answer tag") for m in _TAG.finditer(text)]
    for pattern in (_MARK, _SENTENCE_MARK):
        for match in list(pattern.finditer(text))[-MAX_MARKS:]:
            content, end = _passage(text, match.end(), sentence=pattern is _SENTENCE_MARK)
            if content.strip(" *_.:$"):
                found.append(_Found(match.start(), end, content, "marked as final"))
    found.sort(key=lambda item: (item.start, -item.end))
    outer: list[_Found] = []
    for item in found:
        inside = [other for other in outer if item.start >= other.start and item.end <= other.end]
        if not inside:
            outer.append(item)
        elif item.how == "boxed":  # a box inside a marked line is the tighter of the two
            outer[outer.index(inside[0])] = item
    return outer


def _boxes(text: str) -> list[_Found]:
    found = []
    for match in list(_BOX.finditer(text))[-MAX_MARKS:]:
        start = match.end()
        if start < len(text) and text[start] == "{":
            end = _closing_brace(text, start)
            if end > 0:
                found.append(_Found(match.start(), end + 1, text[start + 1 : end], "boxed"))
        elif start < len(text) and text[start] not in "}\n":
            found.append(_Found(match.start(), start + 1, text[start], "boxed"))
    return found


def _closing_brace(text: str, start: int) -> int:
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
        stop = re.compile(r"[.;](?:\s+(?=[A-Z])|\s*$)").search(text, begin, end)
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


def _from_marks(
    text: str, found: list[_Found], kind: str, rules: Rules, notes: tuple[str, ...]
) -> Extraction:
    used: tuple[str, ...] = ()
    last = found[-1]
    distinct: dict[str, _Found] = {}
    for item in found:
        distinct.setdefault(letters(strip_delimiters(item.text)), item)
    if len(distinct) > 1 and rules.last_box_counts:
        for index in range(len(found) - 1, 0, -1):
            if _CORRECTION.search(text[found[index - 1].end : found[index].start]):
                kept = found[index:]
                distinct = {letters(strip_delimiters(item.text)): item for item in kept}
                used = ("last_box_counts",)
                break
    if not last.text.strip():
        return Extraction("", f"{last.how}, but empty", notes=notes)
    inner = _unmarked(_with_unit_behind(text, last, kind), kind, last.how, notes)
    alternatives = tuple(item.text for item in distinct.values()) if len(distinct) > 1 else ()
    readings = inner.readings
    bare = strip_delimiters(last.text)
    if bare not in readings:
        readings = (*readings, bare)
    return Extraction(
        inner.text, last.how, readings, alternatives, notes, used, oversized=inner.oversized
    )


_UNIT_BEHIND = re.compile(
    r"[\s$]*((?:\\[,;: ]|~|\s)*(?:\$?\s*(?:\\(?:mathrm|text|rm)|\\circ|\^|\\%|%|°|[A-Za-zµμÅ]))"
    r"[^\n.;,=]{0,40}?)(?:[.,;]?\s*(?:\n|$)|\$*\s*$)"
)


def _with_unit_behind(text: str, found: _Found, kind: str) -> str:
    """A boxed number with the unit that stands right behind the box."""
    if kind != "numeric" or found.how != "boxed" or re.search(r"[A-Za-z%°]", found.text):
        return found.text
    match = _UNIT_BEHIND.match(text[found.end : found.end + 80])
    if not match or len(match[1].split()) > 4:
        return found.text
    return f"{strip_delimiters(found.text)} {strip_delimiters(match[1].strip(' $'))}"


def _unmarked(text: str, kind: str, how: str, notes: tuple[str, ...]) -> Extraction:
    text = text.strip()
    if kind == "textual":
        bare = unwrap_text(strip_delimiters(text))
        return Extraction(bare, how or "whole text", (bare,), notes=notes)
    if kind == "numeric":
        text = _RESTATED.sub(" = ", text)
    readings, place = last_formulas(text, numeric=kind == "numeric")
    kept = tuple(dict.fromkeys(part[:MAX_ANSWER_CHARACTERS] for part in readings if part.strip()))
    if not kept:
        return Extraction("", how or "no formula or number", notes=notes)
    oversized = len(readings[0]) > MAX_ANSWER_CHARACTERS
    lines = [re.sub(r"^[-*•]\s+|[.,;]\s*$", "", line.strip()) for line in text.split("\n")]
    lines = [line for line in lines if line]
    few = 0 < len(lines) <= MAX_PARTS and max(map(len, lines)) <= 200
    together = ", ".join(lines) if few else ""
    return Extraction(
        kept[0], how or place, kept, notes=notes, oversized=oversized, together=together
    )
