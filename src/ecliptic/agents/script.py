"""Scripts for the scripted provider: which reply is played when."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ecliptic.errors import UsageError

Fault = Literal[
    "bad_request",
    "dropped_connection",
    "empty",
    "malformed_json",
    "malformed_tool_call",
    "over_context",
    "rate_limit",
    "refusal",
    "server_error",
    "timeout",
    "unknown_tool",
]
RAISED: frozenset[str] = frozenset(
    {"bad_request", "dropped_connection", "rate_limit", "server_error", "timeout"}
)


class ScriptedCall(BaseModel):
    """A tool call in a reply."""

    model_config = ConfigDict(extra="forbid")

    function: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class ScriptedUsage(BaseModel):
    """Tokens that a reply is said to have used; without it, a quarter of the characters."""

    model_config = ConfigDict(extra="forbid")

    input: int = Field(ge=0)
    output: int = Field(ge=0)


class Line(BaseModel):
    """One line of a script: when it plays, and what it plays.

    The first line that matches and is not used up plays. ``stage`` (``pace/plan``, or ``plan``
    alone), ``turn`` (one more than the model's own replies in the request), ``sample`` (the
    sample's id), ``epoch`` and ``when`` (a text that the request holds) say when. ``times`` is how
    often it plays for each sample; without it a fault that is raised and a line without conditions
    play once, other lines always.
    """

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    stage: str | None = None
    turn: int | None = Field(default=None, ge=1)
    sample: str | int | None = None
    epoch: int | None = None
    when: str | None = None
    times: int | None = Field(default=None, ge=1)

    text: str = ""
    json_reply: Any = Field(default=None, alias="json")
    tool_calls: list[ScriptedCall] = Field(default_factory=list)
    stop_reason: Literal["stop", "max_tokens"] = "stop"
    usage: ScriptedUsage | None = None
    delay_seconds: float = Field(default=0.0, ge=0)
    fault: Fault | None = None

    @property
    def plays(self) -> int | None:
        """How often it plays for each sample; None is always."""
        if self.times is not None:
            return self.times
        free = (self.stage, self.turn, self.sample, self.epoch, self.when) == (None,) * 5
        return 1 if free or self.fault in RAISED else None

    def matches(
        self, *, stage: str, turn: int, sample: str | int | None, epoch: int, request: str
    ) -> bool:
        """Whether the line may play."""
        return (
            (self.stage is None or self.stage in {stage, stage.rpartition("/")[2]})
            and (self.turn is None or self.turn == turn)
            and (self.sample is None or str(self.sample) == str(sample))
            and (self.epoch is None or self.epoch == epoch)
            and (self.when is None or self.when in request)
        )

    def content(self) -> str:
        """The text of the reply."""
        return self.text if self.json_reply is None else json.dumps(self.json_reply)


def read_script(script: str | Path | Iterable[Any]) -> list[Line]:
    """Lines of a script from a JSON Lines file, or from texts, mappings and lines.

    Raises
    ------
    UsageError
        The file is missing or a line is not valid; the message names it.
    """
    if isinstance(script, str | Path):
        return [_line(item, f"{script}, line {at}") for at, item in _read_file(Path(script))]
    return [_line(item, f"script, entry {at}") for at, item in enumerate(script, start=1)]


def _read_file(path: Path) -> Sequence[tuple[int, Any]]:
    if path.exists() and not path.is_file():  # a pipe or a device could be read for ever
        raise UsageError(f"script {path} is no file: name a JSON Lines file")
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"script {path} cannot be read ({error}): name a JSON Lines file"
        ) from None
    items = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            items.append((number, json.loads(line)))
        except ValueError as error:
            raise UsageError(f"{path}, line {number}: not JSON ({error})") from None
    return items


def _line(item: Any, where: str) -> Line:
    if isinstance(item, Line):
        return item
    if isinstance(item, str):
        return Line(text=item)
    if not isinstance(item, Mapping):
        raise UsageError(f"{where}: must be a text or an object, not {type(item).__name__}")
    try:
        return Line.model_validate(item)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(str(part) for part in first["loc"])
        known = f"; faults are {', '.join(get_args(Fault))}" if field == "fault" else ""
        raise UsageError(f"{where}: field '{field}': {first['msg']}{known}") from None
