"""From vectors, operators and derivatives to scalar expressions that can be evaluated.

A vector becomes its three Cartesian components, each an unknown field with free derivatives; a
magnitude that is written in italics beside its vector (``B`` beside bold ``B``) becomes the length.
Unit vectors of spherical, cylindrical and Cartesian coordinates become their Cartesian components.
Vector identities and differential equations then hold exactly when they hold at random points.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ecliptic.grading.canonical import canonical, sort_key, split_coefficient
from ecliptic.grading.dependence import CONSTANT, study_dependence
from ecliptic.grading.differentiate import (
    UndifferentiableError,
    differentiate,
    minus,
    substitute_all,
)
from ecliptic.grading.expression import (
    HALF,
    MINUS_ONE,
    ONE,
    TWO,
    ZERO,
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
    Sum,
    Symbol,
    System,
    Tuple,
    VectorOperator,
    add,
    as_integer,
    divide,
    is_vector,
    multiply,
    negate,
    power,
    rebuild,
)
from ecliptic.grading.tree_walk import survey, walk

Vector = tuple[Expression, Expression, Expression]
Lowered = Expression | Vector

_CURVED = frozenset({"r", "R", "s", "rho", "theta", "phi", "varphi"})
_ANGULAR = frozenset({"theta", "phi", "varphi"})
_AXES = tuple(Symbol(axis, "@") for axis in "xyz")


class KindMismatchError(Exception):
    """A vector stands where a number must, or the other way round."""


class UnlowerableError(Exception):
    """The expression has a part that only structure can compare; the message names it."""


class Components:
    """Lowers the expressions of one comparison, which must share what is known of their symbols."""

    def __init__(self, *nodes: Expression) -> None:
        surveys = [survey(node) for node in nodes]
        self._plain = not any(
            found.kinds & _STRUCTURED or any(symbol.style for symbol in found.symbols)
            for found in surveys
        )
        if self._plain:
            return
        parts = [part for node in nodes for part in walk(node)]
        self._vectors = {
            part.name for part in parts if isinstance(part, Symbol) and part.style == "vector"
        }
        for part in parts:
            if isinstance(part, VectorOperator) and part.kind in ("cross", "curl", "div"):
                self._vectors.update(
                    operand.name
                    for operand in part.operands
                    if isinstance(operand, Symbol) and operand.style == ""
                )
        self._upright = {
            part.name for part in parts if isinstance(part, Symbol) and part.style == "vector"
        }
        self._units = {
            _basis_name(part.name) for part in parts if isinstance(part, Symbol) and _is_basis(part)
        }
        self._dependence = study_dependence(nodes)

    def lower(self, node: Expression) -> Lowered:
        """Three components for a vector, one expression for a number.

        Raises :class:`KindMismatchError`, :class:`UnlowerableError`.
        """
        if self._plain:
            return node
        try:
            return self._lower(node)
        except UndifferentiableError as error:
            raise UnlowerableError(str(error)) from None

    def scalar(self, node: Expression) -> Expression:
        """The expression of a number; :class:`KindMismatchError` for a vector."""
        lowered = self.lower(node)
        if isinstance(lowered, tuple):
            raise KindMismatchError("a vector stands where a number must")
        return lowered

    def _scalar(self, node: Expression) -> Expression:
        lowered = self._lower(node)
        if isinstance(lowered, tuple):
            raise KindMismatchError("a vector stands where a number must")
        return lowered

    def _lower(self, node: Expression) -> Lowered:
        match node:
            case Number() | Constant():
                return node
            case Symbol():
                return self._symbol(node)
            case Add(terms=terms):
                return self._sum([self._lower(term) for term in terms])
            case Mul(factors=factors):
                return self._product(factors)
            case Power(base=base, exponent=exponent):
                lowered = self._lower(base)
                if isinstance(lowered, tuple):
                    size = as_integer(exponent)
                    if size is None or size % 2 or size == 0:
                        raise KindMismatchError("an odd power of a vector")
                    return power(_dot(lowered, lowered), Number(Fraction(size // 2)))
                return power(lowered, self._scalar(exponent))
            case Call(function="abs", args=(arg,)):
                lowered = self._lower(arg)
                if isinstance(lowered, tuple):
                    return _length(lowered)
                return Call("abs", (lowered,))
            case Call() | Sum() | Product() | Integral() if not is_vector(node):
                return rebuild(node, self._scalar)
            case Integral() if node.closed or is_vector(node.variable):
                return self._flux(node)
            case Integral():
                integrand = self._lower(node.integrand)
                if isinstance(node.variable, Symbol) and isinstance(integrand, tuple):
                    a, b, c = integrand
                    return (
                        replace(node, integrand=a),
                        replace(node, integrand=b),
                        replace(node, integrand=c),
                    )
                raise UnlowerableError("an integral over a vector")
            case Apply(name=name, args=args, style=style):
                inner = tuple(self._flat(args))
                if style == "vector":
                    return (
                        Apply(name, inner, "#0"),
                        Apply(name, inner, "#1"),
                        Apply(name, inner, "#2"),
                    )
                return Apply(name, inner, style)
            case Derivative():
                return self._derivative(node)
            case VectorOperator():
                return self._operator(node)
            case At(operand=operand, conditions=conditions):
                return self._at(operand, conditions)
            case Piecewise(branches=branches):
                return Piecewise(
                    tuple(
                        (self._scalar(value), None if c is None else self._condition(c))
                        for value, c in branches
                    )
                )
            case Tuple(items=(x, y, z), kind="tuple"):
                return self._scalar(x), self._scalar(y), self._scalar(z)
            case _:
                raise UnlowerableError(type(node).__name__.lower())

    def _flux(self, node: Integral) -> Lowered:
        """A line, surface or closed integral: an unknown number (or vector) of its own name."""
        coefficient, integrand = split_coefficient(canonical(node.integrand))
        key = sort_key(canonical(replace(node, integrand=integrand)))
        circulates = isinstance(integrand, VectorOperator) and integrand.kind == "cross"
        if is_vector(integrand) and (circulates or not is_vector(node.variable)):
            return _scaled(Number(coefficient), _parts(key, "integral"))
        return multiply(Number(coefficient), Symbol(key, "integral"))

    def _condition(self, node: Expression) -> Expression:
        if isinstance(node, Relation | System):
            return rebuild(node, self._condition)
        return self._scalar(node)

    def _flat(self, args: tuple[Expression, ...]) -> list[Expression]:
        flat: list[Expression] = []
        for arg in args:
            lowered = self._lower(arg)
            flat.extend(lowered if isinstance(lowered, tuple) else (lowered,))
        return flat

    def _symbol(self, node: Symbol) -> Lowered:
        if node.style == "unit" and node.name in self._upright and not self._units & _ANGULAR:
            parts = _parts(node.name, "#")
            return _scaled(power(_length(parts), MINUS_ONE), parts)
        if _is_basis(node):
            basis = self._basis(_basis_name(node.name))
            if basis is not None:
                return basis
        if node.style == "unit":
            raw = _parts(node.name, "^")
            length = _length(raw)
            return _scaled(power(length, MINUS_ONE), raw)
        if node.name in self._vectors and node.style in ("", "vector"):
            parts = _parts(node.name, "#")
            if node.style == "" and node.name in self._upright:
                return _length(parts)
            return parts
        return node

    def _basis(self, name: str) -> Vector | None:
        theta, phi = Symbol("theta"), Symbol("phi")
        sine, cosine = Call("sin", (theta,)), Call("cos", (theta,))
        sine_phi, cosine_phi = Call("sin", (phi,)), Call("cos", (phi,))
        cylindrical = "z" in self._units and "theta" not in self._units
        if self._dependence.nabla and name in _CURVED:
            raise UnlowerableError("curvilinear unit vectors under a nabla")
        match name:
            case "x":
                return ONE, ZERO, ZERO
            case "y":
                return ZERO, ONE, ZERO
            case "z":
                return ZERO, ZERO, ONE
            case "rho" | "R" | "s":
                return cosine_phi, sine_phi, ZERO
            case "r" if cylindrical:
                return cosine_phi, sine_phi, ZERO
            case "r":
                return multiply(sine, cosine_phi), multiply(sine, sine_phi), cosine
            case "theta":
                return multiply(cosine, cosine_phi), multiply(cosine, sine_phi), negate(sine)
            case "phi" | "varphi":
                return negate(sine_phi), cosine_phi, ZERO
            case _:
                return None

    def _sum(self, terms: list[Lowered]) -> Lowered:
        vectors = [term for term in terms if isinstance(term, tuple)]
        scalars = [term for term in terms if not isinstance(term, tuple) and term != ZERO]
        if not vectors:
            return add(*scalars) if scalars else ZERO
        if scalars:
            raise KindMismatchError("a number is added to a vector")
        first, second, third = (add(*(vector[i] for vector in vectors)) for i in range(3))
        return first, second, third

    def _product(self, factors: tuple[Expression, ...]) -> Lowered:
        for position, factor in enumerate(factors):
            if isinstance(factor, VectorOperator) and _is_bare(factor):
                behind = factors[position + 1 :]
                if not behind:
                    raise UnlowerableError("an operator without operand")
                operand = multiply(*behind)
                kind = "grad" if factor.kind == "nabla" else factor.kind
                applied = VectorOperator(kind, (*factor.operands, operand))
                return self._product((*factors[:position], applied))
        lowered = [self._lower(factor) for factor in factors]
        vectors = [part for part in lowered if isinstance(part, tuple)]
        scalars = [part for part in lowered if not isinstance(part, tuple)]
        if not vectors:
            return multiply(*scalars)
        if len(vectors) == 2 and vectors[0] == vectors[1]:
            return multiply(*scalars, _dot(vectors[0], vectors[1]))
        if len(vectors) > 1:
            raise UnlowerableError("a product of vectors that is neither dot nor cross")
        return _scaled(multiply(*scalars), vectors[0]) if scalars else vectors[0]

    def _depends(self, symbol: Symbol) -> bool:
        if symbol.style == "jet":
            return True
        if symbol.style.startswith(("#", "^")):
            return symbol.style.startswith("#")
        name = (symbol.name, symbol.style)
        return name in self._dependence.fields and (
            name not in self._dependence.coordinates or self._dependence.nabla
        )

    def _slope(self, node: Expression, variable: Symbol, tag: str = "") -> Expression:
        return differentiate(node, variable, self._depends, tag)

    def _derivative(self, node: Derivative) -> Lowered:
        result = self._lower(node.operand)
        tag = "" if node.partial or not self._dependence.tell_total else "total "
        for variable, order in node.variables:
            if not 0 < order <= 12:
                raise UnlowerableError("a derivative of unusual order")
            for _ in range(order):
                result = self._step(result, variable, tag)
        return result

    def _step(self, operand: Lowered, variable: Expression, tag: str) -> Lowered:
        if isinstance(operand, tuple):
            parts = [self._step(part, variable, tag) for part in operand]
            if any(isinstance(part, tuple) for part in parts):
                raise UnlowerableError("a derivative of a vector in a vector")
            first, second, third = parts
            return first, second, third  # type: ignore[return-value]
        lowered = self._lower(variable)
        if isinstance(lowered, tuple):
            if not all(isinstance(part, Symbol) for part in lowered):
                raise UnlowerableError("a derivative in a vector expression")
            x, y, z = (
                self._slope(operand, part, tag) for part in lowered if isinstance(part, Symbol)
            )
            return x, y, z
        if isinstance(lowered, Symbol):
            return self._slope(operand, lowered, tag)
        inner = [
            s
            for s in dict.fromkeys(p for p in walk(lowered) if isinstance(p, Symbol))
            if not CONSTANT.fullmatch(s.name)
        ]
        if len(inner) != 1:
            raise UnlowerableError("a derivative in an expression of several symbols")
        inside = self._slope(lowered, inner[0])
        return divide(self._slope(operand, inner[0], tag), inside)

    def _operator(self, node: VectorOperator) -> Lowered:
        operands = [self._lower(part) for part in node.operands]
        match node.kind, operands:
            case "cross", [tuple() as a, tuple() as b]:
                return _cross(a, b)
            case "dot", [tuple() as a, tuple() as b]:
                return _dot(a, b)
            case "grad", [f] if not isinstance(f, tuple):
                return self._gradient(f)
            case "div", [tuple() as a]:
                return add(*(self._slope(a[i], _AXES[i]) for i in range(3)))
            case "curl", [tuple() as a]:
                rows = [[self._slope(a[j], _AXES[i]) for j in range(3)] for i in range(3)]
                return (
                    minus(rows[1][2], rows[2][1]),
                    minus(rows[2][0], rows[0][2]),
                    minus(rows[0][1], rows[1][0]),
                )
            case "laplacian", [tuple() as a]:
                return self._laplacian(a[0]), self._laplacian(a[1]), self._laplacian(a[2])
            case "laplacian", [f] if not isinstance(f, tuple):
                return self._laplacian(f)
            case "directional", [tuple() as a, tuple() as b]:
                first, second, third = (_dot(a, self._gradient(part)) for part in b)
                return first, second, third
            case "directional", [tuple() as a, f] if not isinstance(f, tuple):
                return _dot(a, self._gradient(f))
            case "cross" | "dot" | "curl" | "div" | "directional" | "grad", [_, *_]:
                raise KindMismatchError(f"{_NAMES[node.kind]} of a number and not of vectors")
            case _:
                raise UnlowerableError("an operator without operand")

    def _gradient(self, f: Expression) -> Vector:
        return self._slope(f, _AXES[0]), self._slope(f, _AXES[1]), self._slope(f, _AXES[2])

    def _laplacian(self, f: Expression) -> Expression:
        return add(*(self._slope(self._slope(f, axis), axis) for axis in _AXES))

    def _at(self, operand: Expression, conditions: tuple[Expression, ...]) -> Lowered:
        lowered = self._lower(operand)
        changes: dict[Expression, Expression] = {}
        for condition in conditions:
            if not isinstance(condition, Relation) or not isinstance(condition.left, Symbol):
                raise UnlowerableError("a condition that is no place")
            changes[condition.left] = self._scalar(condition.right)
        place = ";".join(f"{old}={new}" for old, new in changes.items())

        def moved(node: Expression) -> Expression:
            for part in walk(node):
                if isinstance(part, Symbol) and part not in changes and self._depends(part):
                    changes[part] = Symbol(f"{part.name} at {place}", part.style)
            return substitute_all(node, dict(changes))

        if isinstance(lowered, tuple):
            return moved(lowered[0]), moved(lowered[1]), moved(lowered[2])
        return moved(lowered)


_NAMES = {
    "cross": "a cross product",
    "dot": "a dot product",
    "curl": "a curl",
    "div": "a divergence",
    "grad": "a gradient",
    "directional": "an advection term",
}


_STRUCTURED = frozenset((
    Apply, At, Derivative, Integral, Interval, Limit, Piecewise, PlusMinus, Tuple, VectorOperator,
    Declaration,
))  # fmt: skip
"""Kinds that may need lowering; without them (and without vectors) an expression stays as it is."""


def _is_basis(symbol: Symbol) -> bool:
    return symbol.style == "unit" or (symbol.style == "vector" and symbol.name.startswith("e_"))


def _basis_name(name: str) -> str:
    return name.removeprefix("e_").strip("{}")


def _is_bare(node: VectorOperator) -> bool:
    return (node.kind == "nabla" and not node.operands) or (
        node.kind == "directional" and len(node.operands) == 1
    )


def _parts(name: str, mark: str) -> Vector:
    return Symbol(name, f"{mark}0"), Symbol(name, f"{mark}1"), Symbol(name, f"{mark}2")


def _scaled(factor: Expression, vector: Vector) -> Vector:
    first, second, third = (ZERO if part == ZERO else multiply(factor, part) for part in vector)
    return first, second, third


def _dot(a: Vector, b: Vector) -> Expression:
    return add(*(multiply(a[i], b[i]) for i in range(3)))


def _cross(a: Vector, b: Vector) -> Vector:
    def part(i: int, j: int) -> Expression:
        return minus(multiply(a[i], b[j]), multiply(a[j], b[i]))

    return part(1, 2), part(2, 0), part(0, 1)


def _length(vector: Vector) -> Expression:
    return power(add(*(power(part, TWO) for part in vector)), HALF)
