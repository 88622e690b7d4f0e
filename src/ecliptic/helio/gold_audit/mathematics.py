"""Formulas and quantities in running text, and their values: the audit's door to the grader.

All use that the audit makes of the inside of :mod:`ecliptic.grading` is here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ecliptic.grading.differentiate import UndifferentiableError, differentiate, substitute_all
from ecliptic.grading.evaluate import FloatInterpreter
from ecliptic.grading.expression import (
    Add,
    Apply,
    Call,
    Derivative,
    Expression,
    Mul,
    Number,
    Power,
    Relation,
    Symbol,
    divide,
    multiply,
    number,
    rebuild,
    walk,
)
from ecliptic.grading.interpretation import TooLargeError, UnevaluableError
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.pieces import pieces
from ecliptic.grading.reading import answer_expression, gold_expression
from ecliptic.grading.sampling import Domain, Sample, draw, free_symbols
from ecliptic.grading.statements import isolated, read_statements

__all__ = [
    "POINTS",
    "Add",
    "Apply",
    "Derivative",
    "Equation",
    "Expression",
    "Mul",
    "Number",
    "Power",
    "Relation",
    "Solution",
    "Stated",
    "Symbol",
    "divide",
    "equations_in",
    "formulas_in",
    "free_symbols",
    "mapped",
    "multiply",
    "number",
    "read_final",
    "scaled",
    "solutions_of",
    "substitute_all",
    "symbols_mentioned",
    "values_and_sizes",
    "values_at",
    "walk",
    "with_derivatives",
]

Name = Symbol | Apply
POINTS = 6
_MAX_CHARACTERS = 600
_LINK = re.compile(r"\s*(?:=|≈)\s*")
_REGION = re.compile(
    r"\s*,?\s*(?:only\s+)?(?:inside|outside|during|beyond|between|below|within|at the|at its|"
    r"at infinity|there)\b"
)
_COLON = re.compile(r"\s*(?:[:,]|we have|is)\s*")
_POINT = re.compile(r"[^=]+=\s*(?:[-+\d./]+|\\infty|[A-Za-z]_?\{?\w*\}?)")
_RESTRICTED = re.compile(
    r"\s*,?\s*(?:only\s+|valid\s+|holds\s+)*(?:for|if|when|while|where|until|at|in)\s*(?:all\s*)?"
)
_COMPARED = re.compile(r"[<>=≤≥]|\\(?:le|leq|ge|geq|ll|gg|in|to)(?![A-Za-z])")
_PIECES = re.compile(r"[,;:=<>\s()\[\]]+|\\ |\\,|\\propto|\\sim|\\to")


@dataclass(frozen=True, slots=True)
class Stated:
    """One formula of a text, with the words around it and the formulas beside it."""

    text: str
    before: str = ""
    after: str = ""
    following: str = ""
    previous: str = ""

    @property
    def restricted(self) -> bool:
        """Whether the text says where alone it holds: ``for $t < T$``, ``At $x = 0$: ...``."""
        if _REGION.match(self.after):
            return True
        if _COLON.fullmatch(self.before) and _POINT.fullmatch(self.previous):
            return True
        return bool(_RESTRICTED.fullmatch(self.after) and _COMPARED.search(self.following))


@dataclass(frozen=True, slots=True)
class Equation:
    """``left = right`` as it stands in a text."""

    left: Expression
    right: Expression
    source: Stated

    @property
    def named(self) -> list[tuple[Name, Expression]]:
        """(name, value) for each side that is a name which the other does not hold."""
        pairs = isolated(Relation("=", self.left, self.right))
        return [(a, b) for a, b in pairs if isinstance(a, Symbol | Apply)]


@dataclass(frozen=True, slots=True)
class Solution:
    """What a final states: ``subject = value`` with the definitions of its own put in."""

    subject: Name
    value: Expression
    written: Expression
    """The right side before definitions were put in."""


@lru_cache(maxsize=8192)
def formulas_in(text: str) -> tuple[Stated, ...]:
    """Formulas in order; ``$a$ = $b$`` is one."""
    found: list[Stated] = []
    prose = ""
    for piece in pieces(text):
        if piece.kind == "prose":
            if found and not found[-1].after:
                found[-1] = replace(found[-1], after=piece.text)
            prose = piece.text
            continue
        if found and prose and _LINK.fullmatch(prose):
            last = found[-1]
            found[-1] = replace(last, text=f"{last.text} = {piece.text}", after="")
        else:
            if found and found[-1].after == prose:
                found[-1] = replace(found[-1], following=piece.text)
            previous = found[-1].text if found else ""
            found.append(Stated(piece.text, prose, previous=previous))
        prose = ""
    return tuple(found)


@lru_cache(maxsize=8192)
def _tree(formula: str) -> Expression | None:
    if len(formula) > _MAX_CHARACTERS:
        return None
    tree = answer_expression(formula)
    return None if isinstance(tree, ParseFailure) else tree


@lru_cache(maxsize=8192)
def equations_in(text: str) -> tuple[Equation, ...]:
    """Equations that are stated as exact; of a chain ``a = b = c`` both a = b and a = c."""
    found: list[Equation] = []
    for stated in formulas_in(text):
        tree = _tree(stated.text)
        if tree is None or any(
            isinstance(part, Relation) and part.operator not in ("=", "equiv")
            for part in walk(tree)
        ):
            continue
        statements = read_statements(tree)
        if statements.alternatives or statements.orders or statements.others:
            continue
        first: Expression | None = None
        last: Relation | None = None
        for link in (*statements.equations, *statements.definitions):
            if link.left is None:
                continue
            chained = last is not None and last.right == link.left
            first = first if chained else link.left
            assert first is not None
            found.append(Equation(first, link.right, stated))
            last = link
    return tuple(found)


def read_final(text: str) -> Expression | str:
    """The tree of a symbolic final, or why it cannot be read."""
    tree = gold_expression(text)
    return str(tree) if isinstance(tree, ParseFailure) else tree


def solutions_of(tree: Expression) -> list[Solution]:
    """All names that a final gives a value to, the first stated first."""
    statements = read_statements(tree)
    if statements.alternatives or statements.orders or statements.others:
        return []
    pairs: list[tuple[Name, Expression]] = []
    for equation in (*statements.equations, *statements.definitions):
        if equation.left is not None:
            pairs += Equation(equation.left, equation.right, Stated("")).named[:1]
    values = dict(pairs)
    found = []
    for subject, written in pairs:
        value = written
        others: dict[Expression, Expression] = {
            name: other for name, other in values.items() if name != subject
        }
        for _ in range(4):
            value, before = substitute_all(value, others), value
            if value == before:
                break
        found.append(Solution(subject, value, written))
    return found


def with_derivatives(node: Expression) -> Expression | None:
    """The expression with all derivatives carried out; other symbols count as constants."""

    def change(part: Expression) -> Expression:
        inner = rebuild(part, change)
        if not isinstance(inner, Derivative):
            return inner
        value = inner.operand
        for variable, order in inner.variables:
            for _ in range(order):
                value = _slope(value, variable)
        return value

    try:
        return change(node)
    except (UndifferentiableError, TooLargeError, RecursionError):
        return None


def _slope(node: Expression, variable: Expression) -> Expression:
    factor: tuple[Expression, ...] = ()
    if isinstance(variable, Call) and variable.function == "ln" and len(variable.args) == 1:
        (variable,) = variable.args
        factor = (variable,)
    if not isinstance(variable, Symbol):
        raise UndifferentiableError("a derivative in an expression")
    return multiply(*factor, differentiate(node, variable, lambda symbol: False))


Array = NDArray[np.complex128]


def values_at(nodes: Sequence[Expression], values: Mapping[Symbol, Array]) -> list[Array] | None:
    """Complex values of each node at all points, or nothing where one has none."""
    found = values_and_sizes(nodes, values)
    return None if found is None else [value for value, _ in found]


def values_and_sizes(
    nodes: Sequence[Expression], values: Mapping[Symbol, Array]
) -> list[tuple[Array, NDArray[np.float64]]] | None:
    """Values, and how large they were before terms cancelled in them."""
    size = len(next(iter(values.values()), np.ones(1)))
    sample = Sample(dict(values), size, "audit")
    found: list[tuple[Array, NDArray[np.float64]]] = []
    try:
        for node in nodes:
            interpreter = FloatInterpreter(sample)
            value = np.array(interpreter(node))
            with np.errstate(all="ignore"):
                floor = np.maximum(np.abs(value), np.finfo(float).tiny)
                found.append((value, floor * interpreter.loss))
        return found
    except (UnevaluableError, TooLargeError, RecursionError, OverflowError, ZeroDivisionError):
        return None


def scaled(symbols: Sequence[Symbol], *, small: bool = False) -> dict[Symbol, Array]:
    """Random positive values of symbols, the same on every machine."""
    domain = Domain.SMALL if small else Domain.POSITIVE
    return dict(draw(symbols, "audit", domain, size=POINTS).values)


def mapped(node: Expression, change: Callable[[Expression], Expression | None]) -> Expression:
    """The expression with each part replaced for which ``change`` gives something."""

    def apply(part: Expression) -> Expression:
        new = change(part)
        return rebuild(part, apply) if new is None else new

    return apply(node)


def symbols_mentioned(texts: Sequence[str]) -> set[Symbol]:
    """All symbols of the formulas of texts; functions count with their name."""
    return set().union(*(_symbols_of(text) for text in texts)) if texts else set()


@lru_cache(maxsize=8192)
def _symbols_of(text: str) -> frozenset[Symbol]:
    found: set[Symbol] = set()
    for stated in formulas_in(text):
        trees = [_tree(stated.text)]
        if trees[0] is None:  # what cannot be parsed is searched piecewise
            trees = [_tree(part) for part in _PIECES.split(stated.text) if part]
        for tree in trees:
            if tree is not None:
                found |= set(free_symbols(tree))
                found |= {Symbol(part.name) for part in walk(tree) if isinstance(part, Apply)}
    return frozenset(found)
