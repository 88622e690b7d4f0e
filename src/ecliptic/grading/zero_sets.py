"""Do two equations have the same solutions?

An equation is its residual, left side minus right side. Residuals with a constant ratio have the
same zeros. Otherwise both are solved for one symbol at random values of the others: where both
are Laurent polynomials in that symbol (seen by a Fourier transform around a circle), all its roots
are compared; elsewhere roots are searched by the secant method and put into the other residual.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ecliptic.grading.evaluate import FloatInterpreter, TooLargeError, UnevaluableError
from ecliptic.grading.expression import Expression, Symbol
from ecliptic.grading.sampling import (
    POINTS,
    Domain,
    Sample,
    draw,
    free_symbols,
    whole_number_symbols,
)
from ecliptic.grading.tree_walk import survey
from ecliptic.grading.values import signed_symbols

Array = NDArray[np.complex128]
ZeroSets = Literal["same", "different", "extra", "missing", "squared", "unclear"]

PLACES = 3
"""Random values of the other symbols at which the equations are solved."""
CIRCLE = 32
MAX_SEARCHED = 500
"""Nodes of both residuals together, beyond which roots are not searched."""
_DEGREE = 10
_STARTS = 12
_STEPS = 40


@dataclass(frozen=True, slots=True)
class Solutions:
    """How the zeros of two residuals relate, and how that was found."""

    status: ZeroSets
    method: str
    factor: complex | None = None
    """Constant ratio of answer to gold residual, when there is one."""


def compare_zeros(
    gold: tuple[Expression, ...],
    answer: tuple[Expression, ...],
    seed: str,
    subject: Symbol | None = None,
    *,
    search: bool = True,
) -> Solutions:
    """Relation of the zeros of two residuals, with one expression a component.

    Without ``search`` only residuals with polynomial roots are solved, which is quick.
    """
    if len(gold) != len(answer):
        return Solutions("different", "number of components")
    symbols = free_symbols(*gold, *answer)
    whole = whole_number_symbols((*gold, *answer))
    signed = signed_symbols(*gold, *answer)
    sample = draw(symbols, seed, whole=whole)
    if signed:
        mixed = draw(symbols, seed, Domain.SIGNED)
        values = {s: mixed.values[s] if s in signed else v for s, v in sample.values.items()}
        sample = Sample(values, sample.size, seed)
    g = [_values(part, sample) for part in gold]
    a = [_values(part, sample) for part in answer]
    if any(part is None for part in (*g, *a)):
        return Solutions("unclear", "")
    ratio = _common_ratio([v for v in g if v is not None], [v for v in a if v is not None])
    if ratio is not None:
        middle = complex(np.mean(ratio))
        if np.max(np.abs(ratio - middle)) < 1e-9 * abs(middle):
            return Solutions("same", f"{POINTS} points", middle)
        if len(gold) > 1:
            return Solutions("same", f"{POINTS} points")
    elif len(gold) > 1:
        return Solutions("different", f"{POINTS} points")
    shared = set(free_symbols(*gold)) & set(free_symbols(*answer)) - whole
    candidates = _in_order(shared, subject)
    if signed:
        candidates = [s for s in candidates if s in signed] or candidates
        return _by_search(gold[0], answer[0], seed, candidates, either_sign=True)
    found = _by_roots(gold[0], answer[0], seed, candidates)
    if found is None and search:
        return _by_search(gold[0], answer[0], seed, candidates)
    return found or Solutions("unclear", "")


def _values(node: Expression, sample: Sample) -> Array | None:
    try:
        return FloatInterpreter(sample)(node)
    except (UnevaluableError, TooLargeError):
        return None


def _common_ratio(gold: list[Array], answer: list[Array]) -> Array | None:
    """Ratio of answer to gold at each point, when it is one for all components."""
    ratios = []
    for g, a in zip(gold, answer, strict=True):
        if not np.any(g) and not np.any(a):
            continue
        with np.errstate(all="ignore"):
            ratio = a / g
        if not np.all(np.isfinite(ratio)) or not np.all(ratio):
            return None
        ratios.append(ratio)
    if not ratios:
        return None
    first = ratios[0]
    for other in ratios[1:]:
        if np.max(np.abs(other - first) / np.abs(first)) > 1e-8:
            return None
    return first


def _in_order(symbols: Iterable[Symbol], subject: Symbol | None) -> list[Symbol]:
    ordered = sorted(symbols, key=lambda s: (s.style != "jet", s.name, s.style))
    if subject in ordered:
        ordered.remove(subject)
        ordered.insert(0, subject)
    return ordered[:8]


def _by_roots(
    gold: Expression, answer: Expression, seed: str, candidates: list[Symbol]
) -> Solutions | None:
    if not candidates:
        return Solutions("different", "no symbol in common")
    for symbol in candidates:
        found = _polynomial_roots(gold, answer, seed, symbol)
        if found is not None:
            return Solutions(found, f"roots in {symbol.name}")
    return None


def _by_search(
    gold: Expression,
    answer: Expression,
    seed: str,
    candidates: list[Symbol],
    *,
    either_sign: bool = False,
) -> Solutions:
    if survey(gold).count + survey(answer).count > MAX_SEARCHED:
        return Solutions("unclear", "")
    for symbol in candidates[:3]:
        found = _searched_roots(gold, answer, seed, symbol, either_sign)
        if found is not None:
            return Solutions(found, f"roots in {symbol.name}")
    return Solutions("unclear", "")


def _polynomial_roots(
    gold: Expression, answer: Expression, seed: str, symbol: Symbol
) -> ZeroSets | None:
    base = draw(free_symbols(gold, answer), seed, size=PLACES)
    angles = np.exp(2j * np.pi * np.arange(CIRCLE) / CIRCLE)
    values = {s: np.repeat(array, CIRCLE) for s, array in base.values.items()}
    values[symbol] = np.tile(angles, PLACES).astype(np.complex128)
    sample = Sample(values, CIRCLE * PLACES, seed)
    sides = [_values(node, sample) for node in (gold, answer)]
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


def _searched_roots(
    gold: Expression, answer: Expression, seed: str, symbol: Symbol, either_sign: bool
) -> ZeroSets | None:
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
        return _values(node, Sample({**values, symbol: places}, size, seed))

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
        found = np.isfinite(x1) & (np.abs(f1) < 1e-10 * height) & (np.abs(x1) > 1e-6)
        found &= np.abs(x1.imag) < 1e-8 * np.abs(x1)
        found &= either_sign | (x1.real > 0)
        rest = at(other, x1)
        if rest is None or np.count_nonzero(found) < 2:
            return None
        small = np.abs(rest[found]) < 1e-7 * np.nanmedian(np.abs(typical))
    return bool(np.all(small))
