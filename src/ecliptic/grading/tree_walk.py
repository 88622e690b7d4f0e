"""Fast passes over expression trees: the comparison makes several for every answer."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

from ecliptic.grading import expression
from ecliptic.grading.expression import (
    Add,
    Apply,
    Call,
    Constant,
    Expression,
    Mul,
    Number,
    Power,
    Symbol,
)

MAX_NODES = 8000
MAX_DEPTH = 90
"""Larger trees are not compared; a survey goes no further."""


def _none(_: Any) -> tuple[Expression, ...]:
    return ()


_CHILDREN: dict[type, Callable[[Any], tuple[Expression, ...]]] = {
    Number: _none,
    Symbol: _none,
    Constant: _none,
    Add: attrgetter("terms"),
    Mul: attrgetter("factors"),
    Power: attrgetter("base", "exponent"),
    Call: attrgetter("args"),
    Apply: attrgetter("args"),
}
"""The kinds that nearly all nodes are of; the others go through ``expression.children``."""


def walk(node: Expression) -> Iterator[Expression]:
    """Every node of a tree, the root first."""
    stack = [node]
    pop, extend, table, other = stack.pop, stack.extend, _CHILDREN, expression.children
    while stack:
        current = pop()
        yield current
        extend(table.get(type(current), other)(current)[::-1])


@dataclass(frozen=True, slots=True)
class Survey:
    """What occurs in a tree, gathered in one pass."""

    symbols: frozenset[Symbol]
    kinds: frozenset[type]
    functions: frozenset[str]
    """Names of the known functions that are called."""
    largest_power: int
    """Largest size of a numeric exponent, rounded down."""
    count: int
    depth: int


def survey(node: Expression) -> Survey:
    """The survey of a tree; remembered until :func:`forget_surveys`, for comparisons ask often."""
    cache: dict[int, tuple[Expression, Survey]] = _local.__dict__.setdefault("surveys", {})
    known = cache.get(id(node))
    if known is not None:
        return known[1]
    made = _survey(node)
    cache[id(node)] = (node, made)  # the node is kept, so its id stays its own
    return made


def forget_surveys() -> None:
    """Let go of all surveys of this thread."""
    _local.__dict__.pop("surveys", None)


_local = threading.local()


def _survey(node: Expression) -> Survey:
    level, depth, count, largest = [node], 0, 0, 0
    symbols: set[Symbol] = set()
    kinds: set[type] = set()
    functions: set[str] = set()
    table, other = _CHILDREN, expression.children
    while level and depth <= MAX_DEPTH and count <= MAX_NODES:
        depth += 1
        count += len(level)
        below: list[Expression] = []
        for part in level:
            kind = type(part)
            kinds.add(kind)
            if kind is Symbol:
                symbols.add(part)  # type: ignore[arg-type]
                continue
            if isinstance(part, Power):
                if isinstance(part.exponent, Number):
                    largest = max(largest, abs(int(part.exponent.coefficient)))
            elif isinstance(part, Call):
                functions.add(part.function)
            below.extend(table.get(kind, other)(part))
        level = below
    return Survey(frozenset(symbols), frozenset(kinds), frozenset(functions), largest, count, depth)
