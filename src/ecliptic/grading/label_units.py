"""A unit that stands with the name of a quantity: ``T (MK) = 1.5``, ``B/nT = 5``."""

from __future__ import annotations

import re

from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.units import Unit, parse_unit

_UNIT = r"[A-Za-zμΩÅ°%⊙_][^()\[\]=]{0,40}?(?:\^\([-+]?\d+\)[^()\[\]=]{0,40}?)*"
_PATTERNS = (
    re.compile(rf"^(?P<name>.+?)\s+\((?:in )?(?P<unit>{_UNIT})\)\s*(?:is|=|:)?$"),
    re.compile(rf"^(?P<name>.+?)\s*\[(?:in )?(?P<unit>{_UNIT})\]\s*(?:is|=|:)?$"),
    re.compile(
        rf"^(?P<name>.+?(?<!change)(?<!crease)(?<!drop)(?<!jump)(?<!rise)(?<!ference)(?<!error)(?<!ation)"
        rf"(?<!fall)(?<!reduction)),? in (?:units of )?(?P<unit>{_UNIT})\s*(?:,?\s*(?:is|=|:))?"
        r"(?:\s+(?:about|roughly|approximately))?$",
        re.I,
    ),
    re.compile(r"^(?P<name>[A-Za-zΑ-ω](?:_\w+)?)\s?/\s?\(?(?P<unit>K|[A-Za-zμ%][^()=]+?)\)?$"),
)
_UNIT_ALONE = re.compile(r"^(?:in )?(?P<unit>[A-Za-zμ%°][^()\[\]=:]*[/^][^\[\]=:]*)$", re.I)
"""``W/m^2: 9e-7``."""
_ONE_LETTER = re.compile(r"[A-JL-Za-z]")
"""A quotient of two symbols, not a unit."""


def label_and_unit(label: str) -> tuple[str, Unit | None]:
    """The label without its unit, and the unit; the label as it is when it holds none."""
    for pattern in _PATTERNS:
        match = pattern.match(label)
        if match is None or (_ONE_LETTER.fullmatch(match["unit"]) and "/" in label):
            continue
        try:
            unit = parse_unit(match["unit"])
        except ParseFailure:
            continue
        if not unit.is_bare:
            return match["name"], unit
    alone = _UNIT_ALONE.match(label)
    if alone:
        try:
            return "", parse_unit(alone["unit"])
        except ParseFailure:
            pass
    return label, None
