"""No planets: the floor of every comparison."""

from __future__ import annotations

from typing import Any

from ecliptic.rv.tasks import Observation


def solve(observation: Observation) -> dict[str, Any]:  # noqa: ARG001
    """An empty system with the quoted errors as they are."""
    return {"planets": [], "noise": {"sigma_jitter_ms": 0.0}}
