"""Vectors as their three Cartesian components."""

from __future__ import annotations

from ecliptic.grading.differentiate import minus
from ecliptic.grading.expression import HALF, TWO, ZERO, Expression, Symbol, add, multiply, power

Vector = tuple[Expression, Expression, Expression]
Lowered = Expression | Vector


def parts(name: str, mark: str) -> Vector:
    """The components of a field, three symbols."""
    return Symbol(name, f"{mark}0"), Symbol(name, f"{mark}1"), Symbol(name, f"{mark}2")


def scaled(factor: Expression, vector: Vector) -> Vector:
    """A number times a vector."""
    first, second, third = (ZERO if part == ZERO else multiply(factor, part) for part in vector)
    return first, second, third


def dot(a: Vector, b: Vector) -> Expression:
    """The scalar product."""
    return add(*(multiply(a[i], b[i]) for i in range(3)))


def cross(a: Vector, b: Vector) -> Vector:
    """The vector product."""

    def part(i: int, j: int) -> Expression:
        return minus(multiply(a[i], b[j]), multiply(a[j], b[i]))

    return part(1, 2), part(2, 0), part(0, 1)


def length(vector: Vector) -> Expression:
    """The magnitude."""
    return power(add(*(power(part, TWO) for part in vector)), HALF)
