"""Roots of two residuals in one symbol, at random values of the others, set side by side."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ecliptic.grading.evaluate import FloatInterpreter
from ecliptic.grading.expression import Expression, Symbol
from ecliptic.grading.interpretation import TooLargeError, UnevaluableError
from ecliptic.grading.sampling import Sample, draw, free_symbols

Array = NDArray[np.complex128]
ZeroSets = Literal["same", "different", "extra", "missing", "squared", "unclear"]

PLACES = 3
"""Random values of the other symbols at which the equations are solved."""
CIRCLE = 32
_DEGREE = 10
_STARTS = 12
_STEPS = 40
_SETTLED = 1e-15
"""A relative step after which a root does not move any more."""


def values_at(node: Expression, sample: Sample) -> Array | None:
    """Values at the points of a sample; ``None`` where an expression cannot be evaluated."""
    try:
        return FloatInterpreter(sample)(node)
    except (UnevaluableError, TooLargeError):
        return None


def polynomial_roots(
    gold: Expression, answer: Expression, seed: str, symbol: Symbol
) -> ZeroSets | None:
    """How the nonzero roots relate; ``None`` unless both are Laurent polynomials in the symbol."""
    base = draw(free_symbols(gold, answer), seed, size=PLACES)
    angles = np.exp(2j * np.pi * np.arange(CIRCLE) / CIRCLE)
    values = {s: np.repeat(array, CIRCLE) for s, array in base.values.items()}
    values[symbol] = np.tile(angles, PLACES).astype(np.complex128)
    sample = Sample(values, CIRCLE * PLACES, seed)
    sides = [values_at(node, sample) for node in (gold, answer)]
    if sides[0] is None or sides[1] is None:
        return None
    results: list[ZeroSets] = []
    for place in range(PLACES):
        part = slice(place * CIRCLE, (place + 1) * CIRCLE)
        roots = [_laurent_roots(side[part]) for side in sides if side is not None]
        if roots[0] is None or roots[1] is None or not len(roots[0]):
            return None
        results.append(_relation(roots[0], roots[1]))
    return results[0] if len(set(results)) == 1 else "different"


def _laurent_roots(values: Array) -> Array | None:
    """Nonzero roots of a Laurent polynomial given on the unit circle; ``None`` for another one."""
    if not np.all(np.isfinite(values)):
        return None
    coefficients = np.fft.fft(values) / CIRCLE
    coefficients = np.roll(coefficients, CIRCLE // 2)  # powers -16 ... 15
    largest = float(np.max(np.abs(coefficients)))
    if largest == 0:
        return None
    powers = np.arange(-CIRCLE // 2, CIRCLE // 2)
    present = np.abs(coefficients) > 1e-11 * largest
    if np.any(present & (np.abs(powers) > _DEGREE)):
        return None
    kept = coefficients[present.argmax() : CIRCLE - present[::-1].argmax()]
    return np.asarray(np.roots(np.where(np.abs(kept) > 1e-11 * largest, kept, 0)[::-1]), complex)


def _relation(gold: Array, answer: Array) -> ZeroSets:
    missing = [root for root in gold if not _contains(answer, root)]
    extra = [root for root in answer if not _contains(gold, root)]
    if not missing and not extra:
        return "same"
    if not missing:
        return "squared" if all(_contains(gold, -root) for root in extra) else "extra"
    return "missing" if not extra else "different"


def _contains(roots: Array, root: complex) -> bool:
    return bool(np.any(np.abs(roots - root) < 1e-5 * abs(root)))


def searched_roots(
    gold: Expression, answer: Expression, seed: str, symbol: Symbol, either_sign: bool
) -> ZeroSets | None:
    """How the real roots that the secant method finds relate; ``None`` when it finds none."""
    forward = _holds_at_roots(gold, answer, seed, symbol, either_sign)
    backward = _holds_at_roots(answer, gold, seed, symbol, either_sign)
    if forward is None or backward is None:
        return None
    if forward and backward:
        return "same"
    if forward:
        return "extra"
    return "missing" if backward else "different"


def _holds_at_roots(
    first: Expression, other: Expression, seed: str, symbol: Symbol, either_sign: bool
) -> bool | None:
    """Whether ``other`` vanishes at the roots of ``first``; ``None`` when no root was found."""
    size = PLACES * _STARTS
    base = draw(free_symbols(first, other), seed, size=size)
    values = {
        s: np.tile(array[:PLACES], _STARTS) if s != symbol else array
        for s, array in base.values.items()
    }

    def at(node: Expression, places: Array) -> Array | None:
        return values_at(node, Sample({**values, symbol: places}, size, seed))

    x0: Array = values[symbol].copy()
    if either_sign:
        x0[1::2] *= -1
    x1: Array = x0 * 1.01
    f0, f1 = at(first, x0), at(first, x1)
    typical = at(other, x0)
    if f0 is None or f1 is None or typical is None or bool(np.all(np.isnan(typical))):
        return None
    height = np.abs(f0)
    with np.errstate(all="ignore"):
        for _ in range(_STEPS):
            step = np.where(f1 == f0, 0, f1 * (x1 - x0) / (f1 - f0))
            x0, f0 = x1, f1
            x1 = np.asarray(x1 - step, np.complex128)
            new = at(first, x1)
            if new is None:
                return None
            f1 = new
            if np.all((np.abs(x1 - x0) <= _SETTLED * np.abs(x1)) | ~np.isfinite(x1)):
                break
        found = np.isfinite(x1) & (np.abs(f1) < 1e-10 * height) & (np.abs(x1) > 1e-6)
        found &= np.abs(x1.imag) < 1e-8 * np.abs(x1)
        found &= either_sign | (x1.real > 0)
        rest = at(other, x1)
        if rest is None or np.count_nonzero(found) < 2:
            return None
        small = np.abs(rest[found]) < 1e-7 * np.nanmedian(np.abs(typical))
    return bool(np.all(small))


def relation_at_zero(
    gold: Expression, answer: Expression, seed: str, symbol: Symbol
) -> ZeroSets | None:
    """Whether one side alone has the root zero; ``None`` also where a side has no value there."""
    base = draw(free_symbols(gold, answer), seed)
    sample = Sample({**base.values, symbol: np.zeros(base.size, np.complex128)}, base.size, seed)
    vanishes = []
    for node in (gold, answer):
        values, typical = values_at(node, sample), values_at(node, base)
        if values is None or typical is None or not np.all(np.isfinite(values)):
            return None
        vanishes.append(bool(np.all(np.abs(values) <= 1e-12 * np.abs(typical))))
    if vanishes[0] == vanishes[1]:
        return None
    return "extra" if vanishes[1] else "missing"
