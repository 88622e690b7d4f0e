"""Formulas that a sentence starts from, apart from the one that it concludes."""

from __future__ import annotations

import re

from ecliptic.grading.pieces import Piece

_PREMISE = re.compile(r"\s*(?:since|because|as|using|with|given|noting|recall\w*)\b[^.!?]*", re.I)
_CONCLUDES = re.compile(
    r"\s*,?\s+(?:the|this|one|we|it|its)\b[^,.;]*\b(?:is|are|becomes?|gives?|get|obtain|have|find"
    r"|finds|reads|equals|yields?|follows)[ :]*",
    re.I,
)


def without_premise(group: list[Piece]) -> list[Piece]:
    """``Since $a = b$, the factor is $c$``: what a sentence concludes from a formula."""
    if group[0].kind != "prose" or not _PREMISE.fullmatch(group[0].text):
        return group
    for index in range(len(group) - 2, 1, -1):
        part = group[index]
        if part.kind == "prose" and _CONCLUDES.fullmatch(part.text):
            return group[index + 1 :]
    return group
