"""A small interpreter: values of scalar expressions at many points at once, in complex doubles.

Nothing is executed but the arithmetic of this module. Values are complex with principal branches;
unknown functions are one fixed smooth function a name. The interpreter keeps account of
cancellation, so that doubtful values can be taken again at 50 digits
(:mod:`~ecliptic.grading.exact_evaluate`). Counted budgets end an evaluation, never the clock.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ecliptic.grading import special_functions
from ecliptic.grading.expression import (
    Add,
    Apply,
    Call,
    Constant,
    Expression,
    Integral,
    Mul,
    Number,
    Piecewise,
    Power,
    Product,
    Relation,
    Sum,
    Symbol,
    System,
)
from ecliptic.grading.quadrature import nodes_between
from ecliptic.grading.sampling import Sample, opaque_coefficients
from ecliptic.grading.tree_walk import walk

Array = NDArray[np.complex128]

MAX_OPERATIONS = 20_000
"""Nodes that one evaluation may visit, loops counted."""
MAX_TERMS = 400
"""Terms of one sum that are added up."""
SERIES_TERMS = 60
"""Terms of an endless sum that are added up."""


class UnevaluableError(Exception):
    """The expression has a part without a value here; the message names it."""


class TooLargeError(Exception):
    """A counted budget is used up, or a number is beyond any that can be handled."""


class FloatInterpreter:
    """Values of expressions at all points of a sample.

    Attributes
    ----------
    loss
        Per point, the largest ratio of a term to its sum: how many digits cancelled.
    absorbed
        Whether a term was so small beside its sum that doubles hardly see it.
    approximate
        Whether an integral or endless sum did not converge, so that only equal ones compare.
    inexact
        Whether an integral was taken at all, so that ten digits can't be expected.
    """

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
        self._shape: tuple[int, ...] = (sample.size,)  # quadrature nodes go in front

    def __call__(self, node: Expression) -> Array:
        """Values at the points; entries that have none are NaN or infinite."""
        with np.errstate(all="ignore"):
            return np.broadcast_to(np.asarray(self._value(node), np.complex128), (self.size,))

    def truth(self, condition: Expression | None) -> NDArray[np.bool_]:
        """Where a condition holds."""
        with np.errstate(all="ignore"):
            return np.broadcast_to(self._truth(condition), (self.size,))

    def _value(self, node: Expression) -> Any:
        self._operations += 1
        if self._operations > MAX_OPERATIONS:
            raise TooLargeError("more operations than an answer may need")
        handler = _FLOAT.get(type(node))
        if handler is None:
            raise UnevaluableError(type(node).__name__.lower())
        return handler(self, node)

    def _number(self, node: Number) -> complex:
        return as_float(node)

    def _symbol(self, node: Symbol) -> Array:
        try:
            return self.values[node]
        except KeyError:
            raise UnevaluableError(node.name) from None

    def _constant(self, node: Constant) -> complex:
        try:
            return CONSTANTS[node.name]
        except KeyError:
            raise UnevaluableError(node.name) from None

    def _add(self, node: Add) -> Any:
        terms = [self._value(term) for term in node.terms]
        total = terms[0]
        for term in terms[1:]:
            total = total + term
        if not self._nesting:
            self._watch(terms, total)
        return total

    def _watch(self, terms: list[Any], total: Any) -> None:
        """Keep account of cancellation and of terms that vanish beside others."""
        largest = smallest = abs(terms[0])
        for term in terms[1:]:
            size = abs(term)
            largest, smallest = np.maximum(largest, size), np.minimum(smallest, size)
        self.loss = np.maximum(self.loss, largest / np.maximum(abs(total), 1e-300))
        if not self.absorbed:
            self.absorbed = bool((smallest < 1e-7 * largest).any())

    def _mul(self, node: Mul) -> Any:
        product = self._value(node.factors[0])
        for factor in node.factors[1:]:
            product = product * self._value(factor)
        return product

    def _power(self, node: Power) -> Any:
        base = self._value(node.base)
        if isinstance(node.exponent, Number):
            exponent = node.exponent
            whole = exponent.coefficient.denominator == 1 and not exponent.exponent
            if whole and abs(exponent.coefficient) <= 8:
                return _small_power(base, int(exponent.coefficient))
        raised = self._value(node.exponent)
        if np.any(np.abs(raised) > 1e6):
            self.absorbed = True
        return np.power(np.asarray(base, np.complex128) + 0j, raised)

    def _call(self, node: Call) -> Any:
        args = [np.asarray(self._value(arg), np.complex128) + 0j for arg in node.args]
        function = special_functions.float_function(node.function)
        if function is None:
            return self._unknown(f"{node.function}()", args)
        if any(np.any(np.abs(arg) > 1e5) for arg in args):
            self.absorbed = True
        try:
            return function(*args)
        except TypeError:
            raise UnevaluableError(f"{node.function} of {len(args)} arguments") from None

    def _apply(self, node: Apply) -> Any:
        return self._unknown(node.name + node.style, [self._value(arg) for arg in node.args])

    def _unknown(self, name: str, args: list[Any]) -> Any:
        return opaque_value(name, args, self.seed, np.sin, float)

    def _integral(self, node: Integral) -> Any:
        if not isinstance(node.variable, Symbol) or node.lower is None or node.upper is None:
            raise UnevaluableError("an integral without limits")
        if node.closed:
            raise UnevaluableError("a closed integral")
        if self._nesting >= 3:
            raise TooLargeError("integrals nested more than three deep")
        lower, upper = self._limit(node.lower), self._limit(node.upper)
        nested = any(isinstance(part, Integral) for part in walk(node.integrand))
        places, weights = nodes_between(lower, upper, 0 if not (nested or self._nesting) else 1)
        outside, shape = self.values.get(node.variable), self._shape
        self._nesting, self._shape = self._nesting + 1, (len(places), *shape)
        self.values[node.variable] = np.broadcast_to(places, self._shape)
        inner = np.broadcast_to(self._value(node.integrand) * weights, self._shape)
        self._nesting, self._shape = self._nesting - 1, shape
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
        start = np.real(np.broadcast_to(self._value(node.lower), self._shape))
        endless = node.upper == Constant("infinity")
        stop = start + SERIES_TERMS
        if not endless:
            stop = np.real(np.broadcast_to(self._value(node.upper), self._shape))
        if np.any(start != np.round(start)) or np.any(stop != np.round(stop)):
            raise UnevaluableError("a sum with broken bounds")
        count = int(np.max(stop - start)) + 1 if np.all(np.isfinite(stop)) else MAX_TERMS + 1
        if count > MAX_TERMS:
            raise TooLargeError(f"a sum of more than {MAX_TERMS} terms")
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

    def _piecewise(self, node: Piecewise) -> Any:
        result = np.full(self._shape, np.nan, complex)
        open_points = np.ones(self._shape, bool)
        for value, condition in node.branches:
            chosen = open_points & self._truth(condition)
            if np.any(chosen):
                values = np.broadcast_to(np.asarray(self._value(value), complex), self._shape)
                result = np.where(chosen, values, result)
            open_points &= ~chosen
        return result

    def _truth(self, condition: Expression | None) -> Any:
        if condition is None:
            return np.ones(self._shape, bool)
        if isinstance(condition, System):
            truths = [self._truth(part) for part in condition.statements]
            joined = np.logical_and if condition.connective == "and" else np.logical_or
            return joined.reduce(np.broadcast_arrays(*truths))
        if not isinstance(condition, Relation) or condition.left is None:
            raise UnevaluableError("a condition that is no relation")
        compare = _ORDER.get(condition.operator)
        if compare is None:
            raise UnevaluableError(f"the condition '{condition.operator}'")
        left, right = self._value(condition.left), self._value(condition.right)
        return compare(np.real(left), np.real(right))


def as_float(node: Number) -> complex:
    """A number as a double, infinite or zero beyond their range."""
    if node.exponent:
        return complex(math.inf if node.exponent > 0 else 0.0)
    try:
        return complex(float(node.coefficient))
    except OverflowError:
        return complex(math.inf)


def _small_power(base: Any, exponent: int) -> Any:
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


CONSTANTS = {
    "pi": complex(math.pi),
    "euler_e": complex(math.e),
    "imaginary_i": 1j,
    "degree": complex(math.pi / 180),
    "infinity": complex(math.inf),
}

_ORDER: dict[str, Callable[[Any, Any], Any]] = {
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "=": lambda a, b: np.isclose(a, b, rtol=1e-12, atol=0),
    "!=": lambda a, b: ~np.isclose(a, b, rtol=1e-12, atol=0),
}

_FLOAT: dict[type, Callable[[FloatInterpreter, Any], Any]] = {
    Number: FloatInterpreter._number,
    Symbol: FloatInterpreter._symbol,
    Constant: FloatInterpreter._constant,
    Add: FloatInterpreter._add,
    Mul: FloatInterpreter._mul,
    Power: FloatInterpreter._power,
    Call: FloatInterpreter._call,
    Apply: FloatInterpreter._apply,
    Integral: FloatInterpreter._integral,
    Sum: FloatInterpreter._series,
    Product: FloatInterpreter._series,
    Piecewise: FloatInterpreter._piecewise,
}
