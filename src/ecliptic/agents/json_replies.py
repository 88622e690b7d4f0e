"""JSON objects out of a model's reply: fenced, in prose, with LaTeX that was not escaped."""

from __future__ import annotations

import json
import re
from typing import Any

_THOUGHTS = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_TOKEN = re.compile(r"\\.|[\"{}]", re.DOTALL)
_ESCAPE = re.compile(r"\\(\\|\"|/|u[0-9a-fA-F]{4}|[A-Za-z]+|.)", re.DOTALL)
# \n, \r and \t are escapes of JSON, and the beginning of these commands of LaTeX.
_AFTER_NEWLINE = re.compile(r"(?:nu|nabla|neq?|nolimits)\Z")
_AFTER_TAB = re.compile(
    r"(?:rho|right\w*|rm|rangle|rVert|rfloor|rceil|theta|tau|times|text\w*|tanh?|tfrac|tilde|top)\Z"
)
_MOST_WORK = 300_000
"""Tokens and characters that are looked at; a reply of nothing but braces is not worth more."""


def read_json_objects(text: str) -> list[dict[str, Any]]:
    r"""All outermost JSON objects of ``text`` in their order; nothing is ever executed.

    >>> read_json_objects('Sure! ```json\n{"a": 1}\n``` Then {"b": [2]}.')
    [{'a': 1}, {'b': [2]}]
    >>> read_json_objects(r'{"relation": "$\frac{\nu}{\rho}$", "text": "two\nlines"}')
    [{'relation': '$\\frac{\\nu}{\\rho}$', 'text': 'two\nlines'}]
    """
    found: list[dict[str, Any]] = []
    text = _THOUGHTS.sub(" ", text)
    work, start = 0, text.find("{")
    while start >= 0 and work < _MOST_WORK:
        end, tokens = _matching_brace(text, start)
        value = None if end is None else _decode(text[start:end])
        work += tokens + (0 if end is None else end - start)
        if value is not None:
            found.append(value)
        start = text.find("{", start + 1 if value is None or end is None else end)
    return found


def _matching_brace(text: str, start: int) -> tuple[int | None, int]:
    """End of the object that opens at ``start``, and the tokens read; strings are skipped."""
    depth, quoted, tokens = 0, False, 0
    for match in _TOKEN.finditer(text, start):
        tokens += 1
        token = match.group()
        if token == '"':
            quoted = not quoted
        elif token == "{" and not quoted:
            depth += 1
        elif token == "}" and not quoted:
            depth -= 1
            if depth == 0:
                return match.end(), tokens
    return None, tokens


def _decode(piece: str) -> dict[str, Any] | None:
    # An author who escapes is believed: "\nu = 3" may well be a new line and "u = 3".
    if any(_never_json(match.group(1)) for match in _ESCAPE.finditer(piece)):
        piece = _ESCAPE.sub(_escaped, piece)
    try:
        value = json.loads(piece, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _escaped(match: re.Match[str]) -> str:
    token = match.group(1)
    latex = _never_json(token) or _AFTER_NEWLINE.match(token)
    return "\\" + match.group(0) if latex else match.group(0)


def _never_json(token: str) -> bool:
    """Whether what follows a backslash is a command of LaTeX and no escape of JSON."""
    if token in {"\\", '"', "/"} or re.fullmatch(r"u[0-9a-fA-F]{4}", token):
        return False
    if token[0] in "bf":
        return len(token) > 1
    if token[0] in "rt":
        return _AFTER_TAB.match(token) is not None
    return token[0] != "n"
