"""Whether a quantity in one unit can be stated in another, and by which factor."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from math import pi
from typing import Any

from ecliptic.grading.decimals import CONTEXT
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.rules import Rules
from ecliptic.grading.unit import ONE, Exponents, Unit, dimension_name
from ecliptic.grading.units import parse_unit

_BOLTZMANN = 1.380649e-23
_LIGHT = 299792458.0
_DEGREE = pi / 180
_ENERGY_PER_KELVIN: Exponents = tuple(Fraction(n) for n in (1, 2, -2, 0, -1, 0, 0, 0, 0, 0))
_SPEED_SQUARED: Exponents = tuple(Fraction(n) for n in (0, 2, -2, 0, 0, 0, 0, 0, 0, 0))
_PLANE_ANGLE: Exponents = tuple(Fraction(n) for n in (0, 0, 0, 0, 0, 0, 0, 1, 0, 0))
_PER_NUCLEON: Exponents = tuple(Fraction(n) for n in (0, 0, 0, 0, 0, 0, 0, 0, 1, 0))


@dataclass(frozen=True, slots=True)
class Alignment:
    """``answer * scale + offset`` is in the gold's unit, or ``fault`` says why there is none.

    ``rules`` are the contested rules that made it possible; ``missing_rules`` would have.
    """

    scale: Decimal = Decimal(1)
    offset: Decimal = Decimal(0)
    fault: Code | None = None
    message: str = ""
    rules: tuple[str, ...] = ()
    missing_rules: tuple[str, ...] = ()
    gaussian: bool = False
    """One unit is Gaussian and the other of the SI."""
    reciprocal: bool = False
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def apply(self, value: Decimal) -> Decimal:
        """A value of the answer in the gold's unit."""
        if self.scale == 1 and not self.offset:
            return value
        return CONTEXT.add(CONTEXT.multiply(value, self.scale), self.offset)

    def scaled(self, difference: Decimal) -> Decimal:
        """A difference or an uncertainty in the gold's unit."""
        return CONTEXT.multiply(difference, self.scale)


_IDENTITY = Alignment()


def align(gold: Unit | None, answer: Unit | None, rules: Rules) -> Alignment:
    """How ``answer``'s unit becomes ``gold``'s; ``None`` is a number without a unit."""
    if gold is answer or (gold is None and answer is None):
        return _IDENTITY
    return _align(
        gold,
        answer,
        rules.allow_missing_unit,
        rules.allow_missing_degree,
        rules.allow_missing_percent,
        rules.bare_number_is_radian,
        rules.allow_extra_unit,
        rules.hertz_is_per_second,
        rules.hertz_is_radian_per_second,
        rules.temperature_is_energy,
        rules.mass_is_energy,
        rules.per_nucleon_is_total,
        rules.gamma_is_nanotesla,
    )


@lru_cache(maxsize=8192)
def _align(
    gold: Unit | None,
    answer: Unit | None,
    missing_unit: bool,
    missing_degree: bool,
    missing_percent: bool,
    bare_is_radian: bool,
    extra_unit: bool,
    hertz_per_second: bool,
    hertz_radian: bool,
    temperature_energy: bool,
    mass_energy: bool,
    nucleon_total: bool,
    gamma: bool,
) -> Alignment:
    wanted, given = gold or ONE, answer or ONE
    if not gamma and _is_gamma(wanted) != _is_gamma(given):
        return _incompatible(wanted, given, "gamma_is_nanotesla")
    if wanted.exponents == given.exponents:
        if not hertz_per_second and _is_hertz(wanted) != _is_hertz(given):
            return _incompatible(wanted, given, "hertz_is_per_second")
        return _converted(wanted, given, answer, missing_percent, missing_unit)
    gap = tuple(a - b for a, b in zip(wanted.exponents, given.exponents, strict=True))
    angular = _multiple(gap, _PLANE_ANGLE) in (1, -1)
    if angular and (_is_hertz(wanted) or _is_hertz(given)):
        turn = 1.0 if hertz_radian else 2 * pi
        turn = 1 / turn if _is_hertz(wanted) else turn
        return _scaled(given.factor * turn / wanted.factor, "hertz_is_radian_per_second")
    if angular:
        if answer is None and missing_degree and _is_degree(wanted):
            return Alignment(rules=("allow_missing_degree",))
        if bare_is_radian:
            return Alignment(
                Decimal(given.factor / wanted.factor),
                rules=("bare_number_is_radian",),
                missing_rules=("allow_missing_degree",) if _is_degree(wanted) else (),
            )
    if answer is None or given.is_bare:
        if missing_unit:
            return Alignment(rules=("allow_missing_unit",))
        return Alignment(
            fault=Code.UNIT_MISSING,
            message=f"the unit {wanted.spelling} is missing",
            missing_rules=("allow_missing_unit",),
            evidence={"unit": wanted.spelling},
        )
    if gold is None or not any(wanted.exponents):
        if extra_unit:
            return Alignment(rules=("allow_extra_unit",))
        return Alignment(
            fault=Code.UNIT_UNEXPECTED,
            message=f"a number without a unit was asked for, not one in {given.spelling}",
            missing_rules=("allow_extra_unit",),
            evidence={"unit": given.spelling},
        )
    times = _multiple(gap, _PER_NUCLEON)
    if times:
        if nucleon_total:
            return _scaled(given.factor / wanted.factor, "per_nucleon_is_total")
        return _incompatible(wanted, given, "per_nucleon_is_total")
    for unit_gap, constant, allowed, rule in (
        (_ENERGY_PER_KELVIN, _BOLTZMANN, temperature_energy, "temperature_is_energy"),
        (_SPEED_SQUARED, _LIGHT**2, mass_energy, "mass_is_energy"),
    ):
        times = _multiple(gap, unit_gap)
        if times and (unit_gap is _ENERGY_PER_KELVIN or _mass_for_energy(wanted, given)):
            if allowed:
                return _scaled(given.factor / wanted.factor * constant ** float(times), rule)
            return _incompatible(wanted, given, rule)
    angstroms = _with_angstroms(wanted, given)
    if angstroms is not None:
        return _converted(wanted, angstroms, angstroms, missing_percent, missing_unit)
    return _incompatible(wanted, given)


