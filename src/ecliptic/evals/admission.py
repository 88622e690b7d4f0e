"""The budget of a whole run: an attempt begins only if it can be paid for.

Attempts that are under way are always finished, so that nothing paid for is thrown away; how
much they may still take is held back. Without a budget nothing is ever refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import anyio
from inspect_ai.model._model import sample_total_cost, sample_total_tokens
from inspect_ai.solver import Generate, Solver, TaskState, solver

from ecliptic.evals.stop_reasons import RUN_BUDGET_MARK

_LOOK_AGAIN_SECONDS = 0.1
TOKENS, COST = "tokens", "cost"


class RunBudgetError(Exception):
    """This attempt was not started; a further run with a larger budget takes it up."""


@dataclass
class RunBudget:
    """What a run may still spend, in tokens or in the currency of the price.

    Attributes
    ----------
    total
        The limit.
    unit
        ``tokens`` or ``cost``; for messages.
    expected
        What one attempt is expected to take; refined by what finished ones took.
    spent
        What finished attempts took, earlier runs into the same folder included.
    """

    total: float
    unit: str
    expected: float
    spent: float = 0.0
    refused: int = 0
    _finished: int = 0
    _finished_use: float = 0.0
    _held: dict[str, float] = field(default_factory=dict)

    @property
    def each(self) -> float:
        """What an attempt is now expected to take."""
        # The estimate counts as one attempt, so that a first cheap one does not open the gates.
        return (self.expected + self._finished_use) / (1 + self._finished)

    async def admit(self, attempt: str) -> None:
        """Wait until the attempt can be paid for.

        Raises
        ------
        RunBudgetError
            It cannot, even after all that are under way.
        """
        while self.spent + sum(self._held.values()) + self.each > self.total:
            if not self._held:
                self.refused += 1
                raise RunBudgetError(
                    f"{RUN_BUDGET_MARK} ({self.unit}): {self.spent:,.6g} of {self.total:,.6g} "
                    f"spent, an attempt takes about {self.each:,.6g}"
                )
            await anyio.sleep(_LOOK_AGAIN_SECONDS)
        self._held[attempt] = self.each

    def finish(self, attempt: str) -> None:
        """Book what the current sample used."""
        if self._held.pop(attempt, None) is None:
            return
        # A verifier's calls are among them.
        use = sample_total_cost() if self.unit == COST else sample_total_tokens()
        self.spent += use
        self._finished += 1
        self._finished_use += use


_budget: RunBudget | None = None


@contextmanager
def run_budget(budget: RunBudget | None) -> Iterator[None]:
    """Hold all attempts of this process to ``budget`` meanwhile."""
    global _budget
    before, _budget = _budget, budget
    try:
        yield
    finally:
        _budget = before


def book(attempt: str) -> None:
    """Called when an attempt has been scored."""
    if _budget is not None:
        _budget.finish(attempt)


@solver
def admission() -> Solver:
    """First step of a task's setup: wait for the run's budget."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        if _budget is not None:
            await _budget.admit(state.uuid)
        return state

    return solve
