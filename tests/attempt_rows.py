"""Attempts made up in a line."""

from __future__ import annotations

from typing import Any

from ecliptic.analysis import Attempt


def attempt(
    agent: str = "react", task: str = "t0", passed: bool | None = True, **more: Any
) -> Attempt:
    fields: dict[str, Any] = {
        "model": "", "world": "stargazer", "suite": "s", "cluster": task, "kind": "easy",
        "protocol": "strict", **more,
    }  # fmt: skip
    return Attempt(agent=agent, task=task, passed=passed, **fields)


def attempts(agent: str, marks: str, **more: Any) -> list[Attempt]:
    """``"10x"``: passed on t0, not on t1, an error on t2."""
    known = {"1": True, "0": False, "x": None}
    return [attempt(agent, f"t{i}", known[mark], **more) for i, mark in enumerate(marks)]
