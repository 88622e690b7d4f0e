"""JSON that clients send: never nested so deeply that later code would give up on it."""

from __future__ import annotations

from typing import Any

from ecliptic.errors import TaskError
from ecliptic.files import parse_json

MOST_DEEP = 50
"""A submission has three levels. What takes a value apart (writing it, sending it to a process)
recurses deeper than reading it does, so the reader's own limit is none."""


def read_body(data: bytes, where: str) -> Any:
    """The value of JSON text; ``where`` names it in the :class:`TaskError` that refuses it."""
    value = parse_json(data, where)
    if _deeper(value, MOST_DEEP):
        raise TaskError(f"{where}: is nested too deeply")
    return value


def _deeper(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    if levels == 0:
        return True
    inside = value.values() if isinstance(value, dict) else value
    return any(_deeper(each, levels - 1) for each in inside)