_AMPERE = re.compile(r"(?<![A-Za-z])A(?![A-Za-z])")


def _with_angstroms(wanted: Unit, given: Unit) -> Unit | None:
    """``erg/s/cm^2/A`` beside ``erg s^-1 cm^-2 Å^-1``: an A in a product is the ångström there."""
    if "Å" not in wanted.spelling or _AMPERE.fullmatch(given.spelling.strip()):
        return None
    if _AMPERE.search(given.spelling) is None:
        return None
    try:
        unit = parse_unit(_AMPERE.sub("Å", given.spelling))
    except ParseFailure:
        return None
    return unit if unit.exponents == wanted.exponents else None


def _converted(
    wanted: Unit,
    given: Unit,
    answer: Unit | None,
    missing_percent: bool,
    missing_unit: bool,
) -> Alignment:
    if answer is None and wanted.factor != 1.0 and not any(wanted.exponents):
        if missing_percent or missing_unit:
            rule = "allow_missing_percent" if missing_percent else "allow_missing_unit"
            return Alignment(rules=(rule,))
        return Alignment(
            Decimal(given.factor / wanted.factor), missing_rules=("allow_missing_percent",)
        )
    scale = given.factor / wanted.factor
    offset = (given.kelvin_offset - wanted.kelvin_offset) / wanted.factor
    decimal_scale = Decimal(1) if abs(scale - 1) < 1e-12 else Decimal(scale)
    return Alignment(
        decimal_scale, Decimal(str(offset)), gaussian=wanted.gaussian != given.gaussian
    )


def _scaled(scale: float, rule: str) -> Alignment:
    return Alignment(Decimal(scale), rules=(rule,))


def _incompatible(wanted: Unit, given: Unit, *missing_rules: str) -> Alignment:
    names = dimension_name(wanted), dimension_name(given)
    evidence = {
        "gold_unit": wanted.spelling,
        "answer_unit": given.spelling,
        "gold_dimension": names[0],
        "answer_dimension": names[1],
    }
    reciprocal = all(a == -b for a, b in zip(wanted.exponents, given.exponents, strict=True))
    if _one_law_in_two_systems(wanted, given):
        return Alignment(
            fault=Code.UNIT_SYSTEM,
            message=f"Gaussian against SI: {given.spelling} for {wanted.spelling}",
            evidence=evidence,
        )
    return Alignment(
        fault=Code.UNIT_INCOMPATIBLE,
        message=f"{given.spelling} ({names[1]}) for {wanted.spelling} ({names[0]})"
        + (", the reciprocal unit" if reciprocal else ""),
        missing_rules=missing_rules,
        reciprocal=reciprocal,
        evidence=evidence,
    )


def _multiple(gap: Exponents, unit: Exponents) -> Fraction:
    """``n`` with ``gap == n unit``, or zero."""
    times = Fraction(0)
    for a, b in zip(gap, unit, strict=True):
        if b == 0:
            if a:
                return Fraction(0)
        elif times == 0:
            times = a / b
        elif a != times * b:
            return Fraction(0)
    return times


def _mass_for_energy(wanted: Unit, given: Unit) -> bool:
    """The same power of mass, and speeds squared between them: kg and MeV, not s/m and m/s."""
    return wanted.exponents[0] == given.exponents[0] != 0


def _one_law_in_two_systems(wanted: Unit, given: Unit) -> bool:
    """Dimensions that agree once charge is g^1/2 cm^3/2 s^-1, up to powers of c.

    In Gaussian units the ampere is a mechanical unit and E and B share one dimension, so the
    mechanical dimensions may differ by a power of a speed.
    """
    if wanted.exponents[3] == given.exponents[3] and wanted.gaussian == given.gaussian:
        return False
    one, other = _mechanical(wanted), _mechanical(given)
    mass, length, time = (a - b for a, b in zip(one, other, strict=True))
    rest = wanted.exponents[4:] == given.exponents[4:]
    return rest and mass == 0 and length == -time and length in (-2, -1, 0, 1, 2)


def _mechanical(unit: Unit) -> tuple[Fraction, Fraction, Fraction]:
    mass, length, time, current = unit.exponents[:4]
    return (
        mass + current / 2,
        length + current * Fraction(3, 2),
        time - current * 2,
    )


def _is_hertz(unit: Unit) -> bool:
    return "Hz" in unit.spelling or "hertz" in unit.spelling.lower()


def _is_gamma(unit: Unit) -> bool:
    return unit.spelling.lower().startswith(("gamma", "γ"))


def _is_degree(unit: Unit) -> bool:
    return unit.exponents == _PLANE_ANGLE and abs(unit.factor / _DEGREE - 1) < 1e-9
