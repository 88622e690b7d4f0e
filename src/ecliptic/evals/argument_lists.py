"""Arguments of tasks that name several things."""

from __future__ import annotations


def names_in(given: str | list[str] | None) -> list[str]:
    """Names as Inspect's ``-T`` hands them over: a list, or one text with commas; maybe none."""
    return [name.strip() for name in given.split(",")] if isinstance(given, str) else given or []
