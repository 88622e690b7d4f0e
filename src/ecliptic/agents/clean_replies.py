"""Replies of a model that every log can hold.

The JSON of a provider may name half of a surrogate pair, which no UTF-8 text can hold, or a tool
call may nest its arguments a thousand deep. Inspect cannot write a conversation with either, and
ends the whole run for it, other samples included.
"""

from __future__ import annotations

from typing import Any

from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelCall, ModelOutput, ModelUsage
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic_core import PydanticSerializationError

MOST_LEVELS = 100
"""Of lists and objects in the arguments of a tool call."""
MOST_TOKENS = 10**12
"""Of one call; so that no sum of them is more than every reader of logs takes."""
TOO_DEEP = f"the arguments are nested more than {MOST_LEVELS} deep"


def clean_replies(model: Model) -> None:
    """Clean a model's replies as they arrive, before they are logged; again is harmless."""
    api = model.api
    inner = api.generate
    if isinstance(inner, _Cleaned):
        return
    api.generate = _Cleaned(inner)  # type: ignore[method-assign]


class _Cleaned:
    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __call__(
        self,
        input: list[ChatMessage],  # noqa: A002 - the signature of Inspect's base
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput | tuple[ModelOutput | Exception, ModelCall]:
        reply = await self._inner(input=input, tools=tools, tool_choice=tool_choice, config=config)
        if isinstance(reply, tuple):
            output, call = reply
            return (cleaned(output) if isinstance(output, ModelOutput) else output), call
        return cleaned(reply)


def cleaned(output: ModelOutput) -> ModelOutput:
    """The output itself, or where no log could hold it, a copy that one can.

    The halves of a pair that stand together become their character, and single ones U+FFFD. A tool
    call that nests too deep is handed on as one that could not be read. A count of tokens that
    cannot be is the nearest one that can: less than none would be given back to every limit.
    """
    for choice in output.choices:
        for call in choice.message.tool_calls or []:
            if _levels(call.arguments) > MOST_LEVELS:
                call.arguments, call.parse_error = {}, TOO_DEEP
    output.usage = _possible(output.usage)
    try:
        output.model_dump_json()
    except PydanticSerializationError:
        return ModelOutput.model_validate(_whole(output.model_dump()))
    return output


def _possible(usage: ModelUsage | None) -> ModelUsage | None:
    if usage is None:
        return None
    counts = {name: each for name, each in usage if isinstance(each, int)}
    if all(0 <= count <= MOST_TOKENS for count in counts.values()):
        return usage
    mended = {name: min(max(0, count), MOST_TOKENS) for name, count in counts.items()}
    return usage.model_copy(update=mended)


def _levels(value: Any) -> int:
    """How deep lists and objects nest, counted no further than needed."""
    level, layer = 0, [value]
    while layer and level <= MOST_LEVELS:
        layer = [item for each in layer for item in _items(each)]
        level += 1
    return level


def _items(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _whole(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_whole(key): _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return value
