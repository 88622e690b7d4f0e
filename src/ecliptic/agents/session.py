"""A session: one request for an answer, on which a pattern runs its stages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from inspect_ai.agent import AgentState
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    GenerateConfigArgs,
    ModelOutput,
)
from inspect_ai.solver import Generate, TaskState

from ecliptic.agents.attempt import attempt_over
from ecliptic.agents.contracts import Handover, check_reply
from ecliptic.agents.layout import in_conversation, quoted, repair_request
from ecliptic.agents.ledger import StageRecord, recorded_stage
from ecliptic.agents.model_calls import ModelCalls, ToolMode
from ecliptic.agents.role_prompts import read_prompt
from ecliptic.agents.stage import Pattern, Stage
from ecliptic.agents.tool_loop import MOST_TURNS, Advisor, run_tool_loop

Exchange = tuple[ModelOutput, list[ChatMessage]]

Converse = Callable[[list[ChatMessage], StageRecord], Awaitable[Exchange]]


class Session:
    """What a pattern works on.

    A pattern calls :meth:`ask` for roles that plan or judge, :meth:`work` for the role that has
    the task's tools, :meth:`close` for a role that words the final reply. The reply of the last
    :meth:`work` or :meth:`close` is the answer. Hand-overs are passed on by the contracts.

    Attributes
    ----------
    conversation
        The task's messages as they were when the answer was asked for.
    handovers
        What each stage handed on, by the stage's name.
    """

    def __init__(
        self,
        pattern: Pattern,
        state: TaskState,
        generate: Generate,
        *,
        tool_calls: ToolMode = "loop",
        config: GenerateConfigArgs | None = None,
        remembered: dict[str, Handover] | None = None,
        answer_tool: str | None = None,
    ) -> None:
        self.pattern = pattern
        self.state = state
        self.conversation = list(state.messages)
        self.handovers: dict[str, Handover] = {}
        self._over = False
        self.output: ModelOutput | None = None
        self._turns: list[ChatMessage] = []
        self._worked_last = False
        self._calls = ModelCalls(state, generate, config or GenerateConfigArgs())
        self._tool_calls: ToolMode = tool_calls
        self._answer_tool = answer_tool
        # With tool calls answered by the caller, planning is not done again at every turn.
        self._remembered = remembered if remembered is not None else {}
        if not (self.conversation and self.conversation[-1].role == "tool"):
            self._remembered.clear()

    @property
    def has_tools(self) -> bool:
        """Whether the working role has tools."""
        return bool(self.state.tools)

    def is_over(self) -> bool:
        """Whether no further stage is useful.

        A tool has ended the attempt, or the caller wants to answer the tool calls itself.
        """
        return self._over

    async def ask(
        self,
        stage: Stage,
        *,
        about: Sequence[ChatMessage] | None = None,
        notes: Sequence[str] = (),
    ) -> Handover:
        """Put a question about the task to a role that has no tools; the task is quoted.

        ``about`` replaces the conversation that is quoted, ``notes`` are further sections.
        """
        known = self._remembered.get(stage.name)
        if known is not None:
            self.handovers[stage.name] = known
            return known
        messages = quoted(
            self.conversation if about is None else about,
            stage.instructions(self.pattern.name),
            stage.contract.require(stage.name, self.handovers),
            stage.contract,
            tools=self.state.tools,
            work=self._turns if about is None else (),
            notes=notes,
        )

        async def converse(messages: list[ChatMessage], record: StageRecord) -> Exchange:
            schema = stage.contract.response_schema if self.pattern.constrained else None
            output = await self._calls.plain(messages, record, schema)
            return output, [*messages, output.message]

        handover, _, _ = await self._fulfil(stage, messages, converse)
        return handover

    async def work(
        self,
        stage: Stage,
        *,
        final: bool = False,
        revise: str | None = None,
        advisor: Advisor | None = None,
        max_turns: int = MOST_TURNS,
    ) -> Handover:
        """Let a role work on the task itself, with the task's tools.

        ``final`` says that its reply is the answer as it stands; ``revise`` is a remark on which it
        goes on from where it stopped; ``advisor`` is asked after every turn.
        """
        prompt = stage.instructions(self.pattern.name)
        if self.has_tools and self._tool_calls == "loop" and prompt:
            prompt = f"{prompt}\n\n{read_prompt('shared/tools')}"
        handed = stage.contract.require(stage.name, self.handovers)
        head = in_conversation(self.conversation, prompt, handed)
        turns = list(self._turns)
        if revise is not None:
            turns.append(ChatMessageUser(content=revise))

        async def converse(messages: list[ChatMessage], record: StageRecord) -> Exchange:
            if self.has_tools and self._tool_calls == "loop":
                live = AgentState(messages=messages)
                try:
                    await run_tool_loop(
                        live,
                        self.state.tools,
                        self._calls.for_agent(record, final, self.state.tool_choice),
                        answer_tool=self._answer_tool,
                        advisor=advisor,
                        max_turns=max(1, max_turns - record.calls),
                    )
                finally:
                    self._keep(head, live.messages)
                    self.output = live.output if self._turns else None
                return live.output, list(live.messages)
            return await self._calls.with_tools(messages, record, self._tool_calls, final=final)

        # Until the stage has ended well, what there is of its work is what there is to deliver.
        self._worked_last = True
        handover, self.output, messages = await self._fulfil(stage, [*head, *turns], converse)
        self._keep(head, messages)
        self._worked_last = final
        return handover

    async def close(self, stage: Stage) -> Handover:
        """Let a role word the final reply, in the task's conversation and without tools."""
        messages = in_conversation(
            self.conversation,
            stage.instructions(self.pattern.name),
            stage.contract.require(stage.name, self.handovers),
        )

        async def converse(messages: list[ChatMessage], record: StageRecord) -> Exchange:
            output = await self._calls.closing(messages, record)
            return output, [*messages, output.message]

        handover, self.output, _ = await self._fulfil(stage, messages, converse)
        self._worked_last = False
        return handover

    def deliver(self) -> TaskState:
        """Put the answer into the task's state, as Inspect's own ``generate`` would."""
        if self.output is None:
            return self.state
        turns = self._turns
        if not (self._worked_last or self._over):
            # What the worker said in between is in the log; the caller gets one reply.
            turns = [m for m in turns if m.role == "tool" or getattr(m, "tool_calls", None)]
            turns.append(self.output.message)
        self.state.messages.extend(turns)
        self.state.output = self.output
        return self.state

    def _keep(self, head: Sequence[ChatMessage], messages: Sequence[ChatMessage]) -> None:
        # Trimming may have shortened the list, so that its length says nothing.
        known = {message.id or id(message) for message in head}
        self._turns = [m for m in messages if (m.id or id(m)) not in known]

    async def _fulfil(
        self, stage: Stage, messages: list[ChatMessage], converse: Converse
    ) -> tuple[Handover, ModelOutput, list[ChatMessage]]:
        async with recorded_stage(self.pattern.name, stage.name, stage.role) as record:
            output, after = await converse(messages, record)
            self._look_whether_over(after)
            checked = check_reply(stage.contract, output)
            if checked.fault and not self._over:
                record.fault = checked.fault
                if checked.mendable and self.pattern.repairs > 0:
                    record.repaired = True
                    output, after = await converse([*after, repair_request(checked.fault)], record)
                    self._look_whether_over(after)
                    checked = check_reply(stage.contract, output)
                record.broken = bool(checked.fault) and not self._over
        handover = Handover(
            stage.name, stage.role, output.completion.strip(), checked.value, checked.fault
        )
        self.handovers[stage.name] = handover
        if self._tool_calls != "loop":
            self._remembered[stage.name] = handover
        return handover, output, after

    def _look_whether_over(self, messages: Sequence[ChatMessage]) -> None:
        last = messages[-1]
        waiting = isinstance(last, ChatMessageAssistant) and bool(last.tool_calls)
        self._over = (
            self._over
            or attempt_over() is not None
            or (self._tool_calls != "loop" and (waiting or last.role == "tool"))
        )
