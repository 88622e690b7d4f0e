"""Numbers, quantities and units as they stand in a question: LaTeX in dollar signs."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from astropy.units import Quantity, UnitBase

_OWN_LATEX = {
    "deg": r"^{\circ}",
    "R_sun": r"R_{\odot}",
    "solRad": r"R_{\odot}",
    "M_sun": r"M_{\odot}",
    "L_sun": r"L_{\odot}",
    "AU": r"\mathrm{AU}",
    "au": r"\mathrm{AU}",
    "%": r"\%",
    "percent": r"\%",
    "R_earth": r"R_{\mathrm{E}}",
    "R_jup": r"R_{\mathrm{J}}",
}
"""Spellings of the field that differ from astropy's."""


@lru_cache(maxsize=512)
def unit_of(spelling: str) -> UnitBase:
    """The astropy unit of a spelling such as ``km s-1``, ``R_sun`` or ``""``."""
    from astropy import units

    own = {"R_sun": units.R_sun, "M_sun": units.M_sun, "L_sun": units.L_sun}
    own |= {"R_earth": units.R_earth, "R_jup": units.R_jup, "AU": units.au}
    return own[spelling] if spelling in own else units.Unit(spelling)


@lru_cache(maxsize=512)
def unit_tex(spelling: str) -> str:
    """LaTeX of a unit without dollar signs: ``\\mathrm{km\\,s^{-1}}``."""
    if spelling in _OWN_LATEX:
        return _OWN_LATEX[spelling]
    text = unit_of(spelling).to_string("latex_inline").strip("$")
    return str(re.sub(r"\\mathrm\{(.*)\}", r"\\mathrm{\1}", text))


def number_tex(value: float, digits: int = 3) -> str:
    """LaTeX of a number without dollar signs: plain from 1e-3 to 1e5, else with a power of ten."""
    if value == 0:
        return "0"
    mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
    power = int(exponent)
    if -3 <= power < 5:
        decimals = max(digits - 1 - power, 0)
        return f"{float(f'{mantissa}e{power}'):.{decimals}f}"
    return rf"{mantissa}\times 10^{{{power}}}"


def tex(value: Quantity | float, digits: int | None = None, *, unit: str | None = None) -> str:
    """A value in dollar signs, as a question states it: ``$5.2\\ \\mathrm{nT}$``.

    ``digits`` are significant figures; without them all digits of the (rounded) value are shown.
    ``unit`` names the unit to show it in, and must be given where the quantity's own has a
    spelling of the field (``R_sun``, ``AU``).
    """
    if isinstance(value, int | float):
        number, spelling = float(value), unit or ""
    else:
        spelling = str(value.unit) if unit is None else unit
        number = float(value.to_value(unit_of(spelling)))
    shown = number_tex(number, digits or _digits(number))
    if not spelling:
        return f"${shown}$"
    gap = "" if spelling in ("deg", "%", "percent") else r"\ "
    return f"${shown}{gap}{unit_tex(spelling)}$"


def power_tex(value: Fraction) -> str:
    """A rational exponent without dollar signs, to stand in braces: ``7/2``."""
    return str(value)


def fraction_tex(value: Fraction) -> str:
    """A rational factor without dollar signs: ``\\frac{7}{2}``, or a whole number."""
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    return rf"{sign}\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def factor_tex(value: Fraction) -> str:
    """A :func:`fraction_tex` to stand before a symbol: nothing for a factor of 1."""
    return "" if value == 1 else fraction_tex(value)


def raised_tex(base: str, power: Fraction) -> str:
    """A symbol to a rational power, without dollar signs: the bare symbol for a power of 1."""
    return base if power == 1 else f"{base}^{{{power_tex(power)}}}"


def rational_power_tex(base: Fraction, power: Fraction) -> str:
    """A rational number to a rational power, worked out where the power is whole."""
    if power.denominator == 1:
        return fraction_tex(base**power.numerator)
    return rf"\left({fraction_tex(base)}\right)^{{{power_tex(power)}}}"


def ratio_tex(factor: Fraction, top: str, bottom: str) -> str:
    """A rational multiple of a ratio, as one fraction: ``\\frac{7 \\eta}{3 L}``.

    Either side may be empty; with nothing below the bar there is none.
    """
    over, under = factor.as_integer_ratio()
    above = " ".join(part for part in ("" if over == 1 else str(over), top) if part) or "1"
    below = " ".join(part for part in ("" if under == 1 else str(under), bottom) if part)
    return rf"\frac{{{above}}}{{{below}}}" if below else above


def root_tex(value: Fraction) -> str:
    """The square root of a positive rational number, with square factors before the root sign."""
    squares, rest = [], []
    for part in value.as_integer_ratio():
        side = max(k for k in range(1, math.isqrt(part) + 1) if part % k**2 == 0)
        squares.append(side)
        rest.append(part // side**2)
    front, under = Fraction(*squares), Fraction(*rest)
    if under == 1:
        return fraction_tex(front)
    return rf"{factor_tex(front)}\sqrt{{{fraction_tex(under)}}}"


def _digits(value: float) -> int:
    """Significant digits that are needed to show a value to a relative 1e-9; one at least."""
    if value == 0 or not math.isfinite(value):
        return 1
    mantissa = f"{abs(value):.8e}".split("e")[0].rstrip("0").rstrip(".")
    return max(len(mantissa.replace(".", "")), 1)
