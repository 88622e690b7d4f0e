"""Why a number is wrong: the simplest reason that explains the ratio to the gold value."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from ecliptic.grading.decimals import CONTEXT
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.quantity import Quantity
from ecliptic.grading.rules import Rules
from ecliptic.grading.unit_alignment import Alignment

_PI = Decimal("3.14159265358979323846")

FACTORS: tuple[tuple[str, Decimal], ...] = tuple(
    (name, value)
    for name, value in (
        ("2", Decimal(2)),
        ("3", Decimal(3)),
        ("4", Decimal(4)),
        ("pi", _PI),
        ("2 pi", 2 * _PI),
        ("4 pi", 4 * _PI),
        ("sqrt(2)", Decimal(2).sqrt()),
        ("sqrt(3)", Decimal(3).sqrt()),
        ("3/2", Decimal("1.5")),
        ("4/3", Decimal(4) / 3),
        ("pi/2", _PI / 2),
        ("pi/4", _PI / 4),
        ("4 pi/3", 4 * _PI / 3),
        ("8", Decimal(8)),
        ("8 pi", 8 * _PI),
        ("sqrt(pi)", _PI.sqrt()),
        ("sqrt(4 pi)", (4 * _PI).sqrt()),
        ("pi^2", _PI * _PI),
        ("4 pi^2", 4 * _PI * _PI),
        ("ln(10)", Decimal(10).ln()),
        ("e", Decimal(1).exp()),
        ("60", Decimal(60)),
        ("3600", Decimal(3600)),
        ("24", Decimal(24)),
        ("86400", Decimal(86400)),
        ("180/pi", 180 / _PI),
        ("c in m/s", Decimal(299792458)),
        ("c in cm/s", Decimal(29979245800)),
    )
)
"""Constants that are lost or doubled; their reciprocals count too. Simple ones first."""

_FACTOR_TOLERANCE = Decimal("0.015")
"""How well a ratio of rounded numbers must fit a factor or a power of ten."""


def explain_value(
    gold: Quantity,
    answer: Quantity,
    value: Decimal,
    alignment: Alignment,
    equal_numbers: bool,
    rules: Rules,
) -> tuple[Code, str, dict[str, Any]]:
    """Code, sentence and evidence for ``value`` (the answer in the gold's unit)."""
    wanted = gold.value
    if wanted == 0 or value == 0:
        message = "the gold value is zero" if wanted == 0 else "zero for a value that is not"
        return Code.MAGNITUDE, message, {}
    ratio = CONTEXT.divide(value, wanted)
    size = abs(ratio)
    evidence: dict[str, Any] = {"ratio": _figure(ratio)}
    if equal_numbers and answer.unit is not None:
        return _wrong_unit(gold, answer, alignment, ratio, evidence)
    negative = ratio < 0
    tolerance = Decimal(str(rules.relative_tolerance))
    if negative and abs(size - 1) <= tolerance:
        return Code.SIGN, "the sign is wrong", evidence
    decade = _power_of_ten(size, tolerance)
    if decade and not negative:
        evidence["power_of_ten"] = decade
        return Code.POWER_OF_TEN, f"off by 10^{decade}", evidence
    if not negative and 0 < abs(size - 1) <= 2 * tolerance:
        return Code.ROUNDING, "just outside the tolerance", evidence
    name = _factor(size)
    if not negative and (told := _told_in(name, gold, answer)):
        evidence["factor"] = name
        return Code.UNIT_PREFIX, f"the number is in {told[0]}, not in {told[1]}", evidence
    if name:
        name = f"-{name}" if negative else name
        evidence["factor"] = name
        return Code.FACTOR, f"off by the factor {name}", evidence
    if not negative and _rounds_to(answer.value, CONTEXT.divide(wanted, alignment.scale)):
        return Code.ROUNDING, "rounded too coarsely", evidence
    if abs(CONTEXT.multiply(abs(value), abs(wanted)) - 1) <= tolerance and not negative:
        return Code.RECIPROCAL, "the reciprocal of the gold value", evidence
    if negative:
        evidence["sign"] = "wrong"
        if decade:
            evidence["power_of_ten"] = decade
    return Code.MAGNITUDE, f"{_figure(ratio)} times the gold value", evidence


def _figure(value: Decimal) -> str:
    return f"{float(value):.4g}" if -300 < value.adjusted() < 300 else f"{value:.4g}"


def _wrong_unit(
    gold: Quantity,
    answer: Quantity,
    alignment: Alignment,
    ratio: Decimal,
    evidence: dict[str, Any],
) -> tuple[Code, str, dict[str, Any]]:
    """The gold's number with a unit of the same dimension and another size."""
    wanted = gold.unit.spelling if gold.unit else "no unit"
    given = answer.unit.spelling if answer.unit else "no unit"
    evidence |= {"gold_unit": wanted, "answer_unit": given}
    decade = _power_of_ten(abs(ratio), Decimal("0.05"))
    if decade:
        evidence["power_of_ten"] = decade
    if alignment.gaussian or _systems_differ(wanted, given):
        return Code.UNIT_SYSTEM, f"the number is in {wanted}, not in {given}", evidence
    return Code.UNIT_PREFIX, f"the number is right in {wanted}, not in {given}", evidence


_DEGREES = re.compile(r"(?:deg|degrees?|°|\\?(?:circ|degree))\W*", re.I)
_RADIANS = re.compile(r"(?:rad|radians?)\W*", re.I)


def _told_in(name: str, gold: Quantity, answer: Quantity) -> tuple[str, str] | None:
    """The unit in which an angle is right, and the one that it was given in."""
    wanted = gold.unit.spelling if gold.unit else ""
    given = answer.unit.spelling if answer.unit else ""
    degrees, radians = _DEGREES.search(wanted), _RADIANS.search(wanted)
    if name == _inverse("180/pi") and degrees and _DEGREES.search(given):
        return "radians", "degrees"
    if name == "180/pi" and radians and _RADIANS.search(given):
        return "degrees", "radians"
    return None


_CGS = re.compile(r"(?<![A-Za-z])[kMmunpµμ]?(?:ergs?|dyn(?:e|es)?|barye|poise)(?![A-Za-z])")
_SI = re.compile(
    r"(?<![A-Za-z])(?:[kMGTPmunpfµμ]?(?:J|W|N|Pa|T|V|Wb)|(?:[a-z]+)?"
    r"(?:joules?|watts?|newtons?|pascals?|teslas?|volts?))(?![A-Za-z])"
)
"""Units that belong to one system alone."""


def _systems_differ(wanted: str, given: str) -> bool:
    """Whether one unit is of the CGS system and the other of the SI."""
    return any(
        _CGS.search(one) and _SI.search(other) and not (_SI.search(one) or _CGS.search(other))
        for one, other in ((wanted, given), (given, wanted))
    )


def _power_of_ten(size: Decimal, tolerance: Decimal) -> int:
    """``k`` if ``size`` is 10^k within the tolerance, else zero."""
    decade = int(size.log10().to_integral_value())
    if decade == 0:
        return 0
    fit = CONTEXT.scaleb(size, Decimal(-decade))
    return decade if abs(fit - 1) <= max(min(tolerance, Decimal("0.05")), Decimal("1e-6")) else 0


def _factor(size: Decimal) -> str:
    best, best_misfit = "", _FACTOR_TOLERANCE
    for name, factor in FACTORS:
        for text, expected in ((name, factor), (_inverse(name), 1 / factor)):
            misfit = abs(size / expected - 1)
            # An earlier, simpler factor stays unless a later one fits much better.
            if misfit < best_misfit * (1 if not best else Decimal("0.3")):
                best, best_misfit = text, misfit
    return best


def _inverse(name: str) -> str:
    return f"1/({name})" if " " in name or "/" in name else f"1/{name}"


def _rounds_to(answer: Decimal, wanted: Decimal) -> bool:
    """Whether rounding the gold value to the answer's figures gives the answer."""
    digits = len(answer.normalize().as_tuple().digits)
    if digits > 3 or wanted == 0 or not wanted.is_finite():
        return False
    return round_to_figures(wanted, digits) == answer.normalize()


def round_to_figures(value: Decimal, digits: int) -> Decimal:
    """``value`` with that many significant figures."""
    quantum = Decimal(1).scaleb(value.adjusted() - digits + 1, CONTEXT)
    return CONTEXT.quantize(value, quantum).normalize()
