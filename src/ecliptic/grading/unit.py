"""A unit: a factor to the SI and a dimension."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.unit_table import BASE_UNITS

Exponents = tuple[Fraction, ...]

_NONE: Exponents = (Fraction(0),) * len(BASE_UNITS)

_LARGEST_DECADE = 140
"""Units are within 10^+-140, so that the ratio of two is a float."""


@dataclass(frozen=True, slots=True)
class Unit:
    """``factor`` times a product of base units.

    ``exponents`` follow :data:`~ecliptic.grading.unit_table.BASE_UNITS`: the seven of the SI, then
    angle, nucleons and levels. ``gaussian`` marks Gaussian electromagnetic units, which stand as
    their SI multiples. ``kelvin_offset`` is nonzero only for an absolute temperature.
    """

    factor: float
    exponents: Exponents = _NONE
    spelling: str = ""
    gaussian: bool = False
    kelvin_offset: float = 0.0

    @property
    def dimensions(self) -> Exponents:
        """The seven exponents of kg, m, s, A, K, mol, cd."""
        return self.exponents[:7]

    def exponent(self, base: str) -> Fraction:
        """The exponent of one base unit."""
        return self.exponents[BASE_UNITS.index(base)]

    def without(self, *bases: str) -> Exponents:
        """The exponents with those of ``bases`` set to zero."""
        return tuple(
            Fraction(0) if base in bases else exponent
            for base, exponent in zip(BASE_UNITS, self.exponents, strict=True)
        )

    @property
    def is_bare(self) -> bool:
        """Whether the unit is the number one: nothing written, or only what is counted."""
        return self.factor == 1.0 and not any(self.exponents)

    def __hash__(self) -> int:
        return hash((self.factor, self.spelling))  # fractions hash slowly

    def __mul__(self, other: Unit) -> Unit:
        exponents = tuple(a + b for a, b in zip(self.exponents, other.exponents, strict=True))
        factor = _bounded(self.factor * other.factor)
        return Unit(factor, exponents, "", self.gaussian or other.gaussian)

    def __pow__(self, power: Fraction) -> Unit:
        if power == 1:
            return self
        if abs(float(power) * math.log10(abs(self.factor))) > _LARGEST_DECADE:
            raise ParseFailure("the unit is too large", 0, limit="exponent")
        if self.factor < 0 and power.denominator != 1:
            raise ParseFailure("a root of a unit that counts downwards", 0)
        factor = _bounded(self.factor ** float(power))
        exponents = tuple(exponent * power for exponent in self.exponents)
        return Unit(factor, exponents, "", self.gaussian)


def _bounded(factor: float) -> float:
    if not 10.0**-_LARGEST_DECADE < abs(factor) < 10.0**_LARGEST_DECADE:
        raise ParseFailure("the unit is too large or too small", 0, limit="exponent")
    return factor


ONE = Unit(1.0)


def dimension_name(unit: Unit) -> str:
    """The dimension in base units, such as ``m s^-1``; ``1`` without one."""
    parts = [
        base if exponent == 1 else f"{base}^{exponent}"
        for base, exponent in zip(BASE_UNITS, unit.exponents, strict=True)
        if exponent
    ]
    return " ".join(parts) or "1"


@cache
def exponents_of(text: str) -> Exponents:
    """The exponents of a product of base units, such as ``kg m s-2``."""
    powers = dict.fromkeys(BASE_UNITS, Fraction(0))
    for part in text.split():
        base = part.rstrip("-0123456789")
        powers[base] += Fraction(part[len(base) :] or "1")
    return tuple(powers.values())
