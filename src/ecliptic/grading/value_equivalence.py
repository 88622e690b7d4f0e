"""Comparison of two expressions that have a value: canonical form, points, then SymPy."""

from __future__ import annotations

from dataclasses import replace

from ecliptic.grading.bound_variables import with_integrands
from ecliptic.grading.canonical import canonical
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.components import (
    KindMismatchError,
    Lowered,
    UnlowerableError,
)
from ecliptic.grading.conventions import unit_names, units_as_factors
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.differentiate import substitute_all
from ecliptic.grading.expression import (
    Add,
    Call,
    Constant,
    Expression,
    Integral,
    Interval,
    Limit,
    Mul,
    Number,
    Power,
    Product,
    Sum,
    Tuple,
    is_vector,
)
from ecliptic.grading.integral_ranges import integrand_alone, integrates_unknowns
from ecliptic.grading.interpretation import TooLargeError
from ecliptic.grading.simplify_worker import break_tie
from ecliptic.grading.symbol_exchange import renamings
from ecliptic.grading.symbolic_diagnosis import diagnose_values
from ecliptic.grading.tree_walk import survey, walk
from ecliptic.grading.value_matcher import Context, ValueMatcher, agreements
from ecliptic.grading.values import Agreement
from ecliptic.grading.work_budget import WorkLimitError, spend


def compare_values(
    gold: Expression, answer: Expression, context: Context, *, compared: bool = False
) -> Comparison:
    """Whether two expressions have the same value, and if not, why.

    ``compared`` says that their canonical forms are known to differ.
    """
    first, second = gold, answer
    spend(20 + 8 * (survey(gold).count + survey(answer).count))
    if not compared and (gold == answer or canonical(gold) == canonical(answer)):
        return same(method="canonical form")
    if isinstance(first, Tuple) and isinstance(second, Tuple):
        return _compare_tuples(first, second, context)
    if isinstance(first, Interval) and isinstance(second, Interval):
        return _compare_intervals(first, second, context)
    for kind, code in ((Interval, Code.RANGE), (Tuple, Code.INCOMPLETE)):
        if isinstance(first, kind) and _is_number(second):
            return different(code, f"one value where a {kind.__name__.lower()} belongs")
        if isinstance(second, kind) and _is_number(first):
            return different(code, f"a {kind.__name__.lower()} where one value belongs")
    alone = integrand_alone(first), integrand_alone(second)
    if alone[0] is not None and alone[1] is not None and alone[0][1] == alone[1][1]:
        return compare_values(alone[0][0], alone[1][0], context)
    context = context.for_nodes(first, second)
    try:
        lowered = context.components.lower(first), context.components.lower(second)
    except KindMismatchError as mismatch:
        return different(Code.OPERATOR, str(mismatch), method="kinds of operands")
    except UnlowerableError as part:
        return _by_structure(first, second, str(part))
    except TooLargeError as limit:
        return undecided(Code.RESOURCE_LIMIT, str(limit))
    lowered = with_integrands(*lowered)
    found = agreements(*lowered, context)
    if not found:
        kinds = ("a number", "a vector") if isinstance(lowered[0], tuple) else (
            "a vector", "a number")  # fmt: skip
        message = f"the answer is {kinds[0]} where {kinds[1]} belongs"
        return different(Code.OPERATOR, message, method="kinds of operands")
    return _judge(first, second, lowered, found, context)


_NUMBERS = (Number, Add, Mul, Power, Call, Constant)
"""Kinds that are one value each, unless a vector is in them."""


def _is_number(node: Expression) -> bool:
    return isinstance(node, _NUMBERS) and not is_vector(node)


def _judge(
    gold: Expression,
    answer: Expression,
    lowered: tuple[Lowered, Lowered],
    found: list[Agreement],
    context: Context,
) -> Comparison:
    statuses = {one.status for one in found}
    if statuses == {"same"}:
        methods = dict.fromkeys(one.method for one in found)
        names = tuple(name for one in found for name in one.rules)
        return same(method="; ".join(methods), rules=names)
    if "different" in statuses:
        units = unit_names(gold, answer)
        if units:
            pair = units_as_factors(gold, units), units_as_factors(answer, units)
            if pair != (gold, answer):
                return compare_values(*pair, context)
        matcher = ValueMatcher(gold, answer, context)
        if context.rules.rename_symbols:
            for pairs in renamings(gold, answer):
                if matcher(substitute_all(gold, dict(pairs))):
                    return same(method="renamed symbols", rules=("rename_symbols",))
        try:
            spend(500)
            return diagnose_values(gold, answer, found, matcher)
        except WorkLimitError:  # they differ, whatever the reason
            return different(Code.NOT_EQUIVALENT, "the values differ", method="points")
    if "undefined" in statuses:
        return different(Code.NOT_FINITE, "the answer has no value", method="points")
    if "too_large" in statuses:
        reason = next(one.reason for one in found if one.status == "too_large")
        return undecided(Code.RESOURCE_LIMIT, reason)
    reason = next(one.reason for one in found if one.status == "unclear")
    parts = [one if isinstance(one, tuple) else (one,) for one in lowered]
    unknown = all(any(map(integrates_unknowns, side)) for side in parts)
    if unknown and any(one.differs for one in found):
        message = "the integrals or sums differ" + _limits(gold, answer)
        return different(Code.NOT_EQUIVALENT, message, method="the same quadrature for both")
    if unknown:  # of which SymPy knows nothing
        return undecided(Code.UNDECIDED, f"cannot be decided: {reason}")
    tie = _tie(list(zip(*parts, strict=False)), reason)
    if tie.outcome == "same" or not any(one.differs for one in found):
        if tie.outcome == "different":
            return _explained(gold, answer, found, tie, context)
        return tie
    message = "the integrals or sums differ" + _limits(gold, answer)
    return different(Code.NOT_EQUIVALENT, message, method="the same quadrature for both")


