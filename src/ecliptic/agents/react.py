"""ReAct: think, call a tool, look, until the task is handed in.

After Yao et al. (2023), "ReAct: Synergizing Reasoning and Acting in Language Models",
arXiv:2210.03629.
"""

from __future__ import annotations

from ecliptic.agents.session import Session
from ecliptic.agents.stage import Pattern, Stage
from ecliptic.agents.tool_loop import MOST_TURNS

_ACT = Stage("act", "agent")


def make_react(max_turns: int = MOST_TURNS) -> Pattern:
    """The pattern, with at most ``max_turns`` model calls in its loop."""

    async def run(session: Session) -> None:
        await session.work(_ACT, final=True, max_turns=max_turns)

    return Pattern("react", run)


REACT = make_react()
