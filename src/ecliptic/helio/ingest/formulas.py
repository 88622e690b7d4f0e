r"""Where the formulas of a text are: ``$``, ``$$``, ``\(``, ``\[`` and environments of mathematics.

Unlike :mod:`ecliptic.grading.pieces` it gives places, and a formula ends at a blank line at the
latest, so that a lone dollar sign spoils one paragraph and not the rest of a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAMES_LIST = "equation align gather multline eqnarray displaymath math flalign alignat"
MAX_FORMULA = 20_000
MASK = "\x04"
"""Stands for every character of a formula in a masked text."""

_NAMES = "|".join(_NAMES_LIST.split())
_OPENING = re.compile(rf"\$\$|\$|\\\[|\\\(|\\begin\{{((?:{_NAMES})\*?)\}}|\\.", re.DOTALL)
_BLANK = re.compile(r"\n[ \t\x1f]*\n")
_ESCAPED = re.compile(r"(?<!\\)(?:\\\\)*")
_CLOSING = {"$": re.compile(r"(?<!\\)\$"), "$$": re.compile(r"\$\$")}


@dataclass(frozen=True, slots=True)
class Span:
    """A formula from ``start`` to ``end``; its body without delimiters is between the inner two.

    ``environment`` is empty for dollar signs and brackets.
    """

    start: int
    end: int
    inner_start: int
    inner_end: int
    display: bool
    environment: str = ""


def find_formulas(text: str) -> list[Span]:
    """All formulas in order; an opening without its end is none."""
    found: list[Span] = []
    position = 0
    limit = -1  # the next blank line, found once for many openings
    ends = _Ends(text)
    while match := _OPENING.search(text, position):
        position = match.end()
        opening = match[0]
        if opening[0] == "\\" and opening not in (r"\[", r"\(") and match[1] is None:
            continue
        if limit < match.end():
            blank = _BLANK.search(text, match.end())
            limit = blank.start() if blank else len(text)
        environment = match[1] or ""
        start = match.end()
        bound = min(start + MAX_FORMULA, len(text))
        if not environment and opening != r"\[":
            bound = min(bound, limit)
        if environment:
            closing = rf"\end{{{environment}}}"
            end = ends.of(closing, start, bound)
            after = end + len(closing)
        elif opening in _CLOSING:
            partner = _CLOSING[opening].search(text, start, bound)
            end, after = (partner.start(), partner.end()) if partner else (-1, -1)
        else:
            end = ends.of({r"\[": r"\]", r"\(": r"\)"}[opening], start, bound)
            after = end + 2
        if end < 0 or ((environment or opening == r"\[") and ends.crosses(start, end)):
            continue
        display = opening != "$" and opening != r"\(" and environment not in ("math", "math*")
        found.append(Span(match.start(), after, start, end, display, environment))
        position = after
    return found


_STRUCTURE = re.compile(
    r"\\(?:item|question|section|part)(?![A-Za-z])|\\(?:begin|end)\{(?:solution|problem|"
    r"enumerate)\}"
)


class _Ends:
    """Next places of closing marks and of structure, each looked up once for many openings."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next: dict[str, int] = {}

    def of(self, closing: str, start: int, bound: int) -> int:
        """Where ``closing`` comes next within bounds; -1 if it does not."""
        if self._next.get(closing, 0) < start:
            found = self._text.find(closing, start)
            self._next[closing] = len(self._text) if found < 0 else found
        return self._next[closing] if self._next[closing] < bound else -1

    def crosses(self, start: int, end: int) -> bool:
        """Whether a display would swallow structure: its own end is missing."""
        if self._next.get("", 0) < start:
            found = _STRUCTURE.search(self._text, start)
            self._next[""] = found.start() if found else len(self._text)
        return self._next[""] < end


def masked(text: str, spans: list[Span] | None = None) -> str:
    """The text with every formula blotted out, line breaks kept; lengths do not change."""
    out: list[str] = []
    at = 0
    for span in find_formulas(text) if spans is None else spans:
        out.append(text[at : span.start])
        out.append(re.sub(r"[^\n\x1f]", MASK, text[span.start : span.end]))
        at = span.end
    out.append(text[at:])
    return "".join(out)


def split_rows(body: str) -> list[str]:
    r"""Rows of an aligned display, split at ``\\`` outside braces and inner environments."""
    rows: list[str] = []
    depth = at = 0
    for match in re.finditer(r"\\\\(?:\s*\[[^\]\n]{0,20}\])?|\\(begin|end)\{|\\.|[{}]", body):
        token = match[0]
        if match[1]:
            depth += 1 if match[1] == "begin" else -1
            depth += 1  # its name's brace is closed right behind
        elif token == "{":
            depth += 1
        elif token == "}":
            depth -= 1
        elif token.startswith("\\\\") and depth == 0:
            rows.append(body[at : match.start()])
            at = match.end()
    rows.append(body[at:])
    return [row for row in rows if row.strip()]
