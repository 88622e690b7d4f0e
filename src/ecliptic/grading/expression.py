"""The expression tree that every symbolic answer is read into.

Nodes are immutable, hashable and compared by structure; the order of terms and factors is the
order in the text. A tree holds what was written, not what it equals: nothing is expanded,
cancelled or evaluated, except that

* sums and products are flat, a difference is a sum with a factor -1, a quotient a product with a
  power -1, a square root a power 1/2 and ``e^x`` the call ``exp(x)``;
* a sign in front of a number, a power of ten behind one (``1.2 \\times 10^6``) and a quotient of
  two integers (``1/2``) belong to the number.

Symbols are told apart by name and style. A subscript belongs to the name (``V_w``,
``V_{\\mathrm{w}}`` and ``V_{w}`` are all ``V_w``), letter case always counts, and upright, italic
and text fonts do not. Build sums, products, quotients and powers with :func:`add`,
:func:`multiply`, :func:`divide`, :func:`negate` and :func:`power`, which keep the form above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from ecliptic.grading.nodes import (
    Add,
    Apply,
    At,
    Call,
    Constant,
    Declaration,
    Derivative,
    Expression,
    Integral,
    Interval,
    Limit,
    Mul,
    Number,
    Piecewise,
    PlusMinus,
    Power,
    Product,
    Relation,
    RelationOperator,
    Sum,
    Symbol,
    System,
    Tuple,
    VectorKind,
    VectorOperator,
)

__all__ = [
    "FOLDED_EXPONENT", "HALF", "MINUS_ONE", "ONE", "TEN", "TWO", "ZERO", "Add", "Apply", "At",
    "Call", "Constant", "Declaration", "Derivative", "Expression", "Integral", "Interval", "Limit",
    "Mul", "Number", "Piecewise", "PlusMinus", "Power", "Product", "Relation", "RelationOperator",
    "Sum", "Symbol", "System", "Tuple", "VectorKind", "VectorOperator", "add", "as_integer",
    "children", "divide", "is_vector", "multiply", "negate", "number", "power", "rebuild", "walk",
]  # fmt: skip

FOLDED_EXPONENT = 400
"""Powers of ten up to this size are multiplied into a number's coefficient."""

ZERO = Number(Fraction(0))
ONE = Number(Fraction(1))
MINUS_ONE = Number(Fraction(-1))
TWO = Number(Fraction(2))
HALF = Number(Fraction(1, 2))
TEN = Number(Fraction(10))


def number(coefficient: Fraction | int, exponent: int = 0, *, decimal: bool = False) -> Number:
    """A number in normal form: a small power of ten goes into the coefficient."""
    if exponent and -FOLDED_EXPONENT <= exponent <= FOLDED_EXPONENT:
        coefficient = coefficient * Fraction(10) ** exponent
        exponent = 0
    return Number(Fraction(coefficient), exponent if coefficient else 0, decimal)


def as_integer(node: Expression) -> int | None:
    """The value of an integer number, None for anything else."""
    if isinstance(node, Number) and not node.exponent and node.coefficient.denominator == 1:
        return node.coefficient.numerator
    return None


def add(*terms: Expression) -> Expression:
    """Sum of terms, flat; one term is itself."""
    flat: list[Expression] = []
    for term in terms:
        if isinstance(term, Add):
            flat.extend(term.terms)
        else:
            flat.append(term)
    return flat[0] if len(flat) == 1 else Add(tuple(flat))


def multiply(*factors: Expression) -> Expression:
    """Product of factors, flat; a leading -1 joins a number behind it, and +1 is left out."""
    flat: list[Expression] = []
    for factor in factors:
        if isinstance(factor, Mul):
            flat.extend(factor.factors)
        else:
            flat.append(factor)
    while len(flat) > 1 and isinstance(flat[0], Number) and flat[0] in (ONE, MINUS_ONE):
        if flat[0] == ONE:
            del flat[0]
        elif isinstance(flat[1], Number):
            flat[:2] = [replace(flat[1], coefficient=-flat[1].coefficient)]
        else:
            break
    return flat[0] if len(flat) == 1 else Mul(tuple(flat))


def negate(node: Expression) -> Expression:
    """The expression with the opposite sign: ``-1 * node``, folded into a leading number."""
    return multiply(MINUS_ONE, node)


def divide(numerator: Expression, denominator: Expression) -> Expression:
    """``numerator / denominator``; two integers make a fraction (never with a zero below)."""
    below = as_integer(denominator)
    if below:
        if isinstance(numerator, Number) and as_integer(numerator) is not None:
            return Number(numerator.coefficient / below)
        return multiply(numerator, Number(Fraction(1, below)))
    return multiply(numerator, power(denominator, MINUS_ONE))


def power(base: Expression, exponent: Expression) -> Expression:
    """``base ** exponent``; an integer power of ten is a number, and nothing else is evaluated."""
    size = as_integer(exponent)
    if size is not None and base == TEN and abs(size) <= FOLDED_EXPONENT:
        return number(1, size, decimal=True)
    if size == 1:
        return base
    return Power(base, exponent)


