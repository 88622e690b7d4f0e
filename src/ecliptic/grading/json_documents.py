"""The JSON document in an answer: alone, fenced, in a box, or behind prose."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from ecliptic.grading.json_text import RepeatedNameError, read_json

MAX_CLOSINGS, MAX_OPENINGS = 6, 20
"""Closing brackets at which a document may end, and opening ones from there outwards."""
_BOX = re.compile(r"\\boxed\s*\{")
_OR = re.compile(r"[}\]]\s*[,.;]?\s*(?:or|alternatively|otherwise|either)\b[^{}]{0,80}$", re.I)


_QUOTED = re.compile(
    r"\b(?:example|sample|template|placeholder|e\.g\.)(?:\s+[\w-]+){0,5}\s*[:,]?\s*[`'\"(]*\s*$"
    r"|\b(?:some|others?|one|people|students?|many|they)\s+(?:(?:would|might|may|could|will)\s+)?"
    r"(?:say|answer|write|give|claim|propose)s?\s*[:,]?\s*[`'\"(]*\s*$",
    re.I,
)
"""Words in front of a document that is only shown or quoted."""


class SeveralDocumentsError(ValueError):
    """Two documents are offered with an "or" between them."""

    def __init__(self) -> None:
        super().__init__("two JSON documents are offered, one or the other")


def read_document(text: str, *, whole: bool, keys: Collection[str]) -> Any:
    """JSON that the text is, or that it ends in; ``None`` when there is none.

    Where not the ``whole`` document is asked for, only an object with one of the ``keys`` counts.

    Raises
    ------
    RepeatedNameError
        One of the ``keys`` has two values.
    SeveralDocumentsError
        Another document stands in front with an "or" between the two.
    """
    if text[:1] in "{[" and text[-1:] in "}]":
        value = _loads(text, keys)
        if isinstance(value, dict | list) and (whole or isinstance(value, dict)):
            return value
    if not whole and '"' not in text:
        return None
    value = _last(text, "{}", dict, whole, keys)
    if value is None and whole and (inside := _in_a_box(text)):
        inner = inside.replace("\\{", "{").replace("\\}", "}")
        value = _last(inner, "{}", dict, whole, keys) or _last(inner, "[]", list, whole, keys)
    if value is None and whole and "{" not in text:
        value = _last(text, "[]", list, whole, keys)
    return value


def _in_a_box(text: str) -> str:
    """What stands between the first box and the closing brace that ends the text."""
    ended = text.rstrip(" \t\n\r\f\v$.")
    box = _BOX.search(text) if ended.endswith("}") else None
    return ended[box.end() : -1] if box else ""


def _last(text: str, brackets: str, kind: type, whole: bool, keys: Collection[str]) -> Any:
    """The last document of one kind, also with other brackets in the prose behind it."""
    end = len(text)
    for _ in range(MAX_CLOSINGS):
        end = text.rfind(brackets[1], 0, end)
        if end < 0:
            return None
        value = _ending(text, end, brackets, kind, whole, keys)
        if value is not None or not whole:
            return value
    return None


def _ending(
    text: str, end: int, brackets: str, kind: type, whole: bool, keys: Collection[str]
) -> Any:
    """The document that ends at ``end``, outwards from the last opening bracket."""
    behind = brackets[1] in text[end + 1 :]
    start = text.rfind(brackets[0], 0, end)
    for _ in range(MAX_OPENINGS):
        if start < 0:
            return None
        value = _loads(text[start : end + 1], keys)
        inside = behind and text.count(brackets[0], 0, start) != text.count(brackets[1], 0, start)
        if value is not None and _QUOTED.search(text[max(0, start - 120) : start]):
            return None
        if (
            isinstance(value, dict | list)
            and isinstance(value, kind)
            and not inside
            and (whole or any(key in value for key in keys))
        ):
            if _OR.search(text[max(0, start - 120) : start]):
                raise SeveralDocumentsError
            return value
        start = text.rfind(brackets[0], 0, start)
    return None


def _loads(text: str, keys: Collection[str]) -> Any:
    try:
        return read_json(text)
    except RepeatedNameError as error:
        if error.name in keys:
            raise
    except ValueError:
        pass
    return None
