"""A canonical form: two expressions with the same one are equal as they stand.

Sums and products are flat, sorted and collected with exact rational arithmetic; rational factors
go out of sums, so that ``-(a - b)`` and ``b - a`` agree; integer powers are spread over products;
cross products anticommute, dot products commute, operators are linear over numbers; bound variables
are renamed. Products of sums are never multiplied out, so the form is no larger than what was
written, and no identity is used that fails for some complex number. What stays apart here may still
be equal.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ecliptic.grading.expression import (
    ONE,
    ZERO,
    Add,
    Apply,
    At,
    Call,
    Constant,
    Expression,
    Integral,
    Limit,
    Mul,
    Number,
    Power,
    Product,
    Sum,
    Symbol,
    Tuple,
    VectorOperator,
    as_integer,
    rebuild,
)
from ecliptic.grading.tree_walk import walk

MAX_BITS = 7000
"""Larger fractions stay as written; one of two of them still has digits that can be written."""
MAX_EXACT_BITS = 4096
"""Exact powers of rational numbers are carried out up to this size, and left alone beyond."""

_NABLA = VectorOperator("nabla", ())
_PRODUCTS = {"cross", "dot"}
_LINEAR = {"grad", "div", "curl", "laplacian", "directional"}


def canonical(node: Expression) -> Expression:
    """The canonical form of an expression, itself an expression."""
    match node:
        case Number() | Symbol() | Constant():
            return node
        case Add(terms=terms):
            return _sum([canonical(term) for term in terms])
        case Mul(factors=factors):
            return _product([canonical(factor) for factor in factors])
        case Power(base=base, exponent=exponent):
            return _power(canonical(base), canonical(exponent))
        case VectorOperator():
            return _vector_operator(node)
        case Integral(lower=None, upper=None, closed=False, integrand=Integral() as inner) if (
            inner.lower is None and inner.upper is None and not inner.closed
        ):
            return _in_any_order(node, inner)
        case Integral(lower=lower) if lower is not None:
            return _drawn_out(rebuild(_rename_bound(node, node.variable), canonical))
        case Integral():
            return _drawn_out(rebuild(node, canonical))
        case Sum(index=index) | Product(index=index) if index is not None:
            return rebuild(_rename_bound(node, index), canonical)
        case Limit(variable=variable):
            return rebuild(_rename_bound(node, variable), canonical)
        case At(operand=operand, conditions=(Symbol() as kept,)):
            return Call("component", (canonical(operand), kept))  # (dp/drho)_s
        case _:
            return rebuild(node, canonical)


def _in_any_order(node: Integral, inner: Integral) -> Expression:
    """Two integrals without limits, the variables in order of their names."""
    first, second = sorted((node.variable, inner.variable), key=sort_key)
    nested = replace(inner, integrand=canonical(inner.integrand), variable=first)
    return replace(node, integrand=nested, variable=second)


def _drawn_out(node: Expression) -> Expression:
    """A rational factor of the integrand in front of the integral."""
    if not isinstance(node, Integral):
        return node
    coefficient, rest = split_coefficient(node.integrand)
    if coefficient in (0, 1) or rest == ONE:
        return node
    return scaled(coefficient, replace(node, integrand=rest))


def split_coefficient(node: Expression) -> tuple[Fraction, Expression]:
    """Rational coefficient and the rest of a canonical term."""
    if isinstance(node, Number) and not node.exponent:
        return node.coefficient, ONE
    if isinstance(node, Mul) and isinstance(node.factors[0], Number):
        first = node.factors[0]
        if not first.exponent:
            rest = node.factors[1:]
            return first.coefficient, rest[0] if len(rest) == 1 else Mul(rest)
    return Fraction(1), node


def sort_key(node: Expression) -> str:
    """A text that orders expressions in the same way on every machine."""
    match node:
        case Number(coefficient=value, exponent=exponent):
            return f"0{value}e{exponent}"
        case Symbol(name=name, style=style):
            return f"1{name}|{style}"
        case Constant(name=name):
            return f"2{name}"
        case Power(base=base, exponent=exponent):
            return f"{sort_key(base)}^{sort_key(exponent)}"
        case Add(terms=parts) | Mul(factors=parts):
            sign = "+" if isinstance(node, Add) else "*"
            return "(" + sign.join(map(sort_key, parts)) + ")"
        case Call(function=name, args=parts) | Apply(name=name, args=parts):
            return f"4{name}({','.join(map(sort_key, parts))})"
        case VectorOperator(kind=kind, operands=parts):
            return f"5{kind}({','.join(map(sort_key, parts))})"
        case _:
            return f"6{node!r}"


def scaled(coefficient: Fraction, rest: Expression) -> Expression:
    """``coefficient * rest`` in canonical form, for a canonical rest without a coefficient."""
    if coefficient == 0:
        return ZERO
    if coefficient == 1:
        return rest
    if rest == ONE:
        return Number(coefficient)
    factors = rest.factors if isinstance(rest, Mul) else (rest,)
    return Mul((Number(coefficient), *factors))


def _sum(terms: list[Expression]) -> Expression:
    """Collected sum; nested sums with a rational factor are spread out."""
    collected: dict[Expression, Fraction] = {}
    stack = [(Fraction(1), term) for term in reversed(terms)]
    while stack:
        factor, term = stack.pop()
        coefficient, rest = split_coefficient(term)
        coefficient *= factor
        if isinstance(rest, Add):
            stack.extend((coefficient, inner) for inner in reversed(rest.terms))
            continue
        if isinstance(rest, Number) and not rest.exponent:
            whole = collected.get(ONE, Fraction(0)) + coefficient * rest.coefficient
            collected[ONE] = whole
        else:
            whole = collected[rest] = collected.get(rest, Fraction(0)) + coefficient
        if _bits(whole) > MAX_BITS:
            return Add(tuple(terms))  # left as written: a sum of giants
    parts = [(rest, value) for rest, value in collected.items() if value or not _finite(rest)]
    if not parts:
        return Tuple((ZERO,) * 3) if any(isinstance(term, Tuple) for term in terms) else ZERO
    if len(parts) == 1:
        return _scaled_or_undefined(parts[0][1], parts[0][0])
    parts.sort(key=lambda part: sort_key(part[0]))
    content = parts[0][1]
    if not content:
        return Add(tuple(_scaled_or_undefined(value, rest) for rest, value in parts))
    primitive = Add(tuple(_scaled_or_undefined(value / content, rest) for rest, value in parts))
    return scaled(content, primitive)


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()


def _scaled_or_undefined(coefficient: Fraction, rest: Expression) -> Expression:
    return scaled(coefficient, rest) if coefficient else Mul((ZERO, rest))


def _finite(node: Expression) -> bool:
    """Whether a term may vanish with its coefficient: no infinity and no division by zero in it."""
    return not any(
        (isinstance(part, Constant) and part.name == "infinity")
        or (isinstance(part, Power) and part.base == ZERO)
        for part in walk(node)
    )


def _product(factors: list[Expression]) -> Expression:
    coefficient = Fraction(1)
    powers: dict[Expression, list[Expression]] = {}
    stack = list(reversed(factors))
    while stack:
        factor = stack.pop()
        value, rest = split_coefficient(factor)
        coefficient *= value
        if isinstance(rest, Mul):
            stack.extend(reversed(rest.factors))
        elif isinstance(rest, Power):
            powers.setdefault(rest.base, []).append(rest.exponent)
        elif rest != ONE:
            powers.setdefault(rest, []).append(ONE)
        if _bits(coefficient) > MAX_BITS:
            return Mul(tuple(factors))  # left as written: a product of giants
    parts: list[Expression] = []
    for base, exponents in powers.items():
        raised = _power(base, exponents[0] if len(exponents) == 1 else _sum(exponents))
        value, rest = split_coefficient(raised)
        coefficient *= value
        if _bits(coefficient) > MAX_BITS:
            return Mul(tuple(factors))
        if isinstance(rest, Mul):
            parts.extend(rest.factors)
        elif rest != ONE:
            parts.append(rest)
    if coefficient == 0:
        if all(_finite(part) for part in parts):
            return ZERO
        return Mul((ZERO, *parts))
    if not parts:
        return Number(coefficient)
    parts.sort(key=sort_key)
    return scaled(coefficient, parts[0] if len(parts) == 1 else Mul(tuple(parts)))


def _power(base: Expression, exponent: Expression) -> Expression:
    if exponent == ONE:
        return base
    size = as_integer(exponent)
    if base == ONE and isinstance(exponent, Number):
        return ONE
    if size is None:
        return Power(base, exponent)
    if size == 0:
        return Power(base, exponent) if not _finite(base) or base == ZERO else ONE
    if isinstance(base, Number):
        if base.exponent or base == ZERO or _bits(base.coefficient) * abs(size) > MAX_EXACT_BITS:
            return Power(base, exponent)
        return Number(base.coefficient**size)
    coefficient, rest = split_coefficient(base)
    if coefficient not in (0, 1):
        raised = _power(Number(coefficient), exponent)
        return _product([raised, _power(rest, exponent)])
    if isinstance(base, Mul) and coefficient == 1:
        return _product([_power(factor, exponent) for factor in base.factors])
    if isinstance(base, Power):
        return _power(base.base, _product([base.exponent, exponent]))
    return Power(base, exponent)


def _vector_operator(node: VectorOperator) -> Expression:
    operands = [canonical(operand) for operand in node.operands]
    if node.kind not in _PRODUCTS | _LINEAR or not operands:
        return replace(node, operands=tuple(operands))
    coefficient = Fraction(1)
    for position, operand in enumerate(operands):
        value, operands[position] = split_coefficient(operand)
        coefficient *= value
    if coefficient == 0:
        return replace(node, operands=tuple(canonical(operand) for operand in node.operands))
    if node.kind in _PRODUCTS and len(operands) == 2 and _NABLA not in operands:
        first, second = sorted(operands, key=sort_key)
        if node.kind == "cross" and first != operands[0]:
            coefficient = -coefficient
        operands = [first, second]
    return scaled(coefficient, VectorOperator(node.kind, tuple(operands)))


def _rename_bound(node: Expression, variable: Expression) -> Expression:
    """The node with its bound variable replaced by one that nobody can write."""
    if not isinstance(variable, Symbol) or variable.name.startswith("#"):
        return node
    depth = sum(isinstance(part, Integral | Sum | Product | Limit) for part in walk(node))
    fresh = Symbol(f"#{depth}", "vector" if variable.style == "vector" else "bound")

    def renamed(part: Expression) -> Expression:
        return fresh if part == variable else rebuild(part, renamed)

    match node:
        case Integral():
            return replace(node, integrand=renamed(node.integrand), variable=fresh)
        case Sum() | Product():
            return replace(node, term=renamed(node.term), index=fresh)
        case Limit():
            return replace(node, operand=renamed(node.operand), variable=fresh)
        case _:
            return node
