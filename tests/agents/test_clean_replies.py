from __future__ import annotations

from typing import Any

import pytest
from inspect_ai.model import ChatMessageAssistant, ContentText, ModelOutput, ModelUsage
from inspect_ai.tool import ToolCall

from ecliptic.agents.clean_replies import MOST_LEVELS, cleaned


def output(content: Any, **arguments: Any) -> ModelOutput:
    reply = ModelOutput.from_content("model", "")
    call = ToolCall(id="1", function="python", arguments=arguments)
    reply.choices[0].message = ChatMessageAssistant(content=content, tool_calls=[call])
    return reply


@pytest.mark.parametrize(
    ("text", "expected"), [("a\ud800b", "a\ufffdb"), ("\ud83d\udca1", "\U0001f4a1")]
)
def test_halves_of_characters_are_mended_wherever_they_stand(text, expected) -> None:
    message = cleaned(output([ContentText(text=text)], code=[{text: text}])).message
    assert message.text == expected
    assert message.tool_calls is not None
    assert message.tool_calls[0].arguments == {"code": [{expected: expected}]}
    message.model_dump_json()


def test_counts_of_tokens_that_cannot_be_are_the_nearest_that_can() -> None:
    reply = output("x")
    reply.usage = ModelUsage(
        input_tokens=-5, output_tokens=7, total_tokens=10**30, input_tokens_cache_read=-1
    )
    usage = cleaned(reply).usage
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens, usage.total_tokens) == (0, 7, 10**12)
    assert usage.input_tokens_cache_read == 0


def test_other_replies_are_not_touched() -> None:
    reply = output("x\x00", code="print(1)", n=float("nan"))
    assert cleaned(reply) is reply


def test_arguments_without_bottom_are_a_call_that_cannot_be_read() -> None:
    nested: list[Any] = []
    for _ in range(100_000):
        nested = [nested]
    (call,) = cleaned(output("x", planets=nested)).message.tool_calls or []
    assert call.arguments == {}
    assert str(MOST_LEVELS) in (call.parse_error or "")
