"""Whether an agent gets skills: ``none``, ``injected`` into its prompt, or read ``on_demand``."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from inspect_ai.solver import Solver

from ecliptic.errors import UsageError
from ecliptic.skills import index_text, injected_text, load_skills, skill_setup

SkillMode = Literal["none", "injected", "on_demand"]


class SkillUse(NamedTuple):
    """What skills add to an attempt, roughly, in tokens.

    Parameters
    ----------
    every_call
        Read again at every call: the skills themselves, or their index.
    readings
        Calls of the tool that reads one: on demand, as if half of them were read, once each.
    readings_add
        What all of these add to the conversation.
    """

    every_call: int = 0
    readings: int = 0
    readings_add: int = 0


NO_SKILLS = SkillUse()


def skill_use(mode: str, world: str) -> SkillUse:
    """What the skills of ``world`` add; for an estimate."""
    if mode == "none":
        return NO_SKILLS
    skills = load_skills(world=world)
    whole = len(injected_text(skills)) // 4
    if mode == "injected":
        return SkillUse(whole)
    return SkillUse(len(index_text(skills)) // 4, -(-len(skills) // 2), whole // 2)


def skill_steps(mode: str, world: str) -> list[Solver]:
    """Steps of a task's setup that give its agent the skills of ``world``.

    Raises
    ------
    UsageError
        There is no such mode.
    """
    if mode not in get_args(SkillMode):
        raise UsageError(f"skills: {mode!r} is none of {', '.join(get_args(SkillMode))}")
    return [] if mode == "none" else [skill_setup(mode, world)]
