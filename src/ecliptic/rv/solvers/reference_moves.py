r"""Starts for fits: what else the data may mean.

* **aliases** of a frequency f: :math:`|f \pm f_c|` for the sidereal and the solar day, two days, a
  lunar month and a year, and f / 2, 2 f;
* **shapes**: a circle, or eccentricities of 0.5 and more with periastron at several phases;
* **splits**: two planets near 2:1 for one eccentric orbit. To first order in e an eccentric orbit
  is a pair at f and 2 f, so the pair is not found by a periodogram of the residuals.

Shape parameters are those of :mod:`ecliptic.rv.inference.shapes`, (n_planets, 3).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ecliptic.rv.inference.shapes import TWO_PI
from ecliptic.rv.inference.small_matrices import Array
from ecliptic.rv.tasks import ModelFamily

CYCLES_DAYS = (0.99726957, 1.0, 2.0, 29.530589, 365.25636)
SPLITTABLE_E = 0.08
SPLIT_STEPS = (-3.5, -2.5, -1.5, -0.75, 0.0, 0.75, 1.5, 2.5, 3.5)  # in units of the resolution
RESONANT = 0.03


def aliases(frequency: float, family: ModelFamily) -> list[float]:
    """Frequencies in 1/day within the declared range that sampling confuses with one."""
    moved = [0.5 * frequency, 2.0 * frequency]
    for cycle in CYCLES_DAYS:
        moved += [frequency + 1.0 / cycle, abs(frequency - 1.0 / cycle)]
    low, high = 1.0 / family.period_max_days, 1.0 / family.period_min_days
    return [f for f in moved if low <= f <= high]


def with_orbit(shape: Array, frequency: float, x: float = 0.0, y: float = 0.0) -> Array:
    """One orbit more."""
    return np.vstack([shape, [frequency, x, y]])


def moved(shape: Array, planet: int, frequency: float, x: float = 0.0, y: float = 0.0) -> Array:
    """One orbit replaced."""
    out = shape.copy()
    out[planet] = frequency, x, y
    return out


def eccentric(e: float, phases: int) -> list[tuple[float, float]]:
    """e cos M and e sin M at evenly spaced phases."""
    angles = TWO_PI * np.arange(phases) / phases
    return [(e * math.cos(angle), e * math.sin(angle)) for angle in angles.tolist()]


def splits(shape: Array, planet: int, resolution: float, family: ModelFamily) -> Iterator[Array]:
    """Two circular orbits near 2:1 in the place of an eccentric one."""
    f, x, y = shape[planet].tolist()
    if math.hypot(x, y) < SPLITTABLE_E:
        return
    low, high = 1.0 / family.period_max_days, 1.0 / family.period_min_days
    for base in (2.0 * f, 0.5 * f):
        for step in SPLIT_STEPS:
            other = base + step * resolution
            if low <= other <= high:
                yield with_orbit(moved(shape, planet, f), other)
