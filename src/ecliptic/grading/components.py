"""From vectors, operators and derivatives to scalar expressions that can be evaluated.

A vector becomes its three Cartesian components, each an unknown field with free derivatives; a
magnitude that is written in italics beside its vector (``B`` beside bold ``B``) becomes the length.
Unit vectors of spherical, cylindrical and Cartesian coordinates become their Cartesian components.
Vector identities and differential equations then hold exactly when they hold at random points.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ecliptic.grading import nodes, vector_algebra
from ecliptic.grading.bound_variables import as_places, near_target, over_named_domain
from ecliptic.grading.canonical import canonical, sort_key, split_coefficient
from ecliptic.grading.differentiate import UndifferentiableError, minus
from ecliptic.grading.expression import (
    ZERO,
    Expression,
    add,
    as_integer,
    is_vector,
    multiply,
    power,
    rebuild,
)
from ecliptic.grading.field_operators import FieldOperators
from ecliptic.grading.field_symbols import KindMismatchError, UnlowerableError
from ecliptic.grading.vector_algebra import Lowered

__all__ = ["Components", "KindMismatchError", "Lowered", "UnlowerableError"]


class Components(FieldOperators):
    """Lowers the expressions of one comparison, which must share what is known of their symbols."""

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

    def _lower(self, node: Expression) -> Lowered:
        if isinstance(node, nodes.Integral):
            node = over_named_domain(node)
        match node:
            case nodes.Number() | nodes.Constant():
                return node
            case nodes.Symbol():
                return self._symbol(node)
            case nodes.Add(terms=terms):
                return self._sum([self._lower(term) for term in terms])
            case nodes.Mul(factors=factors):
                return self._product(factors)
            case nodes.Power(base=base, exponent=exponent):
                lowered = self._lower(base)
                if isinstance(lowered, tuple):
                    size = as_integer(exponent)
                    if size is None or size % 2 or size == 0:
                        raise KindMismatchError("an odd power of a vector")
                    return power(
                        vector_algebra.dot(lowered, lowered), nodes.Number(Fraction(size // 2))
                    )
                return power(lowered, self._scalar(exponent))
            case nodes.Call(function="abs", args=(arg,)):
                lowered = self._lower(arg)
                if isinstance(lowered, tuple):
                    return vector_algebra.length(lowered)
                return nodes.Call("abs", (lowered,))
            case nodes.Integral() if node.product:
                return self._over_element(node)
            case nodes.Call() | nodes.Sum() | nodes.Product() | nodes.Integral() if not is_vector(
                node
            ):
                return rebuild(node, self._scalar)
            case nodes.Sum():
                term = self._lower(node.term)
                if isinstance(term, tuple) and node.lower is not None:
                    a, b, c = term
                    return replace(node, term=a), replace(node, term=b), replace(node, term=c)
                raise UnlowerableError("a sum of vectors without bounds")
            case nodes.Integral() if node.closed or is_vector(node.variable):
                return self._flux(node)
            case nodes.Integral():
                integrand = self._lower(node.integrand)
                if isinstance(node.variable, nodes.Symbol) and isinstance(integrand, tuple):
                    a, b, c = integrand
                    return (
                        replace(node, integrand=a),
                        replace(node, integrand=b),
                        replace(node, integrand=c),
                    )
                raise UnlowerableError("an integral over a vector")
            case nodes.Apply(name=name, args=args, style=style):
                inner = tuple(self._flat(args))
                if style == "vector":
                    return (
                        nodes.Apply(name, inner, "#0"),
                        nodes.Apply(name, inner, "#1"),
                        nodes.Apply(name, inner, "#2"),
                    )
                return nodes.Apply(name, inner, style)
            case nodes.Derivative():
                return self._derivative(node)
            case nodes.VectorOperator():
                return self._operator(node)
            case nodes.At(operand=operand, conditions=conditions):
                return self._at(operand, as_places(operand, conditions))
            case nodes.Limit():
                return self._lower(near_target(node))
            case nodes.Piecewise(branches=branches):
                return nodes.Piecewise(
                    tuple(
                        (self._scalar(value), None if c is None else self._condition(c))
                        for value, c in branches
                    )
                )
            case nodes.Tuple(items=(x, y, z), kind="tuple"):
                return self._scalar(x), self._scalar(y), self._scalar(z)
            case _:
                raise UnlowerableError(type(node).__name__.lower())

    def _over_element(self, node: nodes.Integral) -> Lowered:
        """An integral with a dot or cross product with the element of a vector."""
        integrand = self._lower(node.integrand)
        if not isinstance(integrand, tuple) or not isinstance(node.variable, nodes.Symbol):
            raise KindMismatchError("a number stands in a product of vectors")
        self._check_sign(node)
        name, closed = node.variable.name, node.closed
        lower, upper = self._limit(node.lower), self._limit(node.upper)

        def along(part: int, axis: int) -> Expression:
            element = nodes.Symbol(f"{name}{axis}", "element")
            return over_named_domain(nodes.Integral(integrand[part], element, lower, upper, closed))

        if node.product == "dot":
            return add(*(along(axis, axis) for axis in range(3)))
        x, y, z = (minus(along(i, j), along(j, i)) for i, j in ((1, 2), (2, 0), (0, 1)))
        return x, y, z

    def _check_sign(self, node: nodes.Integral) -> None:
        if isinstance(node.variable, nodes.Symbol) and node.variable.name in self._mixed:
            raise UnlowerableError("a vector beside an element without a sign between them")

    def _limit(self, node: Expression | None) -> Expression | None:
        """An end of a path; a point in space by its name."""
        if node is None:
            return None
        lowered = self._lower(node)
        if not isinstance(lowered, tuple):
            return lowered
        return nodes.Symbol(sort_key(canonical(node)), "domain")

    def _flux(self, node: nodes.Integral) -> Lowered:
        """A line, surface or closed integral: an unknown number (or vector) of its own name."""
        coefficient, integrand = split_coefficient(canonical(node.integrand))
        key = sort_key(canonical(replace(node, integrand=integrand)))
        if is_vector(integrand):
            self._check_sign(node)
            return vector_algebra.scaled(
                nodes.Number(coefficient), vector_algebra.parts(key, "integral")
            )
        return multiply(nodes.Number(coefficient), nodes.Symbol(key, "integral"))

    def _condition(self, node: Expression) -> Expression:
        if isinstance(node, nodes.Relation | nodes.System):
            return rebuild(node, self._condition)
        return self._scalar(node)

    def _flat(self, args: tuple[Expression, ...]) -> list[Expression]:
        flat: list[Expression] = []
        for arg in args:
            lowered = self._lower(arg)
            flat.extend(lowered if isinstance(lowered, tuple) else (lowered,))
        return flat

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
            if isinstance(factor, nodes.VectorOperator) and _is_bare(factor):
                behind = factors[position + 1 :]
                if not behind:
                    raise UnlowerableError("an operator without operand")
                operand = multiply(*behind)
                kind = "grad" if factor.kind == "nabla" else factor.kind
                applied = nodes.VectorOperator(kind, (*factor.operands, operand))
                return self._product((*factors[:position], applied))
        lowered = [self._lower(factor) for factor in factors]
        vectors = [part for part in lowered if isinstance(part, tuple)]
        scalars = [part for part in lowered if not isinstance(part, tuple)]
        if not vectors:
            return multiply(*scalars)
        if len(vectors) == 2 and vectors[0] == vectors[1]:
            return multiply(*scalars, vector_algebra.dot(vectors[0], vectors[1]))
        if len(vectors) > 1:
            raise UnlowerableError("a product of vectors that is neither dot nor cross")
        return vector_algebra.scaled(multiply(*scalars), vectors[0]) if scalars else vectors[0]


def _is_bare(node: nodes.VectorOperator) -> bool:
    return (node.kind == "nabla" and not node.operands) or (
        node.kind == "directional" and len(node.operands) == 1
    )
