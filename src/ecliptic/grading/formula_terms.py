"""Numbers that are one term or factor of a formula, and no value of their own."""

from __future__ import annotations

import re

from ecliptic.grading.unicode_maths import GREEK

_OPERATOR = re.compile(r"(\s*)([-−+*·×])(\s*)$")
_WORDS_OF_TWO = re.compile(
    "am|an|as|at|be|by|do|go|he|if|in|is|it|me|my|no|of|on|or|so|to|up|us|we", re.I
)

_LETTERS = "|".join(sorted(set(GREEK.values())))
_SYMBOL = re.compile(
    rf"(?:^|[\s(|=])(?P<name>(?:(?:[dD]elta\s*)?[^\W\d_]{{1,2}}|d[^\W\d_]|(?:var)?(?:{_LETTERS}))'*"
    r"|[^\W\d_]\w*[_^]\S*|[^\W\d_]\w*'*\([^()]*\))$"
)


def is_one_term(text: str, start: int) -> bool:
    """Whether the number at ``start`` goes with a symbol in front of it.

    So in ``x + 3``, ``f(x)+3``, ``n-3`` and ``a × 5``; in ``B_z -3 nT`` the symbol names a value.
    """
    sign = re.match(r"[-−+]\s*", text[start:])
    head = text[: start + sign.end()] if sign else text[:start]
    operator = _OPERATOR.search(head)
    if operator is None:
        return False
    symbol = _SYMBOL.search(head, 0, operator.start())
    if symbol is None or _WORDS_OF_TWO.fullmatch(symbol["name"]):
        return False
    before, kind, behind = operator.groups()
    if kind in "-−":
        return bool(behind) if before else len(symbol["name"]) == 1
    return kind != "+" or bool(behind) or not before
