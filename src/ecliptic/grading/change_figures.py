"""Whether the figures beside a direction go that way: ``decreases (from 0.68 to 0.65)``."""

from __future__ import annotations

import math
import re

_NUMBER = (
    r"[-+−]?\d+(?:\.\d+)?(?:\s*(?:×|x|\\times|\\cdot|·)\s*10\s*\^?\s*\{?\(?[-+−]?\d+\)?\}?"
    r"|e[-+]?\d+)?"
)
_PAIR = re.compile(
    rf"(?P<a>{_NUMBER})(?P<u>[^\d→]{{0,30}}?)(?:\bto\b|→|⟶|->|\\to|\\rightarrow)\s*"
    rf"(?:about|approximately|roughly|only|nearly|~|≈|\$|\s)*(?P<b>{_NUMBER})(?P<w>[^\d→()]{{0,30}})",
    re.I,
)
_FACTOR = re.compile(rf"\bfactor\s+(?:of\s+)?(?:about|approximately|roughly|~|≈|\$|\s)*({_NUMBER})")
_TIMES = re.compile(rf"({_NUMBER})\s*(?:times|-?\s*fold)\b", re.I)
_NEGATIVE = re.compile(r"\b(?:as|like)\s+\$?\s*[-−]|\bprobab|\b0\s*\\?%", re.I)
_BY = re.compile(rf"\bby\s+(?:about|approximately|roughly|some|nearly|~|≈|\$|\s)*({_NUMBER})", re.I)


def figures_agree(text: str, direction: int) -> bool:
    """Whether no figure in ``text`` speaks against the direction (+1, -1 or 0)."""
    for pair in _PAIR.finditer(text):
        unit, other = (re.sub(r"[\s$\\]", "", pair[name]) for name in "uw")
        first, second = _value(pair["a"]), _value(pair["b"])
        if (unit and not other.startswith(unit)) or (first < 0 and second < 0):
            continue  # another unit, or perhaps the size of a negative quantity
        if (second > first) - (second < first) != direction:
            return False
    factors = [_value(match[1]) for match in (*_FACTOR.finditer(text), *_TIMES.finditer(text))]
    if any(factor <= 0 or (direction > 0 and factor < 1) for factor in factors):
        return False
    if direction == 0 and any(factor != 1 for factor in factors):
        return False
    steps = [_value(match[1]) for match in _BY.finditer(text)]
    if _NEGATIVE.search(text) or any((step == 0) != (direction == 0) for step in steps):
        return False
    return not any(step < 0 for step in steps)


def _value(text: str) -> float:
    text = re.sub(r"\s*(?:×|x|\\times|\\cdot|·)\s*10\s*\^?\s*\{?\(?", "e", text.replace("−", "-"))
    try:
        return float(text.strip("{}() "))
    except (OverflowError, ValueError):
        return math.nan
