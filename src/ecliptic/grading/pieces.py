r"""Running text cut into prose and formulas, and the marks around a formula taken off."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PAIRS = (("$$", "$$", True), ("$", "$", False), (r"\[", r"\]", True), (r"\(", r"\)", False))
_ENVIRONMENT = re.compile(
    r"\\begin\{(equation|align|aligned|gather|gathered|multline|eqnarray|displaymath|math)(\*?)\}"
    r"(?:\{[^{}]*\})?"
)
_OPENING = re.compile(r"\\\\|\\\$|\$\$|\$|\\\[|\\\(|" + _ENVIRONMENT.pattern)
TIE = re.compile(r"(?<!\\)~")
"""A space inside a formula; in running text ``~`` says "about"."""
_SPACES = re.compile(r"^(?:\s|\\[ ,;:!])+")
_SPACE_MACROS = frozenset((r"\ ", r"\,", r"\;", r"\:", r"\!"))
_WRAPPER = re.compile(r"\\(?:text|mathrm|textbf|mathbf|textit|textrm|rm|mbox)\s*\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text: ``prose``, ``inline`` or ``display`` (without its delimiters)."""

    kind: str
    text: str


def pieces(text: str) -> list[Piece]:
    """Prose and formulas in order; a delimiter without its partner is prose."""
    found: list[Piece] = []
    hopeless: set[str] = set()
    start = position = 0
    while match := _OPENING.search(text, position):
        opening = match[0]
        if opening in {r"\\", r"\$"}:
            position = match.end()
            continue
        if match[1]:
            closing, display = rf"\end{{{match[1]}{match[2]}}}", True
        else:
            closing, display = next((c, d) for o, c, d in _PAIRS if o == opening)
        end = -1 if closing in hopeless else _find(text, closing, match.end())
        if end < 0:
            hopeless.add(closing)
            position = match.end()
            continue
        if text[start : match.start()]:
            found.append(Piece("prose", text[start : match.start()]))
        body = text[match.end() : end]
        if formula := _tidy(body):
            found.append(Piece("display" if display else "inline", formula))
        start = position = end + len(closing)
    if text[start:]:
        found.append(Piece("prose", text[start:]))
    return found


def _find(text: str, closing: str, start: int) -> int:
    end = text.find(closing, start)
    while end > 0 and closing[0] == "$" and text[end - 1] == "\\":
        end = text.find(closing, end + 1)
    return end


def _tidy(body: str) -> str:
    """A formula without ties, and without the numbers and labels of a display."""
    if "~" in body:
        body = TIE.sub(r"\\ " if "\\" in body else " ", body)
    body = re.sub(r"\\(?:tag\*?|label|notag|nonumber)(?:\{[^{}]*\})?", " ", body)
    body = re.sub(r"\\q?quad\s*\(\s*\d+[a-z]?\s*\)\s*$", " ", body)  # an equation's number
    body = re.sub(r"\\blacksquare|\\square|\\Box|\\qed", " ", body)
    body = _SPACES.sub("", body, 1)
    end = len(body)  # by hand: a search for the last blanks begins anew at each of the others
    while end and (body[end - 2 : end] in _SPACE_MACROS or body[end - 1].isspace()):
        end -= 2 if body[end - 2 : end] in _SPACE_MACROS else 1
    return body[:end]


def strip_delimiters(text: str) -> str:
    """A text that is one formula, or one boxed or emphasised, without the marks around it."""
    for _ in range(6):
        before = text
        text = text.strip().strip("`").strip()
        for mark in ("**", "__"):
            if text.startswith(mark) and text.endswith(mark) and len(text) > 2 * len(mark):
                text = text[2:-2]
        if text[-1:] in ".,;" and not text.endswith(("\\,", "\\;", "\\.", "...", "right.")):
            text = text[:-1].rstrip()
        parts = pieces(text)
        if len(parts) == 1 and parts[0].kind != "prose":
            text = parts[0].text
        if text == before:
            break
    return text


def unwrap_text(text: str) -> str:
    """Words out of their font macros and dollar signs."""
    for _ in range(4):
        plain = _WRAPPER.sub(r"\1", text)
        if plain == text:
            break
        text = plain
    return text.strip()
