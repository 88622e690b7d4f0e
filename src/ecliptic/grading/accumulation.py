"""Integrals and sums of an interpreter: values at many points by adding up many more."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ecliptic.grading.expression import (
    Constant,
    Expression,
    Integral,
    Mul,
    Product,
    Sum,
    Symbol,
    children,
)
from ecliptic.grading.interpretation import TooLargeError, UnevaluableError
from ecliptic.grading.quadrature import COUNTS, nodes_between
from ecliptic.grading.sampling import Sample
from ecliptic.grading.tree_walk import survey
from ecliptic.grading.work_budget import MAX_LIVE_ELEMENTS, array_cost, spend

Array = NDArray[np.complex128]

MAX_TERMS = 400
"""Terms of one sum that are added up."""
SERIES_TERMS = 60
"""Terms of an endless sum that are added up."""


class Accumulation(ABC):
    """The values of symbols at the points, and the nodes of quadrature in front of them."""

    def __init__(self, sample: Sample) -> None:
        self.size = sample.size
        self.seed = sample.seed
        self.values: dict[Symbol, Array] = dict(sample.values)
        self.loss = np.ones(sample.size)
        self.absorbed = False
        self.approximate = False
        self.inexact = False
        self._operations = 0
        self._nesting = 0
        self._integrals = 0
        self._shape: tuple[int, ...] = (sample.size,)  # quadrature nodes go in front

    @abstractmethod
    def _value(self, node: Expression) -> Any:
        """Values of ``node`` at the points and nodes."""

    def _integral(self, node: Integral) -> Any:
        if not isinstance(node.variable, Symbol) or node.lower is None or node.upper is None:
            raise UnevaluableError("an integral without limits")
        if node.closed:
            raise UnevaluableError("a closed integral")
        if self._nesting >= 3:
            raise TooLargeError("integrals nested more than three deep")
        lower, upper = self._limit(node.lower), self._limit(node.upper)
        level = self._integrals + _integral_depth(node.integrand)
        level = max(level, 1 if self._nesting else 0)
        places, weights = nodes_between(lower, upper, min(level, len(COUNTS) - 1))
        self._charge(node.integrand, len(places))
        outside, shape = self.values.get(node.variable), self._shape
        self._nesting, self._shape = self._nesting + 1, (len(places), *shape)
        self._integrals += 1
        self.values[node.variable] = np.broadcast_to(places, self._shape)
        inner = np.broadcast_to(self._value(node.integrand) * weights, self._shape)
        self._nesting, self._shape = self._nesting - 1, shape
        self._integrals -= 1
        if outside is None:
            del self.values[node.variable]
        else:
            self.values[node.variable] = outside
        inner = np.where(np.isfinite(inner), inner, 0.0)
        total, coarse = inner.sum(axis=0), 2 * inner[::2].sum(axis=0)
        self.inexact = True
        if np.any(np.abs(total - coarse) > 1e-9 * np.abs(total) + 1e-300):
            self.approximate = True
        return total

    def _charge(self, node: Expression, count: int) -> None:
        """Charge for ``count`` values of ``node`` at each place before any of them is taken."""
        elements = count * math.prod(self._shape)
        if elements * (survey(node).depth + 4) > MAX_LIVE_ELEMENTS:
            raise TooLargeError("more values than an answer may need")
        spend(array_cost(node, elements))

    def _limit(self, node: Expression) -> Any:
        if isinstance(node, Constant) and node.name == "infinity":
            return np.full(self._shape, np.inf)
        if (
            isinstance(node, Mul)
            and Constant("infinity") in node.factors
            and len(node.factors) == 2
        ):
            other = self._value(node.factors[0])
            return np.full(self._shape, math.copysign(np.inf, complex(other).real))
        return np.broadcast_to(np.asarray(self._value(node), np.complex128), self._shape)

    def _series(self, node: Sum | Product) -> Any:
        if node.index is None or node.lower is None or node.upper is None:
            raise UnevaluableError("a sum without bounds")
        if not isinstance(node.index, Symbol):
            raise UnevaluableError("a sum over an expression")
        loss = self.loss  # bounds are whole numbers: nothing is lost where they cancel
        start = np.real(np.broadcast_to(self._value(node.lower), self._shape))
        endless = node.upper == Constant("infinity")
        stop = start + SERIES_TERMS
        if not endless:
            stop = np.real(np.broadcast_to(self._value(node.upper), self._shape))
        self.loss = loss
        if np.any(start != np.round(start)) or np.any(stop != np.round(stop)):
            raise UnevaluableError("a sum with broken bounds")
        count = int(np.max(stop - start)) + 1 if np.all(np.isfinite(stop)) else MAX_TERMS + 1
        if count > MAX_TERMS:
            raise TooLargeError(f"a sum of more than {MAX_TERMS} terms")
        spend(array_cost(node.term, max(count, 0) * math.prod(self._shape)))
        plus = isinstance(node, Sum)
        total: Any = np.zeros(self._shape, complex) if plus else np.ones(self._shape, complex)
        outside = self.values.get(node.index)
        self._nesting += 1
        term: Any = 0.0
        for step in range(max(count, 0)):
            self.values[node.index] = (start + step).astype(np.complex128)
            term = np.where(start + step <= stop, self._value(node.term), 0.0 if plus else 1.0)
            total = total + term if plus else total * term
        self._nesting -= 1
        if outside is None:
            self.values.pop(node.index, None)
        else:
            self.values[node.index] = outside
        self.inexact = self.inexact or endless
        if endless and np.any(np.abs(term - (0 if plus else 1)) > 1e-14 * np.abs(total)):
            self.approximate = True
        return total


def _integral_depth(node: Expression) -> int:
    """How many integrals stand inside one another."""
    if Integral not in survey(node).kinds:
        return 0
    inner = max(map(_integral_depth, children(node)), default=0)
    return inner + isinstance(node, Integral)
