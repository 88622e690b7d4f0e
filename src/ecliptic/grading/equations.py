"""Equations: the same when they have the same solutions, whatever the arrangement."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ecliptic.grading.canonical import canonical
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.components import KindMismatchError, Lowered, UnlowerableError
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.edits import dropped_terms, edits
from ecliptic.grading.evaluate import TooLargeError
from ecliptic.grading.expression import (
    ZERO,
    Expression,
    Relation,
    Symbol,
    Tuple,
    multiply,
)
from ecliptic.grading.quick_evaluate import quick_value
from ecliptic.grading.sampling import draw, free_symbols
from ecliptic.grading.spelling import spell
from ecliptic.grading.statements import has_signs, isolated, residual, with_sign
from ecliptic.grading.symbolic_diagnosis import renamed_symbols, swapped_symbols
from ecliptic.grading.tree_walk import survey
from ecliptic.grading.value_equivalence import Context, compare_values, match_values
from ecliptic.grading.zero_sets import Solutions, compare_zeros

MAX_TRIALS = 12
"""Slips of an equation that are tried in full; the first look leaves few to try."""


def compare_equations(
    gold: Relation, answer: Relation, context: Context, *, explain: bool = True
) -> Comparison:
    """Whether two equations say the same, and if not, why (unless ``explain`` is off)."""
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
    return match_values(_both(gold), _both(answer), context)


def _both(node: Expression) -> tuple[Expression, ...]:
    return (with_sign(node, 1), with_sign(node, -1)) if has_signs(node) else (node,)


def compare_signed_values(gold: Expression, answer: Expression, context: Context) -> Comparison:
    """Values, with plus-minus signs standing for two values."""
    return _compare_signed(gold, answer, context)


class _EquationMatcher:
    """Asks whether another equation in the place of the gold would have been met."""

    def __init__(
        self, gold: Expression, answer: Expression, subject: Symbol | None, context: Context
    ) -> None:
        self._subject = subject
        self._context = context
        self._budget = MAX_TRIALS
        self._gold, self._answer = _lowered(gold, context), _lowered(answer, context)
        symbols = free_symbols(*self._gold, *self._answer)
        sample = draw(symbols, context.seed, size=2)
        self._points = [
            {s: complex(array[index]) for s, array in sample.values.items()} for index in (0, 1)
        ]
        self._gold_values, self._answer_values = self._quick(self._gold), self._quick(self._answer)

    def __call__(self, other: Expression) -> bool:
        """Whether the answer has the solutions of ``other``."""
        lowered = self._lower(other)
        if lowered is None or _disproportionate(self._quick(lowered), self._answer_values):
            return False
        return self._agree(lowered, self._answer)

    def meets(self, gold: Expression, answer: Expression) -> bool:
        """Whether another answer has the solutions of the gold."""
        lowered = self._lower(answer)
        if lowered is None or _disproportionate(self._gold_values, self._quick(lowered)):
            return False
        return self._agree(self._gold, lowered)

    def _lower(self, node: Expression) -> tuple[Expression, ...] | None:
        try:
            return _lowered(node, self._context)
        except (KindMismatchError, UnlowerableError, TooLargeError):
            return None

    def _quick(self, parts: tuple[Expression, ...]) -> list[complex | None]:
        seed = self._context.seed
        return [quick_value(part, point, seed) for part in parts for point in self._points]

    def _agree(self, gold: tuple[Expression, ...], answer: tuple[Expression, ...]) -> bool:
        self._budget -= 1
        if self._budget < 0:
            return False
        try:
            found = compare_zeros(gold, answer, self._context.seed, self._subject, search=False)
        except TooLargeError:
            return False
        return found.status == "same"


def _disproportionate(gold: list[complex | None], answer: list[complex | None]) -> bool:
    """A quick look at two points: a slip leaves the arrangement of the equation as it was."""
    ratios = [a / g for g, a in zip(gold, answer, strict=False) if g and a]
    return any(abs(ratio - ratios[0]) > 1e-6 * abs(ratios[0]) for ratio in ratios)


def _compare_solutions(
    gold: Relation, answer: Relation, context: Context, explain: bool
) -> Comparison:
    first, second = _residual(gold), _residual(answer)
    golden = isolated(gold)
    subject = golden[0][0] if golden and isinstance(golden[0][0], Symbol) else None
    context = context.for_nodes(first, second)
    try:
        solutions = _solutions(first, second, subject, context)
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
            return _diagnose(gold, answer, (first, second), subject, context, solutions)


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
    gold: Expression, answer: Expression, subject: Symbol | None, context: Context
) -> Solutions:
    first, second = (_lowered(node, context) for node in (gold, answer))
    found = compare_zeros(first, second, context.seed, subject)
    if len(first) != len(second):
        raise KindMismatchError("a vector equation and one between numbers")
    return found


def _lowered(node: Expression, context: Context) -> tuple[Expression, ...]:
    if isinstance(node, Tuple):
        return tuple(context.components.scalar(item) for item in node.items)
    lowered: Lowered = context.components.lower(node)
    return lowered if isinstance(lowered, tuple) else (lowered,)


def _diagnose(
    gold: Relation,
    answer: Relation,
    residuals: tuple[Expression, Expression],
    subject: Symbol | None,
    context: Context,
    solutions: Solutions,
) -> Comparison:
    matches = _EquationMatcher(*residuals, subject, context)
    evidence: dict[str, Any] = {"gold": spell(gold), "answer": spell(answer)}
    method = solutions.method

    side = _one_side_differs(gold, answer, context)
    if side is not None:
        return side
    if not survey(gold).symbols & survey(answer).symbols:
        message = "an equation between other quantities"
        return different(Code.WRONG_VARIABLE, message, method=method, **evidence)
    renamed = renamed_symbols(*residuals, matches)
    if renamed is not None:
        if context.rules.rename_symbols:
            return same(method="renamed symbols", rules=("rename_symbols",))
        return different(
            Code.WRONG_VARIABLE, renamed[0], method=method, symbols=renamed[1], **evidence
        )
    for term, rest in dropped_terms(residuals[1]):
        if rest != ZERO and matches.meets(residuals[0], rest):
            message = f"the term {term} is too much"
            return different(Code.EXTRA_TERM, message, method=method, term=term, **evidence)
    for edit in edits(residuals[0]):
        if matches(edit.result):
            return different(edit.code, edit.message, method=method, part=edit.part, **evidence)
    swapped = swapped_symbols(*residuals, matches)
    if swapped is not None:
        return different(Code.SWAPPED, swapped[0], method=method, symbols=swapped[1], **evidence)
    message = "the equation has other solutions than the right one"
    return different(Code.NOT_EQUIVALENT, message, method=method, **evidence)


def _one_side_differs(gold: Relation, answer: Relation, context: Context) -> Comparison | None:
    """With one side in common, the other sides tell what is wrong."""
    assert gold.left is not None
    assert answer.left is not None
    sides = ((gold.left, gold.right), (gold.right, gold.left))
    for kept, compared in sides:
        for common, other in ((answer.left, answer.right), (answer.right, answer.left)):
            if canonical(kept) == canonical(common):
                result = compare_values(compared, other, context)
                if result.outcome == "different":
                    evidence = {**result.evidence, "common_side": spell(kept)}
                    return replace(result, evidence=evidence)
    return None
