"""Sentences behind a formula that only look at a special case of it, and conclude nothing.

``For $B_0 = 5$ nT this is about 10 pPa`` holds a condition, ``For a sphere of half the mass it is
$g = ...$`` another case; ``For $k = 1$ this gives $\\gamma = ...$`` goes on to a result.
"""

from __future__ import annotations

import re

from ecliptic.grading.formula_signs import RELATION
from ecliptic.grading.pieces import Piece

_OPENS = re.compile(
    r"^[\W_]*(?:for|at|with|when|if|in|where|near|compare|taking|assuming|on|under)\b", re.I
)
_IN_FRONT = re.compile(
    r"(?:\b(?:for|at|with|when|if|where|near|compare|compared (?:to|with)|than for|than at|taking"
    r"|assuming|and|or|as)|[(,])\s*(?:the |a |an )?(?:\w+\s+)?\(?\s*$",
    re.I,
)
_GOES_ON = re.compile(
    r"\b(?:gives?|yields?|becomes?|reduces?|simplifies|get|obtain|find|follows?|thus|hence|so|then"
    r"|therefore|implies|leads?|final(?:ly)?|answer|result|must|should|correct\w*)\b|[⇒→]",
    re.I,
)
_OTHER_CASE = re.compile(
    r"\b(?:half|halved|twice|doubled?|tripled?|thrice|other|another|different|instead|quarter|tenth"
    r"|without|were|\w+ times)\b",
    re.I,
)


_BEGINS = re.compile(
    r"\s*(?:\(\s*(?i:with|for|at|where|when|if|compare)\b"
    r"|(?:For|At|With|When|If|In|Where|Near|Compare|Taking|Assuming|On|Under)\b)"
)


def begins_a_case(text: str) -> bool:
    """Whether words behind a display begin a sentence or bracket with a condition."""
    return _BEGINS.match(text) is not None


def is_special_case(group: list[Piece], earlier: list[Piece]) -> bool:
    """Whether a sentence only holds conditions, or another case of the formula before it."""
    if not any(part.kind != "prose" and RELATION.search(part.text) for part in earlier):
        return False
    if any(part.kind == "display" for part in group):
        return False
    prose = " ".join(part.text for part in group if part.kind == "prose")
    if _opens_with_condition(group) and not _GOES_ON.search(prose) and _OTHER_CASE.search(prose):
        return bool(_left_sides(group) & _left_sides(earlier))
    before = ""
    inside = []
    for part in group:
        if part.kind != "prose":
            inside.append(_IN_FRONT.search(before[-60:]) is not None)
        before = part.text if part.kind == "prose" else ""
    return bool(inside) and all(inside) and (_opens_with_condition(group) or "(" in prose)


def _opens_with_condition(group: list[Piece]) -> bool:
    return group[0].kind == "prose" and _OPENS.match(group[0].text) is not None


def _left_sides(group: list[Piece]) -> set[str]:
    formulas = [part.text for part in group if part.kind != "prose"]
    sides = (re.sub(r"[\s&]|\\[,;:! ]", "", formula.partition("=")[0]) for formula in formulas)
    return {side for side in sides if side}
