"""Names by convention: constants under other names, unit vectors, units behind a sum, indices.

Each function yields pairs of both formulas in another reading, to be compared where the plain one
leads to a difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ecliptic.grading.conventions import unit_names
from ecliptic.grading.expression import (
    Add,
    Constant,
    Derivative,
    Expression,
    Integral,
    Mul,
    Power,
    Relation,
    Symbol,
    add,
    multiply,
    number,
    rebuild,
)
from ecliptic.grading.tree_walk import survey, walk

CONST = Symbol("const")
_CONSTANT_NAME = re.compile(r"(?:C|K|const)(?:_\w+)?'?")
_DIRECTIONS = frozenset({"b", "n"})
_H, _H_BAR = Symbol("h"), Symbol("hbar")
_PRIMITIVE_CONSTANTS = frozenset({Symbol("C"), Symbol("c"), Symbol("const")})


def constant_readings(
    gold: Expression, answer: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """``x = const`` beside ``x = C``: a constant under a name of its own."""
    sides = [set(walk(node)) for node in (gold, answer)]
    if not any(CONST.name == getattr(part, "name", "") for side in sides for part in side):
        return
    names = [_free_constants(node) - sides[1 - i] for i, node in enumerate((gold, answer))]
    if len(names[0]) == len(names[1]) == 1:
        (new,), (old,) = names

        def changed(node: Expression) -> Expression:
            return new if node == old else rebuild(node, changed)

        yield gold, changed(answer)


def _free_constants(node: Expression) -> set[Expression]:
    """Symbols called C or "const" that stand alone on a side of an equation."""
    return {
        side
        for part in walk(node)
        if isinstance(part, Relation)
        for side in (part.left, part.right)
        if isinstance(side, Symbol) and _CONSTANT_NAME.fullmatch(side.name)
    }


def index_readings(gold: Expression, answer: Expression) -> Iterator[tuple[Expression, Expression]]:
    r"""``\partial_i`` as the derivative in x_i, where the other side writes that."""
    sides = [
        {v for part in walk(node) if isinstance(part, Derivative) for v, _ in part.variables}
        for node in (gold, answer)
    ]
    places = [{v for v in side if isinstance(v, Symbol) and v.name[:2] == "x_"} for side in sides]
    if bool(places[0]) == bool(places[1]):
        return
    wanted: dict[Expression, Expression] = {
        Symbol(v.name[2:]): v for v in places[0] | places[1] if isinstance(v, Symbol)
    }

    def changed(node: Expression) -> Expression:
        new = rebuild(node, changed)
        if isinstance(new, Derivative):
            return replace(new, variables=tuple((wanted.get(v, v), n) for v, n in new.variables))
        return new

    yield changed(gold), changed(answer)


def unit_readings(gold: Expression, answer: Expression) -> Iterator[tuple[Expression, Expression]]:
    r"""``a + b\,\mathrm{km}`` as a sum in kilometres: the unit stands behind the last term."""
    units = unit_names(gold, answer)
    if not units:
        return

    def changed(node: Expression) -> Expression:
        if isinstance(node, Relation):
            return replace(node, right=changed(node.right))
        if not isinstance(node, Add):
            return node
        parted = [_parted(term, units) for term in node.terms]
        if not parted[-1] or any(parted[:-1]):
            return node
        return add(*(multiply(term, *parted[-1]) for term in node.terms[:-1]), node.terms[-1])

    pair = changed(gold), changed(answer)
    if pair != (gold, answer):
        yield pair


def _parted(term: Expression, units: frozenset[str]) -> tuple[Expression, ...]:
    """The factors of a term that are units."""

    def is_unit(node: Expression) -> bool:
        base = node.base if isinstance(node, Power) else node
        return isinstance(base, Symbol) and base.name in units and base.roman

    return tuple(filter(is_unit, term.factors)) if isinstance(term, Mul) else ()


def direction_readings(
    gold: Expression, answer: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """Bold b or n without a hat as the unit vector that the other side has."""
    names = [
        {(s.name, s.style) for s in survey(node).symbols if s.name in _DIRECTIONS and s.style}
        for node in (gold, answer)
    ]
    odd = {name for name, _ in names[0] ^ names[1]}
    if not odd or {style for _, style in names[0] | names[1]} != {"vector", "unit"}:
        return

    def changed(node: Expression) -> Expression:
        if isinstance(node, Symbol) and node.name in odd and node.style == "vector":
            return replace(node, style="unit")
        return rebuild(node, changed)

    yield changed(gold), changed(answer)


def planck_readings(
    gold: Expression, answer: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """``h`` as ``2 pi hbar``, where one side has the one and the other the other."""
    found = [survey(node).symbols & {_H, _H_BAR} for node in (gold, answer)]
    if {frozenset(side) for side in found} != {frozenset({_H}), frozenset({_H_BAR})}:
        return

    def changed(node: Expression) -> Expression:
        if node == _H:
            return multiply(number(2), Constant("pi"), _H_BAR)
        return rebuild(node, changed)

    yield changed(gold), changed(answer)


def primitive_readings(
    gold: Expression, answer: Expression
) -> Iterator[tuple[Expression, Expression]]:
    """An integral without limits, beside its value with a constant ``+ C``."""
    open_ended = any(
        isinstance(part, Integral) and part.lower is None and part.upper is None and not part.closed
        for part in walk(gold)
    )
    if not open_ended or survey(gold).symbols & _PRIMITIVE_CONSTANTS:
        return

    def changed(node: Expression) -> Expression:
        if isinstance(node, Relation):
            return replace(node, right=changed(node.right))
        if isinstance(node, Add):
            kept = [term for term in node.terms if term not in _PRIMITIVE_CONSTANTS]
            return add(*kept) if 0 < len(kept) == len(node.terms) - 1 else node
        return node

    if changed(answer) != answer:
        yield gold, changed(answer)
