"""Agents by the names that people type."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

from ecliptic.analysis.attempts import Attempt
from ecliptic.errors import UsageError


def by_arm(attempts: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    """Attempts by agent and model, in the order of their first appearance."""
    arms: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        arms.setdefault(attempt.arm, []).append(attempt)
    return arms


def split_names(text: str) -> list[str]:
    """``react,classical[a=1,b=2]`` is two names: commas inside brackets do not part."""
    return [name.strip() for name in re.split(r",(?![^\[(]*[\])])", text) if name.strip()]


def find_arm(name: str, arms: dict[str, list[Attempt]]) -> str:
    """The arm that is meant: its whole name, its agent or model, or a part that only it has.

    Raises
    ------
    UsageError
        None is meant, with the nearest suggested, or several.
    """
    if name in arms:
        return name
    tests: Sequence[tuple[str, ...]] = (
        tuple(arm for arm, own in arms.items() if own[0].agent == name),
        tuple(arm for arm, own in arms.items() if own[0].model == name),
        tuple(arm for arm in arms if name.lower() in arm.lower()),
    )
    for found in tests:
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"'{name}' may be {' or '.join(found)}; give more of the name")
    agents = dict.fromkeys(own[0].agent for own in arms.values())
    near = difflib.get_close_matches(name, [*agents, *arms], n=1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    raise UsageError(f"no attempt of an agent '{name}'; {hint}the logs hold {', '.join(arms)}")
