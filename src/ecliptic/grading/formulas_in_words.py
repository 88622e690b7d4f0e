"""What the words around formulas add to them: definitions, limiting values, bold letters."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ecliptic.grading.pieces import Piece, pieces

_BOLD = re.compile(r"\*\*([A-Za-zΑ-ω])\*\*(?!\s*[\w(\\{$.]|-)")
_OPERATES = re.compile(r"[∇×·⋅∂]|\\(?:nabla|times|cdot|partial)\b")
_WHERE = re.compile(r"[\s,;.]*(?:\((?=where))?(?:where|with|in which|here)\s*", re.I)
_AND = re.compile(r"[\s,;]*(?:and\s*)?(?:where\s*)?", re.I)
_DEFINITION = re.compile(r"[A-Za-z\\](?:[\w\\{},'⊥∥]|\s(?=\\?[_^{]))*\s*(?:=|\\equiv)(?![^=]*=)")
_TENDS = re.compile(
    r"(?:as|for|when|in the limit(?: of)?)\s+\$(?P<place>[^$=]*(?:\\to|\\rightarrow|→)[^$=]*)\$"
    r",?\s+(?:the|this|it|its|that)\b[^$=\d]{0,80}?"
    r"\b(?:tends\s+to|goes\s+to|approaches|converges\s+to|becomes|is|equals|reaches)\s+"
    r"(?P<value>\$[^$]+\$|[-+]?[\d.]*\d(?:/\d+)?)\s*\.?",
    re.I,
)


def bold_vectors(text: str) -> str:
    """Letters in Markdown's bold as vectors, where the text has operators of vectors."""
    if "**" not in text or _OPERATES.search(text) is None:
        return text
    return _BOLD.sub(r"\\mathbf{\1} ", text)


def limiting_value(text: str, *, numeric: bool) -> str:
    """The value of a whole answer such as ``As $M \\to \\infty$ the ratio tends to 4.``

    A formula keeps the place of the limit behind it.
    """
    match = _TENDS.fullmatch(text.strip())
    if not match:
        return text
    value = match["value"].strip("$")
    if numeric:
        return f"${value}$"
    return rf"${value},\quad {match['place']}$"


def with_definitions(text: str) -> str:
    """A formula with the definitions that follow "where"; empty where none do."""
    parts = [part for part in pieces(text) if part.text.strip()]
    for index, part in enumerate(parts):
        if index and part.kind == "prose" and _WHERE.fullmatch(part.text):
            return _defined(parts[index - 1], parts[index + 1 :])
    return ""


_REASON = re.compile(r"\b(?:using|since|because|with|as|where|recalling)\b[^$\\]{0,40}$", re.I)
_VACUUM = re.compile(r"\\mu_\{?0|\\(?:var)?epsilon_\{?0|(?<![A-Za-z\\_])c(?![A-Za-z])|=")
_LIGHT = r"\epsilon_0 = \frac{1}{\mu_0 c^2}"


def with_light_speed(text: str) -> str:
    """A formula with the constants of vacuum, where the text says that it used their relation.

    Empty where it does not. Not what the text writes is put in, but the relation itself.
    """
    if "\\mu_" not in text or "epsilon_" not in text:
        return ""
    parts = [part for part in pieces(text) if part.text.strip()]
    for formula, words, reason in zip(parts, parts[1:], parts[2:], strict=False):
        told = words.kind == "prose" and _REASON.search(words.text)
        found = {one[:4] for one in _VACUUM.findall(reason.text)}
        if told and len(found) == 4 and formula.kind != "prose" and reason.kind != "prose":
            return rf"{formula.text.rstrip(' ,.;')},\quad\text{{where}}\quad {_LIGHT}"
    return ""


_LABELLED_LINE = re.compile(
    r"\s*(?:[-*•]\s+|\(?(?:\d{1,2}|[a-h])[.)]\s+)?[*_]{0,2}[A-Za-z][A-Za-z' -]{1,60}"
    r":[*_]{0,2}\s+\$(?P<formula>[^$]*(?:=|\\propto|\\approx|[<>])[^$]*)\$[\s.,;]*"
)
MAX_LINES = 6


def labelled_formulas(text: str) -> str:
    """The formulas of an answer whose every line is a label and a formula; empty where not."""
    lines = [line for line in text.split("\n") if line.strip()]
    if not 2 <= len(lines) <= MAX_LINES:
        return ""
    found = [_LABELLED_LINE.fullmatch(line) for line in lines]
    return r",\quad ".join(line["formula"].strip() for line in found if line) if all(found) else ""


def paired_definitions(gold: str, defined: str) -> Iterator[tuple[str, str]]:
    """Definitions of a gold and of an answer, in pairs where both have as many.

    ``defined`` is the answer as :func:`with_definitions` gives it.
    """
    wanted, given = (
        text.partition(_AND_WHERE)[2].split(_AND_ALSO) for text in (with_definitions(gold), defined)
    )
    if wanted != [""] and len(wanted) == len(given):
        yield from zip(wanted, given, strict=True)


_AND_WHERE, _AND_ALSO = r",\quad\text{where}\quad ", r",\quad "


def _defined(formula: Piece, behind: list[Piece]) -> str:
    if formula.kind == "prose":
        return ""
    definitions: list[str] = []
    for part in behind:
        if part.kind == "prose":
            if _AND.fullmatch(part.text):
                continue
            break
        if _DEFINITION.match(part.text) is None:
            break
        definitions.append(part.text.strip(" ,.;"))
    if not definitions:
        return ""
    body = formula.text.rstrip(" ,.;")
    return body + _AND_WHERE + _AND_ALSO.join(definitions)
