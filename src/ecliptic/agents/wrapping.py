"""Patterns on other people's benchmarks: their solver stays, only its ``generate`` is ours.

Prompt templates, answer formats, few-shot examples and post-processing live in a task's solver.
Replacing it loses them; wrapping it hands the same chain a ``generate`` behind which several roles
work.
"""

from __future__ import annotations

from collections.abc import Sequence

from inspect_ai import Task, task_with
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageSystem
from inspect_ai.solver import Generate, Solver, TaskState, chain, solver
from inspect_ai.tool import Tool, ToolDef, ToolSource
from inspect_ai.util import store

from ecliptic.agents.catalogue import find_pattern
from ecliptic.agents.foreign_agents import (
    ForeignAgent,
    find_foreign_agent,
    flatten,
    link_name,
)
from ecliptic.agents.generation import MultiAgentGenerate
from ecliptic.agents.stage import Pattern
from ecliptic.errors import UsageError

BYPASSED_KEY = "ecliptic:bypassed"


@solver
def wrapped(
    inner: Solver | Sequence[Solver], pattern: str | Pattern, answer_tool: str | None = None
) -> Solver:
    """``inner`` with a ``generate`` that answers by ``pattern``.

    An inner solver that never called it (it called the model by itself) was not reasoned for by
    the pattern; that is recorded in the store as ``ecliptic:bypassed``.
    """
    links = chain(list(inner) if isinstance(inner, Sequence) else inner)
    way = find_pattern(pattern)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        answer = MultiAgentGenerate(way, generate, answer_tool=answer_tool)
        state = await links(state, answer)
        if not answer.requests:
            store().set(BYPASSED_KEY, True)
            transcript().info(
                f"The task's solver never asked for an answer, so '{way.name}' did not take part.",
                source="ecliptic/wrapped",
            )
        return state

    return solve


def wrap_task(
    task: Task,
    pattern: str | Pattern,
    tools: Sequence[Tool | ToolDef | ToolSource] | None = None,
) -> Task:
    """``task`` answered by ``pattern``, in its own words and form; the task is changed in place.

    Agents in its solver, which call the model by themselves, are replaced by the pattern with the
    agent's tools and instructions; all else is kept. ``tools`` names the tools where they can't be
    found.

    Raises
    ------
    UsageError
        An agent's tools cannot be found and none are given, or there is no such pattern.
    """
    links, answer_tool = flatten(task.solver), None
    kept: list[Solver] = []
    for link in links:
        agent = find_foreign_agent(link, links)
        if agent is None:
            kept.append(link)
            continue
        own = agent.tools if tools is None else tools
        if own is None and agent.name != "basic_agent_loop":
            raise UsageError(
                f"the tools of agent '{link_name(link)}' in task '{task.name}' cannot be found: "
                "pass them as tools=[...]"
            )
        answer_tool = answer_tool or agent.answer_tool
        kept.append(_in_place_of(agent, own))
    return task_with(task, solver=wrapped(kept, pattern, answer_tool))


@solver(name="in_place_of_agent")
def _in_place_of(
    agent: ForeignAgent, tools: Sequence[Tool | ToolDef | ToolSource] | None
) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        if tools is not None:
            state.tools = await _resolved(tools)
        if agent.instructions:
            state.messages.insert(0, ChatMessageSystem(content=agent.instructions))
        return await generate(state)

    return solve


async def _resolved(tools: Sequence[Tool | ToolDef | ToolSource]) -> list[Tool]:
    found: list[Tool] = []
    for tool in tools:
        if isinstance(tool, ToolSource):
            found += await tool.tools()
        else:
            found.append(tool.as_tool() if isinstance(tool, ToolDef) else tool)
    return found
