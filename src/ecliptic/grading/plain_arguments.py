"""Arguments that carry no meaning: ``f(r, p)`` beside a bare ``f``."""

from __future__ import annotations

from ecliptic.grading.expression import (
    Apply,
    Expression,
    Integral,
    Limit,
    Symbol,
    rebuild,
)
from ecliptic.grading.tree_walk import walk


def drop_arguments(gold: Expression, answer: Expression) -> tuple[Expression, Expression]:
    """``f(r, p)`` as the symbol ``f`` wherever its arguments are the same plain symbols throughout.

    A function that is taken at two places, or at different ones by gold and answer, keeps its
    arguments.
    """
    uses = [_uses(gold), _uses(answer)]
    bound = [_bound_uses(node) for node in (gold, answer)]
    bare = {
        (part.name, part.style)
        for node in (gold, answer)
        for part in walk(node)
        if isinstance(part, Symbol)
    }
    dropped: set[tuple[str, str]] = set()
    for key in uses[0].keys() | uses[1].keys():
        sets = [use[key] for use in uses if key in use]
        plain = all(len(use) == 1 and None not in use for use in sets)
        if not plain:
            continue
        if len(set().union(*(flags.get(key, set()) for flags in bound))) > 1:
            continue  # f(v) under an integral over v, and under one over u
        if all(flags.get(key) == {True} for flags in bound) and key not in bare:
            continue  # both sides say that it changes along the integral
        arguments = [next(iter(use)) for use in sets]
        if len(arguments) == 1 or _compatible(arguments[0], arguments[1]):
            dropped.add(key)
    if not dropped:
        return gold, answer

    def changed(node: Expression) -> Expression:
        if isinstance(node, Apply) and (node.name, node.style) in dropped:
            return Symbol(node.name, node.style)
        return rebuild(node, changed)

    return changed(gold), changed(answer)


def _compatible(first: frozenset[Symbol] | None, second: frozenset[Symbol] | None) -> bool:
    return first is not None and second is not None and (first <= second or second <= first)


def _bound_uses(node: Expression) -> dict[tuple[str, str], set[bool]]:
    """Whether what an integral or limit runs over is among the arguments of each function in it."""
    found: dict[tuple[str, str], set[bool]] = {}
    for outer in walk(node):
        if isinstance(outer, Integral | Limit):
            inside = outer.integrand if isinstance(outer, Integral) else outer.operand
            for part in walk(inside):
                if isinstance(part, Apply):
                    is_bound = outer.variable in part.args
                    found.setdefault((part.name, part.style), set()).add(is_bound)
    return found


def _uses(node: Expression) -> dict[tuple[str, str], set[frozenset[Symbol] | None]]:
    """Argument sets of each unknown function; ``None`` for arguments that are no plain symbols."""
    found: dict[tuple[str, str], set[frozenset[Symbol] | None]] = {}
    for part in walk(node):
        if isinstance(part, Apply):
            symbols = [arg for arg in part.args if isinstance(arg, Symbol)]
            plain = len(symbols) == len(part.args)
            key = (part.name, part.style)
            found.setdefault(key, set()).add(frozenset(symbols) if plain else None)
    return found
