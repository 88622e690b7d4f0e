"""HMAW: a hierarchy, each level of which instructs the next; three calls, no retries.

After Liu et al. (2024), "Towards Hierarchical Multi-Agent Workflows for Zero-Shot Prompt
Optimization", arXiv:2405.20252.
"""

from __future__ import annotations

from pydantic import BaseModel, Field

from ecliptic.agents.contracts import Contract
from ecliptic.agents.session import Session
from ecliptic.agents.stage import Pattern, Stage


class Briefing(BaseModel):
    """What the head of the organisation hands to the manager."""

    goal: str = Field(description="what is really asked", min_length=1)
    must_contain: list[str] = Field(description="what a complete answer contains", min_length=1)
    answer_form: str = Field(description="the form that the task demands, word for word, or none")
    pitfalls: list[str] = Field(description="where people usually go wrong")


class Instructions(BaseModel):
    """What the manager hands to the worker."""

    steps: list[str] = Field(description="what to do, in order", min_length=1)
    knowledge: list[str] = Field(description="facts, formulas and methods to use")
    checks: list[str] = Field(description="checks to make before answering")


_BRIEF = Stage("brief", "ceo", Contract(delivers=Briefing))
_INSTRUCT = Stage("instruct", "manager", Contract(needs=("brief",), delivers=Instructions))
_ANSWER = Stage("answer", "worker", Contract(needs=("instruct",)))


async def _run(session: Session) -> None:
    await session.ask(_BRIEF)
    await session.ask(_INSTRUCT)
    await session.work(_ANSWER, final=True)


HMAW = Pattern("hmaw", _run, repairs=0)
