"""Notation of an answer that the gold explains: ``v'`` beside its dv/dr, ``\\Delta f`` beside a
Laplacian of f, ``\\delta f`` beside a symbol of its own that is called delta.
"""

from __future__ import annotations

import re

from ecliptic.grading.expression import (
    Apply,
    Derivative,
    Expression,
    Mul,
    Symbol,
    VectorOperator,
    multiply,
    rebuild,
)
from ecliptic.grading.tree_walk import survey, walk

_DELTA = "Delta "


def told_by_gold(gold: Expression, answer: Expression) -> Expression | None:
    """The answer in the notation of the gold; ``None`` where the gold tells nothing.

    A prime or a capital Delta is read as the operator that the gold has, if it is no name of the
    gold's own and the gold differentiates that function in one variable only.
    """
    parted = parted_deltas(gold, answer)
    if parted is not None:
        return parted
    kinds = survey(gold).kinds
    if Derivative not in kinds and VectorOperator not in kinds:
        return None
    own = _names(gold)
    variables = _variables(gold)
    subscripted = {
        name: letters
        for name in _names(answer) - own
        if (letters := _subscript_variables(name, variables))
    }
    foreign = {name for name in _names(answer) - own if name.endswith("'") or _is_delta(name)}
    foreign -= set(subscripted)
    if not foreign and not subscripted:
        return None
    laplacians = {
        operand.name
        for part in walk(gold)
        if isinstance(part, VectorOperator) and part.kind == "laplacian"
        for operand in part.operands
        if isinstance(operand, Symbol | Apply)
    }
    told = {name for name in foreign if len(variables.get(name.rstrip("'"), ())) == 1}
    told |= {name for name in foreign if name.removeprefix(_DELTA) in laplacians}
    if told != foreign:
        return None

    partial = any(part.partial for part in walk(gold) if isinstance(part, Derivative))

    def changed(node: Expression) -> Expression:
        if isinstance(node, Symbol) and node.name in subscripted:
            base = node.name.partition("_")[0]
            return Derivative(Symbol(base, node.style), subscripted[node.name], partial)
        if isinstance(node, Symbol | Apply) and node.name in told:
            if _is_delta(node.name):
                operand = Symbol(node.name.removeprefix(_DELTA), node.style)
                return VectorOperator("laplacian", (operand,))
            return primed_as_derivative(node, next(iter(variables[node.name.rstrip("'")])))
        return rebuild(node, changed)

    return changed(answer)


def _subscript_variables(
    name: str, variables: dict[str, set[Expression]]
) -> tuple[tuple[Expression, int], ...]:
    """The variables of ``xi_tt`` or ``u_xz`` where the gold differentiates xi or u in them."""
    base, _, subscript = name.partition("_")
    known = {v.name: v for v in variables.get(base, ()) if isinstance(v, Symbol)}
    if not subscript or not known or len(subscript) > 24:
        return ()
    letters = sorted(known, key=len, reverse=True)
    pattern = "|".join(map(re.escape, letters))
    if not re.fullmatch(rf"(?:{pattern}){{1,3}}", subscript):
        return ()
    found = re.findall(pattern, subscript)
    return tuple((known[letter], found.count(letter)) for letter in sorted(set(found)))


def parted_deltas(gold: Expression, answer: Expression) -> Expression | None:
    r"""``\delta \eta`` as a product where ``gold`` has both as symbols, and no such variation."""
    own = {part.name: part for part in walk(gold) if isinstance(part, Symbol)}
    parts = {
        name: [own[piece] for piece in name.split(" ", 1)]
        for name in _names(answer) - set(own)
        if name.startswith(("Delta ", "delta ")) and set(name.split(" ", 1)) <= set(own)
    }
    if not parts:
        return None

    def changed(node: Expression) -> Expression:
        if isinstance(node, Symbol) and node.name in parts:
            return multiply(*parts[node.name])
        return rebuild(node, changed)

    return changed(answer)


def primed_as_derivative(node: Symbol | Apply, variable: Expression) -> Expression:
    """``f''`` as the second derivative of f in ``variable``."""
    base = node.name.rstrip("'")
    return Derivative(Symbol(base, node.style), ((variable, len(node.name) - len(base)),))


def _is_delta(name: str) -> bool:
    return name.startswith(_DELTA)


def _names(node: Expression) -> set[str]:
    return {part.name for part in walk(node) if isinstance(part, Symbol | Apply)}


def _variables(node: Expression) -> dict[str, set[Expression]]:
    """The variables in which each function is differentiated."""
    found: dict[str, set[Expression]] = {}
    for part in walk(node):
        if not isinstance(part, Derivative):
            continue
        inside = [part.operand]
        if isinstance(part.operand, Mul):  # a product is differentiated factor by factor
            inside = list(part.operand.factors)
        for operand in inside:
            if isinstance(operand, Symbol | Apply):
                found.setdefault(operand.name, set()).update(v for v, _ in part.variables)
    return found
