"""Chat models: what the verifier needs of one, how one is found, and one with written replies."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Literal, Protocol, TypedDict

from ecliptic.errors import UsageError


class Message(TypedDict):
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class ChatModel(Protocol):
    """Any chat model: messages in, the text of the reply out."""

    def __call__(self, messages: Sequence[Message]) -> str:
        """The model's reply."""
        ...


def load_model(path: str) -> ChatModel:
    """A chat model from ``package.module:name``, or the scripted one in a file of JSON lines.

    A script (``replies.jsonl``) is a list of strings, each the reply to one call in order; it
    makes measurements repeatable without a provider.

    Raises
    ------
    UsageError
        Neither can be found.
    """
    import importlib
    from pathlib import Path

    if path.endswith(".jsonl"):
        try:
            lines = Path(path).read_text(encoding="utf-8").splitlines()
            return ScriptedModel([json.loads(line) for line in lines if line.strip()])
        except (OSError, ValueError) as error:
            raise UsageError(f"{path}: cannot be read as replies: {error}") from None
    module, _, name = path.partition(":")
    try:
        model = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError, ValueError):
        raise UsageError(
            f"no model '{path}': give package.module:name or a file of replies (.jsonl)"
        ) from None
    if not callable(model):
        raise UsageError(f"'{path}' is not callable: a model takes messages and returns text")
    chosen: ChatModel = model
    return chosen


class ScriptedModel:
    """Replies that were written beforehand, in order, then from the beginning again."""

    def __init__(self, replies: Sequence[Any]) -> None:
        if not replies:
            raise UsageError("a scripted model needs at least one reply")
        self._replies = [
            reply if isinstance(reply, str) else json.dumps(reply) for reply in replies
        ]
        self._next = 0

    def __call__(self, messages: Sequence[Message]) -> str:
        """The next reply, whatever was asked."""
        del messages
        reply = self._replies[self._next % len(self._replies)]
        self._next += 1
        return reply
