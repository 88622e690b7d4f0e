"""Equations: the same when they have the same solutions, whatever the arrangement."""

from __future__ import annotations

from dataclasses import replace

from ecliptic.grading.bound_variables import functions_in_integrands
from ecliptic.grading.canonical import canonical
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.components import KindMismatchError, UnlowerableError
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.equation_diagnosis import diagnose_equation, lowered_parts
from ecliptic.grading.expression import (
    ZERO,
    Apply,
    Call,
    Expression,
    Integral,
    Power,
    Relation,
    Symbol,
    Tuple,
    multiply,
)
from ecliptic.grading.integral_ranges import integrates_unknowns, same_ranges
from ecliptic.grading.interpretation import TooLargeError
from ecliptic.grading.inversion import angles, holds_what_is_undone, solved_for
from ecliptic.grading.root_lists import branches
from ecliptic.grading.sampling import free_symbols
from ecliptic.grading.spelling import spell
from ecliptic.grading.statements import has_signs, isolated, residual, with_sign
from ecliptic.grading.tree_walk import survey, walk
from ecliptic.grading.value_equivalence import compare_values, match_values
from ecliptic.grading.value_matcher import Context
from ecliptic.grading.work_budget import WorkLimitError, spend
from ecliptic.grading.zero_sets import Solutions, Unknown, compare_zeros


def compare_equations(
    gold: Relation, answer: Relation, context: Context, *, explain: bool = True
) -> Comparison:
    """Whether two equations say the same, and if not, why (unless ``explain`` is off)."""
    spend(20 + 8 * (survey(gold).count + survey(answer).count))
    if canonical(gold) == canonical(answer):
        return same(method="canonical form")
    context = context.for_nodes(gold, answer)
    if _says_nothing(answer):
        return different(Code.TAUTOLOGY, "the answer is true of anything", method="both sides")
    golden, given = isolated(gold), isolated(answer)
    for subject, value in golden:
        for other, right in given:
            if other == subject:
                return _compare_signed(value, right, context)
    for value, right in _beside_an_integral(gold, answer):
        return _compare_signed(value, right, context)
    sizes = _magnitude(gold), _magnitude(answer)
    signs = has_signs(gold) or has_signs(answer)
    if not signs and (sizes[0] is None) != (sizes[1] is None):
        for subject, value in sizes[0] or golden:
            for other, right in sizes[1] or given:
                if _bare_name(other) == _bare_name(subject):
                    return _compare_signed(value, right, context)
    result = _compare_inverted(gold, answer, context)
    if result is None:
        result = _compare_solutions(gold, answer, context, explain)
    if result.outcome == "same":
        if golden and given and not context.rules.allow_rearranged_equation:
            message = f"solved for {spell(given[0][0])} and not for {spell(golden[0][0])}"
            return different(
                Code.WRONG_SUBJECT, message, rules=("allow_rearranged_equation",),
                method=result.method,
            )  # fmt: skip
        return result
    if explain and golden and given and result.outcome == "different":
        return _named_wrongly(golden[0], given[0], result, context)
    return result


def _compare_inverted(gold: Relation, answer: Relation, context: Context) -> Comparison | None:
    """Compare with one equation solved as the other is, where that undoes a function in it."""
    for solved, other, is_gold in ((gold, answer, True), (answer, gold, False)):
        if not holds_what_is_undone(other) or has_signs(other) or has_signs(solved):
            continue
        for subject, value in isolated(solved):
            found = solved_for(other, subject)
            if found is None:
                continue
            pair = (value, found) if is_gold else (found, value)
            result = compare_values(*pair, context)
            explained = result.outcome == "different" and result.code is not Code.NOT_EQUIVALENT
            if result.outcome == "same" or explained:
                return replace(result, method=f"solved for {spell(subject)}; {result.method}")
    for angle in sorted(angles(gold) & angles(answer), key=lambda symbol: symbol.name):
        sides = [solved_for(equation, angle) for equation in (gold, answer)]
        if sides[0] is not None and sides[1] is not None:
            result = compare_values(sides[0], sides[1], context)
            if result.outcome == "same":
                return replace(result, method=f"solved for {spell(angle)}; {result.method}")
    return None


def _beside_an_integral(gold: Relation, answer: Relation) -> list[tuple[Expression, Expression]]:
    """The other sides, where one integral is a side of both equations.

    It takes any value where a symbol in it stands in neither of the others, so these must agree.
    """
    found = []
    for side, value in ((gold.left, gold.right), (gold.right, gold.left)):
        if side is None or value is None or Integral not in survey(side).kinds:
            continue
        for other, right in ((answer.left, answer.right), (answer.right, answer.left)):
            if other is None or right is None or canonical(other) != canonical(side):
                continue
            if set(free_symbols(side)) - set(free_symbols(value, right)):
                found.append((value, right))
    return found


def _magnitude(equation: Relation) -> list[tuple[Expression, Expression]] | None:
    """``|B| = x`` as what it says of B; ``None`` for another equation."""
    for side, value in ((equation.left, equation.right), (equation.right, equation.left)):
        if isinstance(side, Call) and side.function == "abs" and value is not None:
            (inner,) = side.args
            bare = _bare_name(inner)
            if bare and not any(_bare_name(part) == bare for part in walk(value)):
                return [(inner, value)]
    return None


