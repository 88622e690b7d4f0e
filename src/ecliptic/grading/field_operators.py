"""Derivatives and vector operators over fields, carried out in Cartesian components."""

from __future__ import annotations

from abc import ABC, abstractmethod

from ecliptic.grading import vector_algebra
from ecliptic.grading.canonical import canonical, sort_key
from ecliptic.grading.dependence import CONSTANT
from ecliptic.grading.differentiate import minus, substitute_all
from ecliptic.grading.expression import (
    Derivative,
    Expression,
    Integral,
    Relation,
    Symbol,
    VectorOperator,
    add,
    divide,
)
from ecliptic.grading.field_symbols import Fields, KindMismatchError, UnlowerableError
from ecliptic.grading.tree_walk import walk
from ecliptic.grading.vector_algebra import Lowered, Vector

_PLACES = (Symbol("x", "vector"), Symbol("r", "vector"))
"""A derivative in them is a gradient."""
_AXES = tuple(Symbol(axis, "@") for axis in "xyz")


class FieldOperators(Fields, ABC):
    """Lowers what acts on fields; sums, products and functions are in ``components``."""

    @abstractmethod
    def _lower(self, node: Expression) -> Lowered: ...

    def _scalar(self, node: Expression) -> Expression:
        lowered = self._lower(node)
        if isinstance(lowered, tuple):
            raise KindMismatchError("a vector stands where a number must")
        return lowered

    def _derivative(self, node: Derivative) -> Lowered:
        result = self._lower(node.operand)
        plain = node.partial or isinstance(node.operand, Integral)  # d/dt of a fixed volume's
        tag = "" if plain or not self._dependence.tell_total else "total "
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
        if variable in _PLACES and self._dependence.nabla:
            return self._gradient(operand)
        if isinstance(variable, Derivative):  # of a Lagrangian in a velocity
            return self._step(operand, Symbol(sort_key(canonical(variable))), tag)
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
                return vector_algebra.cross(a, b)
            case "dot", [tuple() as a, tuple() as b]:
                return vector_algebra.dot(a, b)
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
                first, second, third = (vector_algebra.dot(a, self._gradient(part)) for part in b)
                return first, second, third
            case "directional", [tuple() as a, f] if not isinstance(f, tuple):
                return vector_algebra.dot(a, self._gradient(f))
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

        bare = changes.keys().isdisjoint(walk(operand))

        def moves(symbol: Symbol) -> bool:
            return self._depends(symbol) or (bare and CONSTANT.fullmatch(symbol.name) is None)

        def moved(node: Expression) -> Expression:
            for part in walk(node):
                if isinstance(part, Symbol) and part not in changes and moves(part):
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
