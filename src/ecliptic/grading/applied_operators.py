r"""Operators in brackets that act on what stands behind: ``(\nabla^2 + k^2)\psi``.

While such a bracket is read, each operator in it acts on a mark; when the whole formula is there,
the product behind the bracket takes the place of the marks, and multiplies the other terms.
"""

from __future__ import annotations

from ecliptic.grading.expression import (
    Add,
    Derivative,
    Expression,
    Mul,
    Symbol,
    VectorOperator,
    add,
    is_vector,
    multiply,
    rebuild,
    walk,
)
from ecliptic.grading.parse_failure import ParseFailure

MARK = Symbol("operand", "mark")
_NABLA = VectorOperator("nabla", ())


def with_operators_applied(node: Expression) -> Expression:
    """The tree without marks; :class:`ParseFailure` where an operator acts on nothing."""
    changed = _applied(node)
    if MARK in set(walk(changed)):
        raise ParseFailure("an operator acts on nothing", 0)
    return changed


def _applied(node: Expression) -> Expression:
    if not isinstance(node, Mul):
        return rebuild(node, _applied)
    factors = list(node.factors)
    for place in range(len(factors) - 2, -1, -1):
        if MARK in set(walk(factors[place])):
            behind = _applied(multiply(*factors[place + 1 :]))
            factors[place:] = [_on(factors[place], behind)]
    return multiply(*(_applied(factor) for factor in factors))


def _on(operator: Expression, operand: Expression) -> Expression:
    """The operator of a bracket on its operand."""
    if isinstance(operator, Add):
        return add(*(_on(term, operand) for term in operator.terms))
    if MARK in set(walk(operator)):
        return _put_in(operator, operand)
    parts = operator.factors if isinstance(operator, Mul) else (operator,)
    last = parts[-1]
    if isinstance(last, VectorOperator) and last.kind == "directional" and len(last.operands) == 1:
        return multiply(*parts[:-1], _carried(last.operands[0], operand))
    return multiply(operator, operand)


def _carried(along: Expression, operand: Expression) -> Expression:
    if is_vector(operand):
        return VectorOperator("directional", (along, operand))
    return VectorOperator("dot", (along, VectorOperator("grad", (operand,))))


def _put_in(node: Expression, operand: Expression) -> Expression:
    if node == MARK:
        return operand
    if isinstance(node, Derivative):
        return Derivative(_put_in(node.operand, operand), node.variables, node.partial)
    return rebuild(node, lambda part: _put_in(part, operand))
