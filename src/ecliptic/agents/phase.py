"""PHASE: plan, hypothesise, analyse, solve, evaluate; assumptions and units come before sums."""

from __future__ import annotations

from pydantic import BaseModel, Field

from ecliptic.agents.contracts import Contract
from ecliptic.agents.session import Session
from ecliptic.agents.stage import Pattern, Stage


class Outline(BaseModel):
    """What the planner hands on."""

    asked: str = Field(description="what is asked", min_length=1)
    given: list[str] = Field(description="quantities and facts that are given, with units")
    method: list[str] = Field(description="the way from what is given to the answer", min_length=1)
    answer_form: str = Field(description="the form that the task demands, word for word, or none")


class Assumption(BaseModel):
    """One assumption with its reason."""

    statement: str
    reason: str


class Hypothesis(BaseModel):
    """What the solution rests on."""

    assumptions: list[Assumption] = Field(description="each with the reason why it holds here")
    principle: str = Field(description="the governing relation or principle", min_length=1)
    required_units: str = Field(
        description='unit or dimension of the final answer, or "none"', min_length=1
    )


class Analysis(BaseModel):
    """How the solution is set up, and what it must agree with."""

    relations: list[str] = Field(description="the relations to solve, in order", min_length=1)
    dimensions: str = Field(description="the check of dimensions, and whether it holds")
    expectations: list[str] = Field(
        description="limiting cases or an order of magnitude that the result must agree with"
    )


_PLAN = Stage("plan", "planner", Contract(delivers=Outline))
_HYPOTHESISE = Stage("hypothesise", "hypothesiser", Contract(("plan",), Hypothesis))
_ANALYSE = Stage("analyse", "analyst", Contract(("plan", "hypothesise"), Analysis))
_SOLVE = Stage("solve", "solver", Contract(("plan", "hypothesise", "analyse")))
_EVALUATE = Stage("evaluate", "evaluator", Contract(("hypothesise", "analyse", "solve")))


async def _run(session: Session) -> None:
    await session.ask(_PLAN)
    await session.ask(_HYPOTHESISE)
    await session.ask(_ANALYSE)
    await session.work(_SOLVE)
    if not session.is_over():
        await session.close(_EVALUATE)


PHASE = Pattern("phase", _run)
