"""Vectors by what stands for them: components in brackets, three equations, unit vectors."""

from __future__ import annotations

from dataclasses import replace

from ecliptic.grading.expression import (
    Add,
    Apply,
    Expression,
    Mul,
    Relation,
    Symbol,
    System,
    Tuple,
    is_vector,
    multiply,
    rebuild,
)
from ecliptic.grading.tree_walk import walk


def vectors_by_name(node: Expression) -> Expression:
    """``A = (a, b, c)`` names a vector on its left side, also in plain type."""

    def changed(part: Expression) -> Expression:
        if isinstance(part, Relation) and part.operator == "=" and isinstance(part.left, Symbol):
            if not part.left.style and _is_a_vector(part.right):
                return replace(part, left=replace(part.left, style="vector", roman=False))
            if part.left.style == "vector":
                return replace(part, right=_applied_to_components(part.right))
            return part
        if isinstance(part, System):
            return _of_components(part) or rebuild(part, changed)
        return part

    return changed(node)


def _applied_to_components(node: Expression) -> Expression:
    """``B_0 (a, b, c)`` as a product, not as a function of three variables."""
    if isinstance(node, Apply) and len(node.args) == 3 and not node.style:
        return multiply(Symbol(node.name), Tuple(node.args, "tuple"))
    return rebuild(node, _applied_to_components) if isinstance(node, Mul) else node


def _of_components(node: System) -> Expression | None:
    """``E = (a, b, c)`` for the three equations ``E_x = a``, ``E_y = b``, ``E_z = c``."""
    found: dict[str, Expression] = {}
    names: set[str] = set()
    for part in node.statements:
        if not (
            isinstance(part, Relation) and part.operator == "=" and isinstance(part.left, Symbol)
        ):
            return None
        name, _, axis = part.left.name.rpartition("_")
        names.add(name)
        found[axis] = part.right
    if len(names) != 1 or found.keys() != {"x", "y", "z"} or len(node.statements) != 3:
        return None
    if node.definitions or not all(names):
        return None
    values = tuple(found[axis] for axis in "xyz")
    return Relation("=", Symbol(names.pop(), "vector"), Tuple(values, "tuple"))


def _is_a_vector(node: Expression) -> bool:
    if isinstance(node, Tuple):
        return node.kind == "tuple" and len(node.items) == 3
    return (
        isinstance(node, Add | Mul)
        and any(isinstance(part, Symbol) and part.style == "unit" for part in walk(node))
        and is_vector(node)
    )