def children(node: Expression) -> tuple[Expression, ...]:
    """The direct parts of a node, in reading order."""
    return _CHILDREN[type(node)](node)


def _present(*parts: Expression | None) -> tuple[Expression, ...]:
    return tuple(part for part in parts if part is not None)


_CHILDREN: dict[type, Callable[[Any], tuple[Expression, ...]]] = {
    Number: lambda node: (),
    Symbol: lambda node: (),
    Constant: lambda node: (),
    Add: lambda node: node.terms,
    Mul: lambda node: node.factors,
    Power: lambda node: (node.base, node.exponent),
    Call: lambda node: node.args,
    Apply: lambda node: node.args,
    Derivative: lambda node: (node.operand, *(variable for variable, _ in node.variables)),
    Integral: lambda node: _present(node.integrand, node.variable, node.lower, node.upper),
    Sum: lambda node: _present(node.term, node.index, node.lower, node.upper),
    Product: lambda node: _present(node.term, node.index, node.lower, node.upper),
    Limit: lambda node: (node.operand, node.variable, node.target),
    At: lambda node: (node.operand, *node.conditions),
    VectorOperator: lambda node: node.operands,
    PlusMinus: lambda node: (node.operand,),
    Relation: lambda node: _present(node.left, node.right),
    Interval: lambda node: (node.lower, node.upper),
    Piecewise: lambda node: _present(*(part for branch in node.branches for part in branch)),
    Declaration: lambda node: (node.symbol,),
    System: lambda node: (*node.statements, *node.definitions),
    Tuple: lambda node: node.items,
}


def walk(node: Expression) -> Iterator[Expression]:
    """Every node of a tree, the root first, without recursion."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(children(current)))


def rebuild(node: Expression, change: Callable[[Expression], Expression]) -> Expression:
    """The same node over changed direct parts; sums and products are made flat again."""

    def optional(part: Expression | None) -> Expression | None:
        return None if part is None else change(part)

    def all_of(parts: tuple[Expression, ...]) -> tuple[Expression, ...]:
        return tuple(change(part) for part in parts)

    match node:
        case Number() | Symbol() | Constant():
            return node
        case Add():
            return add(*all_of(node.terms))
        case Mul():
            return multiply(*all_of(node.factors))
        case Power():
            raised = power(change(node.base), change(node.exponent))
            return (
                replace(raised, loose=True) if node.loose and isinstance(raised, Power) else raised
            )
        case Call() | Apply():
            return replace(node, args=all_of(node.args))
        case Derivative():
            variables = tuple((change(variable), order) for variable, order in node.variables)
            return replace(node, operand=change(node.operand), variables=variables)
        case Integral():
            return replace(
                node,
                integrand=change(node.integrand),
                variable=change(node.variable),
                lower=optional(node.lower),
                upper=optional(node.upper),
            )
        case Sum() | Product():
            return replace(
                node,
                term=change(node.term),
                index=optional(node.index),
                lower=optional(node.lower),
                upper=optional(node.upper),
            )
        case Limit():
            return Limit(
                change(node.operand), change(node.variable), change(node.target), node.direction
            )
        case At():
            return At(change(node.operand), all_of(node.conditions))
        case VectorOperator():
            return VectorOperator(node.kind, all_of(node.operands))
        case PlusMinus():
            return PlusMinus(change(node.operand), node.upper)
        case Relation():
            return Relation(node.operator, optional(node.left), change(node.right))
        case Interval():
            return replace(node, lower=change(node.lower), upper=change(node.upper))
        case Piecewise():
            return Piecewise(tuple((change(v), optional(c)) for v, c in node.branches))
        case Declaration():
            return Declaration(change(node.symbol), node.description)
        case System():
            return System(all_of(node.statements), all_of(node.definitions), node.connective)
        case Tuple():
            return Tuple(all_of(node.items), node.kind)


def is_vector(node: Expression) -> bool:
    """Whether a node is a vector by spelling: bold, arrow, hat, nabla products, sums of those."""
    match node:
        case Symbol(style=style) | Apply(style=style):
            return style in ("vector", "unit")
        case Add(terms=terms):
            return any(is_vector(term) for term in terms)
        case Mul(factors=factors):
            return any(is_vector(factor) for factor in factors)
        case VectorOperator(kind="cross" | "grad" | "curl" | "nabla"):
            return True
        case VectorOperator(kind="directional" | "laplacian", operands=operands):
            return is_vector(operands[-1])
        case Derivative(operand=operand, variables=variables):
            return is_vector(operand) or any(is_vector(variable) for variable, _ in variables)
        case PlusMinus(operand=operand) | At(operand=operand):
            return is_vector(operand)
        case Integral(integrand=integrand, product=product):
            return product == "cross" or (not product and is_vector(integrand))
        case Sum(term=term):
            return is_vector(term)
        case Tuple(kind="tuple"):
            return True
        case _:
            return False
