"""A small interpreter: values of scalar expressions at many points at once, in complex doubles.

Nothing is executed but the arithmetic of this module. Values are complex with principal branches;
unknown functions are one fixed smooth function a name. The interpreter keeps account of
cancellation, so that doubtful values can be taken again at 50 digits
(:mod:`~ecliptic.grading.exact_evaluate`). Counted budgets end an evaluation, never the clock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ecliptic.grading import special_functions
from ecliptic.grading.accumulation import Accumulation, Array
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
from ecliptic.grading.interpretation import (
    CONSTANTS,
    MAX_OPERATIONS,
    TooLargeError,
    UnevaluableError,
    as_float,
    opaque_value,
    small_power,
)
from ecliptic.grading.work_budget import NODE, array_cost, spend

_START = 60
"""Units of work that an evaluation costs beside its nodes."""
_FEW_POINTS = 60
"""Up to here a node costs the same, however many points."""


class FloatInterpreter(Accumulation):
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

    def __call__(self, node: Expression) -> Array:
        """Values at the points; entries that have none are NaN or infinite."""
        before = self._operations
        with np.errstate(all="ignore"):
            value = np.broadcast_to(np.asarray(self._value(node), np.complex128), (self.size,))
        spend(_START + NODE * (self._operations - before))
        if self.size > _FEW_POINTS:
            spend(array_cost(node, self.size))
        return value

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
        if self._nesting:  # without keeping the terms, whose arrays may be large
            total = self._value(node.terms[0])
            for term in node.terms[1:]:
                total = total + self._value(term)
            return total
        terms = [self._value(term) for term in node.terms]
        total = terms[0]
        for term in terms[1:]:
            total = total + term
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
                return small_power(base, int(exponent.coefficient))
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
            value = function(*args)
        except TypeError:
            raise UnevaluableError(f"{node.function} of {len(args)} arguments") from None
        poles = ~np.isfinite(value)
        if not np.any(poles) or special_functions.overflows(node.function):
            return value
        for arg in args:
            poles = poles & np.isfinite(arg)
        return np.where(poles, np.nan, value)  # the reciprocal of a pole would pass for zero

    def _apply(self, node: Apply) -> Any:
        return self._unknown(node.name + node.style, [self._value(arg) for arg in node.args])

    def _unknown(self, name: str, args: list[Any]) -> Any:
        return opaque_value(name, args, self.seed, np.sin, float)

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
