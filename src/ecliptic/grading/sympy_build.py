"""SymPy expressions from expression trees, by constructors only: no text is ever given to SymPy.

The tree travels to the child process as nested lists; both directions accept only what is listed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ecliptic.grading.expression import (
    Add,
    Apply,
    Call,
    Constant,
    Derivative,
    Expression,
    Integral,
    Limit,
    Mul,
    Number,
    Power,
    Product,
    Sum,
    Symbol,
)
from ecliptic.grading.special_functions import standard_name

MAX_EXPONENT = 400
"""Integer powers of sums beyond this are not given to SymPy, which would multiply them out."""
MAX_NODES = 600

Packed = list[Any]


class UnpackableError(Exception):
    """The expression has a part that is not given to SymPy."""


def pack(node: Expression) -> Packed:
    """Nested lists of texts and integers, ready for JSON."""
    budget = MAX_NODES

    def packed(part: Expression) -> Packed:
        nonlocal budget
        budget -= 1
        if budget < 0:
            raise UnpackableError("more parts than are simplified")
        match part:
            case Number(coefficient=value, exponent=0):
                if value.numerator.bit_length() + value.denominator.bit_length() > 2000:
                    raise UnpackableError("a long number")
                return ["number", str(value.numerator), str(value.denominator)]
            case Symbol(name=name, style=style):
                return ["symbol", f"{name}~{style}"]
            case Constant(name=name):
                return ["constant", name]
            case Add(terms=parts):
                return ["add", *map(packed, parts)]
            case Mul(factors=parts):
                return ["mul", *map(packed, parts)]
            case Power(base=base, exponent=exponent):
                if isinstance(exponent, Number) and abs(exponent.coefficient) > MAX_EXPONENT:
                    raise UnpackableError("a large power")
                return ["power", packed(base), packed(exponent)]
            case Call(function=name, args=args):
                return ["call", standard_name(name), *map(packed, args)]
            case Apply(name=name, args=args, style=style):
                return ["apply", f"{name}~{style}", *map(packed, args)]
            case Integral(variable=Symbol(), closed=False, lower=lower, upper=upper):
                limits = [] if lower is None or upper is None else [packed(lower), packed(upper)]
                return ["integral", packed(part.integrand), packed(part.variable), *limits]
            case (
                Sum(index=Symbol() as index, lower=lower, upper=upper)
                | Product(index=Symbol() as index, lower=lower, upper=upper)
            ) if lower is not None and upper is not None:
                kind = "sum" if isinstance(part, Sum) else "product"
                return [kind, *map(packed, (part.term, index, lower, upper))]
            case Limit(variable=Symbol()):
                place = [packed(part.operand), packed(part.variable), packed(part.target)]
                return ["limit", *place, part.direction]
            case Derivative(operand=operand, variables=variables):
                steps = [[packed(v), order] for v, order in variables if isinstance(v, Symbol)]
                if len(steps) != len(variables):
                    raise UnpackableError("a derivative in an expression")
                return ["derivative", packed(operand), steps]
            case _:
                raise UnpackableError(type(part).__name__.lower())

    return packed(node)


def build(packed: Packed) -> Any:
    """The SymPy expression of a packed tree; symbols are positive."""
    import sympy

    def symbol(name: str) -> Any:
        return sympy.Symbol(name, positive=True)

    def built(part: Packed) -> Any:
        kind, *rest = part
        if kind == "number":
            return sympy.Rational(int(rest[0]), int(rest[1]))
        if kind == "symbol":
            return symbol(str(rest[0]))
        if kind == "constant":
            return {
                "pi": sympy.pi,
                "euler_e": sympy.E,
                "imaginary_i": sympy.I,
                "infinity": sympy.oo,
                "degree": sympy.pi / 180,
            }[rest[0]]
        if kind == "derivative":
            result = built(rest[0])
            for variable, order in rest[1]:
                result = sympy.diff(result, built(variable), int(order))
            return result
        if kind == "limit":
            direction = rest[3] or "+"
            return sympy.Limit(*map(built, rest[:3]), direction)
        if kind == "call":
            function = _functions().get(rest[0])
            if function is None:
                function = sympy.Function(f"{rest[0]}()")
            return function(*map(built, rest[1:]))
        if kind == "apply":
            return sympy.Function(str(rest[0]))(*map(built, rest[1:]))
        parts = list(map(built, rest))
        match kind:
            case "add":
                return sympy.Add(*parts)
            case "mul":
                return sympy.Mul(*parts)
            case "power":
                return sympy.Pow(*parts)
            case "integral" if len(parts) == 2:
                return sympy.Integral(parts[0], parts[1])
            case "integral":
                return sympy.Integral(parts[0], tuple(parts[1:]))
            case "sum":
                return sympy.Sum(parts[0], tuple(parts[1:]))
            case "product":
                return sympy.Product(parts[0], tuple(parts[1:]))
            case _:
                raise UnpackableError(str(kind))

    return built(packed)


def _functions() -> dict[str, Callable[..., Any]]:
    import sympy

    same = [
        "exp",
        "sin",
        "cos",
        "tan",
        "cot",
        "sec",
        "csc",
        "sinh",
        "cosh",
        "tanh",
        "coth",
        "sech",
        "csch",
        "erf",
        "erfc",
        "erfi",
        "gamma",
        "beta",
        "zeta",
        "besselj",
        "bessely",
        "besseli",
        "besselk",
        "factorial",
        "sign",
        "floor",
        "re",
        "im",
        "conjugate",
        "arg",
        "digamma",
    ]
    table: dict[str, Callable[..., Any]] = {name: getattr(sympy, name) for name in same}
    table |= {
        f"arc{name}": getattr(sympy, f"a{name}")
        for name in ["sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth"]
    }
    table |= {
        "ln": sympy.log,
        "log": lambda x, base=10: sympy.log(x) / sympy.log(base),
        "abs": sympy.Abs,
        "min": sympy.Min,
        "max": sympy.Max,
        "ceil": sympy.ceiling,
        "heaviside": sympy.Heaviside,
        "arctan2": sympy.atan2,
        "lngamma": sympy.loggamma,
        "conj": sympy.conjugate,
        "ei": sympy.Ei,
        "sinc": sympy.sinc,
    }
    return table
