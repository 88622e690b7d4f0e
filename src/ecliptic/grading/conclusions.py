r"""The conclusion of a formula that draws one: ``b`` in ``a \Rightarrow b``."""

from __future__ import annotations

import re

from ecliptic.grading.formula_signs import RELATION, SIDE, is_quantity

_ARROW = re.compile(
    r"\\(?:Rightarrow|Longrightarrow|implies|therefore|so)(?![A-Za-z])|[⇒⟹∴]|(?<![<=])=>"
)
_FORMULA = re.compile(r"(?P<sign>\$\$?)(?P<inner>[^$]*)(?P=sign)")
_CASES = re.compile(r"\\begin\{(?:cases|matrix|pmatrix|array)")
_LONGEST = 2000
_EDGE = re.compile(r"^(?:\s|\\q?quad(?![A-Za-z])|\\[,;:! ]|[,;])+|(?:\s|\\q?quad|\\[,;:! ]|[,;])+$")


def draws_a_conclusion(text: str) -> bool:
    """Whether an arrow or the like leads from one statement to the next."""
    return _ARROW.search(text) is not None


def conclusion(text: str) -> str:
    """The last statement behind an arrow; one that only gives a number is passed over."""
    parts = _statements(text)
    kept = [part for part in parts if RELATION.search(part)]
    if not kept or kept[-1] is not parts[-1]:
        return text
    while len(kept) > 1 and is_quantity(SIDE.split(kept[-1])[-1]):
        kept.pop()
    return _trimmed(kept[-1])


def with_concluded_values(text: str) -> str:
    """``1/x = R(1/4 - 1/9) \\Rightarrow x = 5`` as ``x = 5``, where only that is a value."""
    if _ARROW.search(text) is None:
        return text
    return _FORMULA.sub(_last_value, text)


def _last_value(match: re.Match[str]) -> str:
    parts = _statements(match["inner"])
    stated = [
        len(sides := SIDE.split(_trimmed(part))) > 1 and is_quantity(sides[-1]) for part in parts
    ]
    if not parts or not stated[-1] or any(stated[:-1]):
        return match[0]
    return f"{match['sign']}{_trimmed(parts[-1])}{match['sign']}"


def _statements(text: str) -> list[str]:
    """What the arrows of a formula stand between; nothing if there are none outside groups."""
    if _CASES.search(text):
        return []
    parts = [part for part in _ARROW.split(text) if part.strip()]
    if len(parts) < 2 or any(part.count("{") != part.count("}") for part in parts):
        return []
    return parts


def _trimmed(part: str) -> str:
    """Without spaces and commas at its ends; as it is where it is too long to look at."""
    return _EDGE.sub("", part) if len(part) <= _LONGEST else part
