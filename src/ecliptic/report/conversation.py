"""The conversation of an attempt, stage by stage, from the events of its sample.

A stage is a span of type ``stage`` that an agent opened (:mod:`ecliptic.agents.ledger`). Where one
stage runs inside another (a reviewer inside a tool loop) the outer one is told in parts, in the
order in which things happened; stages that run side by side stay whole.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from ecliptic.report.inert_text import clipped
from ecliptic.report.sample_events import KeepImage, SampleEvents

PROMPT_LIMIT, TEXT_LIMIT, PAGE_LIMIT = 6_000, 12_000, 200_000
"""Characters kept of a prompt, of another text, and of all texts of a page."""
LEAST = 200
STAGES_KEY = "ecliptic:stages"
"""Of the ledger in the sample's store."""


@dataclass(slots=True)
class Turn:
    """One thing that happened.

    ``kind``: ``prompt`` (what the model read), ``reply``, ``call`` of a tool, ``result``,
    ``error``, ``note``. ``code`` is the source that a call runs.
    """

    kind: str
    who: str = ""
    text: str = ""
    code: str = ""
    reasoning: str = ""
    images: list[str] = field(default_factory=list)
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class StageUse:
    """A stage's entry in the ledger."""

    role: str
    calls: int
    tokens: int
    seconds: float
    repaired: bool
    broken: bool
    fault: str

    @classmethod
    def of(cls, entry: Mapping[str, Any]) -> Self:
        """From the store's JSON."""
        return cls(
            role=str(entry.get("role") or ""),
            calls=int(entry.get("calls") or 0),
            tokens=int(entry.get("input_tokens") or 0) + int(entry.get("output_tokens") or 0),
            seconds=float(entry.get("seconds") or 0.0),
            repaired=bool(entry.get("repaired")),
            broken=bool(entry.get("broken")),
            fault=str(entry.get("fault") or ""),
        )


@dataclass(slots=True)
class StagePart:
    """A stage, or a part of it; its first part has its entry in the ledger."""

    name: str
    use: StageUse | None = None
    continued: bool = False
    turns: list[Turn] = field(default_factory=list)


def stages_of(sample: Mapping[str, Any], keep_image: KeepImage) -> list[StagePart]:
    """What happened, in parts by stage; empty ones are left out.

    ``sample`` is the JSON of a log's sample.
    """
    return _Reader(SampleEvents(sample, keep_image)).read()


class _Reader:
    def __init__(self, events: SampleEvents) -> None:
        self._events = events
        self._left = PAGE_LIMIT
        self._spans: dict[str, tuple[str, str | None, bool]] = {}
        self._open: dict[str, StagePart] = {}
        self._read: dict[str, set[str]] = {}
        self._parts: list[StagePart] = []
        self._shown: set[str] = set()
        self._uses: dict[str, list[StageUse]] = {}
        for entry in events.ledger(STAGES_KEY):
            name = f"{entry.get('pattern')}/{entry.get('stage')}"
            self._uses.setdefault(name, []).append(StageUse.of(entry))

    def read(self) -> list[StagePart]:
        for event in self._events:
            kind = event.get("event")
            if kind == "span_begin":
                self._begin(event)
            elif kind == "model":
                self._model(event)
            elif kind == "tool":
                self._tool(event)
            elif kind == "info":
                self._add(event, Turn("note", "note", self._events.text(event.get("data"))))
            elif kind == "error":
                self._add(event, Turn("error", "run", self._message(event.get("error"))))
            elif kind == "sample_limit":
                self._add(event, Turn("error", "limit", self._events.text(event.get("message"))))
        parts = [part for part in self._parts if part.turns]
        return parts or [part for part in [self._without_events()] if part.turns]

    def _begin(self, event: Mapping[str, Any]) -> None:
        is_stage = event.get("type") == "stage"
        self._spans[event["id"]] = (str(event.get("name")), event.get("parent_id"), is_stage)
        if is_stage:  # the outer stage goes on in a part of its own
            self._open.pop(self._stage_of(event.get("parent_id")), None)

    def _stage_of(self, span: str | None) -> str:
        while span is not None and span in self._spans:
            _, parent, is_stage = self._spans[span]
            if is_stage:
                return span
            span = parent
        return ""

    def _part(self, event: Mapping[str, Any]) -> StagePart:
        stage = self._stage_of(event.get("span_id"))
        part = self._open.get(stage)
        if part is None:
            name = self._spans[stage][0] if stage else ""
            part = StagePart(name, continued=stage in self._read)
            self._read.setdefault(stage, set())
            uses = self._uses.get(name)
            if uses and not part.continued:
                part.use = uses.pop(0)
            self._open[stage] = part
            self._parts.append(part)
        return part

    def _add(self, event: Mapping[str, Any], turn: Turn) -> None:
        self._part(event).turns.append(self._fitted(turn))

    def _model(self, event: Mapping[str, Any]) -> None:
        self._part(event)
        seen = self._read[self._stage_of(event.get("span_id"))]
        for message in self._events.read_by(event):
            role = str(message.get("role"))
            mark = f"{role}:{message.get('content')}"
            if role in {"system", "user"} and mark not in seen:
                seen.add(mark)
                text, _, images = self._events.content(message.get("content"))
                images = [place for place in images if place not in self._shown]
                if text or images:
                    turn = Turn("prompt", role, clipped(text, PROMPT_LIMIT), images=images)
                    self._add(event, turn)
        if event.get("error"):
            self._add(event, Turn("error", "provider", self._message(event["error"])))
        reply = self._events.reply(event)
        if reply is not None:
            usage = (event.get("output") or {}).get("usage") or {}
            text, reasoning, images = self._events.content(reply.get("content"))
            turn = Turn("reply", "agent", _pretty(text), "", reasoning, images)
            turn.tokens = int(usage.get("total_tokens") or 0)
            self._add(event, turn)

    def _tool(self, event: Mapping[str, Any]) -> None:
        who = str(event.get("function"))
        arguments = self._events.whole(event.get("arguments"))
        code = arguments.get("code") if isinstance(arguments, dict) else None
        shown = code if isinstance(code, str) else self._events.text(arguments)
        self._add(event, Turn("call", who, code=shown))
        text, _, images = self._events.content(event.get("result"))
        if event.get("error"):
            self._add(event, Turn("error", who, self._message(event["error"])))
        elif text or images:
            self._add(event, Turn("result", who, text, images=images))

    def _message(self, error: Any) -> str:
        return self._events.text(error.get("message") if isinstance(error, dict) else error)

    def _without_events(self) -> StagePart:
        part = StagePart("")
        for message in self._events.messages:
            text, reasoning, images = self._events.content(message.get("content"))
            role = str(message.get("role"))
            kind = {"assistant": "reply", "tool": "result"}.get(role, "prompt")
            part.turns.append(self._fitted(Turn(kind, role, text, "", reasoning, images)))
        return part

    def _fitted(self, turn: Turn) -> Turn:
        """Within what is left of the page's share of characters."""
        for name in ("text", "code", "reasoning"):
            text = clipped(getattr(turn, name), min(TEXT_LIMIT, max(self._left, LEAST)))
            self._left -= len(text)
            setattr(turn, name, text)
        self._shown.update(turn.images)
        return turn


def _pretty(text: str) -> str:
    """A hand-over in JSON, indented."""
    if not text.lstrip().startswith("{"):
        return text
    try:
        return json.dumps(json.loads(text), indent=1, ensure_ascii=False)
    except (ValueError, RecursionError):
        return text
