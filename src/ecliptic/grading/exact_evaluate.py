"""The interpreter at 50 digits or more, for values that complex doubles cannot tell apart.

One point at a time with ``mpmath``, whose exponents do not overflow: ``1/2004!`` and ``2^-99`` are
ordinary numbers here. The size of powers is bounded before they are taken.
"""

from __future__ import annotations

import math
import threading
from typing import Any

from ecliptic.grading import special_functions
from ecliptic.grading.expression import (
    Add,
    Apply,
    Call,
    Constant,
    Expression,
    Mul,
    Number,
    Power,
    Symbol,
)
from ecliptic.grading.interpretation import (
    MAX_OPERATIONS,
    TooLargeError,
    UnevaluableError,
    opaque_value,
)
from ecliptic.grading.sampling import Sample
from ecliptic.grading.tree_walk import survey
from ecliptic.grading.work_budget import spend

MAX_LOG_SIZE = 1e12
"""Largest ``|log2 value|``."""
MAX_ARGUMENT_DIGITS = 1000
"""Digits in front of the point of a function's argument: a sine needs them all."""
DIGITS = 50
_NODE, _FUNCTION, _SPECIAL = 8, 40, 2000
"""Units of work for a node, and more for a function and for one that is not elementary."""
_GROWING = frozenset(("exp", "factorial", "gamma", "sinh", "cosh"))
_SUMMED = frozenset(("besselj", "bessely", "besseli", "besselk", "ei", "erfi"))
"""Functions whose series have as many terms as the argument is large."""
_CHEAP = frozenset(
    ("ln", "log", "abs", "sign", "heaviside", "re", "im", "conj", "arg", "min", "max")
)
"""Functions whose cost does not depend on the size of the argument."""


class ExactInterpreter:
    """The value of expressions at one point of a sample, at 50 digits or more."""

    def __init__(self, sample: Sample, index: int, digits: int = DIGITS) -> None:
        self.context = _context(digits)
        self.seed = sample.seed
        self.scale = self.context.mpf(0)
        self._operations = 0
        self.values: dict[Symbol, Any] = {}
        for symbol, array in sample.values.items():
            entry = complex(array[index])
            self.values[symbol] = self.context.mpf(entry.real) if not entry.imag else entry

    def __call__(self, node: Expression) -> Any:
        """The value; ``scale`` is then the largest term that was added on the way."""
        try:
            return self._value(node)
        except (ZeroDivisionError, OverflowError, ValueError) as error:
            raise UnevaluableError(str(error)) from None
        except self.context.NoConvergence:
            raise UnevaluableError("a special function") from None

    def _value(self, node: Expression) -> Any:
        self._operations += 1
        spend(_NODE)
        if self._operations > MAX_OPERATIONS:
            raise TooLargeError("more operations than an answer may need")
        context = self.context
        match node:
            case Number(coefficient=value, exponent=exponent):
                return context.mpf(value.numerator) / value.denominator * self._raise(10, exponent)
            case Symbol():
                if node not in self.values:
                    raise UnevaluableError(node.name)
                return self.values[node]
            case Constant(name=name):
                return _exact_constant(context, name)
            case Add(terms=terms):
                values = [self._value(term) for term in terms]
                self.scale = max([self.scale, *(abs(value) for value in values)])
                return context.fsum(values)
            case Mul(factors=factors):
                product = self._value(factors[0])
                for factor in factors[1:]:
                    product = product * self._value(factor)
                return product
            case Power(base=base, exponent=exponent):
                return self._raise(self._value(base), self._value(exponent))
            case Call(function=name, args=args):
                values = [self._value(arg) for arg in args]
                self._bound(name, values)
                spend(_SPECIAL if special_functions.is_special(name) else _FUNCTION)
                function = special_functions.exact_function(name)
                if function is None:
                    return self._unknown(f"{name}()", values)
                try:
                    value = function(context, *values)
                except TypeError:
                    raise UnevaluableError(f"{name} of {len(args)} arguments") from None
                if not context.isfinite(value):
                    raise UnevaluableError(f"{name} has no value there")
                return value
            case Apply(name=name, args=args, style=style):
                return self._unknown(name + style, [self._value(arg) for arg in args])
            case _:
                raise UnevaluableError(type(node).__name__.lower())

    def _unknown(self, name: str, args: list[Any]) -> Any:
        self._bound(name, args)
        context = self.context
        return opaque_value(
            name, args, self.seed, context.sin, lambda q: context.mpf(q.numerator) / q.denominator
        )

    def _bound(self, name: str, args: list[Any]) -> None:
        """Refuse arguments that a function would need very many digits for."""
        digits = 12 if name in _GROWING else MAX_ARGUMENT_DIGITS
        if special_functions.standard_name(name) in _SUMMED:
            digits = 3
        if name not in _CHEAP and any(self._log_size(value) > digits for value in args):
            raise TooLargeError(f"{name} of a number beyond 1e{digits}")

    def _log_size(self, value: Any) -> float:
        """Decimal digits in front of the point, roughly."""
        return float(self.context.mag(value)) * 0.30103 if value else -math.inf

    def _raise(self, base: Any, exponent: Any) -> Any:
        if not exponent:
            return self.context.mpf(1)
        if not base:
            if self.context.re(exponent) < 0:
                raise UnevaluableError("a division by zero")
            return self.context.mpf(0)
        if self._log_size(exponent) > 12:
            raise TooLargeError("an exponent beyond 1e12")
        size = abs(float(self.context.mag(base))) * float(abs(exponent))
        if size > MAX_LOG_SIZE:
            raise TooLargeError("a power beyond any number that can be handled")
        return self.context.power(base, exponent)


def has_exact_value(node: Expression) -> bool:
    """Whether :class:`ExactInterpreter` knows every kind of node in the expression."""
    return survey(node).kinds <= {Number, Symbol, Constant, Add, Mul, Power, Call, Apply}


def _context(digits: int) -> Any:
    """An mpmath context of this thread: the library's global one carries mutable precision."""
    contexts: dict[int, Any] = _local.__dict__.setdefault("contexts", {})
    if digits not in contexts:
        from mpmath.ctx_mp import MPContext

        contexts[digits] = MPContext()
        contexts[digits].dps = digits
    return contexts[digits]


_local = threading.local()


def _exact_constant(context: Any, name: str) -> Any:
    match name:
        case "pi":
            return +context.pi
        case "euler_e":
            return +context.e
        case "imaginary_i":
            return context.mpc(0, 1)
        case "degree":
            return context.pi / 180
        case _:
            raise UnevaluableError(name)
