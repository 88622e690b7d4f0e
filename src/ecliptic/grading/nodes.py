"""The nodes of the expression tree; how they are put together is told in ``expression``."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Number:
    """``coefficient * 10**exponent``; ``exponent`` is 0 unless it is beyond
    ``expression.FOLDED_EXPONENT``."""

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
    loose: bool = field(default=False, compare=False)
    """Written ``\\ln(x)^2``, which may also be the logarithm of a power; not compared."""


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


ElementProduct: TypeAlias = Literal["", "dot", "cross"]


@dataclass(frozen=True, slots=True)
class Integral:
    """Integral over one variable; limits are None for an indefinite one or a named domain."""

    integrand: Expression
    variable: Expression
    lower: Expression | None = None
    upper: Expression | None = None
    closed: bool = False
    product: ElementProduct = ""
    """How a vector integrand is multiplied by the element of a vector, in this order."""


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
