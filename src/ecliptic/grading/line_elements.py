r"""Products with the element of an integral: ``\mathbf{F}\cdot d\mathbf{r}``.

An element of a vector (``d\mathbf{l}``, ``d\mathbf{S}``) is a vector itself, so that the kind of
its product and, in a cross product, the order count. ``d^3 r`` is the measure of a volume and none.
"""

from __future__ import annotations

from ecliptic.grading.cursor import is_differential_factor
from ecliptic.grading.expression import (
    Call,
    Expression,
    Mul,
    Symbol,
    VectorOperator,
    is_vector,
    negate,
)
from ecliptic.grading.nodes import ElementProduct

_ALONG = frozenset(("l", "ell", "s", "S", "A", "a"))
"""Plain letters of a path or surface; behind a cross sign their element is a vector."""
Found = tuple[Expression, Expression, ElementProduct]
"""What multiplies the element, the variable, and how."""


def is_element(node: Expression) -> bool:
    """Whether a factor is the element of a vector."""
    return (
        isinstance(node, Call)
        and is_differential_factor(node)
        and len(node.args) == 1
        and is_vector(node.args[0])
    )


def is_vector_factor(node: Expression) -> bool:
    """Whether a factor is a vector by spelling, elements of vectors among them."""
    if isinstance(node, Mul):
        return any(is_vector_factor(factor) for factor in node.factors)
    return is_vector(node) or is_element(node)


def as_element(node: Expression) -> Expression | None:
    """A plain ``dl`` as the element of a vector; ``None`` where the letter names no path."""
    if not (isinstance(node, Call) and is_differential_factor(node) and len(node.args) == 1):
        return None
    variable = node.args[0]
    if not isinstance(variable, Symbol) or variable.style or variable.name not in _ALONG:
        return None
    return Call(node.function, (Symbol(variable.name, "vector"),))


def element_product(node: Expression) -> Found | None:
    """The parts of a dot, cross or scalar triple product that holds an element.

    ``d\\mathbf{l} \\times \\mathbf{B}`` is minus ``\\mathbf{B} \\times d\\mathbf{l}``.
    """
    if not isinstance(node, VectorOperator) or len(node.operands) != 2:
        return None
    first, second = node.operands
    if node.kind == "cross":
        if isinstance(first, Call) and is_element(first) and not _holds(second):
            return negate(second), first.args[0], "cross"
        if isinstance(second, Call) and is_element(second) and not _holds(first):
            return first, second.args[0], "cross"
    if node.kind == "dot":
        for element, other in ((first, second), (second, first)):
            if _holds(other):
                continue
            if isinstance(element, Call) and is_element(element):
                return other, element.args[0], "dot"
            inner = element_product(element)
            if inner is not None and inner[2] == "cross":  # b . (F x dl) = (b x F) . dl
                return VectorOperator("cross", (other, inner[0])), inner[1], "dot"
    return None


def _holds(node: Expression) -> bool:
    return is_element(node) or element_product(node) is not None
