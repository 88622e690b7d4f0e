"""Finds the agents inside other people's solver chains, which call the model by themselves.

Such an agent never uses the ``generate`` that it is given, so it cannot be wrapped: it is replaced,
and what it brought along (tools, its own instructions, the tool that hands in) is kept.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inspect_ai._util.registry import is_registry_object, registry_info
from inspect_ai.agent import AgentPrompt, is_agent
from inspect_ai.model import ChatMessageSystem
from inspect_ai.solver import Solver
from inspect_ai.tool import Tool, ToolDef, ToolSource

_LOOPS = frozenset({"basic_agent_loop"})
_DEPTH = 4


@dataclass(frozen=True)
class ForeignAgent:
    """What an agent brought along; ``tools`` is None where it takes those of the task's state."""

    name: str
    tools: Sequence[Tool | ToolDef | ToolSource] | None
    instructions: str
    answer_tool: str | None


def flatten(solver: Solver) -> list[Solver]:
    """The links of a chain in their order; any other solver is its own only link."""
    if not isinstance(solver, Sequence):
        return [solver]
    return [link for part in solver for link in flatten(part)]


def link_name(link: Solver) -> str:
    """Registered name of a solver without its package."""
    if is_registry_object(link):
        return str(registry_info(link).name).rpartition("/")[2]
    return getattr(link, "__name__", type(link).__name__)


def find_foreign_agent(link: Solver, chain: Sequence[Solver]) -> ForeignAgent | None:
    """What ``link`` brings along if it is an agent, or None if it uses the given ``generate``."""
    name, inner = link_name(link), _enclosed(link)
    if name in _LOOPS:
        return ForeignAgent(name, None, "", _basic_submit_name(chain))
    agent = inner.get("agent")
    if agent is None or not is_agent(agent):
        return None
    for values in _levels(agent):
        tools = values.get("tools")
        if isinstance(tools, Sequence) and not isinstance(tools, str):
            submit = values.get("submit_tool")
            return ForeignAgent(
                name,
                list(tools),
                _instructions(values.get("system_message"), submit),
                submit.name if isinstance(submit, ToolDef) else None,
            )
    return ForeignAgent(name, None, "", None)


def _basic_submit_name(chain: Sequence[Solver]) -> str:
    names = [_enclosed(link).get("submit_name") for link in chain]
    return next((name for name in names if isinstance(name, str)), "submit")


def _instructions(message: object, submit: object) -> str:
    """The agent's own words, without Inspect's default ones, which urge parallel tool calls."""
    if not isinstance(message, ChatMessageSystem):
        return ""
    defaults, text = AgentPrompt(), message.text
    name = submit.name if isinstance(submit, ToolDef) else "submit"
    for part in (defaults.assistant_prompt, defaults.submit_prompt):
        text = text.replace((part or "").replace("{submit}", name), "")
    return text.strip()


def _enclosed(function: object) -> Mapping[str, Any]:
    """Variables that a function closes over; Inspect keeps an agent's tools nowhere else."""
    function = inspect.unwrap(function) if callable(function) else function
    return inspect.getclosurevars(function).nonlocals if inspect.isfunction(function) else {}


def _levels(function: object, depth: int = _DEPTH) -> Iterator[Mapping[str, Any]]:
    values = _enclosed(function)
    if values:
        yield values
    if depth:
        for value in values.values():
            if inspect.isfunction(value):
                yield from _levels(value, depth - 1)
