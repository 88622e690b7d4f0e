"""What a run will take, roughly, before it begins: calls, tokens, cost.

The number of calls follows from the pattern; the tokens of a call are guesses (see the constants)
that models which reason at length exceed several times over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from inspect_ai import Task

from ecliptic.analysis.tables import text_table

CALLS = {
    "single_shot": 1,
    "hmaw": 3,
    "pace": 4,
    "phase": 5,
    "schema": 6,
    "react": 1,
    "mentor": 1,
    "router": 5,
}
"""Model calls of a pattern where nothing is repaired; the loop of tools counts as one."""

TURNS = 12
"""Turns of a loop of tools."""
REPLY_TOKENS = 700
ROLE_TOKENS = 350
TURN_TOKENS = 1_200
"""What a turn adds to the conversation: code, its output, a remark."""


class Prices(NamedTuple):
    """Of a million tokens, in any currency."""

    read: float
    written: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """What all attempts of one pattern take together."""

    pattern: str
    attempts: int
    calls: int
    read: int
    written: int

    @property
    def tokens(self) -> int:
        """Read and written."""
        return self.read + self.written

    def cost(self, prices: Prices) -> float:
        """In the currency of the prices."""
        return (self.read * prices.read + self.written * prices.written) / 1e6


def estimate(
    task: Task, pattern: str, *, tools: bool, epochs: int = 1, limit: int | None = None
) -> Estimate:
    """For all samples of a task (or the first ``limit``), once an epoch."""
    prompts = [-(-len(str(sample.input)) // 4) for sample in task.dataset][:limit]
    calls = CALLS.get(pattern, CALLS["router"])
    # Each call reads the task, its role's prompt and what was handed over before.
    read = sum(calls * (prompt + ROLE_TOKENS) for prompt in prompts)
    read += len(prompts) * REPLY_TOKENS * calls * (calls - 1) // 2
    written = len(prompts) * calls * REPLY_TOKENS
    if tools:
        more = TURNS - 1
        read += sum(more * (prompt + ROLE_TOKENS) for prompt in prompts)
        read += len(prompts) * TURN_TOKENS * TURNS * more // 2
        written += len(prompts) * more * REPLY_TOKENS
        calls += more
    return Estimate(
        pattern,
        epochs * len(prompts),
        epochs * len(prompts) * calls,
        epochs * read,
        epochs * written,
    )


def estimate_table(estimates: Sequence[Estimate], prices: Prices | None) -> str:
    """One line a pattern and the sum; a column of costs where prices are known."""
    total = Estimate(
        "all",
        sum(each.attempts for each in estimates),
        sum(each.calls for each in estimates),
        sum(each.read for each in estimates),
        sum(each.written for each in estimates),
    )
    header = ["estimate", "attempts", "calls", "tokens read", "written"]
    header += [] if prices is None else ["cost"]
    rows = [
        [
            each.pattern,
            f"{each.attempts:,}",
            f"{each.calls:,}",
            f"{each.read:,}",
            f"{each.written:,}",
            *([] if prices is None else [f"{each.cost(prices):,.2f}"]),
        ]
        for each in [*estimates, *([total] if len(estimates) > 1 else [])]
    ]
    return text_table(header, rows)
