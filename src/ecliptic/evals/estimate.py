"""What a run will take, roughly, before it begins: calls, tokens, cost.

The number of calls follows from the pattern and the skills; the tokens of a call are guesses (see
the constants) that models which reason at length exceed several times over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from inspect_ai import Task

from ecliptic.analysis.tables import text_table
from ecliptic.evals.skill_modes import NO_SKILLS, SkillUse

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
REQUEST_TOKENS = 50
"""A call of the tool that reads a skill."""


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
    task: Task,
    pattern: str,
    *,
    tools: bool,
    skills: SkillUse = NO_SKILLS,
    epochs: int = 1,
    limit: int | None = None,
) -> Estimate:
    """For all samples of a task (or the first ``limit``), once an epoch."""
    prompts = [-(-len(str(sample.input)) // 4) for sample in task.dataset][:limit]
    stages = CALLS.get(pattern, CALLS["router"])
    turns = TURNS if tools else 1
    replies = stages + turns - 1
    calls = replies + skills.readings
    # Each call reads the task, its role's prompt and what was handed over before; a turn reads all
    # turns before it. Skills are read first, one after another.
    read = calls * (ROLE_TOKENS + skills.every_call)
    read += REPLY_TOKENS * stages * (stages - 1) // 2
    read += TURN_TOKENS * turns * (turns - 1) // 2
    read += skills.readings_add * turns + skills.readings_add * skills.readings // 2
    written = replies * REPLY_TOKENS + skills.readings * REQUEST_TOKENS
    return Estimate(
        pattern,
        epochs * len(prompts),
        epochs * len(prompts) * calls,
        epochs * (calls * sum(prompts) + len(prompts) * read),
        epochs * len(prompts) * written,
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
