"""The symbols of one comparison as fields: which are vectors, and what depends on what."""

from __future__ import annotations

from ecliptic.grading import nodes, vector_algebra
from ecliptic.grading.dependence import study_dependence
from ecliptic.grading.differentiate import differentiate
from ecliptic.grading.expression import (
    MINUS_ONE,
    ONE,
    ZERO,
    Call,
    Expression,
    Integral,
    Symbol,
    VectorOperator,
    is_vector,
    multiply,
    negate,
    power,
)
from ecliptic.grading.tree_walk import survey, walk
from ecliptic.grading.vector_algebra import Lowered, Vector

_CURVED = frozenset({"r", "R", "s", "rho", "theta", "phi", "varphi"})
_XYZ = ("x", "y", "z")
_ANGULAR = frozenset({"theta", "phi", "varphi"})


class KindMismatchError(Exception):
    """A vector stands where a number must, or the other way round."""


class UnlowerableError(Exception):
    """The expression has a part that only structure can compare; the message names it."""


class Fields:
    """What is known of the symbols of the expressions of one comparison."""

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
        self._mixed = _elements(parts, signed=False) & _elements(parts, signed=True)
        self._upright = {
            part.name for part in parts if isinstance(part, Symbol) and part.style == "vector"
        }
        self._units = {
            _basis_name(part.name) for part in parts if isinstance(part, Symbol) and _is_basis(part)
        }
        self._ijk = _are_ijk(parts)
        self._field_strength = "B" in self._upright - {"b"} and any(
            part == _STRENGTH or (isinstance(part, Call) and part.function == "abs")
            for part in parts
        )
        self._dependence = study_dependence(nodes)
        self._components = not self._units & _CURVED and any(
            isinstance(part, Symbol) and part.name.rpartition("_")[::2] in self._named_parts()
            for part in parts
        )

    def _named_parts(self) -> set[tuple[str, str]]:
        """Names of Cartesian components of the vectors: ``V_x`` beside bold ``V``."""
        return {(vector, axis) for vector in self._upright for axis in _XYZ}

    def _symbol(self, node: Symbol) -> Lowered:
        if node.style == "unit" and node.name in self._upright and not self._units & _ANGULAR:
            parts = vector_algebra.parts(node.name, "#")
            return vector_algebra.scaled(power(vector_algebra.length(parts), MINUS_ONE), parts)
        if node == _ALONG_FIELD and self._field_strength:
            return self._symbol(Symbol("B", "unit"))
        if self._ijk and node.name in _IJK and node.style in ("vector", "unit"):
            return _IJK[node.name]
        if self._components and not node.style:
            vector, _, axis = node.name.rpartition("_")
            if vector in self._upright and axis in _XYZ:
                return vector_algebra.parts(vector, "#")[_XYZ.index(axis)]
            if node.name in _XYZ and self._dependence.nabla:
                return Symbol(node.name, "@")
        if _is_basis(node):
            basis = self._basis(_basis_name(node.name))
            if basis is not None:
                return basis
        if node.style == "unit":
            raw = vector_algebra.parts(node.name, "^")
            length = vector_algebra.length(raw)
            return vector_algebra.scaled(power(length, MINUS_ONE), raw)
        if node.name in self._vectors and node.style in ("", "vector"):
            parts = vector_algebra.parts(node.name, "#")
            if node.style == "" and node.name in self._upright:
                return vector_algebra.length(parts)
            return parts
        return node

    def _basis(self, name: str) -> Vector | None:
        theta, phi = Symbol("theta"), Symbol("phi")
        sine, cosine = nodes.Call("sin", (theta,)), nodes.Call("cos", (theta,))
        sine_phi, cosine_phi = nodes.Call("sin", (phi,)), nodes.Call("cos", (phi,))
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


def _elements(parts: list[Expression], *, signed: bool) -> set[str]:
    """Vectors whose elements stand beside a vector with a sign between them, or without one."""
    return {
        part.variable.name
        for part in parts
        if isinstance(part, Integral)
        and isinstance(part.variable, Symbol)
        and part.variable.style == "vector"
        and bool(part.product) is signed
        and (signed or is_vector(part.integrand))
    }


_ALONG_FIELD = Symbol("b", "unit")
"""The unit vector along the magnetic field, where the strength of the field stands beside it."""
_STRENGTH = Symbol("B")
_IJK: dict[str, Vector] = {
    "i": (ONE, ZERO, ZERO), "j": (ZERO, ONE, ZERO), "k": (ZERO, ZERO, ONE),
}  # fmt: skip


def _are_ijk(parts: list[Expression]) -> bool:
    """Whether bold or hatted i, j and k are the unit vectors: two of them, or one and components.

    A wave vector k alone is none.
    """
    names = {
        part.name
        for part in parts
        if isinstance(part, Symbol) and part.style in ("vector", "unit") and part.name in _IJK
    }
    components = any(isinstance(part, nodes.Tuple) and len(part.items) == 3 for part in parts)
    axes = any(
        isinstance(part, Symbol) and part.style == "unit" and part.name in _XYZ for part in parts
    )
    return len(names) > 1 or (bool(names) and components) or (bool(names - {"k"}) and axes)


_STRUCTURED = frozenset(
    (
        nodes.Apply,
        nodes.At,
        nodes.Declaration,
        nodes.Derivative,
        nodes.Integral,
        nodes.Interval,
        nodes.Limit,
        nodes.Piecewise,
        nodes.PlusMinus,
        nodes.Tuple,
        nodes.VectorOperator,
    )
)
"""Kinds that may need lowering; without them (and without vectors) an expression stays as it is."""


def _is_basis(symbol: Symbol) -> bool:
    return symbol.style == "unit" or (symbol.style == "vector" and symbol.name.startswith("e_"))


def _basis_name(name: str) -> str:
    return name.removeprefix("e_").strip("{}")
