"""Do values agree? What all comparisons of one answer share, and trials of other expressions."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ecliptic.grading.bound_variables import with_integrands
from ecliptic.grading.components import (
    Components,
    KindMismatchError,
    Lowered,
    UnlowerableError,
)
from ecliptic.grading.differentiate import UndifferentiableError
from ecliptic.grading.expression import ZERO, Expression
from ecliptic.grading.interpretation import TooLargeError
from ecliptic.grading.quick_evaluate import quick_value
from ecliptic.grading.rules import Rules
from ecliptic.grading.sampling import draw, free_symbols
from ecliptic.grading.tree_walk import survey
from ecliptic.grading.values import Agreement, agree
from ecliptic.grading.work_budget import spend

MAX_TRIALS = 30
"""Slips of a formula that are tried in full; the first look leaves few to try."""


@dataclass(frozen=True)
class Context:
    """What all comparisons of one answer share."""

    rules: Rules
    seed: str
    components: Components

    def for_nodes(self, *nodes: Expression) -> Context:
        """The same context with what is known of the symbols of ``nodes``."""
        return replace(self, components=Components(*nodes))


class ValueMatcher:
    """Asks whether other expressions in the place of the gold would have been met."""

    def __init__(self, gold: Expression, answer: Expression, context: Context) -> None:
        self._context = context.for_nodes(gold, answer)
        self._budget = MAX_TRIALS
        self._gold = self._lower(gold)
        self._answer = self._lower(answer)
        symbols = free_symbols(*_parts_of(self._gold), *_parts_of(self._answer))
        sample = draw(symbols, context.seed, size=1)
        self._point = {s: complex(array[0]) for s, array in sample.values.items()}
        self._gold_values = self._quick(self._gold)
        self._answer_values = self._quick(self._answer)

    def __call__(self, other: Expression) -> bool:
        """Whether the answer equals ``other``."""
        lowered = self._lower(other)
        if lowered is None or _far(self._quick(lowered), self._answer_values):
            return False
        return self._agree(lowered, self._answer)

    def meets(self, gold: Expression, answer: Expression) -> bool:
        """Whether another answer equals the gold."""
        lowered = self._lower(answer)
        if lowered is None or _far(self._gold_values, self._quick(lowered)):
            return False
        return self._agree(self._gold, lowered)

    def _lower(self, node: Expression) -> Lowered | None:
        spend(8 * survey(node).count)
        try:
            return self._context.components.lower(node)
        except (KindMismatchError, UnlowerableError, UndifferentiableError, TooLargeError):
            return None

    def _quick(self, lowered: Lowered | None) -> list[complex | None]:
        seed = self._context.seed
        return [quick_value(part, self._point, seed) for part in _parts_of(lowered)]

    def _agree(self, gold: Lowered | None, answer: Lowered | None) -> bool:
        self._budget -= 1
        if gold is None or answer is None or self._budget < 0:
            return False
        try:
            found = agreements(*with_integrands(gold, answer), self._context)
        except TooLargeError:
            return False
        return bool(found) and all(one.status == "same" for one in found)


def _parts_of(lowered: Lowered | None) -> tuple[Expression, ...]:
    if lowered is None:
        return ()
    return lowered if isinstance(lowered, tuple) else (lowered,)


def _far(first: list[complex | None], second: list[complex | None]) -> bool:
    """Whether values at one point are surely different."""
    return len(first) != len(second) or any(
        a is not None and b is not None and abs(a - b) > 1e-3 * max(abs(a), abs(b))
        for a, b in zip(first, second, strict=True)
    )


def agreements(gold: Lowered, answer: Lowered, context: Context) -> list[Agreement]:
    """One agreement a component; empty when one side is a vector and the other is not."""
    if isinstance(gold, tuple) and isinstance(answer, tuple):
        pairs = list(zip(gold, answer, strict=True))
    elif not isinstance(gold, tuple) and not isinstance(answer, tuple):
        pairs = [(gold, answer)]
    elif answer == ZERO and isinstance(gold, tuple):
        pairs = [(part, ZERO) for part in gold]
    elif gold == ZERO and isinstance(answer, tuple):
        pairs = [(ZERO, part) for part in answer]
    else:
        return []
    found = []
    for first, second in pairs:
        found.append(agree(first, second, context.seed, context.rules))
    return found
