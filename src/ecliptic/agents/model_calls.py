"""The calls that stages make: all through the ``generate`` that the task was given.

So the model, its decoding settings, the task's own overrides, caches and epochs are the same for
every stage, and the same as without a pattern.
"""

from __future__ import annotations

from typing import Literal, cast

from inspect_ai.agent import Agent, AgentState
from inspect_ai.model import (
    ChatMessage,
    GenerateConfigArgs,
    ModelOutput,
    ResponseSchema,
    get_model,
)
from inspect_ai.model._generate_config import active_generate_config
from inspect_ai.solver import Generate, TaskState
from inspect_ai.tool import Tool, ToolChoice, ToolFunction

from ecliptic.agents.ledger import StageRecord
from ecliptic.agents.response_schemas import for_server

ToolMode = Literal["loop", "single", "none"]
"""What Inspect's ``generate`` does with tool calls."""

_OF_THE_ANSWER = frozenset(
    {
        "best_of",
        "logit_bias",
        "logprobs",
        "max_tokens",
        "modalities",
        "num_choices",
        "prompt_logprobs",
        "response_schema",
        "stop_seqs",
        "top_logprobs",
    }
)
"""Overrides that shape one reply and not the decoding: for the answer alone. A task that allows
five tokens for a letter does not mean the plan."""


class ModelCalls:
    """Makes the model calls of one session.

    Parameters
    ----------
    state
        The task's state; never changed here.
    generate
        The function that the task was given.
    config
        Overrides that came with the request for an answer.
    """

    def __init__(self, state: TaskState, generate: Generate, config: GenerateConfigArgs) -> None:
        self._state = state
        self._generate = generate
        self._for_answer = config
        self._for_others = cast(
            GenerateConfigArgs,
            {key: value for key, value in config.items() if key not in _OF_THE_ANSWER},
        )

    async def plain(
        self,
        messages: list[ChatMessage],
        record: StageRecord,
        schema: ResponseSchema | None = None,
    ) -> ModelOutput:
        """One call without tools, constrained to ``schema`` where the provider can."""
        config = self._for_others
        if schema is not None:
            config = cast(GenerateConfigArgs, {**config, "response_schema": schema})
        return _without_calls((await self._call(messages, record, config)).output)

    async def closing(self, messages: list[ChatMessage], record: StageRecord) -> ModelOutput:
        """One call for the final reply: the caller's overrides hold, and tools are not used."""
        # Providers refuse a conversation with tool calls in it unless the tools come along.
        used = any(message.role == "tool" for message in messages)
        state = await self._call(
            messages,
            record,
            self._for_answer,
            tools=self._state.tools if used else [],
            tool_choice="none" if used else None,
        )
        return _without_calls(state.output)

    async def with_tools(
        self, messages: list[ChatMessage], record: StageRecord, mode: ToolMode, *, final: bool
    ) -> tuple[ModelOutput, list[ChatMessage]]:
        """One call with the task's tools, whose calls are resolved as ``mode`` says.

        A task without tools has nothing to resolve, and Inspect would ask a model that calls some
        all the same again and again, without end.
        """
        if mode == "loop" and not self._state.tools:
            config = self._for_answer if final else self._for_others
            output = _without_calls((await self._call(messages, record, config)).output)
            return output, [*messages, output.message]
        state = await self._call(
            messages,
            record,
            self._for_answer if final else self._for_others,
            mode,
            self._state.tools,
            self._state.tool_choice,
        )
        return state.output, list(state.messages)

    def for_agent(self, record: StageRecord, final: bool, tool_choice: ToolChoice | None) -> Agent:
        """The calls in the form that Inspect's tool loop takes instead of a model."""
        config = self._for_answer if final else self._for_others
        choice = tool_choice

        async def call(state: AgentState, tools: list[Tool]) -> AgentState:
            nonlocal choice
            reply = await self._call(state.messages, record, config, "none", tools, choice)
            state.output = reply.output
            state.messages.append(reply.output.message)
            # A tool that is forced is forced once, or the loop would never end.
            choice = "auto" if isinstance(choice, ToolFunction) else choice
            return state

        return cast(Agent, call)

    async def _call(
        self,
        messages: list[ChatMessage],
        record: StageRecord,
        config: GenerateConfigArgs,
        mode: ToolMode = "none",
        tools: list[Tool] | None = None,
        tool_choice: ToolChoice | None = None,
    ) -> TaskState:
        state = TaskState(
            model=self._state.model,
            sample_id=self._state.sample_id,
            epoch=self._state.epoch,
            input=self._state.input,
            messages=list(messages),
            metadata=self._state.metadata,
            sample_uuid=self._state.uuid,
        )
        state.tools = tools or []
        state.tool_choice = tool_choice
        # A task of ours may set one for all its calls; its lists are limited by the server, too.
        schema = config.get("response_schema") or active_generate_config().response_schema
        if schema is not None:
            config = {**config, "response_schema": for_server(schema, get_model())}
        record.calls += 1
        return await self._generate(state, tool_calls=mode, **config)


def _without_calls(output: ModelOutput) -> ModelOutput:
    """The reply to a request that offered no tools: its text.

    Calls in it answer to nothing, and a provider refuses a conversation that goes on behind them.
    """
    for choice in output.choices:
        if choice.message.tool_calls:
            choice.message = choice.message.model_copy(update={"tool_calls": None})
            choice.stop_reason = "stop"
    return output
