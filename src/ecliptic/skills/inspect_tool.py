"""Skills for agents on Inspect: the tool ``read_skill``, and a step of a task's setup.

Inspect's own tool ``skill`` is not used: it copies skills into one of Inspect's sandboxes, which
the laboratory is not, and its description orders the model to call it before anything else, so
that the modes could not be compared. It reads the same folders.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import get_args

from ecliptic.errors import MissingExtraError, UsageError

if find_spec("inspect_ai") is None:
    raise MissingExtraError("skills as a tool", "agents")

from typing import Literal

from inspect_ai.model import ChatMessageSystem
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, ToolDef, ToolError, tool

from ecliptic.skills.library import load_skills
from ecliptic.skills.presentation import SkillReader, index_text, injected_text

Mode = Literal["injected", "on_demand"]
SKILLS_KEY = "ecliptic:skills"
"""Key of a sample's store: mode and names of the skills that its agent was given."""


@tool(name="read_skill")
def skill_tool(world: str | None = None, folder: str | None = None) -> Tool:
    """Reads a skill of that world, shipped or of a folder.

    Raises
    ------
    UsageError
        As :func:`ecliptic.skills.load_skills`.
    """
    reader = SkillReader(load_skills(world=world, folder=folder))

    async def execute(name: str, file: str = "") -> str:
        try:
            return reader(name, file)
        except UsageError as error:
            raise ToolError(str(error)) from None

    return ToolDef(
        execute,
        name="read_skill",
        description="Read a skill: how a part of this kind of work is done, with code.",
        parameters={
            "name": "Name of the skill, as listed",
            "file": "A file beside it that it names; leave out for the skill itself",
        },
    ).as_tool()


@solver
def skill_messages(mode: str, world: str | None = None, folder: str | None = None) -> Solver:
    """Puts skills before the agent; see :func:`ecliptic.skills.skill_setup`."""
    if mode not in get_args(Mode):
        raise UsageError(f"skills: {mode!r} is none of {', '.join(get_args(Mode))}")
    skills = load_skills(world=world, folder=folder)
    on_demand = mode == "on_demand"
    text = index_text(skills) if on_demand else injected_text(skills)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        # Behind the task's own system messages, which say what is to be done.
        at = next(
            (i for i, message in enumerate(state.messages) if message.role != "system"),
            len(state.messages),
        )
        state.messages.insert(at, ChatMessageSystem(content=text))
        if on_demand:
            state.tools = [*state.tools, skill_tool(world, folder)]
        state.store.set(SKILLS_KEY, {"mode": mode, "names": [skill.name for skill in skills]})
        return state

    return solve
