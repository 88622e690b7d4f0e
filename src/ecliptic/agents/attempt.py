"""How a tool ends the attempt: solved, nothing left to hand in, or given up."""

from __future__ import annotations

from inspect_ai.util import store

_KEY = "ecliptic:attempt_over"


def end_attempt(reason: str) -> None:
    """Called by a tool: no further model call is useful, for example after the last submission."""
    store().set(_KEY, reason)


def attempt_over() -> str | None:
    """Why the attempt of this sample is over, or None while it runs."""
    reason = store().get(_KEY)
    return None if reason is None else str(reason)
