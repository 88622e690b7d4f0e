"""Inequalities and intervals: the same boundary, the same side of it, the same strictness.

A symbol stands for a positive quantity, here as in all comparisons at points, unless it stands in
an absolute value, a sign or a condition: ``gamma beta < 2`` is ``beta < 2/gamma``, and
``r/r_c > 1`` is ``r > r_c``. What is squared keeps both its roots: ``k^2 < a^2`` is not ``k < a``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ecliptic.grading.canonical import canonical
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.components import KindMismatchError, UnlowerableError
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.differentiate import substitute_all
from ecliptic.grading.equations import compare_equations
from ecliptic.grading.evaluate import FloatInterpreter
from ecliptic.grading.expression import Add, Expression, Relation, Symbol, negate
from ecliptic.grading.interpretation import TooLargeError, UnevaluableError
from ecliptic.grading.inversion import solved_for
from ecliptic.grading.sampling import Domain, Sample, draw, free_symbols
from ecliptic.grading.spelling import spell
from ecliptic.grading.statements import Statements, read_statements
from ecliptic.grading.tree_walk import survey, walk
from ecliptic.grading.value_equivalence import joined
from ecliptic.grading.value_matcher import Context
from ecliptic.grading.values import signed_symbols
from ecliptic.grading.work_budget import spend

_STRICT = {"<": "<=", "<=": "<"}
_POINTS = 60
_FAR = (0.01, 30.0, 1000.0)
_NEAR = (0.999, 1.001)
_MOST_BORDERS = 6


def compare_orders(
    gold: list[Relation], answer: list[Relation], context: Context, *, alternatives: bool = False
) -> Comparison:
    """Whether two lists of inequalities (all turned to ``<`` and the like) describe one set."""
    if len(gold) == len(answer) and not _signed(gold, answer):
        left = list(answer)
        results = []
        for wanted in gold:
            found = [(candidate, _compare_one(wanted, candidate, context)) for candidate in left]
            best = min(found, key=lambda pair: _rank(pair[1]))
            left.remove(best[0])
            results.append(best[1])
        return joined(results)
    if len(gold) == len(answer) == 1:
        single = _compare_one(gold[0], answer[0], context)
        if single.outcome == "different":
            return single
    truth = _same_truth(gold, answer, context, alternatives=alternatives)
    if truth is None:
        return undecided(Code.UNDECIDED, "the inequalities cannot be evaluated")
    if not truth:
        code = Code.INCOMPLETE if len(answer) < len(gold) else Code.NOT_EQUIVALENT
        return different(code, "the inequalities describe different sets", method="points")
    strict = [{relation.operator for relation in side} for side in (gold, answer)]
    if strict[0] == strict[1]:
        return same(method=f"{_POINTS} points")
    return different(Code.STRICTNESS, "an end point is treated differently", method="points")


def compare_defined_orders(gold: Statements, answer: Statements, context: Context) -> Comparison:
    """Inequalities as written, or else with the definitions of both sides put in."""
    alternatives = gold.alternatives
    result = compare_orders(gold.orders, answer.orders, context, alternatives=alternatives)
    wanted, given = _put_in(gold), _put_in(answer)
    if result.outcome == "same" or (wanted, given) == (gold.orders, answer.orders):
        return result
    other = compare_orders(wanted, given, context, alternatives=alternatives)
    return other if other.outcome == "same" else result


def _put_in(side: Statements) -> list[Relation]:
    """Inequalities with their symbols replaced by what the definitions beside them say."""
    used = {part for order in side.orders for part in walk(order) if isinstance(part, Symbol)}
    found: dict[Expression, Expression] = {}
    for definition in side.definitions:
        inside = {part for part in walk(definition) if isinstance(part, Symbol)} & used
        for symbol in sorted(inside, key=lambda one: one.name):
            value = solved_for(definition, symbol)
            if value is not None:
                found[symbol] = value
                break
    changed = (substitute_all(order, found) for order in side.orders)
    return [order for order in changed if isinstance(order, Relation)]


def compare_conditional_order(
    gold: Statements, answer: Statements, context: Context
) -> Comparison | None:
    """``r > r_c: v > c_s`` beside ``v > c_s for r > r_c``: each in its place."""
    conditions = [
        other.right
        for other in answer.others
        if other.left is None and isinstance(other.right, Relation)
    ]
    if gold.others or len(gold.orders) != 2 or len(answer.orders) != 1 or len(conditions) != 1:
        return None
    condition = read_statements(conditions[0]).orders
    if len(condition) != 1:
        return None
    pairs = zip(gold.orders, (answer.orders[0], condition[0]), strict=True)
    return joined([compare_orders([wanted], [given], context) for wanted, given in pairs])


def _signed(gold: list[Relation], answer: list[Relation]) -> bool:
    """Whether absolute values and the like ask for points of either sign."""
    return bool(signed_symbols(*gold, *answer))


def _rank(result: Comparison) -> int:
    if result.outcome == "same":
        return 0
    return {Code.STRICTNESS: 1, Code.RELATION: 2}.get(result.code, 3) if result.code else 3


def _compare_one(gold: Relation, answer: Relation, context: Context) -> Comparison:
    evidence: dict[str, Any] = {"gold": spell(gold), "answer": spell(answer)}
    spend(50 + 16 * (survey(gold).count + survey(answer).count))
    first, second = _gap(gold), _gap(answer)
    context = context.for_nodes(first, second)
    if canonical(first) == canonical(second):
        direction = 1
    else:
        border = compare_equations(_border(gold), _border(answer), context)
        if border.outcome != "same":
            return border
        direction = _direction(first, second, context)
    if direction < 0:
        message = f"the inequality goes the other way: {spell(answer)}"
        return different(Code.RELATION, message, method="points", **evidence)
    if direction == 0:
        return undecided(Code.UNDECIDED, "the inequalities cannot be evaluated")
    if gold.operator == answer.operator:
        return same(method="boundary and side")
    if _STRICT.get(gold.operator) == answer.operator:
        message = "the boundary itself is treated differently"
        return different(Code.STRICTNESS, message, method="boundary and side", **evidence)
    message = "another relation holds between the right quantities"
    return different(Code.RELATION, message, method="boundary and side", **evidence)


def _gap(relation: Relation) -> Expression:
    """Positive where the relation holds."""
    assert relation.left is not None
    return canonical(Add((relation.right, negate(relation.left))))


def _border(relation: Relation) -> Relation:
    return Relation("=", relation.left, relation.right)


def _direction(gold: Expression, answer: Expression, context: Context) -> int:
    """1 when both have one sign at all points, -1 when opposite ones, 0 when it can't be told.

    Positive points first, for a division by a quantity does not turn a relation between
    physical quantities round; either sign where that shows nothing.
    """
    try:
        first, second = (context.components.scalar(node) for node in (gold, answer))
    except (KindMismatchError, UnlowerableError, TooLargeError):
        return 0
    symbols = free_symbols(first, second)
    for domain in (Domain.POSITIVE, Domain.SIGNED):
        sample = draw(symbols, context.seed, domain, size=_POINTS)
        signs = _signs(first, sample), _signs(second, sample)
        if signs[0] is None or signs[1] is None:
            continue
        usable = (signs[0] != 0) & (signs[1] != 0)
        products = (signs[0] * signs[1])[usable]
        if products.size and np.all(products == products[0]):
            return int(products[0])
    return 0


def _signs(node: Expression, sample: Sample) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
    try:
        values = FloatInterpreter(sample)(node)
    except (UnevaluableError, TooLargeError):
        return None
    real = np.abs(values.imag) <= 1e-9 * np.abs(values)
    return np.where(real & np.isfinite(values), np.sign(values.real), 0.0)


def _same_truth(
    gold: list[Relation], answer: list[Relation], context: Context, *, alternatives: bool
) -> bool | None:
    """Whether both sets of inequalities hold at the same points of either sign."""
    symbols = free_symbols(*gold, *answer)
    scale = {part for relation in (*gold, *answer) for part in walk(relation)}
    if not scale:
        return None
    mixed = draw(symbols, context.seed, Domain.SIGNED, size=10 * _POINTS)
    signed = signed_symbols(*gold, *answer)
    if signed:
        plain = draw(symbols, context.seed, size=10 * _POINTS)
        values = {s: (mixed if s in signed else plain).values[s] for s in symbols}
        mixed = Sample(values, mixed.size, mixed.seed)
    sample = _about_borders(mixed, [*gold, *answer])
    tables = []
    for side in (gold, answer):
        rows = []
        for relation in side:
            signs = _signs(_gap(relation), sample)
            if signs is None:
                return None
            rows.append(signs > 0)
        join = np.logical_or if alternatives and side is gold else np.logical_and
        tables.append(join.reduce(rows))
    return bool(np.array_equal(tables[0], tables[1]))


def _about_borders(sample: Sample, relations: list[Relation]) -> Sample:
    """The points, and with them points just below and above each border and far away.

    A bound that holds at all points drawn (``M < 3``) would else count for nothing.
    """
    parts = [sample.values]
    for scale in _FAR:
        parts.append({symbol: scale * values for symbol, values in sample.values.items()})
    for relation in relations[:_MOST_BORDERS]:
        for side, other in ((relation.left, relation.right), (relation.right, relation.left)):
            if not isinstance(side, Symbol) or other is None:
                continue
            try:
                border = FloatInterpreter(sample)(other)
            except (UnevaluableError, TooLargeError):
                continue
            places = np.broadcast_to(border, sample.size)
            if not np.all(np.isfinite(places)):
                continue
            parts.extend({**sample.values, side: places * near} for near in _NEAR)
    values = {symbol: np.concatenate([part[symbol] for part in parts]) for symbol in sample.values}
    return Sample(values, sample.size * len(parts), sample.seed)
