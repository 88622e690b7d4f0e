"""What integrals and sums run over: endless ranges, and the same ones on both sides."""

from __future__ import annotations

from collections.abc import Iterator

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
