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
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal, TypeAlias

FOLDED_EXPONENT = 400
"""Powers of ten up to this size are multiplied into a number's coefficient."""


@dataclass(frozen=True, slots=True)
class Number:
    """``coefficient * 10**exponent``; ``exponent`` is 0 unless it is beyond ``FOLDED_EXPONENT``."""

    coefficient: Fraction
    exponent: int = 0
    decimal: bool = field(default=False, compare=False)
    """Written with a decimal point or a power of ten, so perhaps rounded; not compared."""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A variable. ``style``: "" | "vector" (bold, arrow) | "unit" (hat) | "bar" | "tilde"."""

    name: str
    style: str = ""
    roman: bool = field(default=False, compare=False)
    """Written upright, as units and labels are; not compared."""


@dataclass(frozen=True, slots=True)
class Constant:
    """ "pi", "euler_e", "imaginary_i", "infinity" or "degree" (pi/180)."""

    name: str


@dataclass(frozen=True, slots=True)
class Add:
    """Sum of two or more terms."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Mul:
    """Product of two or more factors."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Power:
    """``base ** exponent``."""

    base: Expression
    exponent: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """A known function; names and argument order are those of ``symbols.FUNCTIONS``.

    ``log`` has one argument when no base is written and (x, base) otherwise; Bessel functions have
    (order, x); ``ln`` and ``exp`` one.
    """

    function: str
    args: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Apply:
    """An unknown function at its arguments, ``f(r, p)``."""

    name: str
    args: tuple[Expression, ...]
    style: str = ""


@dataclass(frozen=True, slots=True)
class Derivative:
    """Derivative of ``operand`` in each (variable, order); ``d ln f/d ln p`` has variable ln p.

    A bare symbol as operand (``df/dx``, ``\\dot x``) stands for a function of the variable.
    """

    operand: Expression
    variables: tuple[tuple[Expression, int], ...]
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Integral:
    """Integral over one variable; limits are None for an indefinite one or a named domain."""

    integrand: Expression
    variable: Expression
    lower: Expression | None = None
    upper: Expression | None = None
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Sum:
    """``sum of term for index from lower to upper``; bounds may be missing."""

    term: Expression
    index: Expression | None = None
    lower: Expression | None = None
    upper: Expression | None = None


@dataclass(frozen=True, slots=True)
class Product:
    """``product of term for index from lower to upper``; bounds may be missing."""

    term: Expression
    index: Expression | None = None
    lower: Expression | None = None
    upper: Expression | None = None


@dataclass(frozen=True, slots=True)
class Limit:
    """Limit of ``operand`` as ``variable`` goes to ``target``; direction "+", "-" or ""."""

    operand: Expression
    variable: Expression
    target: Expression
    direction: str = ""


@dataclass(frozen=True, slots=True)
class At:
    """``operand`` at the point(s) given by relations, ``df/dx |_{x=0}``."""

    operand: Expression
    conditions: tuple[Expression, ...]


VectorKind: TypeAlias = Literal[
    "cross", "dot", "grad", "div", "curl", "laplacian", "directional", "nabla"
]


@dataclass(frozen=True, slots=True)
class VectorOperator:
    """Vector product or operator, operands in the order written.

    ``directional`` is (a . nabla) b with operands (a, b); without b it is the bare operator.
    ``nabla`` without operands is a bare nabla.
    """

    kind: VectorKind
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class PlusMinus:
    """A signed term: ``a \\pm b`` is ``Add(a, PlusMinus(b))``; ``upper=-1`` for ``\\mp``."""

    operand: Expression
    upper: int = 1


RelationOperator: TypeAlias = Literal[
    "=", "!=", "<", "<=", ">", ">=", "propto", "approx", "much_less", "much_greater", "in",
    "equiv", "to", "less_approx", "greater_approx",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Relation:
    """``left operator right``; a chain ``a < b < c`` is a System of its links."""

    operator: RelationOperator
    left: Expression | None
    right: Expression


@dataclass(frozen=True, slots=True)
class Interval:
    """``[lower, upper]`` with either end open or closed."""

    lower: Expression
    upper: Expression
    closed_lower: bool = True
    closed_upper: bool = True


@dataclass(frozen=True, slots=True)
class Piecewise:
    """(value, condition) branches; condition None means otherwise.

    One branch only is a value under a condition.
    """

    branches: tuple[tuple[Expression, Expression | None], ...]


@dataclass(frozen=True, slots=True)
class Declaration:
    """``where C is a constant``: a symbol and what the text says it is; no equation."""

    symbol: Expression
    description: str


@dataclass(frozen=True, slots=True)
class System:
    """Several statements; ``definitions`` are those after "where" or "with"."""

    statements: tuple[Expression, ...]
    definitions: tuple[Expression, ...] = ()
    connective: Literal["and", "or"] = "and"


@dataclass(frozen=True, slots=True)
class Tuple:
    """``(a, b, c)``, a column vector, or with ``kind="set"`` ``{a, b}``."""

    items: tuple[Expression, ...]
    kind: Literal["tuple", "set"] = "tuple"


Expression: TypeAlias = (
    Number | Symbol | Constant | Add | Mul | Power | Call | Apply | Derivative | Integral | Sum
    | Product | Limit | At | VectorOperator | PlusMinus | Relation | Interval | Piecewise
    | Declaration | System | Tuple
)  # fmt: skip

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
            return power(change(node.base), change(node.exponent))
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
        case Derivative(operand=operand) | PlusMinus(operand=operand) | At(operand=operand):
            return is_vector(operand)
        case Integral(integrand=integrand):
            return is_vector(integrand)
        case Sum(term=term):
            return is_vector(term)
        case Tuple(kind="tuple"):
            return True
        case _:
            return False
