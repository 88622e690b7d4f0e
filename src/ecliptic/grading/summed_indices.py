"""Repeated indices of a tensor expression, which may bear any name (summation convention)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

from ecliptic.grading.expression import Add, Derivative, Expression, Relation, Symbol, rebuild
from ecliptic.grading.tree_walk import walk

_LETTERS = frozenset("abcdijklmnpqrsαβμν")
_MOST = 3
"""Repeated indices of one expression that are renamed."""


def with_gold_indices(gold: Expression, answer: Expression) -> Iterator[Expression]:
    """The answer with its repeated indices named as in the gold, in every possible way.

    Nothing where free indices differ, or where an index is not in a term exactly twice.
    """
    wanted, given = _repeated(gold), _repeated(answer)
    if not wanted or not given or len(wanted) != len(given):
        return
    if len(wanted) > _MOST or _free(gold, wanted) != _free(answer, given):
        return
    own = sorted(given)
    for order in permutations(sorted(wanted)):
        if list(order) == own:
            continue
        yield _renamed(answer, dict(zip(own, order, strict=True)))


def _terms(node: Expression) -> list[Expression]:
    if isinstance(node, Relation):
        sides = [] if node.left is None else _terms(node.left)
        return sides + _terms(node.right)
    return list(node.terms) if isinstance(node, Add) else [node]


def _repeated(node: Expression) -> frozenset[str]:
    """Index letters that stand twice in each term that has them."""
    found: set[str] = set()
    free: set[str] = set()
    for term in _terms(node):
        for letter, count in _counted(term).items():
            (found if count == 2 else free).add(letter)
    return frozenset(found - free)


def _free(node: Expression, repeated: frozenset[str]) -> set[str]:
    return {letter for term in _terms(node) for letter in _counted(term)} - repeated


def _counted(term: Expression) -> Counter[str]:
    """How often each index letter stands below a tensor or is differentiated in."""
    letters: Counter[str] = Counter()
    for part in walk(term):
        if isinstance(part, Symbol):
            letters.update(_indices(part.name))
        elif isinstance(part, Derivative):
            for variable, order in part.variables:
                if isinstance(variable, Symbol) and variable.name in _LETTERS:
                    letters[variable.name] += order
    return letters


def _indices(name: str) -> str:
    _, _, subscript = name.partition("_")
    return subscript if subscript and len(subscript) < 5 and set(subscript) <= _LETTERS else ""


def _renamed(node: Expression, names: dict[str, str]) -> Expression:
    if isinstance(node, Symbol):
        base, _, subscript = node.name.partition("_")
        if _indices(node.name):
            renamed = "".join(names.get(letter, letter) for letter in subscript)
            return replace(node, name=f"{base}_{renamed}")
        return node
    if isinstance(node, Derivative):
        variables = tuple(
            (Symbol(names[v.name], v.style), n)
            if isinstance(v, Symbol) and v.name in names
            else (v, n)
            for v, n in node.variables
        )
        return replace(node, operand=_renamed(node.operand, names), variables=variables)
    return rebuild(node, lambda part: _renamed(part, names))
