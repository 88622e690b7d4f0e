r"""The derivative along a flow, ``D/Dt = \partial_t + (v . nabla)``, against its two terms."""

from __future__ import annotations

from collections.abc import Iterator

from ecliptic.grading.expression import (
    Derivative,
    Expression,
    Symbol,
    VectorOperator,
    add,
    is_vector,
    rebuild,
)
from ecliptic.grading.tree_walk import survey, walk

TIME = Symbol("t")
_VELOCITIES = ("v", "u", "V", "U", "w")


def flow_readings(gold: Expression, answer: Expression) -> Iterator[tuple[Expression, Expression]]:
    """Total derivatives in time written out, where the other side has partial ones and a flow."""
    for side, other, is_gold in ((gold, answer, True), (answer, gold, False)):
        if Derivative not in survey(side).kinds or VectorOperator not in survey(other).kinds:
            continue
        kinds = {
            part.partial
            for part in walk(other)
            if isinstance(part, Derivative) and (TIME, 1) in part.variables
        }
        flow = _flow(other)
        if kinds != {True} or flow is None:
            continue
        written = _written_out(side, flow)
        if written != side:
            yield (written, answer) if is_gold else (gold, written)


def _flow(node: Expression) -> Symbol | None:
    """The one velocity of a tree."""
    found = {
        symbol
        for symbol in survey(node).symbols
        if symbol.style == "vector" and symbol.name.partition("_")[0] in _VELOCITIES
    }
    return next(iter(found)) if len(found) == 1 else None


def _written_out(node: Expression, flow: Symbol) -> Expression:
    if isinstance(node, Derivative) and not node.partial and node.variables == ((TIME, 1),):
        operand = _written_out(node.operand, flow)
        carried = (
            VectorOperator("directional", (flow, operand))
            if is_vector(operand)
            else VectorOperator("dot", (flow, VectorOperator("grad", (operand,))))
        )
        return add(Derivative(operand, node.variables, True), carried)
    return rebuild(node, lambda part: _written_out(part, flow))
