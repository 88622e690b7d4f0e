"""The ratio of answer to gold at the points: constant, or a power of one symbol."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from ecliptic.grading.factor_names import SAME
from ecliptic.grading.values import Agreement

Array = NDArray[np.complex128]


def finite(values: Array) -> Array:
    """The values that are numbers."""
    return values[np.isfinite(values)]


def common_ratio(found: list[Agreement]) -> Array | None:
    """Answer over gold, over all components; ``None`` when a component of one alone vanishes."""
    parts = []
    for one in found:
        g, a = one.gold, one.answer
        zero_g, zero_a = not np.any(g), not np.any(a)
        if zero_g != zero_a:
            return None
        if zero_g:
            continue
        with np.errstate(all="ignore"):
            quotient = a / g
        usable = np.isfinite(quotient) & (np.abs(g) > 1e-280) & (np.abs(a) > 1e-280)
        if np.count_nonzero(usable) < 4:
            return None
        parts.append(quotient[usable])
    return np.concatenate(parts) if parts else None


def count_points(found: list[Agreement]) -> int:
    """Number of points over all components."""
    return sum(one.gold.size for one in found)


def constant_of(values: Array) -> complex | None:
    """The value that all of them are, within rounding."""
    if values.size < 4:
        return None
    middle = complex(np.mean(values))
    if not np.isfinite(middle) or middle == 0:
        return None
    return middle if float(np.max(np.abs(values - middle))) < SAME * abs(middle) else None


def power_of_symbol(ratio: Array, found: Agreement) -> tuple[str, Fraction, complex] | None:
    """Name, power and constant when the ratio is a power of a single symbol."""
    with np.errstate(all="ignore"):
        whole = found.answer / found.gold
    usable = np.isfinite(whole) & (whole != 0)
    if np.count_nonzero(usable) < 5 or ratio.size != np.count_nonzero(usable):
        return None
    logs = np.log(np.abs(whole[usable]))
    if not np.all(np.isfinite(logs)):
        return None
    for symbol, values in found.sample.values.items():
        if symbol.style not in ("", "bar", "tilde"):
            continue
        steps = np.log(np.abs(values[usable]))
        spread = steps - steps.mean()
        with np.errstate(all="ignore"):
            slope = float((spread @ (logs - logs.mean())) / (spread @ spread))
        if not math.isfinite(slope):
            continue  # the same or zero at all points: no power of it shows
        exponent = Fraction(slope).limit_denominator(12)
        if exponent and abs(float(exponent) - slope) < 1e-7:
            constant = constant_of(whole[usable] / values[usable] ** float(exponent))
            if constant is not None:
                return symbol.name, exponent, constant
    return None


def power_of_whole(found: Agreement) -> Fraction | None:
    """The power of the gold that the answer is."""
    with np.errstate(all="ignore"):
        powers = np.log(np.abs(found.answer)) / np.log(np.abs(found.gold))
    constant = constant_of(powers[np.isfinite(powers)].astype(np.complex128))
    if constant is None:
        return None
    exponent = Fraction(constant.real).limit_denominator(6)
    return exponent if exponent not in (0, 1) and abs(exponent - constant) < 1e-7 else None
