"""The patterns by name."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from ecliptic.agents.hmaw import HMAW
from ecliptic.agents.mentor import MENTOR
from ecliptic.agents.pace import PACE
from ecliptic.agents.phase import PHASE
from ecliptic.agents.react import REACT
from ecliptic.agents.router import make_router
from ecliptic.agents.schema import SCHEMA
from ecliptic.agents.single_shot import SINGLE_SHOT
from ecliptic.agents.stage import Pattern
from ecliptic.errors import UsageError

ROUTABLE: Mapping[str, Pattern] = MappingProxyType(
    {p.name: p for p in (SINGLE_SHOT, HMAW, PACE, PHASE, SCHEMA, REACT, MENTOR)}
)
"""What the router chooses from."""

PATTERNS: Mapping[str, Pattern] = MappingProxyType({**ROUTABLE, "router": make_router(ROUTABLE)})
"""All patterns with their default options."""


def find_pattern(pattern: str | Pattern, constrained: bool | None = None) -> Pattern:
    """The pattern of that name; a pattern is returned as it is.

    ``constrained`` says whether hand-overs are asked for with a schema that the provider enforces;
    by default it is left as the pattern has it.

    Raises
    ------
    UsageError
        There is none; the nearest name is suggested.
    """
    if isinstance(pattern, str):
        pattern = _by_name(pattern)
    return pattern if constrained is None else replace(pattern, constrained=constrained)


def _by_name(pattern: str) -> Pattern:
    if pattern in PATTERNS:
        return PATTERNS[pattern]
    near = difflib.get_close_matches(pattern, PATTERNS, n=1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    own = " (one of your own runs with: inspect eval TASK --solver FILE.py)"
    raise UsageError(
        f"there is no pattern '{pattern}': {hint}choose from {', '.join(PATTERNS)}"
        + (own if pattern.partition("@")[0].endswith(".py") else "")
    )
