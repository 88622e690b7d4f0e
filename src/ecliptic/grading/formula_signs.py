"""What tells a formula from the words around it, and small cuts of a text that holds one."""

from __future__ import annotations

import re
from functools import lru_cache

from ecliptic.grading.pieces import Piece

CLAUSE = re.compile(
    r"\b(?:where|here|in which|with which|assuming|since|because|given|denot\w+|provided|"
    r"in terms of|being|is the|are the)\b",
    re.I,
)
_LEAD = re.compile(
    r"\b(?:is|are|be|becomes?|equals?|gives?|giving|get|obtain|have|find|yields?|therefore|thus|"
    r"hence|so|then|by|as|that|to|about|roughly|approximately|result|answer)\b[,:]?\s+|:\s+",
    re.I,
)
JOINING = re.compile(
    r"(?:[\s,;.&]|\b(?:and|or|for|if|when|with|while|otherwise|else|as well as|also|then|all|"
    r"either|both|respectively|at|in|on|any|every)\b)*",
    re.I,
)
OPERATOR = re.compile(
    r"[=<>+*/^−≤≥≈∝±×·√∇-]|\\(?:frac|sqrt|le|ge|leq|geq|propto|approx|sim|times|cdot|"
    r"nabla|int|sum|pm|ll|gg|ne|neq|to|in|exp|ln|log|sin|cos|tan|d?frac|tfrac|partial)(?![a-z])"
)
RELATION = re.compile(
    r"[=<>≤≥≈∝≠≪≫]|\\(?:le|ge|leq|geq|lesssim|gtrsim|propto|approx|sim|simeq|ll|gg|neq?|in|equiv)"
    r"(?![a-zA-Z])"
)
SIDE = re.compile(r"=|≈|≃|\\(?:approx|simeq|sim)(?![A-Za-z])")


_NUMBER = re.compile(r"(?<![\w^.])\d")


def without_lead(line: str) -> str:
    """``v = x`` out of ``The speed is v = x``, if only words stand in front."""
    cut = 0
    for match in _LEAD.finditer(line[:400]):
        front = line[: match.start()]
        if OPERATOR.search(front) or "\\" in front or _NUMBER.search(front):
            break
        cut = match.end()
    return line[cut:].strip() or line


@lru_cache(maxsize=512)
def is_quantity(text: str) -> bool:
    """Whether a text is a number with a unit."""
    from ecliptic.grading.parse_failure import ParseFailure
    from ecliptic.grading.quantities import read_quantities

    if len(text) > 200 or not re.search(r"\d", text):
        return False
    try:
        reading = read_quantities(text)
    except ParseFailure:
        return False
    # A label is a formula; a number alone may be the answer (``x = 0``).
    return all(not item.label and item.unit is not None for item in reading.quantities)


_COMMENT = re.compile(
    # From the beginning of a run of spaces only: else a long one costs its length squared.
    r"(?<![\s~,;])(?:\s|\\q?quad|\\[ ,;:!]|~|[,;])+\\(?:text|textrm|textit|mbox|mathrm)\s*"
    r"\{\s*[(\[](?P<words>[^{}()\[\]$]*)[)\]]\s*\}[\s.]*$"
)
_NO_COMMENT = re.compile(
    r"[\d=<>^_\\]|\b(?:not|never|no|wrong|incorrect|false|unless|except|if|when|for|where|or"
    r"|only)\b",
    re.I,
)


def without_comment(formula: str) -> str:
    r"""``r = a/b`` out of ``r = a/b \qquad \text{(the inner radius)}``."""
    found = _COMMENT.search(formula)
    if found is None or found.start() == 0 or _NO_COMMENT.search(found["words"]):
        return formula
    return formula[: found.start()].rstrip()


def without_evaluation(formula: str) -> str:
    """``r = a/b`` out of ``r = a/b \\approx 4\\,R_\\odot``."""
    formula = without_comment(formula) if "\\" in formula else formula
    matches = list(SIDE.finditer(formula))
    if len(matches) > 1 and is_quantity(formula[matches[-1].end() :]):
        return formula[: matches[-1].start()].rstrip()
    return formula


def joined(group: list[Piece]) -> str:
    """A group of pieces as one text."""
    return "".join(
        part.text if part.kind == "prose" else f"${part.text}$" for part in group
    ).strip()


def formulas_alone(group: list[Piece]) -> list[str]:
    """The one formula of a group, if there is one only."""
    formulas = [part.text for part in group if part.kind != "prose"]
    return [formulas[-1]] if len(formulas) == 1 else []


@lru_cache(maxsize=512)
def unit_alone(text: str) -> str:
    """``text`` when it is nothing but a unit, perhaps with a full stop."""
    from ecliptic.grading.parse_failure import ParseFailure
    from ecliptic.grading.units import parse_unit

    unit = text.strip(" ,;.\n")
    if not unit or len(unit) > 40 or " is " in unit:
        return ""
    try:
        return "" if parse_unit(unit).is_bare else unit
    except ParseFailure:
        return ""
