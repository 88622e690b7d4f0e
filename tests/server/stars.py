"""Which task of a served suite is which, for tests that need the truth."""

from __future__ import annotations

from typing import Any

import numpy as np

import ecliptic
from ecliptic import rv

FIELDS = ("period_days", "m_sin_i_mjup", "e", "omega_rad", "l_rad")


def task_behind(observation: dict[str, Any], suite: str) -> Any:
    """The task that was observed."""
    for task in ecliptic.load_suite(suite):
        if np.array_equal(task.observation.rvs_ms, observation["rvs_ms"]):
            return task
    raise AssertionError("no such task")


def truth_of(task: Any) -> dict[str, Any]:
    """The true planets as a submission."""
    planets = [{name: getattr(planet, name) for name in FIELDS} for planet in task.truth.planets]
    return {"planets": [{**planet, "e": min(planet["e"], 0.8)} for planet in planets]}


def solvable(suite: str, protocol: str) -> Any:
    """The first task that its truth passes."""
    for task in ecliptic.load_suite(suite):
        if rv.evaluate(task, truth_of(task), protocol).passed:
            return task
    raise AssertionError("no such task")


WRONG = {"planets": [dict.fromkeys(FIELDS, 0.1) | {"period_days": 777.7}]}
