"""Is a formula the right one? The one entry to the comparison of symbolic answers.

What was read is sorted into values, equations, inequalities and cases, and each kind is compared by
what it says: canonical form first, then values at seeded points, then SymPy in a killable child.
"""

from __future__ import annotations

import hashlib

from ecliptic.grading.alternative_readings import notation_readings
from ecliptic.grading.canonical import canonical, sort_key
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.components import Components
from ecliptic.grading.conventions import apply_rules
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.differentiate import UndifferentiableError
from ecliptic.grading.expression import (
    Add,
    Apply,
    Call,
    Constant,
    Expression,
    Limit,
    Mul,
    Number,
    Power,
    Relation,
    Symbol,
)
from ecliptic.grading.indices import with_running_indices
from ecliptic.grading.interpretation import TooLargeError
from ecliptic.grading.notation_readings import (
    euler_readings,
    logarithms_of_powers,
    primes_agree,
    product_readings,
)
from ecliptic.grading.rules import DEFAULT_RULES, Rules
from ecliptic.grading.spelling import spell
from ecliptic.grading.statement_equivalence import compare_statements
from ecliptic.grading.statements import (
    read_statements,
)
from ecliptic.grading.summed_indices import with_gold_indices
from ecliptic.grading.told_notation import parted_deltas, told_by_gold
from ecliptic.grading.tree_walk import MAX_DEPTH, MAX_NODES, forget_surveys, survey
from ecliptic.grading.unseen_differences import (
    has_lone_delta,
    limit_elsewhere,
    turned_round,
    undefined_part,
)
from ecliptic.grading.value_equivalence import compare_values
from ecliptic.grading.value_matcher import Context
from ecliptic.grading.vector_names import vectors_by_name

MAX_POWER = 60
"""Formulas with larger powers are compared in canonical form, where alone they may cancel."""


def compare(gold: Expression, answer: Expression, rules: Rules = DEFAULT_RULES) -> Comparison:
    """Compare two formulas; deterministic, and bounded by counted budgets."""
    try:
        result = _compare_bounded(gold, answer, rules)
        lost = undefined_part(answer) if result.outcome == "same" else None
        if lost is not None and undefined_part(gold) is None:
            return different(Code.NOT_FINITE, f"{spell(lost)} has no value")
        return result
    finally:
        forget_surveys()


def _compare_bounded(gold: Expression, answer: Expression, rules: Rules) -> Comparison:
    for node in (gold, answer):
        if _too_large(node):
            return undecided(Code.RESOURCE_LIMIT, "the formula is larger than is compared")
    try:
        gold, answer = vectors_by_name(gold), vectors_by_name(answer)
        written = gold, answer
        gold, answer = with_running_indices(*apply_rules(gold, answer, rules))
        result = _compare(gold, answer, rules)
        if result.outcome != "same":
            for pair in notation_readings(*written):
                if turned_round(*pair):
                    continue
                other = _compare(*with_running_indices(*apply_rules(*pair, rules)), rules)
                if other.outcome == "same":
                    return other
            other = _read_otherwise(gold, answer, result, rules)
            if other.outcome == "same":
                return other
            result = other
        if result.outcome == "different":
            for renamed in with_gold_indices(gold, answer):
                other = _compare(gold, renamed, rules)
                if other.outcome == "same":
                    return other
        if result.outcome != "same" and primes_agree(*written):
            told = told_by_gold(gold, answer)
            if told is not None:
                result = _compare(gold, told, rules)
            elif not has_lone_delta(gold):
                told = parted_deltas(answer, gold)
                if told is not None:
                    result = _compare(told, answer, rules)
    except TooLargeError as limit:
        return undecided(Code.RESOURCE_LIMIT, str(limit))
    except UndifferentiableError as part:
        return undecided(Code.UNDECIDED, f"cannot be decided: {part}")
    if result.outcome == "same" and Limit in survey(gold).kinds and limit_elsewhere(gold, answer):
        return different(Code.NOT_EQUIVALENT, "the limit is taken at another place")
    if result.outcome == "same" and turned_round(gold, answer):
        return undecided(Code.UNDECIDED, "a derivative is turned round: dy/dx against dx/dy")
    return result


def _read_otherwise(
    gold: Expression, answer: Expression, result: Comparison, rules: Rules
) -> Comparison:
    """The comparison with products for functions, e for a letter, logarithms of powers."""
    kinds = survey(gold).kinds | survey(answer).kinds
    functions = survey(gold).functions | survey(answer).functions
    for applies, readings in (
        (Apply in kinds, product_readings),
        ("exp" in functions, euler_readings),
        (not functions.isdisjoint(("ln", "log")), logarithms_of_powers),
    ):
        for pair in readings(gold, answer) if applies else ():
            other = _compare(*pair, rules)
            if other.outcome == "same":
                return other
            if readings is logarithms_of_powers and result.code is Code.NOT_EQUIVALENT:
                result = other
    return result


def _too_large(node: Expression) -> bool:
    found = survey(node)
    return found.count > MAX_NODES or found.depth > MAX_DEPTH


def _compare(gold: Expression, answer: Expression, rules: Rules) -> Comparison:
    first, second = canonical(gold), canonical(answer)
    if first == second and not _is_empty_statement(second):
        return same(method="canonical form")
    keys = sorted((sort_key(first), sort_key(second)))
    digest = hashlib.blake2b("|".join(keys).encode("utf-8", "surrogatepass"), digest_size=8)
    seed = digest.hexdigest()
    if max(survey(gold).largest_power, survey(answer).largest_power) <= MAX_POWER:
        first, second = gold, answer  # as written: better to explain, and decimals are known
    context = Context(rules, seed, Components(first, second))
    if survey(first).kinds | survey(second).kinds <= _PLAIN:
        return compare_values(first, second, context, compared=True)
    return compare_statements(read_statements(first), read_statements(second), context)


_PLAIN = {Number, Symbol, Constant, Add, Mul, Power, Call, Apply}
"""Kinds of which plain values consist, without statements, signs or cases."""


def _is_empty_statement(node: Expression) -> bool:
    return isinstance(node, Relation) and node.left is not None and node.left == node.right
