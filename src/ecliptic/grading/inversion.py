"""Solving an equation for a symbol that occurs once, by undoing what was done to it.

Sums, products, quotients, exponentials and logarithms are undone as they are; a trigonometric
function is undone on its principal branch, and only where the value is no bare number: ``tan psi =
a/b`` and ``psi = arctan(a/b)`` name one angle, ``sin x = 0`` has more roots than ``x = 0``. A root
is undone where its value is a product of quantities, which are positive: ``v = sqrt(2 G M/r)`` is
``M = r v^2/(2 G)``. Other powers are left alone, for the roots that undoing them adds count.
"""

from __future__ import annotations

from ecliptic.grading.expression import (
    MINUS_ONE,
    Add,
    Call,
    Expression,
    Mul,
    Number,
    PlusMinus,
    Power,
    Relation,
    Symbol,
    add,
    divide,
    multiply,
    negate,
    number,
    power,
)
from ecliptic.grading.tree_walk import walk

MAX_STEPS = 12
_PRINCIPAL = {
    "sin": "arcsin",
    "cos": "arccos",
    "tan": "arctan",
    "cot": "arccot",
}
_UNIQUE = {
    "sinh": "arcsinh",
    "tanh": "arctanh",
    "arcsinh": "sinh",
    "arctanh": "tanh",
}


def solved_for(equation: Relation, subject: Expression) -> Expression | None:
    """The value of ``subject``, or ``None`` where the equation is not undone step by step."""
    left, right = equation.left, equation.right
    if left is None:
        return None
    counts = _count(left, subject), _count(right, subject)
    if sorted(counts) != [0, 1]:
        return None
    side, value = (left, right) if counts[0] else (right, left)
    for _ in range(MAX_STEPS):
        if side == subject:
            return value
        step = _undone(side, value, subject)
        if step is None:
            return None
        side, value = step
    return None


def _count(node: Expression, subject: Expression) -> int:
    return sum(part == subject for part in walk(node))


def _undone(
    side: Expression, value: Expression, subject: Expression
) -> tuple[Expression, Expression] | None:
    """The part of ``side`` that holds the subject, and the value of that part."""
    match side:
        case Add(terms=terms):
            inner = next(term for term in terms if _count(term, subject))
            rest = add(*(term for term in terms if term is not inner))
            return inner, add(value, negate(rest))
        case Mul(factors=factors):
            inner = next(factor for factor in factors if _count(factor, subject))
            rest = multiply(*(factor for factor in factors if factor is not inner))
            return inner, divide(value, rest)
        case Power(base=base, exponent=exponent) if exponent == MINUS_ONE:
            return base, power(value, MINUS_ONE)
        case Power(base=base, exponent=Number() as root) if (
            root.coefficient.numerator == 1 and not root.exponent and _is_positive(value)
        ):
            return base, power(value, number(root.coefficient.denominator))
        case Power(base=base, exponent=exponent) if not _count(base, subject):
            return exponent, divide(Call("ln", (value,)), Call("ln", (base,)))
        case Call(function="exp", args=(inner,)):
            return inner, Call("ln", (value,))
        case Call(function="ln", args=(inner,)):
            return inner, Call("exp", (value,))
        case Call(function="log", args=(inner, base)) if not _count(base, subject):
            return inner, Power(base, value)
        case Call(function=name, args=(inner,)) if name in _UNIQUE:
            return inner, Call(_UNIQUE[name], (value,))
        case Call(function=name, args=(inner,)) if name in _PRINCIPAL and _is_general(value):
            return inner, Call(_PRINCIPAL[name], (value,))
        case _:
            return None


def _is_general(value: Expression) -> bool:
    return any(isinstance(part, Symbol) for part in walk(value))


def _is_positive(value: Expression) -> bool:
    """Whether an expression is positive with its symbols: a product without a minus sign."""
    return not any(
        isinstance(part, Add | Call | PlusMinus)
        or (isinstance(part, Number) and part.coefficient <= 0)
        for part in (part.base if isinstance(part, Power) else part for part in _factors(value))
    )


def _factors(value: Expression) -> tuple[Expression, ...]:
    return value.factors if isinstance(value, Mul) else (value,)


def angles(equation: Relation) -> set[Symbol]:
    """Symbols under trigonometric functions."""
    return {
        inner
        for part in walk(equation)
        if isinstance(part, Call) and part.function in _PRINCIPAL
        for inner in walk(part)
        if isinstance(inner, Symbol)
    }


def holds_what_is_undone(equation: Relation) -> bool:
    """Whether an equation holds a function that is undone here."""
    return any(
        (isinstance(part, Call) and part.function in _UNDONE)
        or (isinstance(part, Power) and (_is_general(part.exponent) or _is_root(part)))
        for part in walk(equation)
    )


def _is_root(node: Power) -> bool:
    return isinstance(node.exponent, Number) and node.exponent.coefficient.denominator > 1


_UNDONE = frozenset({"exp", "ln", "log", *_PRINCIPAL, *_UNIQUE})
