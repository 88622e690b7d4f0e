"""Answers that are bare lists: the same items, one missing, or one too many.

Only lists of short names are read (``H+, He2+ and O6+``, ``photosphere -> corona``), and only items
that agree word for word are counted. The same items in another order are left open, since the
order may be what is asked.
"""

from __future__ import annotations

import re
from collections import Counter

from ecliptic.grading.clause_words import clause_words
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.wording import DOUBT, NEGATIONS, plain_words

METHOD = "list of items"
MAX_LIST = 400
MAX_ITEM = 5
"""Words of one item."""
_HEADING = re.compile(r"^[^:\n]{0,120}:\s+|^(?:they|these|it)\s+(?:are|is)\s+", re.I)
_SEPARATOR = re.compile(
    r"\s*(?:,\s*(?:and\s+)?|;\s*(?:and\s+)?|\s+and\s+|->|→|⟶|\\to\b|\\rightarrow\b|\n)\s*"
)
_MARK = re.compile(r"^\s*(?:[-*•]\s+|\(?\d{1,2}[.)]\s+)|\*\*")
_VERBS = frozenset(
    [
        "be",
        "have",
        "can",
        "will",
        "may",
        "increase",
        "decrease",
        "become",
        "depend",
        "cause",
        "dominate",
        "occur",
        "follow",
    ]
)
_STATES = re.compile(
    r"\b(?:increas|decreas|dominat|follow|caus|heat|cool|acceler|flow|point|grow|form|reach)\w*"
    r"|\b(?:or|when|if|because|since|that|which|while|than|from|to|by|with|but|then|first)\b",
    re.I,
)

Items = tuple[tuple[str, ...], ...]


def read_items(text: str) -> Items | None:
    """The items of a bare list of at least two, in plain words."""
    text = text.strip().rstrip(".")
    if len(text) > MAX_LIST:
        return None
    text = _HEADING.sub("", text, count=1)
    bare = re.sub(r"(?m)^\s*\d{1,2}[.)]\s|->", "", text)
    if re.search(r"[.!?:=<>\\]", bare) or _STATES.search(text):
        return None
    words = set(plain_words(text))
    if words & (NEGATIONS | DOUBT):
        return None
    parts = [part for part in map(_unmarked, _SEPARATOR.split(text)) if part.strip()]
    items = tuple(_item(part) for part in parts)
    good = all(0 < len(item) <= MAX_ITEM and not _VERBS.intersection(item) for item in items)
    return items if good and len(items) > 1 else None


def compare_lists(gold: str, answer: str) -> Comparison | None:
    """Two bare lists; ``None`` where one of them is none, or other items are named."""
    wanted = read_items(gold)
    given = read_items(answer) if wanted else None
    if wanted is None or given is None:
        return None
    if wanted == given:
        return same("the same items", method=METHOD)
    left, right = Counter(wanted), Counter(given)
    names = _names(gold) | _names(answer)
    if left == right:
        message = "the same items in another order"
        return undecided(GradingDiagnosis.UNDECIDED, message, method=METHOD)
    missing, extra = _shown(left - right, names), _shown(right - left, names)
    if not extra:
        return different(
            GradingDiagnosis.INCOMPLETE,
            f"the answer leaves out: {'; '.join(missing)}",
            method=METHOD,
            missing=missing,
        )
    if not missing:
        return different(
            GradingDiagnosis.EXTRA_SOLUTION,
            f"the answer adds: {'; '.join(extra)}",
            method=METHOD,
            extra=extra,
        )
    return None


def _unmarked(text: str) -> str:
    return _MARK.sub("", text)


def _item(text: str) -> tuple[str, ...]:
    """Its words; a charge behind an element is part of its name."""
    return tuple(clause_words(re.sub(r"(?<=[A-Za-z])(\d*)\^?\{?([+-])\}?(?=\W|$)", r"\1 \2", text)))


def _names(text: str) -> dict[tuple[str, ...], str]:
    """Each item as it is written."""
    text = _HEADING.sub("", text.strip().rstrip("."), count=1)
    parts = (_unmarked(part).strip() for part in _SEPARATOR.split(text))
    return {_item(part): part for part in parts if part}


def _shown(items: Counter[tuple[str, ...]], names: dict[tuple[str, ...], str]) -> list[str]:
    return [names.get(item, " ".join(item)) for item in items.elements()]
