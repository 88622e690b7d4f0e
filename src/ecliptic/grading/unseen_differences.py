"""Differences that points cannot show: where a limit is taken, dx/dy for dy/dx, a lone Delta."""

from __future__ import annotations

from ecliptic.grading.canonical import canonical
from ecliptic.grading.expression import Derivative, Expression, Limit, Relation
from ecliptic.grading.tree_walk import survey, walk


def has_lone_delta(node: Expression) -> bool:
    """Whether Delta or delta stands as a symbol of its own."""
    return bool({symbol.name for symbol in survey(node).symbols} & {"Delta", "delta"})


def limit_elsewhere(gold: Expression, answer: Expression) -> bool:
    """Whether the answer says ``M -> 0`` beside its value where the gold's limit is at infinity."""
    places = {part.variable: part.target for part in walk(gold) if isinstance(part, Limit)}
    return any(
        isinstance(part, Relation)
        and part.operator == "to"
        and part.left in places
        and canonical(part.right) != canonical(places[part.left])
        for part in walk(answer)
    )


def turned_round(gold: Expression, answer: Expression) -> bool:
    """Whether the answer holds dx/dy where the gold holds dy/dx, which points cannot tell apart."""
    wanted, given = _derivatives(gold), _derivatives(answer)
    return any(pair[::-1] in wanted - given for pair in given - wanted)


def _derivatives(node: Expression) -> set[tuple[Expression, Expression]]:
    return {
        (part.operand, variable)
        for part in walk(node)
        if isinstance(part, Derivative)
        for variable, _ in part.variables
    }
