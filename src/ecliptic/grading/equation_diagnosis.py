"""Why an equation is wrong: another side, a slip, other symbols."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ecliptic.grading.canonical import canonical
from ecliptic.grading.comparison import Comparison, different, same
from ecliptic.grading.components import KindMismatchError, Lowered, UnlowerableError
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.edits import dropped_terms, edits
from ecliptic.grading.expression import (
    ZERO,
    Apply,
    Derivative,
    Expression,
    Relation,
    Symbol,
    Tuple,
)
from ecliptic.grading.interpretation import TooLargeError
from ecliptic.grading.inversion import solved_for
from ecliptic.grading.quick_evaluate import quick_value
from ecliptic.grading.sampling import draw, free_symbols
from ecliptic.grading.spelling import spell
from ecliptic.grading.symbol_exchange import renamed_symbols, swapped_symbols
from ecliptic.grading.symbolic_diagnosis import turned_sign
from ecliptic.grading.tree_walk import survey, walk
from ecliptic.grading.value_equivalence import compare_values
from ecliptic.grading.value_matcher import Context
from ecliptic.grading.work_budget import spend
from ecliptic.grading.zero_sets import Solutions, Unknown, compare_zeros

MAX_TRIALS = 12
"""Slips of an equation that are tried in full; the first look leaves few to try."""


def diagnose_equation(
    gold: Relation,
    answer: Relation,
    residuals: tuple[Expression, Expression],
    unknown: Unknown,
    context: Context,
    solutions: Solutions,
) -> Comparison:
    """Why the equations have other solutions; ``residuals`` are those of gold and answer."""
    matches = _EquationMatcher(*residuals, unknown, context)
    evidence: dict[str, Any] = {"gold": spell(gold), "answer": spell(answer)}
    method = solutions.method

    side = _one_side_differs(gold, answer, context)
    if side is not None:
        return side
    solved = _solved_alike(gold, answer, context)
    if solved is not None:
        return solved
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
    turned = turned_sign(*residuals, matches)
    if turned is not None:
        return different(turned.code, turned.message, method=method, part=turned.part, **evidence)
    message = "the equation has other solutions than the right one"
    return different(Code.NOT_EQUIVALENT, message, method=method, **evidence)


def _solved_alike(gold: Relation, answer: Relation, context: Context) -> Comparison | None:
    """The fault that shows when the gold is solved for what stands alone in the answer."""
    for subject, value in ((answer.left, answer.right), (answer.right, answer.left)):
        if not isinstance(subject, Symbol | Apply | Derivative) or value is None:
            continue
        found = solved_for(gold, subject)
        if found is None or any(part == subject for part in walk(value)):
            continue
        result = compare_values(found, value, context)
        if result.outcome == "different" and result.code is not Code.NOT_EQUIVALENT:
            return replace(result, method=f"solved for {spell(subject)}; {result.method}")
    return None


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


class _EquationMatcher:
    """Asks whether another equation in the place of the gold would have been met."""

    def __init__(
        self, gold: Expression, answer: Expression, unknown: Unknown, context: Context
    ) -> None:
        self._unknown = unknown
        self._context = context
        self._budget = MAX_TRIALS
        self._gold, self._answer = lowered_parts(gold, context), lowered_parts(answer, context)
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
        spend(8 * survey(node).count)
        try:
            return lowered_parts(node, self._context)
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
            found = compare_zeros(gold, answer, self._context.seed, self._unknown, search=False)
        except TooLargeError:
            return False
        return found.status == "same"


def _disproportionate(gold: list[complex | None], answer: list[complex | None]) -> bool:
    """A quick look at two points: a slip leaves the arrangement of the equation as it was."""
    ratios = [a / g for g, a in zip(gold, answer, strict=False) if g and a]
    return any(abs(ratio - ratios[0]) > 1e-6 * abs(ratios[0]) for ratio in ratios)


def lowered_parts(node: Expression, context: Context) -> tuple[Expression, ...]:
    """The scalar equations that an equation stands for."""
    if isinstance(node, Tuple):
        return tuple(context.components.scalar(item) for item in node.items)
    lowered: Lowered = context.components.lower(node)
    return lowered if isinstance(lowered, tuple) else (lowered,)
