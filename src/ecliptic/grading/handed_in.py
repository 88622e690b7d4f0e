"""An answer of any kind, as an agent hands it in, as text or plain JSON data."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ecliptic.grading.plain_data import PlainDataError, name_of, plain


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An object that JSON cannot say or that is too large, and why."""

    reason: str
    oversized: bool = False


def readable(answer: object) -> object:
    """Text as it is; any other object as plain JSON data, or :class:`Unreadable`."""
    if answer is None or isinstance(answer, bytes):
        return answer
    try:
        return plain(answer)
    except PlainDataError as error:
        return Unreadable(f"{name_of(answer)} cannot be read: {error}", error.limit)


def raw(answer: object) -> str:
    """The text of a readable answer before anything is cut out of it."""
    if isinstance(answer, str):
        return answer
    if isinstance(answer, bytes):
        return answer.decode("utf-8", errors="replace")
    return "" if isinstance(answer, Unreadable) else json.dumps(answer, default=str)
