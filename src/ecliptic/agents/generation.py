"""A pattern as Inspect's ``generate``: what a solver chain calls, answered by several roles."""

from __future__ import annotations

from inspect_ai.model import GenerateConfigArgs, get_model
from inspect_ai.solver import Generate, TaskState
from inspect_ai.util import span
from typing_extensions import Unpack

from ecliptic.agents.clean_replies import clean_replies
from ecliptic.agents.contracts import Handover
from ecliptic.agents.model_calls import ToolMode
from ecliptic.agents.session import Session
from ecliptic.agents.stage import Pattern


class MultiAgentGenerate:
    """Stands in for the ``generate`` that a solver is given; one for each sample.

    Parameters
    ----------
    pattern
        How to reason.
    generate
        The function that it stands in for; every call of every stage goes through it.
    answer_tool
        The tool whose result is the answer, if the task has such a tool.
    """

    def __init__(
        self, pattern: Pattern, generate: Generate, *, answer_tool: str | None = None
    ) -> None:
        self.requests = 0
        self._pattern = pattern
        self._generate = generate
        self._answer_tool = answer_tool
        self._remembered: dict[str, Handover] = {}

    async def __call__(
        self,
        state: TaskState,
        tool_calls: ToolMode = "loop",
        **kwargs: Unpack[GenerateConfigArgs],
    ) -> TaskState:
        """Answer the conversation in ``state``; the arguments are those of Inspect's own."""
        self.requests += 1
        clean_replies(get_model())
        session = Session(
            self._pattern,
            state,
            self._generate,
            tool_calls=tool_calls,
            config=kwargs,
            remembered=self._remembered,
            answer_tool=self._answer_tool,
        )
        try:
            async with span(self._pattern.name, type="pattern"):
                await self._pattern.run(session)
        finally:
            # What was done before a limit or an error is in the log and can be scored.
            session.deliver()
        return state
