"""Subscripts that run: ``m_i`` under a sum over i is a function of i, and no symbol of its own."""

from __future__ import annotations

import re
from dataclasses import replace

from ecliptic.grading.expression import (
    Apply,
    Expression,
    Product,
    Sum,
    Symbol,
    add,
    number,
    rebuild,
)
from ecliptic.grading.tree_walk import survey, walk

SPECIES = 3
"""Terms of a sum without bounds: an identity of arbitrary terms needs no more to be told."""
_SHIFTED = re.compile(r"(\w+?)([+-]\d+)")
_INDEX_LETTERS = frozenset("ijklmnpqrs")


def with_running_indices(gold: Expression, answer: Expression) -> tuple[Expression, Expression]:
    """Both formulas with symbols under sums and products as functions of the running index.

    Sums without bounds over such symbols alone (``\\sum_s q_s n_s``) are taken over three terms,
    if both sides have them and no other ones.
    """
    if not any(survey(node).kinds & {Sum, Product} for node in (gold, answer)):
        return gold, answer
    gold, answer = _indexed(gold, frozenset()), _indexed(answer, frozenset())
    families = _families(gold) | _families(answer)
    ends = _ends(gold) | _ends(answer)
    gold, answer = (_members(node, families, ends) for node in (gold, answer))
    series = [_series(node) for node in (gold, answer)]
    if all(series) and all(map(_is_over_species, series[0] + series[1])):
        return _bounded(gold), _bounded(answer)
    return gold, answer


def _indexed(node: Expression, running: frozenset[str]) -> Expression:
    if isinstance(node, Sum | Product) and isinstance(node.index, Symbol):
        inside = running | {node.index.name}
        return replace(
            node,
            term=_indexed(node.term, inside),
            lower=None if node.lower is None else _indexed(node.lower, running),
            upper=None if node.upper is None else _indexed(node.upper, running),
        )
    if running and isinstance(node, Symbol | Apply) and "_" in node.name:
        args = () if isinstance(node, Symbol) else node.args
        base, _, subscript = node.name.partition("_")
        labels, indices = _split(subscript, running)
        if indices:
            inner = tuple(_indexed(arg, running) for arg in args)
            return Apply(f"{base}_{labels}", (*indices, *inner), node.style)
    return rebuild(node, lambda part: _indexed(part, running))


def _families(node: Expression) -> set[str]:
    """Names of the functions that were made of symbols with running subscripts."""
    return {part.name for part in walk(node) if isinstance(part, Apply) and part.name.endswith("_")}


def _ends(node: Expression) -> frozenset[str]:
    """Names in the bounds of sums and products."""
    return frozenset(
        part.name
        for series in _series(node)
        for bound in (series.lower, series.upper)
        if bound is not None
        for part in walk(bound)
        if isinstance(part, Symbol)
    )


def _members(node: Expression, families: set[str], ends: frozenset[str]) -> Expression:
    """``b_0`` and ``b_n`` beside a sum of ``b_k`` up to n as values of the same function."""
    if not families:
        return node

    def changed(part: Expression) -> Expression:
        if isinstance(part, Symbol):
            base, _, subscript = part.name.partition("_")
            if f"{base}_" not in families:
                return part
            if subscript.isdecimal():
                return Apply(f"{base}_", (number(int(subscript)),), part.style)
            labels, indices = _split(subscript, ends)
            return part if labels or not indices else Apply(f"{base}_", (*indices,), part.style)
        return rebuild(part, changed)

    return changed(node)


def _split(subscript: str, running: frozenset[str]) -> tuple[str, list[Expression]]:
    """The part of a subscript that stays a label, and the indices in it."""
    labels: list[str] = []
    indices: list[Expression] = []
    for piece in subscript.split(","):
        shifted = _SHIFTED.fullmatch(piece)
        if piece in running:
            indices.append(Symbol(piece))
        elif shifted is not None and shifted[1] in running:
            indices.append(add(Symbol(shifted[1]), number(int(shifted[2]))))
        elif 1 < len(piece) <= 3 and set(piece) <= _INDEX_LETTERS and set(piece) & running:
            indices.extend(Symbol(letter) for letter in piece)
        else:
            labels.append(piece)
    return ",".join(labels), indices


def _series(node: Expression) -> list[Sum | Product]:
    return [part for part in walk(node) if isinstance(part, Sum | Product)]


def _is_over_species(node: Sum | Product) -> bool:
    """Whether a sum has no bounds and its index stands in subscripts only, unshifted."""
    if node.lower is not None or node.upper is not None or not isinstance(node.index, Symbol):
        return False
    used = sum(part == node.index for part in walk(node.term))
    as_subscript = sum(
        part.args.count(node.index)
        for part in walk(node.term)
        if isinstance(part, Apply) and "_" in part.name
    )
    return bool(used) and used == as_subscript


def _bounded(node: Expression) -> Expression:
    node = rebuild(node, _bounded)
    if isinstance(node, Sum | Product) and node.lower is None and node.upper is None:
        return replace(node, lower=number(1), upper=number(SPECIES))
    return node
