"""The tool loop: Inspect's own agent loop, with prompts and rules of when to stop of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from inspect_ai.agent import Agent, AgentState, react
from inspect_ai.model import ChatMessage, ChatMessageTool
from inspect_ai.tool import Tool, ToolDef

from ecliptic.agents.attempt import attempt_over
from ecliptic.agents.layout import called
from ecliptic.agents.role_prompts import read_prompt

Advisor = Callable[[Sequence[ChatMessage], int], Awaitable[str | None]]
"""Reads the messages after a turn (with the turn's number) and may return advice."""

SUBMIT_TOOL = "submit"
MOST_TURNS = 200
_MOST_URGES = 2


async def run_tool_loop(
    state: AgentState,
    tools: Sequence[Tool],
    model: Agent,
    *,
    answer_tool: str | None = None,
    advisor: Advisor | None = None,
    max_turns: int = MOST_TURNS,
) -> None:
    """Let the model call tools until it answers without one, or a tool ends the attempt.

    What was said is in ``state``, also where an error or a limit ends the loop.

    Where the task has a tool ``submit``, a model that stops without having called it is urged to
    go on, twice at most. A successful call of ``answer_tool`` ends the loop and its result is the
    answer, as agents of other benchmarks do it. Messages beyond the model's context are
    trimmed by Inspect.
    """
    submits = any(ToolDef(tool).name == SUBMIT_TOOL for tool in tools)
    turns, urges = 0, 0

    async def go_on(state: AgentState) -> bool | str:
        nonlocal turns, urges
        turns += 1
        answer = _result_of(answer_tool, state.messages)
        if answer is not None:
            state.output.completion = answer
            return False
        if attempt_over() is not None or turns >= max_turns:
            return False
        if state.output.message.tool_calls:
            # Inspect adds a message of its own to True only where no tool was called.
            return (await advisor(state.messages, turns) if advisor else None) or True
        if submits and urges < _MOST_URGES and not called(state.messages, SUBMIT_TOOL):
            urges += 1
            return read_prompt("shared/urge").replace("{tool}", SUBMIT_TOOL)
        return False

    loop = react(
        prompt=None,
        tools=list(tools),
        model=model,
        submit=False,
        on_continue=go_on,
        truncation="auto",
    )
    await loop(state)


def _result_of(tool: str | None, messages: Sequence[ChatMessage]) -> str | None:
    for message in reversed(messages):
        if not isinstance(message, ChatMessageTool):
            return None
        if message.function == tool and not message.error:
            return message.text
    return None
