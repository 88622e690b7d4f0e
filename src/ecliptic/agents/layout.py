"""How a stage's messages are laid out: the task quoted as material, or spoken to directly."""

from __future__ import annotations

from collections.abc import Sequence

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    Content,
    ContentText,
)
from inspect_ai.tool import Tool, ToolDef

from ecliptic.agents.contracts import Contract, Handover, describe_fields
from ecliptic.agents.role_prompts import read_prompt

_LONGEST_RESULT = 4000
"""Characters of a tool's result that a quotation keeps; the working role sees all of it."""


def in_conversation(
    conversation: Sequence[ChatMessage], prompt: str, handovers: Sequence[Handover]
) -> list[ChatMessage]:
    """The task's own messages, untouched, with the role's prompt after its system messages.

    The last thing that the model reads is therefore the task itself, word for word, with its
    demands on the form of the answer.
    """
    heads = next(
        (at for at, message in enumerate(conversation) if message.role != "system"),
        len(conversation),
    )
    text = "\n\n".join([prompt, *_sections(handovers)])
    own: list[ChatMessage] = [ChatMessageSystem(content=text)] if text else []
    return [*conversation[:heads], *own, *conversation[heads:]]


def quoted(
    conversation: Sequence[ChatMessage],
    prompt: str,
    handovers: Sequence[Handover],
    contract: Contract,
    *,
    tools: Sequence[Tool] = (),
    work: Sequence[ChatMessage] = (),
    notes: Sequence[str] = (),
) -> list[ChatMessage]:
    """A request about the task, for roles that plan, judge or advise but do not answer it.

    ``work`` is what the working role did with the tools, for those who judge it.
    """
    parts: list[Content] = [ContentText(text="# The task"), *quote(conversation)]
    if tools:
        lines = [f"- {name}: {what}" for name, what in map(_tool_line, tools)]
        parts.append(ContentText(text="\n".join(["# Tools of the one who works on it", *lines])))
    if any(message.role == "tool" for message in work):
        parts += [ContentText(text="# The work with the tools"), *quote(work)]
    parts += [ContentText(text=text) for text in [*notes, *_sections(handovers)]]
    if contract.delivers is not None:
        demand = f"{read_prompt('shared/handover')}\n{describe_fields(contract.delivers)}"
        parts.append(ContentText(text=f"# Your reply\n\n{demand}"))
    return [ChatMessageSystem(content=prompt), ChatMessageUser(content=_joined(parts))]


def quote(messages: Sequence[ChatMessage]) -> list[Content]:
    """Messages as material to read: roles named, images in their place, long results clipped."""
    parts: list[Content] = []
    named = sum(message.role == "user" for message in messages) != 1 or any(
        message.role in {"assistant", "tool"} for message in messages
    )
    for message in messages:
        if named:
            who = f"tool {message.function}" if isinstance(message, ChatMessageTool) else None
            parts.append(ContentText(text=f"[{who or message.role}]"))
        content = message.content
        items = [ContentText(text=content)] if isinstance(content, str) else content
        for item in items:
            if isinstance(item, ContentText):
                clipped = _clip(item.text) if message.role == "tool" else item.text
                parts.append(ContentText(text=clipped))
            elif item.type in {"image", "audio", "video", "document"}:
                parts.append(item)
        if isinstance(message, ChatMessageAssistant):
            parts += [
                ContentText(text=f"(calls {call.function} with {call.arguments})")
                for call in message.tool_calls or []
            ]
    return parts


def repair_request(fault: str) -> ChatMessageUser:
    """The one message that tells a stage what was wrong with its reply."""
    return ChatMessageUser(content=read_prompt("shared/repair").replace("{fault}", fault))


def called(messages: Sequence[ChatMessage], tool: str) -> bool:
    """Whether ``tool`` was called without an error."""
    return any(
        isinstance(message, ChatMessageTool) and message.function == tool and not message.error
        for message in messages
    )


def _sections(handovers: Sequence[Handover]) -> list[str]:
    return [f"# From the {item.role}: {item.stage}\n\n{item.shown()}" for item in handovers]


def _tool_line(tool: Tool) -> tuple[str, str]:
    definition = ToolDef(tool)
    return definition.name, definition.description.strip().split("\n")[0]


def _clip(text: str) -> str:
    if len(text) <= _LONGEST_RESULT:
        return text
    half = _LONGEST_RESULT // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[-half:]}"


def _joined(parts: Sequence[Content]) -> str | list[Content]:
    """One text where there is nothing but text, since not every provider takes lists."""
    joined: list[Content] = []
    for part in parts:
        last = joined[-1] if joined else None
        if isinstance(part, ContentText) and isinstance(last, ContentText):
            joined[-1] = ContentText(text=f"{last.text}\n\n{part.text}")
        else:
            joined.append(part)
    if len(joined) == 1 and isinstance(joined[0], ContentText):
        return joined[0].text
    return joined
