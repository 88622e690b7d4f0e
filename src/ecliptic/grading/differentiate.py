"""Derivatives of expression trees, with unknown functions kept as free symbols.

At one point the derivatives of a smooth function take any values whatever, so an identity between
derivatives holds when it holds with each of them as an independent symbol: ``d f/d x`` of an
unknown ``f`` becomes the symbol ``f|x`` of style "jet", its second derivative ``f|x;x``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ecliptic.grading.expression import (
    MINUS_ONE,
    ONE,
    ZERO,
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
    Sum,
    Symbol,
    add,
    as_integer,
    multiply,
    negate,
    power,
    rebuild,
)
from ecliptic.grading.function_slopes import derivative_of
from ecliptic.grading.interpretation import TooLargeError
from ecliptic.grading.tree_walk import walk
from ecliptic.grading.work_budget import spend

MAX_NODES = 20_000
"""Size of a derivative; beyond it the budget of an answer is used up."""

Depends = Callable[[Symbol], bool]


class UndifferentiableError(Exception):
    """The expression has a part whose derivative is not known."""


def differentiate(
    node: Expression, variable: Symbol, depends: Depends, tag: str = ""
) -> Expression:
    """Derivative of a scalar expression in ``variable``.

    ``depends`` says which other symbols are functions of it; ``tag`` tells total derivatives from
    partial ones where an answer has both.
    """

    spend(10)

    def slope(part: Expression) -> Expression:
        return differentiate(part, variable, depends, tag)

    match node:
        case Number() | Constant():
            return ZERO
        case Symbol():
            if node == variable:
                return ONE
            return jet(node, variable, tag) if depends(node) else ZERO
        case Add(terms=terms):
            return _nonzero_sum([slope(term) for term in terms])
        case Mul(factors=factors):
            parts = []
            for position, factor in enumerate(factors):
                inner = slope(factor)
                if inner != ZERO:
                    parts.append(multiply(*factors[:position], inner, *factors[position + 1 :]))
            return _nonzero_sum(parts)
        case Power(base=base, exponent=exponent):
            return _power_slope(base, exponent, slope)
        case Call(args=args):
            slopes = derivative_of(node)
            if slopes is None:
                slopes = [
                    Apply(f"{node.function}()|{position}", args) for position in range(len(args))
                ]
            return _chain(slopes, args, slope)
        case Apply(name=name, args=args):
            partials: list[Expression] = [
                replace(node, name=f"{name}|{position}") for position in range(len(args))
            ]
            return _chain(partials, args, slope)
        case Integral(lower=lower, upper=upper, variable=dummy) if (
            lower is not None and upper is not None
        ):
            inside = slope(node.integrand)
            parts = [replace(node, integrand=inside)] if inside != ZERO else []
            for limit, sign in ((upper, ONE), (lower, MINUS_ONE)):
                moved = slope(limit)
                if moved != ZERO:
                    parts.append(multiply(sign, substitute(node.integrand, dummy, limit), moved))
            return _nonzero_sum(parts)
        case Sum():
            inside = slope(node.term)
            return ZERO if inside == ZERO else replace(node, term=inside)
        case Piecewise(branches=branches):
            return Piecewise(tuple((slope(value), condition) for value, condition in branches))
        case _:
            raise UndifferentiableError(type(node).__name__.lower())


def jet(symbol: Symbol, variable: Symbol, tag: str = "") -> Symbol:
    """The symbol that stands for a derivative of an unknown function; the order does not matter."""
    name, _, taken = (
        symbol.name.partition("|")
        if symbol.style == "jet"
        else (f"{symbol.name}{symbol.style and '~' + symbol.style}", "", "")
    )
    steps = [*(taken.split(";") if taken else ()), f"{tag}{variable.name}{variable.style}"]
    return Symbol(f"{name}|{';'.join(sorted(steps))}", "jet")


def substitute(node: Expression, old: Expression, new: Expression) -> Expression:
    """The expression with each part equal to ``old`` replaced."""
    return substitute_all(node, {old: new})


def substitute_all(node: Expression, changes: dict[Expression, Expression]) -> Expression:
    """The expression with parts replaced, all at once; bounded in size."""
    budget = MAX_NODES

    def changed(part: Expression) -> Expression:
        nonlocal budget
        budget -= 1
        if budget < 0:
            raise TooLargeError("more operations than an answer may need")
        replacement = changes.get(part) if isinstance(part, _REPLACEABLE) else None
        return rebuild(part, changed) if replacement is None else replacement

    replaced = changed(node)
    spend(MAX_NODES - budget)
    return replaced


_REPLACEABLE = (Symbol, Apply, Number, Constant)


def _nonzero_sum(terms: list[Expression]) -> Expression:
    kept = [term for term in terms if term != ZERO]
    if not kept:
        return ZERO
    total = add(*kept)
    if len(kept) > 1:
        size = sum(1 for _ in walk(total))
        spend(size / 2)
        if size > MAX_NODES:
            raise TooLargeError("more operations than an answer may need")
    return total


def _chain(
    slopes: list[Expression],
    args: tuple[Expression, ...],
    slope: Callable[[Expression], Expression],
) -> Expression:
    parts = []
    for outer, arg in zip(slopes, args, strict=False):
        inner = slope(arg)
        if inner != ZERO:
            parts.append(outer if inner == ONE else multiply(outer, inner))
    return _nonzero_sum(parts)


def _power_slope(
    base: Expression, exponent: Expression, slope: Callable[[Expression], Expression]
) -> Expression:
    base_slope, exponent_slope = slope(base), slope(exponent)
    parts: list[Expression] = []
    if base_slope != ZERO:
        size = as_integer(exponent)
        if size == 2:
            parts.append(multiply(exponent, base, base_slope))
        else:
            lowered = power(base, add(exponent, MINUS_ONE))
            parts.append(multiply(exponent, lowered, base_slope))
    if exponent_slope != ZERO:
        parts.append(multiply(power(base, exponent), Call("ln", (base,)), exponent_slope))
    return _nonzero_sum(parts)


def minus(left: Expression, right: Expression) -> Expression:
    """``left - right``."""
    return left if right == ZERO else add(left, negate(right))
