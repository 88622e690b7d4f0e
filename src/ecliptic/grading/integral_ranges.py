"""What integrals and sums run over: endless ranges, and the same ones on both sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ecliptic.grading.canonical import canonical, sort_key
from ecliptic.grading.expression import (
    Apply,
    Constant,
    Expression,
    Integral,
    Mul,
    Product,
    Sum,
    Symbol,
    is_vector,
    multiply,
    rebuild,
)
from ecliptic.grading.tree_walk import survey, walk


def is_endless(node: Integral) -> bool:
    """Whether an end of the range is infinite."""
    ends = [end for end in (node.lower, node.upper) if end is not None]
    return any(Constant("infinity") in set(walk(end)) for end in ends)


def integrates_unknowns(node: Expression) -> bool:
    """Whether an integral with an infinite end is taken of an unknown function."""
    return any(
        isinstance(part, Integral) and Apply in survey(part.integrand).kinds and is_endless(part)
        for part in walk(node)
    )


def integrand_alone(node: Expression) -> tuple[Expression, Expression] | None:
    """Integrand, with the factors in front, and variable of an integral without any limits.

    Two of these are equal up to their constant just where the integrands are.
    """
    factors = node.factors if isinstance(node, Mul) else (node,)
    whole = [part for part in factors if isinstance(part, Integral)]
    if len(whole) != 1 or not isinstance(whole[0].variable, Symbol):
        return None
    integral = whole[0]
    rest = [part for part in factors if part is not integral]
    if integral.closed or (integral.lower, integral.upper) != (None, None):
        return None
    inner = [*walk(integral.integrand), *(part for one in rest for part in walk(one))]
    nested = any(isinstance(part, Integral) for part in inner)
    if nested or is_vector(integral.variable) or is_vector(integral.integrand):
        return None
    if any(integral.variable in set(walk(one)) for one in rest):
        return None
    return multiply(*rest, integral.integrand), integral.variable


def domain_readings(
    gold: Expression, answer: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """``\\int_S`` as ``\\int``, where the other side names no domain of any integral.

    A domain called as its element, as in ``\\int_V f dV``, has no name of its own.
    """
    parts = [[part for part in walk(node) if isinstance(part, Integral)] for node in (gold, answer)]
    named = [any(map(_domain, side)) for side in parts]

    def without_names(node: Expression) -> Expression:
        node = rebuild(node, without_names)
        if not isinstance(node, Integral) or not _domain(node):
            return node
        return replace(node, lower=None) if _of_element(node) or not all(named) else node

    new = without_names(gold), without_names(answer)
    if all(parts) and new != (gold, answer):
        yield new


def _domain(node: Integral) -> str:
    """The name of what is integrated over, where it has one."""
    return node.lower.name if isinstance(node.lower, Symbol) and node.upper is None else ""


def _of_element(node: Integral) -> bool:
    return isinstance(node.variable, Symbol) and node.variable.name == _domain(node)


def same_ranges(gold: Expression, answer: Expression) -> bool:
    """Whether both sides integrate and sum over the same ranges.

    Integrals that do not converge have no other sign of being the same.
    """
    ranges = [
        sorted(
            "|".join("" if end is None else sort_key(canonical(end)) for end in ends)
            for ends in _ranges(node)
        )
        for node in (gold, answer)
    ]
    return set(ranges[0]) == set(ranges[1])


def _ranges(node: Expression) -> Iterator[tuple[Expression | None, Expression | None]]:
    for part in walk(node):
        if isinstance(part, Integral | Sum | Product):
            yield part.lower, part.upper
