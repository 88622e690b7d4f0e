"""What integrals and sums run over: endless ranges, and the same ones on both sides."""

from __future__ import annotations

from collections.abc import Iterator

from ecliptic.grading.canonical import canonical, sort_key
from ecliptic.grading.expression import Apply, Constant, Expression, Integral, Product, Sum
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
