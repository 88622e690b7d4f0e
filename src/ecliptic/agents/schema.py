"""SCHEMA: requirements first, a small team of experts, synthesis, a guard, the final reply."""

from __future__ import annotations

from typing import Literal

from inspect_ai.util import collect
from pydantic import BaseModel, Field

from ecliptic.agents.contracts import Contract
from ecliptic.agents.session import Session
from ecliptic.agents.stage import Pattern, Stage

MOST_EXPERTS = 3


class Expert(BaseModel):
    """One member of the team."""

    field: str = Field(description="the expert's field")
    focus: str = Field(description="what this expert looks at")


class Architecture(BaseModel):
    """The task read as a specification."""

    question_type: str = Field(
        description="numeric, symbolic, textual, multiple choice, code or another", min_length=1
    )
    acceptance_checks: list[str] = Field(
        description="what any answer must meet, each verifiable by reading it", min_length=1
    )
    experts: list[Expert] = Field(
        description=f"one to {MOST_EXPERTS} experts with different views",
        min_length=1,
        max_length=MOST_EXPERTS,
    )


class Finding(BaseModel):
    """What an expert hands on."""

    reasoning: str = Field(description="the derivation, brief", min_length=1)
    result: str = Field(description="the result", min_length=1)
    confidence: Literal["low", "medium", "high"] = Field(description="how sure you are")
    warnings: list[str] = Field(description="what the others should watch for")


class Failure(BaseModel):
    """An acceptance check that a solution does not meet."""

    check: str
    change: str = Field(description="smallest change that mends it")


class GuardReport(BaseModel):
    """The requirements held against a proposed solution."""

    failed: list[Failure] = Field(description="checks that fail, word for word; empty if none")
    satisfied: bool = Field(description="whether every check holds")


def _consistent(report: GuardReport) -> str | None:
    if report.satisfied and report.failed:
        return "satisfied is true, but failing checks are named"
    if not report.satisfied and not report.failed:
        return "satisfied is false, but no failing check is named"
    return None


# The team that works where the architecture could not be read.
_GENERALIST = Expert(field="the task's field", focus="the whole task")

_ARCHITECTURE = Stage("architecture", "architect", Contract(delivers=Architecture))
_GUARD = Stage("guard", "guard", Contract(("architecture", "synthesis"), GuardReport, _consistent))
_FINAL = Stage("final", "finaliser", Contract(("architecture", "synthesis", "guard")))


async def _run(session: Session) -> None:
    designed = (await session.ask(_ARCHITECTURE)).get(Architecture)
    team = designed.experts if designed is not None else [_GENERALIST]
    members = [
        Stage(f"expert-{number}", "expert", Contract(("architecture",), Finding))
        for number in range(1, len(team) + 1)
    ]
    # At once, for they don't hear each other; their number is small.
    await collect(
        *(
            session.ask(
                member, notes=[f"# Your part\n\nField: {expert.field}\n\nFocus: {expert.focus}"]
            )
            for member, expert in zip(members, team, strict=True)
        )
    )
    needs = ("architecture", *(member.name for member in members))
    await session.work(Stage("synthesis", "synthesiser", Contract(needs)))
    if session.is_over():
        return
    await session.ask(_GUARD)
    await session.close(_FINAL)


SCHEMA = Pattern("schema", _run)
