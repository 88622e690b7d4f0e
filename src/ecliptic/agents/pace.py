"""PACE: plan, answer, critique (which may send back once), enclose."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from ecliptic.agents.contracts import Contract
from ecliptic.agents.role_prompts import read_prompt
from ecliptic.agents.session import Session
from ecliptic.agents.stage import Pattern, Stage


class Plan(BaseModel):
    """What the planner hands to the solver."""

    asked: str = Field(description="what is asked", min_length=1)
    steps: list[str] = Field(description="what to do, in order", min_length=1)
    answer_form: str = Field(description="the form that the task demands, word for word, or none")


class Critique(BaseModel):
    """What the critic says of an answer."""

    errors: list[str] = Field(description="errors that change the answer, and how to mend them")
    verdict: Literal["accept", "revise"] = Field(description="revise only for such an error")


def _reasons_given(critique: Critique) -> str | None:
    if critique.verdict == "revise" and not any(error.strip() for error in critique.errors):
        return "the verdict is revise, but no error is named"
    return None


_PLAN = Stage("plan", "planner", Contract(delivers=Plan))
_ANSWER = Stage("answer", "solver", Contract(needs=("plan",)))
_CRITIQUE = Stage(
    "critique", "critic", Contract(("answer",), delivers=Critique, checkpoint=_reasons_given)
)
_REVISE = Stage("revise", "solver", Contract(needs=("plan",)))
_ENCLOSE = Stage("enclose", "formatter", Contract(needs=("answer", "critique")))


async def _run(session: Session) -> None:
    await session.ask(_PLAN)
    await session.work(_ANSWER)
    if session.is_over():
        return
    critique = await session.ask(_CRITIQUE)
    judged = critique.get(Critique)
    enclose = _ENCLOSE
    if judged is not None and judged.verdict == "revise":
        report = "\n".join(f"- {error}" for error in judged.errors)
        await session.work(_REVISE, revise=read_prompt("shared/revise").replace("{report}", report))
        if session.is_over():
            return
        enclose = _ENCLOSE_REVISED
    await session.close(enclose)


# The critique was of the first answer; a formatter that saw it would mend the mended.
_ENCLOSE_REVISED = Stage("enclose", "formatter", Contract(needs=("revise",)))

PACE = Pattern("pace", _run)
