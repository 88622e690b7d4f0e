"""What an agent's laboratory gives to the code of a skill, without the walls."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ecliptic.rv import Observation
from ecliptic.skills import load_skills

_CODE = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def snippets(name: str) -> list[str]:
    return _CODE.findall(load_skills([name])[-1].body)


def preloaded(observation: Observation) -> dict[str, Any]:
    """A fresh namespace as an attempt finds it."""
    return {
        "times_days": np.array(observation.times_days),
        "rvs_ms": np.array(observation.rvs_ms),
        "sigmas_ms": np.array(observation.sigmas_ms),
        "instruments": list(observation.instruments),
        "star_mass_sun": observation.star_mass_sun,
    }


def run(name: str, namespace: dict[str, Any], *, first: int | None = None) -> dict[str, Any]:
    """Execute the code of a skill (its ``first`` blocks) in the namespace."""
    for code in snippets(name)[:first]:
        exec(compile(code, f"<skill {name}>", "exec"), namespace)
    return namespace


def observed(
    planets: list[Any], *, seed: int, labels: tuple[str, ...] = ("a",), error_ms: float = 1.0
) -> Observation:
    """90 points over 400 days of a star of 0.9 solar masses; the instruments follow each other.

    Instrument number ``i`` has a zero point of ``50 i`` m/s.
    """
    from ecliptic.rv.orbit import radial_velocity_ms

    rng = np.random.default_rng(seed)
    times = np.sort(rng.uniform(2000.0, 2400.0, 90))
    which = np.arange(90) * len(labels) // 90
    velocities = radial_velocity_ms(times, planets, 0.9, times[0]) + 50.0 * which
    return Observation(
        times_days=times,
        rvs_ms=velocities + rng.normal(0.0, error_ms, 90),
        sigmas_ms=np.full(90, error_ms),
        instruments=tuple(labels[i] for i in which),
        star_mass_sun=0.9,
    )
