"""The scripted provider ``scripted/FILE``: plays given replies, faults and delays; no network.

For tests and dry runs of whole tables: ``--model scripted/replies.jsonl``, or
``--model scripted/any -M script=replies.jsonl``, or in Python
``get_model("scripted/any", script=[...])``. Nothing is counted with a downloaded tokenizer, and a
sample's replies depend on its own requests alone, however many samples run at once.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import anyio
from inspect_ai.log._samples import sample_active
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelCall,
    ModelOutput,
    ModelUsage,
    RetryDecision,
    modelapi,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo
from tenacity import wait_fixed
from tenacity.wait import WaitBaseT

from ecliptic.agents.inspect_errors import in_one_line
from ecliptic.agents.ledger import current_stage
from ecliptic.agents.script import RAISED, Line, read_script

_RETRY_SECONDS = 0.001


class ScriptedError(Exception):
    """What a provider raises; ``status_code`` as a real one would give it."""

    def __init__(self, message: str, status_code: int | None = None) -> None:
        super().__init__(message)
        self.status_code = status_code


_RAISE: dict[str, tuple[str, int | None]] = {
    "bad_request": ("400 the request is not valid", 400),
    "rate_limit": ("429 too many requests", 429),
    "server_error": ("500 internal server error", 500),
    "timeout": ("the request timed out", None),
    "dropped_connection": ("the connection was dropped", None),
}


class ScriptedAPI(ModelAPI):
    """Plays a script.

    Parameters
    ----------
    model_name
        Path of the script, unless ``script`` is given.
    script
        Path of the script, or its lines.
    keep_requests
        Keep stage and messages of each request in ``requests``, for tests.
    """

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 - the signature of Inspect's base
        script: Any = None,
        keep_requests: bool = False,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self._lines = in_one_line(read_script)(model_name if script is None else script)
        self._played: dict[str, Counter[int]] = {}
        self.requests: list[tuple[str, list[ChatMessage]]] = []
        self._keep_requests = keep_requests

    async def generate(
        self,
        input: list[ChatMessage],  # noqa: A002 - the signature of Inspect's base
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> tuple[ModelOutput, ModelCall]:
        """Play the line that matches the request."""
        stage = current_stage()
        if self._keep_requests:
            self.requests.append((stage, list(input)))
        line, request = self._next(stage, input), _as_text(input)
        if line.delay_seconds:
            await anyio.sleep(line.delay_seconds)
        if line.fault in RAISED:
            raise ScriptedError(*_RAISE[str(line.fault)])
        output = _played(line, self.model_name)
        output.usage = _usage(line, request, output)
        seen = {"stage": stage, "messages": len(input), "tools": [tool.name for tool in tools]}
        return output, ModelCall.create(
            {**seen, "tool_choice": str(tool_choice), **config.model_dump(exclude_none=True)},
            {"content": output.completion},
        )

    def should_retry(self, ex: Exception) -> RetryDecision:
        """Whether to try again, as for a real provider: all faults but a bad request."""
        if not isinstance(ex, ScriptedError) or ex.status_code == 400:
            return RetryDecision.no()
        return RetryDecision.rate_limit() if ex.status_code == 429 else RetryDecision.transient()

    def retry_wait(self) -> WaitBaseT:
        """Hardly any: nobody is spared by waiting."""
        return wait_fixed(_RETRY_SECONDS)

    def max_connections(self) -> int:
        """As many as are asked for at once."""
        return 1000

    async def count_text_tokens(self, text: str) -> int:
        """A quarter of the characters."""
        return _tokens(text)

    def _next(self, stage: str, messages: list[ChatMessage]) -> Line:
        active = sample_active()
        sample = None if active is None else active.sample.id
        epoch = 1 if active is None else active.epoch
        played = self._played.setdefault("" if active is None else active.id, Counter())
        turn = 1 + sum(message.role == "assistant" for message in messages)
        request = _as_text(messages)
        for index, line in enumerate(self._lines):
            if (line.plays is None or played[index] < line.plays) and line.matches(
                stage=stage, turn=turn, sample=sample, epoch=epoch, request=request
            ):
                played[index] += 1
                return line
        raise ScriptedError(
            f"400 the script has no reply for stage '{stage}', turn {turn}, sample '{sample}'", 400
        )


def _played(line: Line, model: str) -> ModelOutput:
    text = line.content()
    if line.fault == "over_context":
        return ModelOutput.from_content(model, "the prompt is too long", "model_length")
    if line.fault == "refusal":
        return ModelOutput.from_content(model, text or "I cannot help with that.", "content_filter")
    if line.fault == "empty":
        return ModelOutput.from_content(model, "")
    if line.fault == "malformed_json":
        return ModelOutput.from_content(model, (text or '{"steps": ["one", "two"]}')[:-2])
    calls = [
        ToolCall(id=f"call-{at}", function=call.function, arguments=call.arguments)
        for at, call in enumerate(line.tool_calls, start=1)
    ]
    if line.fault == "unknown_tool":
        calls.append(ToolCall(id="call-unknown", function="no_such_tool", arguments={}))
    if line.fault == "malformed_tool_call":
        function = calls.pop().function if calls else "python"
        calls.append(
            ToolCall(
                id="call-malformed",
                function=function,
                arguments={},
                parse_error="the arguments are not valid JSON",
            )
        )
    output = ModelOutput.from_content(model, text, line.stop_reason)
    if calls:
        output.choices[0].message = ChatMessageAssistant(
            content=text, tool_calls=calls, model=model, source="generate"
        )
        output.choices[0].stop_reason = "tool_calls"
    return output


def _usage(line: Line, request: str, output: ModelOutput) -> ModelUsage:
    if line.usage is not None:
        read, written = line.usage.input, line.usage.output
    else:
        read, written = _tokens(request), _tokens(output.completion)
    return ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written)


def _tokens(text: str) -> int:
    return -(-len(text) // 4)


def _as_text(messages: list[ChatMessage]) -> str:
    return "\n".join(message.text for message in messages)


@modelapi(name="scripted")
def scripted() -> type[ModelAPI]:
    """The provider's class, for Inspect's registry."""
    return ScriptedAPI
