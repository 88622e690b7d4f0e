"""Several final answers in one document or line: ``{"answer": 400, "correction": 700}``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ecliptic.grading.cleaning import letters

ANSWER_NAMES = ("answer", "final_answer", "final answer", "final", "result", "solution")
"""Fields that hold the answer."""
RIVAL_NAMES = (
    "alternative", "alternative_answer", "correction", "corrected", "corrected_answer",
    "correct_answer",
)  # fmt: skip
"""Fields that hold another one beside it."""
_LONGEST = 200
_WORDS_OF_A_VALUE = 2
"""A longer text is a derivation; in a field for the working, so is one of more words."""
_WORKING = ("result", "solution")
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}")
_TELLS = re.compile(r"[\d=<>\\^]|^\$?[A-Za-z]\$?$")
_VALUE = r"[^/;=()]*\d[^/;()=]*(?:/\s?[A-Za-z][^/;()=]*)?\([^()]*[A-Za-z][^()]*\)"
_EITHER = re.compile(rf"\s*({_VALUE})\s+[/|]\s+({_VALUE})[\s.]*")


def rival_answers(
    data: Mapping[str, Any], kind: str, text_of: Callable[[Any], str]
) -> tuple[str, ...]:
    """Answers of one document that are not spelt alike, when there are several.

    ``text_of`` gives the text of a field's value.
    """
    unit = data.get("unit") or data.get("units") or ""
    found: dict[str, str] = {}
    for key in (*ANSWER_NAMES, *RIVAL_NAMES):
        value = data.get(key)
        if value is None or isinstance(value, bool | list):
            continue
        if key in _WORKING and kind == "textual":
            continue
        if isinstance(value, str) and (
            len(value) > _LONGEST
            or (key in _WORKING and len(_WORD.findall(value)) > _WORDS_OF_A_VALUE)
        ):
            continue
        text = text_of(value)
        if not text or (kind != "textual" and not _TELLS.search(text)):
            continue
        if isinstance(unit, str) and unit not in text:
            text = f"{text} {unit}"
        shape = letters(text)
        if not any(_begins(other, shape) or _begins(shape, other) for other in found):
            found[shape] = text
    return tuple(found.values()) if len(found) > 1 else ()


def _begins(whole: str, part: str) -> bool:
    """Whether ``part`` is ``whole`` without what follows, such as its unit."""
    return whole.startswith(part) and not re.match(r"[\d.,^*/+-]|e[\d+-]", whole[len(part) :])


def either_or(text: str) -> tuple[str, ...]:
    """Both values of ``400 km/s (fast) / 700 km/s (slow)``, each with its own remark."""
    found = _EITHER.fullmatch(text) if len(text) <= _LONGEST else None
    return (found[1].strip(), found[2].strip()) if found else ()
