"""Proportionalities: the same up to a constant number."""

from __future__ import annotations

from ecliptic.grading.comparison import Comparison, different, same
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.expression import Expression, Relation, Symbol
from ecliptic.grading.statements import Statements
from ecliptic.grading.tree_walk import walk
from ecliptic.grading.value_equivalence import compare_values
from ecliptic.grading.value_matcher import Context


def compare_proportions(gold: Statements, answer: Statements, context: Context) -> Comparison:
    """``y ~ x``: the same up to a constant number."""
    wanted = next(relation for relation in gold.others if relation.operator == "propto")
    given = next((other for other in answer.others if other.operator == "propto"), None)
    rules: tuple[str, ...] = ()
    if given is None:
        if answer.equations:
            equation = answer.equations[0]
            given, rules = Relation("propto", equation.left, equation.right), (
                "proportional_is_constant",)  # fmt: skip
        elif answer.values:
            given = Relation("propto", wanted.left, answer.values[0])
        else:
            return different(Code.RELATION, "a proportionality is missing")
    if wanted.left is not None and given.left is not None:
        result = compare_values(wanted.left, given.left, context)
        if result.outcome != "same":
            return result
    result = compare_values(wanted.right, given.right, context)
    if result.outcome == "same":
        return result
    if result.code in (Code.FACTOR, Code.SIGN, Code.POWER_OF_TEN) and not rules:
        if result.code is Code.SIGN and "overall" not in result.message:
            return result
        return same(method=f"{result.method}, up to a constant")
    if rules:
        return _with_constant(wanted.right, given.right, result, context)
    return result


def _with_constant(
    gold: Expression, answer: Expression, result: Comparison, context: Context
) -> Comparison:
    """``y = C x`` for ``y ~ x`` with a constant that the gold does not know."""
    foreign = {part for part in walk(answer) if isinstance(part, Symbol)} - {
        part for part in walk(gold) if isinstance(part, Symbol)
    }
    is_constant = result.code is Code.EXPONENT and result.evidence.get("symbol") in {
        symbol.name for symbol in foreign
    }
    if not is_constant and result.code not in (Code.FACTOR, Code.POWER_OF_TEN):
        return result
    if context.rules.proportional_is_constant:
        return same(method=result.method, rules=("proportional_is_constant",))
    message = "an equation with a constant where a proportionality belongs"
    return different(Code.RELATION, message, rules=("proportional_is_constant",))
