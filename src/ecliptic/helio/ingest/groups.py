"""Braces: the group that starts at a place, and whether a text is balanced."""

from __future__ import annotations

import re

MAX_GROUP = 20_000
_TOKEN = re.compile(r"\\.|[{}]", re.DOTALL)
_SPACE = re.compile(r"\s*")


def read_group(text: str, start: int) -> tuple[str, int] | None:
    """Content and end of the braced group behind spaces at ``start``; ``None`` without one."""
    begin = skip_space(text, start)
    if text[begin : begin + 1] != "{":
        return None
    depth = 0
    for match in _TOKEN.finditer(text, begin, begin + MAX_GROUP):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                return text[begin + 1 : match.start()], match.end()
    return None


def skip_space(text: str, start: int) -> int:
    """The next place that holds no space."""
    match = _SPACE.match(text, start)
    return match.end() if match else start


def unbalanced(text: str) -> str:
    """What is open or closed once too often in a text; empty if nothing."""
    depth = 0
    for match in _TOKEN.finditer(text):
        depth += {"{": 1, "}": -1}.get(match[0], 0)
        if depth < 0:
            return "a brace is closed that was not opened"
    if depth:
        return "a brace is not closed"
    if len(re.findall(r"(?<!\\)(?:\\\\)*\$", text)) % 2:
        return "a dollar sign has no partner"
    for name in set(re.findall(r"\\(?:begin|end)\{([A-Za-z*]+)\}", text)):
        if text.count(rf"\begin{{{name}}}") != text.count(rf"\end{{{name}}}"):
            return rf"\begin and \end of {name} do not match"
    if len(re.findall(r"\\left(?![A-Za-z])", text)) != len(
        re.findall(r"\\right(?![A-Za-z])", text)
    ):
        return r"\left and \right do not match"
    return ""
