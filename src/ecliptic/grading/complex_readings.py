r"""Complex numbers as the other side shows them: a lone ``i``, and ``z z^*`` for ``|z|^2``."""

from __future__ import annotations

from collections.abc import Iterator

from ecliptic.grading.expression import (
    TWO,
    Call,
    Constant,
    Expression,
    Mul,
    Symbol,
    multiply,
    power,
    rebuild,
)
from ecliptic.grading.tree_walk import survey, walk

_I = Symbol("i")
_IMAGINARY = Constant("imaginary_i")


def complex_readings(
    gold: Expression, answer: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """Both sides with a lone i as the imaginary unit, or with conjugate pairs as squares."""
    sides = [set(walk(node)) for node in (gold, answer)]
    if any(_IMAGINARY in side for side in sides) and any(_I in side for side in sides):
        yield _with_unit(gold), _with_unit(answer)
    if any("abs" in survey(node).functions for node in (gold, answer)):
        pair = _with_squares(gold), _with_squares(answer)
        if pair != (gold, answer):
            yield pair


def _with_unit(node: Expression) -> Expression:
    return _IMAGINARY if node == _I else rebuild(node, _with_unit)


def _with_squares(node: Expression) -> Expression:
    node = rebuild(node, _with_squares)
    if not isinstance(node, Mul):
        return node
    factors = list(node.factors)
    for factor in node.factors:
        if not (isinstance(factor, Symbol) and factor.name.endswith("^*")):
            continue
        partner = Symbol(factor.name.removesuffix("^*"), factor.style, factor.roman)
        if partner in factors and factor in factors:
            factors.remove(partner)
            factors.remove(factor)
            factors.append(power(Call("abs", (partner,)), TWO))
    return multiply(*factors) if factors else node
