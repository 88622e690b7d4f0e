"""Router: picks one of the other patterns from the task's structure, by rules or by one call.

The rules follow where each pattern was reported strongest: HMAW on multiple choice, PACE on school
mathematics, PHASE and SCHEMA on questions with assumptions, units and several requirements, SCHEMA
on code, and a tool loop wherever there are tools.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from inspect_ai.log import transcript
from inspect_ai.util import store
from pydantic import BaseModel, Field

from ecliptic.agents.contracts import Contract
from ecliptic.agents.session import Session
from ecliptic.agents.stage import Pattern, Stage
from ecliptic.agents.structure import TaskStructure

ROUTE_KEY = "ecliptic:route"
_LONG = 1500


class Route(BaseModel):
    """What was chosen, by whom and why."""

    pattern: str
    chosen_by: str
    """The name of the rule, or ``model``."""
    why: str
    structure: TaskStructure


class Choice(BaseModel):
    """What the routing model hands on."""

    pattern: str = Field(description="one of the ways that are open")
    why: str = Field(description="the reason in one sentence")


@dataclass(frozen=True)
class Rule:
    """The first rule that holds decides."""

    name: str
    holds: Callable[[TaskStructure], bool]
    pattern: str
    why: str


RULES: tuple[Rule, ...] = (
    Rule("tools", lambda s: bool(s.tools), "react", "the task has tools to work with"),
    Rule("choices", lambda s: s.choices > 0, "hmaw", "the answer is one of several given"),
    Rule("code", lambda s: s.code, "schema", "code must meet a specification"),
    Rule("structured", lambda s: s.answer_type == "structured", "schema", "the form is specified"),
    Rule("parts", lambda s: s.parts > 1, "schema", "several parts must all be answered"),
    Rule("long", lambda s: s.characters > _LONG, "schema", "a long task has many requirements"),
    Rule("symbolic", lambda s: s.answer_type == "symbolic", "phase", "a derivation on assumptions"),
    Rule(
        "units",
        lambda s: s.answer_type == "numeric" and s.units,
        "phase",
        "a quantity whose unit can be checked",
    ),
    Rule("textual", lambda s: s.answer_type == "textual", "schema", "claims to be complete on"),
    Rule("otherwise", lambda _: True, "pace", "a short calculation"),
)


def route(structure: TaskStructure) -> Route:
    """Choose by the rules.

    >>> plain = dict(tools=(), choices=0, code=False, parts=0, characters=90, units=False)
    >>> route(TaskStructure(**plain, answer_type="numeric")).pattern
    'pace'
    >>> route(TaskStructure(**plain | {"choices": 4}, answer_type="numeric")).chosen_by
    'choices'
    """
    rule = next(rule for rule in RULES if rule.holds(structure))
    return Route(pattern=rule.pattern, chosen_by=rule.name, why=rule.why, structure=structure)


def make_router(patterns: Mapping[str, Pattern], ask_model: bool = False) -> Pattern:
    """The router over ``patterns``; with ``ask_model`` a model call chooses, with rules behind it.

    A task is routed once: later answers of the same sample go the same way.
    """

    def known(choice: Choice) -> str | None:
        if choice.pattern in patterns:
            return None
        return f"'{choice.pattern}' is not one of {', '.join(patterns)}"

    choose = Stage("choose", "router", Contract(delivers=Choice, checkpoint=known))

    async def decide(session: Session) -> Route:
        by_rule = route(TaskStructure.of(session.state))
        if not ask_model:
            return by_rule
        facts = by_rule.structure.model_dump_json(indent=2)
        ways = f"# Ways that are open\n\n{', '.join(patterns)}"
        handover = await session.ask(choose, notes=[ways, f"# Structure of the task\n\n{facts}"])
        choice = handover.get(Choice)
        if choice is None:
            return by_rule
        return by_rule.model_copy(
            update={"pattern": choice.pattern, "chosen_by": "model", "why": choice.why}
        )

    async def run(session: Session) -> None:
        earlier = store().get(ROUTE_KEY)
        if earlier is None:
            chosen = await decide(session)
            store().set(ROUTE_KEY, chosen.model_dump(mode="json"))
            transcript().info(chosen.model_dump(mode="json"), source="ecliptic/router")
        else:
            chosen = Route.model_validate(earlier)
        constrained = session.pattern.constrained
        session.pattern = replace(patterns[chosen.pattern], constrained=constrained)
        await session.pattern.run(session)

    return Pattern("router", run)
