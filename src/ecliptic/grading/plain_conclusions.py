"""A conclusion in plain characters behind formulas in dollars: ``so **Ω_p = eB/m_p**``."""

from __future__ import annotations

import re

from ecliptic.grading.formula_signs import OPERATOR, RELATION
from ecliptic.grading.pieces import Piece
from ecliptic.grading.symbols import FUNCTIONS, GREEK

_BOLD = re.compile(r"\*\*(?!\s)([^*\n]{3,200}?(?:\*[^*\n]+?){0,20})(?<!\s)\*\*")
_WORD = re.compile(r"(?<![\\\w^])[A-Za-z]{3,}(?![\w{])")
_LEAD = re.compile(r"^\W*(?:final\s+)?(?:answer|result)\s*[:=]\s*", re.I)
MAX_LINE = 300


def plain_conclusion(parts: list[Piece]) -> str:
    """The formula in bold, or alone on the last line, that follows the last equation in dollars.

    Empty where there is none. Formulas behind it may only name symbols.
    """
    last = max(
        (i for i, part in enumerate(parts) if part.kind != "prose" and OPERATOR.search(part.text)),
        default=-1,
    )
    if last < 0:
        return ""
    for part in reversed(parts[last + 1 :]):
        if part.kind != "prose":
            continue
        found = [match[1] for match in _BOLD.finditer(part.text) if _is_formula(match[1])]
        if found:
            return _LEAD.sub("", found[-1]).strip()
    if parts[-1].kind == "prose" and last == len(parts) - 2:
        line = parts[-1].text.rstrip().rpartition("\n")[2].strip(" *_`.,;")
        if "\n" in parts[-1].text.strip(" ") and len(line) < MAX_LINE and _is_formula(line):
            return line
    return ""


def _is_formula(text: str) -> bool:
    text = _LEAD.sub("", text)
    sign = RELATION.search(text)
    if sign is None or not text[: sign.start()].strip() or not text[sign.end() :].strip():
        return False
    words = [word for word in _WORD.findall(text) if word not in FUNCTIONS and word not in GREEK]
    return not words