def _bare_name(node: Expression) -> str:
    """The name of a quantity whatever its arguments, and whether it is written as a vector."""
    return node.name if isinstance(node, Symbol | Apply) else ""


def _says_nothing(equation: Relation) -> bool:
    assert equation.left is not None
    return canonical(equation.left) == canonical(equation.right)


def _named_wrongly(
    gold: tuple[Expression, Expression],
    answer: tuple[Expression, Expression],
    result: Comparison,
    context: Context,
) -> Comparison:
    """The right side under another name, and a wrong value under the right one, told apart."""
    values = _compare_signed(gold[1], answer[1], context)
    if values.outcome == "same":
        names = spell(answer[0]), spell(gold[0])
        if context.rules.rename_symbols:
            return values.decided_by("rename_symbols")
        message = f"the left-hand side is called {names[0]} and not {names[1]}"
        return different(
            Code.WRONG_VARIABLE, message, rules=("rename_symbols",), method=values.method,
            symbols={names[1]: names[0]},
        )  # fmt: skip
    return result


def _compare_signed(gold: Expression, answer: Expression, context: Context) -> Comparison:
    """Compare values that may have a plus-minus sign."""
    signs = has_signs(gold), has_signs(answer)
    if not any(signs):
        return compare_values(gold, answer, context)
    return match_values(branches(gold), branches(answer), context)


def compare_signed_values(gold: Expression, answer: Expression, context: Context) -> Comparison:
    """Values, with plus-minus signs standing for two values."""
    return _compare_signed(gold, answer, context)


def _compare_solutions(
    gold: Relation, answer: Relation, context: Context, explain: bool
) -> Comparison:
    first, second = _residual(gold), _residual(answer)
    unknown = _unknown(gold, answer)
    context = context.for_nodes(first, second)
    try:
        solutions = _solutions(first, second, unknown, context)
    except KindMismatchError as mismatch:
        return different(Code.OPERATOR, str(mismatch), method="kinds of operands")
    except UnlowerableError as part:
        return undecided(Code.UNDECIDED, f"cannot be decided: {part}")
    except TooLargeError as limit:
        return undecided(Code.RESOURCE_LIMIT, str(limit))
    match solutions.status:
        case "same":
            return same(method=solutions.method)
        case "unclear":
            return undecided(Code.UNDECIDED, "no solution of the equations was found")
        case "squared" if context.rules.allow_squared_equation:
            return same(method=solutions.method, rules=("allow_squared_equation",))
        case "squared" | "extra":
            rules = ("allow_squared_equation",) if solutions.status == "squared" else ()
            message = "the equation has solutions that the right one has not"
            return different(Code.EXTRA_SOLUTION, message, method=solutions.method, rules=rules)
        case "missing" if context.rules.one_root_is_enough:
            return same(method=solutions.method, rules=("one_root_is_enough",))
        case "missing":
            message = "a solution of the right equation is missing"
            return different(
                Code.INCOMPLETE, message, method=solutions.method, rules=("one_root_is_enough",)
            )
        case _ if not explain:
            return different(Code.NOT_EQUIVALENT, "other solutions", method=solutions.method)
        case _:
            try:
                spend(500)
                return diagnose_equation(gold, answer, (first, second), unknown, context, solutions)
            except WorkLimitError:  # they differ, whatever the reason
                return different(Code.NOT_EQUIVALENT, "other solutions", method=solutions.method)


def _unknown(gold: Relation, answer: Relation) -> Unknown:
    """What the equations are solved for: by the gold, or else by the answer."""
    set_to_zero = any(ZERO in (side.left, side.right) for side in (gold, answer))
    for subject, _ in isolated(gold):
        if isinstance(subject, Symbol):
            return Unknown(subject, zero_counts=True)
    powers = [_power_alone(gold), _power_alone(answer)]
    for subject, _ in isolated(answer):
        if isinstance(subject, Symbol):
            return Unknown(subject, zero_counts=set_to_zero or subject in powers)
    alone = powers[0] or powers[1]
    return Unknown(alone, zero_counts=alone is not None, set_to_zero=set_to_zero)


def _power_alone(equation: Relation) -> Symbol | None:
    """The symbol whose power is one side of the equation, as in ``x^2 = a x``."""
    for side in (equation.left, equation.right):
        if isinstance(side, Power) and isinstance(side.base, Symbol):
            return side.base
    return None


def _residual(equation: Relation) -> Expression:
    """Left minus right; with a plus-minus sign the product of both residuals."""
    if not has_signs(equation):
        return residual(equation)
    branches = []
    for sign in (1, -1):
        taken = with_sign(equation, sign)
        assert isinstance(taken, Relation)
        branches.append(residual(taken))
    return multiply(*branches)


def _solutions(
    gold: Expression, answer: Expression, unknown: Unknown, context: Context
) -> Solutions:
    first, second = (lowered_parts(node, context) for node in (gold, answer))
    first, second = functions_in_integrands(first, second)
    found = compare_zeros(first, second, context.seed, unknown)
    unknown_functions = all(any(map(integrates_unknowns, side)) for side in (first, second))
    if (
        found.status == "same"
        and unknown_functions
        and not same_ranges(Tuple(first), Tuple(second))
    ):
        return Solutions("unclear", "")
    if len(first) != len(second):
        raise KindMismatchError("a vector equation and one between numbers")
    return found
