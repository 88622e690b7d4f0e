"""Vector products and the operator nabla.

Whether a product is a vector product is decided by spelling: both sides must be written as vectors
(bold, arrow, hat, nabla). Between plain letters ``\\cdot`` multiplies, and so does ``\\times``
unless both letters are of those that name vectors.
"""

from __future__ import annotations

from ecliptic.grading.applied_operators import MARK
from ecliptic.grading.cursor import Cursor
from ecliptic.grading.expression import (
    Call,
    Derivative,
    Expression,
    Mul,
    Symbol,
    VectorKind,
    VectorOperator,
    is_vector,
    multiply,
    number,
)
from ecliptic.grading.line_elements import as_element, is_vector_factor
from ecliptic.grading.symbols import ACCENTS, BOLD, VECTOR_LETTERS

NABLA = VectorOperator("nabla", ())
_TWO = number(2)
_SPACES = frozenset("vpku")
"""Letters below a nabla that say in which vector it differentiates."""


def is_open(node: Expression) -> bool:
    """Whether a factor is ``(a . nabla)`` that still waits for its operand."""
    return isinstance(node, VectorOperator) and (
        node.kind == "directional" and len(node.operands) == 1
    )


def directed(operator: Expression, operand: Expression) -> Expression:
    """``(a . nabla) b``; of a scalar it is the dot product with the gradient."""
    assert isinstance(operator, VectorOperator)
    (along,) = operator.operands
    if is_vector(operand):
        return VectorOperator("directional", (along, operand))
    return VectorOperator("dot", (along, VectorOperator("grad", (operand,))))


def may_join(sign: str, right: Expression) -> bool:
    """Whether a product sign and its right side can make a vector product at all."""
    if sign == "*":
        return False
    first = right.factors[0] if isinstance(right, Mul) else right
    crosses = _names_vector(first) or as_element(first) is not None
    return is_vector_factor(right) or (sign == "\\times" and crosses)


def joined(sign: str, left: Expression, right: Expression) -> Expression | None:
    """The vector product of two chunks with scalar factors in front, None if it is none."""
    if sign == "*":
        return None
    if not is_vector_factor(left) or not is_vector_factor(right):
        return _plain_cross(left, right) if sign == "\\times" else None
    before, along = _split(left)
    behind, other = _split(right)
    if along is None or other is None:
        return None
    product: Expression
    if sign == "\\times":
        product = VectorOperator("cross", (along, other))
    elif other == NABLA:
        product = VectorOperator("directional", (along,))
    elif (
        isinstance(other, VectorOperator) and other.kind == "grad" and is_vector(other.operands[0])
    ):
        product = VectorOperator("directional", (along, other.operands[0]))
    else:
        product = VectorOperator("dot", (along, other))
    return multiply(*before, product, *behind)


def _plain_cross(left: Expression, right: Expression) -> Expression | None:
    """``v \\times B`` between plain letters that name vectors."""
    before = left.factors if isinstance(left, Mul) else (left,)
    behind = right.factors if isinstance(right, Mul) else (right,)
    along, other = before[-1], behind[0]
    elements = as_element(along), as_element(other)
    along, other = elements[0] or along, elements[1] or other
    if not (_names_vector(along) and _names_vector(other)):
        return None
    if any(elements):
        along, other = _as_vector(along), _as_vector(other)
    return multiply(*before[:-1], VectorOperator("cross", (along, other)), *behind[1:])


def _as_vector(node: Expression) -> Expression:
    return Symbol(node.name, "vector") if isinstance(node, Symbol) else node


def _names_vector(node: Expression) -> bool:
    if isinstance(node, Symbol) and not node.style:
        return node.name.partition("_")[0] in VECTOR_LETTERS
    return is_vector_factor(node)


def _split(node: Expression) -> tuple[list[Expression], Expression | None]:
    """Scalar factors and the one vector factor of a product."""
    if not isinstance(node, Mul):
        return [], node
    vectors = [factor for factor in node.factors if is_vector_factor(factor)]
    scalars = [factor for factor in node.factors if not is_vector_factor(factor)]
    return scalars, vectors[0] if len(vectors) == 1 else None


def nabla(cursor: Cursor) -> Expression:
    """What stands behind a nabla: gradient, divergence, curl, Laplacian, or the bare operator."""
    label = ""
    power = False
    while cursor.token.kind == "op" and cursor.token.text in ("_", "^"):
        if cursor.take("_"):
            label = cursor.script_name()
        else:
            sign = cursor.advance()
            if cursor.script() != _TWO:
                raise cursor.failure("only the square of nabla is read", sign)
            power = True
    kind: VectorKind = "laplacian" if power else "grad"
    token = cursor.token
    if not power and token.kind == "op" and token.text in ("\\cdot", "\\times"):
        cursor.advance()
        kind = "div" if token.text == "\\cdot" else "curl"
        if not cursor.starts_factor():
            raise cursor.failure("nabla has no operand")
        operand = _vector_operand(cursor)
    elif cursor.starts_factor():
        operand = cursor.factor()
    elif power and cursor.ends_operator():
        operand = MARK
    elif power or label:
        raise cursor.failure("nabla has no operand")
    else:
        return NABLA
    if kind == "grad" and label in _SPACES and not is_vector(operand):
        return Derivative(operand, ((Symbol(label, "vector"), 1),), True)
    result = VectorOperator(kind, (operand,))
    return Call("component", (result, Symbol(label))) if label else result


def _vector_operand(cursor: Cursor) -> Expression:
    """The factors up to the first vector; one bracket, or one factor where none is a vector."""
    bracket = cursor.token.kind == "op"
    factors = [cursor.factor()]
    if bracket or not _vector_ahead(cursor):
        return factors[0]
    while not is_vector(factors[-1]) and cursor.starts_factor() and cursor.token.kind != "op":
        factors.append(cursor.factor())
    return multiply(*factors)


def _vector_ahead(cursor: Cursor) -> bool:
    """Whether the product at the cursor goes on to a letter written as a vector or a gradient."""
    index = cursor.index
    while True:
        token = cursor.tokens[index]
        if token.kind == "cmd":
            if token.text in BOLD or ACCENTS.get(token.text) == "unit":
                return True
            if token.text == "nabla":
                return cursor.tokens[index + 1].text not in ("\\cdot", "^")
            return False
        if token.kind not in ("name", "num") and token.text not in ("{", "_", "}", "^"):
            return False
        index += 1
