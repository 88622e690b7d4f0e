"""The events of a sample's JSON, with what the log keeps apart put back in its place.

Inspect writes long texts once (``attachments``) and the messages that models read once
(``events_data.messages``, to which an event refers by ranges); read here without Inspect, since
its own reader takes several times as long.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

ATTACHMENT = "attachment://"
MAX_IMAGE_BYTES = 2_000_000
_DATA_URI = re.compile(r"data:image/(png|jpeg|gif|webp);base64,([A-Za-z0-9+/=\s]+)\Z")
KeepImage = Callable[[bytes, str], str]
"""Keeps an image, given with the ending of its name; returns where it is."""


class SampleEvents:
    """Events and messages of one sample."""

    def __init__(self, sample: Mapping[str, Any], keep_image: KeepImage) -> None:
        self._sample = sample
        self._attachments: Mapping[str, Any] = sample.get("attachments") or {}
        self._pool: list[Any] = (sample.get("events_data") or {}).get("messages") or []
        self._keep_image = keep_image

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (event for event in self._sample.get("events") or [] if isinstance(event, dict))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The conversation as it stood at the end."""
        return list(self._sample.get("messages") or [])

    def ledger(self, key: str) -> list[Mapping[str, Any]]:
        """Entries of a list in the sample's store."""
        entries = (self._sample.get("store") or {}).get(key) or []
        return [entry for entry in entries if isinstance(entry, Mapping)]

    def read_by(self, event: Mapping[str, Any]) -> list[dict[str, Any]]:
        """The messages that the model of an event read."""
        found = list(event.get("input") or [])
        for begin, end in event.get("input_refs") or []:
            found += self._pool[begin:end]
        return found

    def reply(self, event: Mapping[str, Any]) -> dict[str, Any] | None:
        """The message that it wrote."""
        choices = (event.get("output") or {}).get("choices") or []
        return dict(choices[0]["message"]) if choices else None

    def content(self, content: Any) -> tuple[str, str, list[str]]:
        """Text, reasoning, and the places of images."""
        if not isinstance(content, list):
            return self.text(content), "", []
        texts: list[str] = []
        reasoning: list[str] = []
        images: list[str] = []
        for item in content:
            kind = item.get("type") if isinstance(item, dict) else None
            if kind == "text":
                texts.append(self.text(item.get("text")))
            elif kind == "reasoning":
                reasoning.append(self.text(item.get("reasoning")))
            elif kind == "image":
                place = self._image(self.text(item.get("image")))
                texts += [] if place else ["[an image that cannot be shown]"]
                images += [place] if place else []
            else:
                texts.append(f"[{kind or 'something'}]")
        return "\n".join(texts), "\n".join(reasoning), images

    def text(self, value: Any) -> str:
        """A text, from where it is kept; anything else as JSON."""
        if isinstance(value, str):
            if value.startswith(ATTACHMENT):
                return str(self._attachments.get(value.removeprefix(ATTACHMENT), value))
            return value
        return "" if value is None else json.dumps(self.whole(value), indent=1, ensure_ascii=False)

    def whole(self, value: Any) -> Any:
        """A value with all texts in it put back."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self.whole(item) for item in value]
        if isinstance(value, dict):
            return {str(name): self.whole(item) for name, item in value.items()}
        return value

    def _image(self, uri: str) -> str:
        found = _DATA_URI.match(uri) if len(uri) <= 2 * MAX_IMAGE_BYTES else None
        if found is None:
            return ""
        try:
            return self._keep_image(base64.b64decode(found[2]), found[1])
        except binascii.Error:
            return ""
