"""Comparison of what formulas state: values, equations, inequalities, limits and conditions."""

from __future__ import annotations

from dataclasses import replace

from ecliptic.grading.canonical import canonical
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.declared_names import without_declared_names
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.equations import compare_equations
from ecliptic.grading.expression import (
    Constant,
    Interval,
    Relation,
)
from ecliptic.grading.orders import (
    compare_conditional_order,
    compare_defined_orders,
    compare_orders,
)
from ecliptic.grading.proportions import compare_proportions
from ecliptic.grading.root_lists import product_of_roots, root_lists
from ecliptic.grading.spelling import spell
from ecliptic.grading.stated_values import (
    compare_bare_side,
    compare_defined,
    compare_stated,
    compare_with_identity,
)
from ecliptic.grading.statements import (
    Statements,
    read_statements,
    without_chain,
)
from ecliptic.grading.systems import compare_systems
from ecliptic.grading.value_equivalence import compare_values, joined, match_values
from ecliptic.grading.value_matcher import Context


def compare_statements(gold: Statements, answer: Statements, context: Context) -> Comparison:
    """Compare by what the gold states; an answer of another kind is different."""
    if gold.others and any(relation.operator == "propto" for relation in gold.others):
        return compare_proportions(gold, answer, context)
    conditions = _conditions(gold, answer, context)
    if conditions is not None and conditions.outcome != "same":
        return conditions
    joined_otherwise = _joined_otherwise(gold, answer)
    if joined_otherwise is not None:
        return joined_otherwise
    roots = root_lists(gold, answer)
    defined = compare_defined(gold, answer, context) if gold.values and gold.equations else None
    if defined is not None:
        result = defined
    elif roots is not None:
        result = match_values(*roots, context)
    elif gold.values and not gold.equations:
        result = compare_stated(gold, answer, context)
    elif gold.equations:
        result = _equations(gold, answer, context)
    elif gold.orders:
        if not answer.orders and len(answer.values) == 1:
            answer = _bare_interval(gold, answer)
        if not answer.orders:
            kind = "a value" if answer.values else "an equation"
            return different(Code.RELATION, f"{kind} where an inequality belongs")
        if gold.alternatives != answer.alternatives and len(answer.orders) > 1 < len(gold.orders):
            return different(Code.RELATION, "'or' and 'and' are exchanged")
        return compare_conditional_order(gold, answer, context) or compare_defined_orders(
            gold, answer, context
        )
    elif conditions is not None:
        return conditions
    else:
        return undecided(Code.UNDECIDED, "nothing to compare")
    if result.outcome != "same":
        return result
    if gold.orders:
        if not answer.orders:
            message = f"the condition {spell(gold.orders[0])} is missing"
            return different(Code.INCOMPLETE, message)
        return joined([result, compare_orders(gold.orders, answer.orders, context)])
    return result


def _joined_otherwise(gold: Statements, answer: Statements) -> Comparison | None:
    """Equations for different quantities, joined by "or" on one side only."""
    if gold.alternatives == answer.alternatives or gold.chain or answer.chain:
        return None
    sides = [
        {canonical(one.left) for one in side.equations if one.left is not None}
        for side in (gold, answer)
    ]
    if min(map(len, sides)) < 2 or root_lists(gold, answer) is not None:
        return None
    if answer.alternatives:
        return different(Code.RELATION, "'or' and 'and' are exchanged")
    return undecided(Code.UNDECIDED, "one of the equations or all of them may be meant")


def _conditions(gold: Statements, answer: Statements, context: Context) -> Comparison | None:
    """Relations of other kinds (to, in, !=): each of the gold's must be in the answer."""
    results = []
    for wanted in gold.others:
        same_kind = [other for other in answer.others if other.operator == wanted.operator]
        if not same_kind:
            if wanted.left is None and wanted.operator == "in":
                continue  # a condition on a value, which an answer may leave to the question
            message = f"{spell(wanted)} is missing"
            return different(Code.RELATION, message)
        found = [_compare_relations(wanted, other, context) for other in same_kind]
        results.append(min(found, key=lambda result: result.outcome != "same"))
    if any(relation.operator == "propto" for relation in answer.others):
        message = "only a proportionality where an equation belongs"
        return different(Code.RELATION, message)
    return joined(results) if results else None


def _compare_relations(gold: Relation, answer: Relation, context: Context) -> Comparison:
    if canonical(gold) == canonical(answer):
        return same(method="canonical form")
    if gold.left is None and answer.left is None:
        return compare_statements(
            read_statements(gold.right), read_statements(answer.right), context
        )
    if gold.operator == "!=":
        return compare_equations(
            Relation("=", gold.left, gold.right), Relation("=", answer.left, answer.right), context
        )
    if Constant("infinity") in (gold.right, answer.right) and gold.right != answer.right:
        return different(Code.NOT_EQUIVALENT, f"{spell(answer)} for {spell(gold)}")
    pairs = [(gold.left, answer.left), (gold.right, answer.right)]
    return joined(
        [compare_values(a, b, context) for a, b in pairs if a is not None and b is not None]
    )


def _equations(gold: Statements, answer: Statements, context: Context) -> Comparison:
    if not answer.equations and answer.values:
        return compare_bare_side(gold, answer, context)
    if not answer.equations:
        return different(Code.RELATION, "an equation is missing")
    if gold.chain:
        first, end = gold.equations[0].left, gold.equations[-1].right
        links = [Relation("=", link.left, end) for link in gold.equations[1:]]
        links += [Relation("=", first, link.right) for link in gold.equations]
        for link in reversed(links):
            whole = replace(gold, equations=[link], chain=False)
            result = _equations(whole, answer, context)
            if result.outcome == "same":
                return result
    gold, answer = without_chain(gold), without_declared_names(gold, without_chain(answer))
    if len(gold.equations) == 1 and not gold.definitions:
        product = product_of_roots(gold.equations[0], answer)
        if product is not None:
            return compare_equations(gold.equations[0], product, context)
    if len(answer.equations) == 1 and not answer.definitions:
        product = product_of_roots(answer.equations[0], gold)
        if product is not None:
            return compare_equations(product, answer.equations[0], context)
    parts = len(gold.equations) + len(gold.definitions)
    given = len(answer.equations) + len(answer.definitions)
    if parts == given == 1:
        result = compare_equations(gold.equations[0], answer.equations[0], context)
        if result.outcome == "same":
            return result
        return compare_with_identity(gold.equations[0], answer.equations[0], context) or result
    return compare_systems(gold, answer, context)


def _bare_interval(gold: Statements, answer: Statements) -> Statements:
    """``[1, 4]`` for ``1 <= r <= 4``, when the gold bounds one quantity on both sides."""
    interval = answer.values[0]
    if not isinstance(interval, Interval) or len(gold.orders) != 2:
        return answer
    quantity = gold.orders[0].right
    if quantity != gold.orders[1].left:
        return answer
    return read_statements(Relation("in", quantity, interval))
