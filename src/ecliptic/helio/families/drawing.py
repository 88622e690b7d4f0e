"""The random choices of a family: physics, wording and test points from separate streams."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    from astropy.units import Quantity

_PHYSICS, _WORDING, _POINTS = range(3)

T = TypeVar("T")


class Draw:
    """All that is random in one problem.

    Physics and wording have a stream each, so that a paraphrase added to a family leaves its
    numbers as they were. Numbers are rounded to few digits before anything is computed from them:
    what a question states is exactly what its answer follows from.
    """

    def __init__(self, seed: int, family: str, form: str, index: int, attempt: int = 0) -> None:
        key = (zlib.crc32(f"{family}/{form}".encode()), index, attempt)
        root = np.random.SeedSequence(entropy=seed, spawn_key=key)
        streams = [np.random.Generator(np.random.PCG64(child)) for child in root.spawn(3)]
        self._physics, self._wording = streams[_PHYSICS], streams[_WORDING]
        self.points = streams[_POINTS]
        """Stream of the test points of formulas."""

    def number(self, low: float, high: float, *, digits: int = 2, log: bool = False) -> float:
        """Uniform (or log-uniform) between the limits, rounded to significant digits."""
        share = float(self._physics.random())
        value = low * (high / low) ** share if log else low + (high - low) * share
        return min(max(rounded(value, digits), min(low, high)), max(low, high))

    def quantity(
        self, low: float, high: float, unit: str, *, digits: int = 2, log: bool = False
    ) -> Quantity:
        """A :meth:`number` with its unit, as astropy spells it."""
        from ecliptic.helio.families.notation import unit_of

        return self.number(low, high, digits=digits, log=log) * unit_of(unit)

    def integer(self, low: int, high: int) -> int:
        """Uniform from ``low`` to ``high``, both included."""
        return int(self._physics.integers(low, high + 1))

    def choice(self, options: Sequence[T]) -> T:
        """One of several cases that change the physics of the question."""
        return options[int(self._physics.integers(len(options)))]

    def phrase(self, *variants: str) -> str:
        """One of several wordings that say the same."""
        return variants[int(self._wording.integers(len(variants)))]


def rounded(value: float, digits: int) -> float:
    """``value`` to so many significant digits."""
    if value == 0 or not math.isfinite(value):
        return value
    return float(f"{value:.{digits - 1}e}")
