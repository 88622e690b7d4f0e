"""Several roots of one quantity: ``x = \\pm a``, ``x = a or x = -a``, ``x_1 = a, x_2 = -a``."""

from __future__ import annotations

import re

from ecliptic.grading.canonical import canonical
from ecliptic.grading.expression import (
    ZERO,
    Apply,
    Expression,
    Relation,
    Symbol,
    add,
    multiply,
    negate,
)
from ecliptic.grading.statements import Statements, has_signs, isolated, with_sign
from ecliptic.grading.tree_walk import walk

_BOTH = re.compile(r"[_,](?:1,2|12|pm|mp)$")
"""Behind the name of a quantity that has both roots."""
_ONE = re.compile(r"[_,](?:\d|\+|-)$")
"""Behind the name of one of several roots."""

Values = tuple[Expression, ...]


def root_lists(gold: Statements, answer: Statements) -> tuple[Values, Values] | None:
    """The roots on both sides, where the gold has several and a side lists them one by one."""
    if max(gold.count, answer.count) < 2:
        return None
    gold_roots, answer_roots = _roots(gold), _roots(answer)
    if gold_roots is None or answer_roots is None:
        return None
    (golden, wanted), (given, found) = gold_roots, answer_roots
    if len(wanted) < 2 or not _one_quantity(golden, given):
        return None
    return wanted, found


def product_of_roots(unsolved: Relation, listed: Statements) -> Relation | None:
    """Listed roots as the equation that has them, to compare with one that is not solved."""
    if isolated(unsolved) or listed.count < 2 or not listed.equations:
        return None
    found = _roots(listed)
    if found is None or len(found[1]) < 2:
        return None
    names = {part.name for part in walk(unsolved) if isinstance(part, Symbol)}
    base = {_ONE.sub("", name) for name in found[0]}
    unknown = set(found[0]) if len(set(found[0])) == 1 else base
    if len(unknown) != 1 or not unknown <= names:
        return None
    subject = Symbol(next(iter(unknown)))
    gaps = (add(subject, negate(value)) for value in found[1])
    return Relation("=", multiply(*gaps), ZERO)


def branches(node: Expression) -> Values:
    """The values that a plus-minus sign stands for; one without it."""
    return (with_sign(node, 1), with_sign(node, -1)) if has_signs(node) else (node,)


def _roots(statements: Statements) -> tuple[list[str], Values] | None:
    """Names on the left, and the different values; ``None`` where something else is stated."""
    if statements.chain or statements.orders or statements.others or statements.definitions:
        return None
    names: list[str] = []
    values: list[Expression] = []
    for equation in statements.equations:
        pairs = isolated(equation)
        if not pairs or not isinstance(pairs[0][0], Symbol | Apply):
            return None
        names.append(pairs[0][0].name)
        values.extend(branches(pairs[0][1]))
    for value in statements.values:
        values.extend(branches(value))
    different = {canonical(value): value for value in values}
    return names, tuple(different.values())


def _one_quantity(gold: list[str], answer: list[str]) -> bool:
    """Whether both sides name one quantity, or one side names it and the other counts its roots."""
    first, second = set(gold), set(answer)
    if len(first | second) <= 1:
        return True
    if not first or not second:
        return False
    for single, several, count in ((first, second, len(answer)), (second, first, len(gold))):
        if len(single) == 1 and len(several) == count > 1:
            name = _BOTH.sub("", next(iter(single)))
            if all(_ONE.search(one) and _ONE.sub("", one) == name for one in several):
                return True
    return False
