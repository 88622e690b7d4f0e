from __future__ import annotations

import asyncio

import pytest

from ecliptic.evals import admission
from ecliptic.evals.admission import TOKENS, RunBudget, RunBudgetError


@pytest.fixture
def use(monkeypatch):
    """Sets what the current sample is said to have used."""

    def tokens(number: int) -> None:
        monkeypatch.setattr(admission, "sample_total_tokens", lambda: number)

    return tokens


def test_what_is_under_way_is_held_back(use) -> None:
    async def story() -> list[str]:
        budget, seen = RunBudget(250, TOKENS, expected=100), []
        await budget.admit("a")
        await budget.admit("b")
        waiting = asyncio.create_task(budget.admit("c"))
        await asyncio.sleep(0.15)
        seen.append("waits" if not waiting.done() else "begins")
        use(20)
        budget.finish("a")  # cheaper than thought: c can be paid for
        await asyncio.wait_for(waiting, 5)
        use(160)
        budget.finish("b")
        budget.finish("c")
        with pytest.raises(RunBudgetError, match=r"\(tokens\): 340 of 250 spent"):
            await budget.admit("d")
        budget.finish("d")  # never begun, so nothing is booked
        return [*seen, f"{budget.spent:g}", str(budget.refused)]

    assert asyncio.run(story()) == ["waits", "340", "1"]


def test_the_estimate_tempers_what_the_first_attempts_took(use) -> None:
    async def story() -> float:
        budget = RunBudget(1000, TOKENS, expected=100)
        await budget.admit("a")
        use(20)
        budget.finish("a")
        return budget.each

    assert asyncio.run(story()) == 60