def _explained(
    gold: Expression,
    answer: Expression,
    found: list[Agreement],
    tie: Comparison,
    context: Context,
) -> Comparison:
    """The reason for a difference that SymPy found, where the approximate values show one."""
    reason = diagnose_values(gold, answer, found, ValueMatcher(gold, answer, context))
    return tie if reason.code is Code.NOT_EQUIVALENT else replace(reason, method=tie.method)


def _limits(gold: Expression, answer: Expression) -> str:
    """Whether the integrals differ in their limits only."""
    sides = [
        [canonical(part) for part in walk(node) if isinstance(part, Integral)]
        for node in (gold, answer)
    ]
    for first, second in zip(*sides, strict=False):
        if isinstance(first, Integral) and isinstance(second, Integral):
            limits = (first.lower, first.upper) != (second.lower, second.upper)
            if limits and first.integrand == second.integrand:
                return " in their limits"
    return ""


def _tie(pairs: list[tuple[Expression, ...]], reason: str) -> Comparison:
    results = {break_tie(gold, answer) for gold, answer in pairs}
    if results == {"equal"}:
        return same(method="SymPy, confirmed by numbers")
    if "different" in results:
        message = "the values differ once integrals, sums and limits are carried out"
        return different(Code.NOT_EQUIVALENT, message, method="SymPy")
    # A divergence is what leaves it open, however long SymPy was given.
    if results & {"time", "memory", "work"} and "diverges" not in reason:
        return undecided(Code.RESOURCE_LIMIT, "simplification was stopped by its limits")
    return undecided(Code.UNDECIDED, f"cannot be decided: {reason}")


def _by_structure(gold: Expression, answer: Expression, reason: str) -> Comparison:
    """Expressions that points can't reach: SymPy where it can, otherwise what is written counts."""

    def carried(node: Expression) -> bool:
        return any(isinstance(part, Limit | Integral | Sum | Product) for part in walk(node))

    if carried(gold) or carried(answer):
        return _tie([(gold, answer)], reason)
    return undecided(Code.UNDECIDED, f"cannot be decided: {reason}")


def _compare_tuples(gold: Tuple, answer: Tuple, context: Context) -> Comparison:
    if gold.kind != answer.kind or len(gold.items) != len(answer.items):
        count = f"{len(answer.items)} values where {len(gold.items)} belong"
        return different(Code.INCOMPLETE, count, method="number of values")
    if gold.kind == "set":
        return match_values(gold.items, answer.items, context)
    results = [
        compare_values(first, second, context)
        for first, second in zip(gold.items, answer.items, strict=True)
    ]
    return joined(results)


def _compare_intervals(gold: Interval, answer: Interval, context: Context) -> Comparison:
    ends = [
        compare_values(gold.lower, answer.lower, context),
        compare_values(gold.upper, answer.upper, context),
    ]
    result = joined(ends)
    closed = (gold.closed_lower, gold.closed_upper) == (answer.closed_lower, answer.closed_upper)
    if result.outcome == "same" and not closed:
        message = "an end point is treated differently"
        return different(Code.STRICTNESS, message, method="ends of the interval")
    return result


def match_values(
    gold: tuple[Expression, ...], answer: tuple[Expression, ...], context: Context
) -> Comparison:
    """Compare two lists of values without order."""
    left = list(answer)
    missing: list[tuple[Expression, Comparison]] = []
    results = []
    for wanted in gold:
        best: Comparison | None = None
        for candidate in left:
            result = compare_values(wanted, candidate, context)
            if result.outcome == "same":
                left.remove(candidate)
                results.append(result)
                break
            best = best if best is not None and best.outcome != "undecided" else result
        else:
            if best is None:
                best = different(Code.INCOMPLETE, "a value is missing")
            missing.append((wanted, best))
    if not missing and not left:
        return joined(results)
    if missing and len(missing) == len(left) == 1:
        return missing[0][1]
    if len(gold) > len(answer):
        if results and context.rules.one_root_is_enough and not left:
            return joined(results).decided_by("one_root_is_enough")
        message = f"{len(answer)} of {len(gold)} values"
        rules = ("one_root_is_enough",) if results and not left else ()
        return different(Code.INCOMPLETE, message, rules=rules)
    if not missing:
        return different(Code.EXTRA_SOLUTION, "the right value and others that are wrong")
    return missing[0][1]


def joined(results: list[Comparison]) -> Comparison:
    """Same when all are; otherwise the first fault, wrong parts before undecided ones."""
    for outcome in ("different", "undecided"):
        for result in results:
            if result.outcome == outcome:
                return result
    if not results:
        return same(method="nothing to compare")
    rules = tuple(dict.fromkeys(name for result in results for name in result.rules))
    methods = dict.fromkeys(result.method for result in results if result.method)
    return same(method="; ".join(methods), rules=rules)
