"""Lines that Markdown quotes: a question repeated, or an answer set apart."""

from __future__ import annotations

import re

_MARK = re.compile(r"^[ \t]{0,12}>[> \t]{0,12}")
_ASKS = re.compile(
    r"\?|^[\W_]*(?:(?:hint|question|problem|task|exercise|given|prompt)\b|(?:\(?\d{1,2}[.)]\s*)?(?:find|show|derive"
    r"|calculate|compute|determine|what|how|which|why|when|where|give|prove|estimate|explain|express"
    r"|write|use|assume|suppose|consider|state|evaluate|obtain|let|answer (?:with|in|only)|you)\b)",
    re.I,
)
_BOUND = re.compile(r"[-+−]?[\d.]")
"""``> 5``: a sign and no quotation."""
_FINAL = re.compile(r"\b(?:answer|result|solution)\b[*_ ]{0,4}(?:is\b|:|=)|\\boxed", re.I)
_VALUE = re.compile(r"[\d=<>≈≤≥∝^$]|\\[A-Za-z]")


def with_quoted_answer(text: str) -> str:
    """``text`` with its quoted lines as plain ones where they hold the answer.

    They do when nothing else holds a value, or when they are the last lines and marked as final;
    lines that ask are never an answer.
    """
    lines = text.split("\n")
    quoted = [_MARK.match(line) is not None for line in lines]
    if not any(quoted):
        return text
    bare = [_MARK.sub("", line) for line in lines]
    inside = [line for line, within in zip(bare, quoted, strict=True) if within]
    if any(_ASKS.search(line[:400]) or _BOUND.match(line) for line in inside):
        return text
    outside = "\n".join(line for line, within in zip(lines, quoted, strict=True) if not within)
    full = [number for number, line in enumerate(lines) if line.strip()]
    marked = quoted[full[-1]] and any(_FINAL.search(line[:400]) for line in inside)
    return "\n".join(bare) if marked or not _VALUE.search(outside) else text
