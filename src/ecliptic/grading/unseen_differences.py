"""Differences that points cannot show: where a limit is taken, dx/dy for dy/dx, 0 ln 0."""

from __future__ import annotations

from ecliptic.grading.canonical import canonical
from ecliptic.grading.expression import (
    ZERO,
    Call,
    Derivative,
    Expression,
    Limit,
    Number,
    Power,
    Relation,
)
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


def undefined_part(node: Expression) -> Expression | None:
    """A logarithm of zero or a division by zero, which ``0 \\ln 0`` and canonical form hide."""
    if not survey(node).kinds & {Call, Power}:
        return None
    for part in walk(node):
        if isinstance(part, Call) and part.function in ("ln", "log"):
            hidden = part.args[0]
        elif isinstance(part, Power) and _is_negative(part.exponent):
            hidden = part.base
        else:
            continue
        if not survey(hidden).symbols and canonical(hidden) == ZERO:
            return part
    return None


def _is_negative(node: Expression) -> bool:
    return isinstance(node, Number) and node.coefficient < 0


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
