"""Derivatives of known functions, where a formula exists."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from ecliptic.grading.expression import (
    MINUS_ONE,
    ONE,
    TWO,
    Call,
    Constant,
    Expression,
    Number,
    add,
    multiply,
    negate,
    power,
)
from ecliptic.grading.special_functions import standard_name


def derivative_of(call: Call) -> list[Expression] | None:
    """Derivative of a known function in each argument; ``None`` where no formula is listed."""
    name = standard_name(call.function)
    if name == "log":
        base: Expression = call.args[1] if len(call.args) == 2 else Number(Fraction(10))
        slope = power(multiply(call.args[0], Call("ln", (base,))), MINUS_ONE)
        return [slope] if len(call.args) == 1 else None
    if len(call.args) != 1 or name not in _SLOPES:
        return None
    return [_SLOPES[name](call.args[0])]


def _square(x: Expression) -> Expression:
    return power(x, TWO)


def _f(name: str, x: Expression) -> Expression:
    return Call(name, (x,))


def _root(x: Expression, sign: int = 1) -> Expression:
    return power(x, Number(Fraction(sign, 2)))


_SLOPES: dict[str, Callable[[Expression], Expression]] = {
    "exp": lambda x: _f("exp", x),
    "ln": lambda x: power(x, MINUS_ONE),
    "sin": lambda x: _f("cos", x),
    "cos": lambda x: negate(_f("sin", x)),
    "tan": lambda x: power(_f("cos", x), Number(Fraction(-2))),
    "cot": lambda x: negate(power(_f("sin", x), Number(Fraction(-2)))),
    "sec": lambda x: multiply(_f("sec", x), _f("tan", x)),
    "csc": lambda x: negate(multiply(_f("csc", x), _f("cot", x))),
    "sinh": lambda x: _f("cosh", x),
    "cosh": lambda x: _f("sinh", x),
    "tanh": lambda x: power(_f("cosh", x), Number(Fraction(-2))),
    "coth": lambda x: negate(power(_f("sinh", x), Number(Fraction(-2)))),
    "sech": lambda x: negate(multiply(_f("sech", x), _f("tanh", x))),
    "csch": lambda x: negate(multiply(_f("csch", x), _f("coth", x))),
    "arcsin": lambda x: _root(add(ONE, negate(_square(x))), -1),
    "arccos": lambda x: negate(_root(add(ONE, negate(_square(x))), -1)),
    "arctan": lambda x: power(add(ONE, _square(x)), MINUS_ONE),
    "arcsinh": lambda x: _root(add(ONE, _square(x)), -1),
    "arctanh": lambda x: power(add(ONE, negate(_square(x))), MINUS_ONE),
    "abs": lambda x: _f("sign", x),
    "erf": lambda x: multiply(TWO, _root(Constant("pi"), -1), _f("exp", negate(_square(x)))),
    "erfc": lambda x: multiply(
        Number(Fraction(-2)), _root(Constant("pi"), -1), _f("exp", negate(_square(x)))
    ),
    "heaviside": lambda x: _f("delta", x),
}
