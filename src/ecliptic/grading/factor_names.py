"""Numbers in closed form where they have a short one: ``2/3``, ``sqrt(2)``, ``4 pi``."""

from __future__ import annotations

import math
from fractions import Fraction

SAME = 1e-9
"""Relative difference below which two constants are one."""
_UNITS = (
    ("", 1.0),
    ("pi", math.pi),
    ("1/pi", 1 / math.pi),
    ("pi^2", math.pi**2),
    ("1/pi^2", math.pi**-2),
    ("e", math.e),
    ("1/e", 1 / math.e),
    ("ln(10)", math.log(10)),
    ("1/ln(10)", 1 / math.log(10)),
    ("ln(2)", math.log(2)),
)


def name_factor(constant: complex) -> str:
    """A number in closed form where it has a short one: rational times roots and powers of pi."""
    if abs(constant.imag) > 1e-9 * abs(constant):
        if abs(constant.real) < 1e-9 * abs(constant):
            inner = name_factor(complex(constant.imag))
            return {"1": "i", "-1": "-i"}.get(inner, f"{inner} i")
        return f"{constant:.6g}"
    value = constant.real
    sign = "-" if value < 0 else ""
    value = abs(value)
    for label, unit in _UNITS:
        fraction = Fraction(value / unit).limit_denominator(144)
        if not fraction or fraction.numerator > 10_000:
            continue
        off = float(fraction) * unit / value - 1
        if abs(off) < 1e-13 or (abs(off) < SAME and fraction != 1):
            return sign + _joined(fraction, label)
        if abs(off) < SAME and not label:
            return f"{sign}(1 {'-' if off > 0 else '+'} {abs(off):.2g})"
    if not 1e-150 < value < 1e150:  # its square is beyond any double
        return f"{sign}{value:.6g}"
    square = Fraction(value * value).limit_denominator(400)
    if square and square.numerator <= 1000 and abs(math.sqrt(square) / value - 1) < SAME:
        return f"{sign}sqrt({square})"
    times_pi = Fraction(value * value * math.pi).limit_denominator(144)
    if times_pi and abs(math.sqrt(times_pi / Fraction(math.pi)) / value - 1) < SAME:
        return f"{sign}sqrt({_joined(times_pi, '1/pi')})"
    over_pi = Fraction(value * value / math.pi).limit_denominator(144)
    if over_pi and abs(math.sqrt(over_pi * Fraction(math.pi)) / value - 1) < SAME:
        return f"{sign}sqrt({_joined(over_pi, 'pi')})"
    return f"{sign}{value:.6g}"


def _joined(fraction: Fraction, label: str) -> str:
    if not label:
        return str(fraction)
    if label.startswith("1/"):
        below = label[2:]
        if fraction.denominator == 1:
            return f"{fraction.numerator}/{below}"
        return f"{fraction.numerator}/({fraction.denominator} {below})"
    above = label if fraction.numerator == 1 else f"{fraction.numerator} {label}"
    return above if fraction.denominator == 1 else f"{above}/{fraction.denominator}"
