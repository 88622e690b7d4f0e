"""Doubt in brackets behind a value: ``400 km/s (I am not sure, it could also be 250)``."""

from __future__ import annotations

import re

from ecliptic.grading.comparison import Comparison, undecided
from ecliptic.grading.diagnose import GradingDiagnosis

METHOD = "doubt in brackets"
_MAX_TEXT = 4000
_BRACKET = re.compile(r"\(([^()]{3,200})\)|\[([^\[\]]{3,200})\]")
_UNSURE = re.compile(
    r"\b(?:not|n['’]t)\s+(?:\w+\s+){0,2}?(?:sure|certain|confident|positive)\b|\bunsure\b"
    r"|\b(?:i|we)\s+(?:\w+\s+)?(?:doubt|guess|wonder|suppose)\b|\bguess(?:ing|ed)?\b"
    r"|\b(?:i['’]m|i am|we are|still|very|quite)\s+uncertain\b|\bno idea\b|\bor so i think\b",
    re.I,
)
"""The one who answers does not stand by the value."""
_POSSIBLE = re.compile(
    r"\b(?:could|might|may|can)\s+(?:\w+\s+)?(?:be|have been|equal)\s+"
    r"(?:\w+\s+){0,2}?[~≈+-]?[\d$\\]"
    r"|\bor\s+(?:else\s+)?(?:perhaps|maybe|possibly)\s+(?:\w+\s+){0,2}?[~≈+-]?[\d$\\]"
    r"|\balternatively\s+(?:\w+\s+){0,2}?[~≈+-]?[\d$\\].*\b(?:depend\w*|if|conventions?|models?|assum\w*)\b"
    r"|\d[^,;]{0,30}?\b(?:is|are|would be|might be|may be|could be)\s+(?:\w+\s+)?(?:possible"
    r"|plausible|conceivable|likely|as well|right|correct)\b",
    re.I,
)
"""Another value is left open."""


def hedged_in_brackets(answer: str) -> Comparison | None:
    """``undecided`` where brackets behind a value leave it open."""
    if len(answer) > _MAX_TEXT or not ("(" in answer or "[" in answer):
        return None
    for match in _BRACKET.finditer(answer):
        inner = match[1] or match[2]
        hedge = _UNSURE.search(inner) or _POSSIBLE.search(inner)
        if hedge and re.search(r"[\d$]", answer[: match.start() + 1 + hedge.start()]):
            message = f"'{inner[:60]}' leaves the value open"
            return undecided(GradingDiagnosis.UNDECIDED, message, method=METHOD)
    return None
