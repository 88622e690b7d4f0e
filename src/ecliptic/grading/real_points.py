"""Points where formulas have real values, for those with roots and logarithms.

``\\sqrt{(1+x)/(1-x)}`` and ``(1+x)/\\sqrt{1-x^2}`` are one function where both are real. Beyond
x = 1 their principal values are on different branches, which no author means.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ecliptic.grading.evaluate import FloatInterpreter
from ecliptic.grading.expression import Constant, Expression
from ecliptic.grading.interpretation import TooLargeError, UnevaluableError
from ecliptic.grading.sampling import Domain, Sample, draw, free_symbols
from ecliptic.grading.tree_walk import walk

Array = NDArray[np.complex128]

MANY = 60
"""Points that are drawn of each domain."""
ENOUGH = 12
_REAL = 1e-9
_IMAGINARY = Constant("imaginary_i")


def is_real(values: Array) -> NDArray[np.bool_]:
    """Where values are finite and real."""
    return np.isfinite(values) & (np.abs(values.imag) <= _REAL * np.abs(values))


def may_branch(*nodes: Expression) -> bool:
    """Whether complex values of the formulas can only come from roots, logarithms and the like."""
    return not any(_IMAGINARY in set(walk(node)) for node in nodes)


def real_sample(nodes: tuple[Expression, ...], seed: str, *, size: int) -> Sample | None:
    """Up to ``size`` points where all formulas are real; ``None`` where too few are found."""
    sample = _many(nodes, seed)
    try:
        with np.errstate(all="ignore"):
            real = np.logical_and.reduce([is_real(FloatInterpreter(sample)(n)) for n in nodes])
    except (UnevaluableError, TooLargeError):
        return None
    chosen = np.flatnonzero(real)
    if len(chosen) < ENOUGH:
        return None
    chosen = chosen[:size]
    return Sample({s: v[chosen] for s, v in sample.values.items()}, len(chosen), seed)


def agree_where_real(gold: Expression, answer: Expression, seed: str) -> bool:
    """Whether two formulas have the same values at all points where both are real."""
    sample = real_sample((gold, answer), seed, size=2 * MANY)
    if sample is None:
        return False
    first, second = (FloatInterpreter(sample)(node) for node in (gold, answer))
    gap = np.abs(first - second)
    return bool(np.all(gap <= 1e-8 * np.maximum(np.abs(first), np.abs(second))))


def _many(nodes: tuple[Expression, ...], seed: str) -> Sample:
    """Points of the usual range, of the small one, and some of both."""
    symbols = free_symbols(*nodes)
    large = draw(symbols, seed, size=MANY)
    small = draw(symbols, seed, Domain.SMALL, size=MANY)
    values = {}
    for index, symbol in enumerate(symbols):
        mixed = np.where(
            np.arange(MANY) >> (index % 5) & 1, large.values[symbol], small.values[symbol]
        )
        values[symbol] = np.concatenate([large.values[symbol], mixed, small.values[symbol]])
    return Sample(values, 3 * MANY, seed)
