r"""A square that the gold states and the answer derives before it takes the root.

``v^2 = 2GM/r`` and then ``v = \sqrt{2GM/r}``: of a speed or a distance only one root has a sense.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ecliptic.grading.pieces import pieces, strip_delimiters

_SQUARE = re.compile(
    r"\s*(?P<name>(?:v|c|r|R|d)(?:_(?:\{(?:\\(?:mathrm|text|rm)\s*)?\{?[\w\\,]+\}?\}|\w))?)\s*"
    r"\^\s*(?:2|\{\s*2\s*\})\s*=(?!.*[=<>])",
    re.S,
)
"""The square of a speed or a distance alone on the left."""
_COMPONENT = re.compile(r"_\{?(?:[xyzr\d+-]|\\(?:theta|phi|perp|parallel))")
MOST_FORMULAS = 12


def squares_stated(gold: str, answer: str) -> Iterator[str]:
    """Equations of the answer for the square that stands alone on the left of the gold."""
    wanted = _SQUARE.match(strip_delimiters(gold))
    if wanted is None or _COMPONENT.search(wanted["name"]):
        return
    name = re.sub(r"\s", "", wanted["name"])
    formulas = [part.text for part in pieces(answer) if part.kind != "prose"]
    for formula in formulas[-MOST_FORMULAS:]:
        given = _SQUARE.match(formula)
        if given and re.sub(r"\s", "", given["name"]) == name:
            yield formula.rstrip(" .,;")
