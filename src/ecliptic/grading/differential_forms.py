r"""Equations between differentials: ``dm = 4\pi r^2\rho\,dr`` against ``dm/dr = 4\pi r^2\rho``."""

from __future__ import annotations

from collections.abc import Iterator

from ecliptic.grading.expression import (
    MINUS_ONE,
    ONE,
    Derivative,
    Expression,
    Mul,
    Relation,
    Symbol,
    multiply,
    power,
    rebuild,
)
from ecliptic.grading.tree_walk import survey

_D = Symbol("d")


def differential_readings(
    gold: Expression, answer: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """Equations between two differentials as derivatives, where the other side has one."""
    kinds = [survey(node).kinds for node in (gold, answer)]
    if not any(Derivative in found for found in kinds):
        return
    for turned in (False, True):
        pair = _as_derivative(gold, turned), _as_derivative(answer, turned)
        if pair != (gold, answer):
            yield pair


def _as_derivative(node: Expression, turned: bool) -> Expression:
    if not isinstance(node, Relation) or node.left is None:
        return rebuild(node, lambda part: _as_derivative(part, turned))
    left, right = _parted(node.left), _parted(node.right)
    if node.operator != "=" or left is None or right is None:
        return node
    if turned:
        left, right = right, left
    slope = Derivative(left[1], ((right[1], 1),), False)
    value = right[0] if left[0] == ONE else multiply(right[0], power(left[0], MINUS_ONE))
    return Relation("=", slope, value)


def _parted(node: Expression) -> tuple[Expression, Expression] | None:
    """Coefficient and variable of ``a\\,dx``."""
    factors = node.factors if isinstance(node, Mul) else ()
    found = [i for i, factor in enumerate(factors[:-1]) if _is_d(factor)]
    if len(found) != 1:
        return None
    place = found[0]
    variable = factors[place + 1]
    if not isinstance(variable, Symbol):
        return None
    rest = (*factors[:place], *factors[place + 2 :])
    return (multiply(*rest) if rest else ONE), variable


def _is_d(node: Expression) -> bool:
    return isinstance(node, Symbol) and node.name == _D.name and not node.style
