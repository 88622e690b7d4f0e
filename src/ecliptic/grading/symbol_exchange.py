"""Symbols of an answer that stand for others: renamed one to one, or exchanged."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations

from ecliptic.grading.differentiate import substitute_all
from ecliptic.grading.expression import Apply, Expression, Symbol
from ecliptic.grading.spelling import spell
from ecliptic.grading.tree_walk import walk

Matcher = Callable[[Expression], bool]
"""Whether another expression in the place of the gold would have been met by the answer."""


def renamed_symbols(
    gold: Expression, answer: Expression, matches: Matcher
) -> tuple[str, dict[str, str]] | None:
    """The one-to-one renaming of symbols that explains the answer: a message and the names."""
    for pairs in renamings(gold, answer):
        if matches(substitute_all(gold, dict(pairs))):
            names = {spell(old): spell(new) for old, new in pairs.items()}
            return ", ".join(f"{new} stands for {old}" for old, new in names.items()), names
    return None


def swapped_symbols(
    gold: Expression, answer: Expression, matches: Matcher
) -> tuple[str, dict[str, str]] | None:
    """The two symbols whose exchange explains the answer: a message and the names."""
    shared = sorted(symbols_of(gold), key=lambda s: (s.name, s.style))
    if names_of(gold) != names_of(answer) or len(shared) > 8:
        return None
    for first, second in combinations(shared, 2):
        if first.style != second.style:
            continue
        if matches(substitute_all(gold, {first: second, second: first})):
            names = {first.name: second.name, second.name: first.name}
            return f"{first.name} and {second.name} are exchanged", names
    return None


def renamings(gold: Expression, answer: Expression) -> Iterator[dict[Expression, Expression]]:
    """One-to-one maps from the symbols only the gold has to those only the answer has."""
    old = sorted(symbols_of(gold) - symbols_of(answer), key=lambda s: (s.name, s.style))
    new = sorted(symbols_of(answer) - symbols_of(gold), key=lambda s: (s.name, s.style))
    if old and len(old) == len(new) <= 3:
        for order in permutations(new):
            if all(a.style == b.style for a, b in zip(old, order, strict=True)):
                yield dict(zip(old, order, strict=True))
    elif len(old) == 1 and not new:
        for other in sorted(symbols_of(answer), key=lambda s: (s.name, s.style)):
            if other.style == old[0].style:
                yield {old[0]: other}


def symbols_of(node: Expression) -> set[Symbol]:
    """The symbols of an expression, bound ones left out."""
    return {part for part in walk(node) if isinstance(part, Symbol) and part.style != "bound"}


def names_of(node: Expression) -> set[str]:
    """Names of the symbols and unknown functions, as messages spell them."""
    return {spell(symbol) for symbol in symbols_of(node)} | {
        part.name for part in walk(node) if isinstance(part, Apply)
    }
