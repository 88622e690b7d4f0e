r"""The conclusion of a formula that draws one: ``b`` in ``a \Rightarrow b``."""

from __future__ import annotations

import re

from ecliptic.grading.formula_signs import RELATION, SIDE, is_quantity

_ARROW = re.compile(
    r"\\(?:Rightarrow|Longrightarrow|implies|therefore|so)(?![A-Za-z])|[⇒⟹∴]|(?<![<=])=>"
)
_CASES = re.compile(r"\\begin\{(?:cases|matrix|pmatrix|array)")
_EDGE = re.compile(r"^(?:\s|\\q?quad(?![A-Za-z])|\\[,;:! ]|[,;])+|(?:\s|\\q?quad|\\[,;:! ]|[,;])+$")


def draws_a_conclusion(text: str) -> bool:
    """Whether an arrow or the like leads from one statement to the next."""
    return _ARROW.search(text) is not None


def conclusion(text: str) -> str:
    """The last statement behind an arrow; one that only gives a number is passed over."""
    if _CASES.search(text):
        return text
    parts = [part for part in _ARROW.split(text) if part.strip()]
    if len(parts) < 2 or any(part.count("{") != part.count("}") for part in parts):
        return text
    kept = [part for part in parts if RELATION.search(part)]
    if not kept or kept[-1] is not parts[-1]:
        return text
    while len(kept) > 1 and is_quantity(SIDE.split(kept[-1])[-1]):
        kept.pop()
    found = kept[-1][:2000]
    return _EDGE.sub("", found) if len(kept[-1]) <= len(found) else kept[-1]


_FORMULA = re.compile(r"(?P<sign>\$\$?)(?P<inner>[^$]*)(?P=sign)")


def with_concluded_values(text: str) -> str:
    """``1/x = R(1/4 - 1/9) \\Rightarrow x = 5`` as ``x = 5``, where only that is a value."""
    if _ARROW.search(text) is None:
        return text
    return _FORMULA.sub(_last_value, text)


def _last_value(match: re.Match[str]) -> str:
    inner = match["inner"]
    parts = [part for part in _ARROW.split(inner) if part.strip()]
    if len(parts) < 2 or _CASES.search(inner) or any(p.count("{") != p.count("}") for p in parts):
        return match[0]
    stated = [
        len(sides := SIDE.split(_EDGE.sub("", part))) > 1 and is_quantity(sides[-1])
        for part in parts
    ]
    if not stated[-1] or any(stated[:-1]):
        return match[0]
    return f"{match['sign']}{_EDGE.sub('', parts[-1])}{match['sign']}"
