"""What the interpreters share: budgets, errors, constants, and values of unknown functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ecliptic.grading.expression import Number
from ecliptic.grading.sampling import opaque_coefficients

MAX_OPERATIONS = 20_000
"""Nodes that one evaluation may visit, loops counted."""
CONSTANTS = {
    "pi": complex(math.pi),
    "euler_e": complex(math.e),
    "imaginary_i": 1j,
    "degree": complex(math.pi / 180),
    "infinity": complex(math.inf),
}


class UnevaluableError(Exception):
    """The expression has a part without a value here; the message names it."""


class TooLargeError(Exception):
    """A counted budget is used up, or a number is beyond any that can be handled."""


def as_float(node: Number) -> complex:
    """A number as a double, infinite or zero beyond their range."""
    if node.exponent:
        return complex(math.inf if node.exponent > 0 else 0.0)
    try:
        return complex(float(node.coefficient))
    except OverflowError:
        return complex(math.inf)


def small_power(base: Any, exponent: int) -> Any:
    """A small whole power by multiplication, which is exact where the product is."""
    result, count = base, abs(exponent)
    if count == 0:
        return base * 0 + 1
    for _ in range(count - 1):
        result = result * base
    return result if exponent > 0 else np.asarray(1.0, np.complex128) / result


def opaque_value(
    name: str,
    args: list[Any],
    seed: str,
    sine: Callable[[Any], Any],
    convert: Callable[[Any], Any],
) -> Any:
    """One fixed smooth function a name, positive for small positive arguments."""
    drawn = opaque_coefficients(name, 1 + 4 * len(args), seed)
    coefficients = [convert(value) for value in drawn]
    total = 1 + coefficients[0]
    previous: Any = 1
    for position, arg in enumerate(args):
        slope, height, wave, phase = coefficients[1 + 4 * position : 5 + 4 * position]
        total = total + slope * arg * previous + height * sine(wave * arg + phase)
        previous = arg
    return total
