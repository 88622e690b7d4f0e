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
