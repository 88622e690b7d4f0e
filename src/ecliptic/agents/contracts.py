"""Contracts between the stages of a pattern: what one needs, what it delivers, and what must hold.

A stage is a module of its own in the sense of STAR: it names the hand-overs that it needs, delivers
one (a pydantic model, or plain text), and a checkpoint decides whether the next stage may start. A
broken contract is data: one repair call says what was wrong, and whatever came of it is recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from inspect_ai.model import ModelOutput, ResponseSchema
from inspect_ai.util import json_schema
from pydantic import BaseModel, ValidationError

from ecliptic.agents.json_replies import read_json_objects
from ecliptic.agents.response_schemas import schema_of
from ecliptic.errors import UsageError

Delivered = TypeVar("Delivered", bound=BaseModel)

Checkpoint = Callable[[Any], str | None]
"""What must hold before the next stage starts; returns what is wrong, or None."""


@dataclass(frozen=True)
class Contract:
    """What a stage needs and delivers.

    Parameters
    ----------
    needs
        Names of the stages whose hand-overs this one is given.
    delivers
        Model of the hand-over, asked for as JSON; None for plain text that is not empty.
    checkpoint
        A rule beyond the model's own, on the delivered object (on the text where there is no
        model).
    """

    needs: tuple[str, ...] = ()
    delivers: type[BaseModel] | None = None
    checkpoint: Checkpoint | None = None

    @property
    def response_schema(self) -> ResponseSchema | None:
        """The schema for providers that constrain their output to one."""
        return None if self.delivers is None else schema_of(self.delivers)

    def require(self, stage: str, handovers: dict[str, Handover]) -> list[Handover]:
        """The hand-overs that ``stage`` needs.

        Raises
        ------
        UsageError
            A needed stage has not run: the pattern is put together wrongly.
        """
        missing = [name for name in self.needs if name not in handovers]
        if missing:
            raise UsageError(
                f"stage '{stage}' needs the hand-over of {', '.join(missing)}, "
                "which did not run before it: reorder the pattern's stages"
            )
        return [handovers[name] for name in self.needs]


NO_CONTRACT = Contract()
"""Needs nothing and delivers text that is not empty."""


@dataclass(frozen=True)
class Handover:
    """What a stage handed on; ``fault`` is empty where the contract held."""

    stage: str
    role: str
    text: str
    value: BaseModel | None = None
    fault: str = ""

    def get(self, model: type[Delivered]) -> Delivered | None:
        """The delivered object, or None where the contract was broken."""
        return self.value if isinstance(self.value, model) else None

    def shown(self) -> str:
        """The hand-over as the next stages read it: tidy where it was understood, else raw."""
        return self.text if self.value is None else self.value.model_dump_json(indent=2)


@dataclass(frozen=True)
class Checked:
    """Result of holding a reply against a contract."""

    value: BaseModel | None = None
    fault: str = ""
    mendable: bool = field(default=True)
    """Whether asking again can help: not after a refusal or with a prompt beyond the context."""


def check_reply(contract: Contract, output: ModelOutput) -> Checked:
    """Hold a reply against its contract."""
    reason = output.stop_reason if output.choices else "stop"
    if reason == "model_length":
        return Checked(fault="the prompt is longer than the model's context", mendable=False)
    if reason == "content_filter":
        return Checked(fault="the provider refused to reply", mendable=False)
    text = output.completion.strip()
    if not text:
        return Checked(fault="the reply is empty")
    if contract.delivers is None:
        return Checked(fault=(contract.checkpoint(text) if contract.checkpoint else None) or "")
    checked = _read(contract.delivers, text)
    if checked.value is None:
        if reason == "max_tokens":
            return Checked(fault=f"{checked.fault}; the reply was cut off: be briefer")
        return checked
    broken = contract.checkpoint(checked.value) if contract.checkpoint else None
    return Checked(value=None, fault=broken) if broken else checked


def _read(model: type[BaseModel], text: str) -> Checked:
    objects = read_json_objects(text)
    if not objects:
        return Checked(fault="it holds no JSON object")
    fault = ""
    # Models that think aloud put the object they mean last.
    for candidate in reversed(objects):
        try:
            return Checked(value=model.model_validate(candidate))
        except ValidationError as error:
            fault = fault or _in_words(error)
    return Checked(fault=fault)


def _in_words(error: ValidationError) -> str:
    faults = [
        f"field '{'.'.join(str(part) for part in item['loc']) or 'object'}': {item['msg']}"
        for item in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    more = f" and {len(faults) - 4} more" if len(faults) > 4 else ""
    return "; ".join(faults[:4]) + more


@cache
def describe_fields(model: type[BaseModel]) -> str:
    """The fields of a hand-over as a list that small models understand better than a schema."""
    lines = []
    for name, info in model.model_fields.items():
        annotation: Any = info.annotation
        kind = _kind(json_schema(annotation).model_dump(exclude_none=True))
        lines.append(f'- "{name}" ({kind}): {info.description or name}')
    return "\n".join(lines)


def _kind(schema: dict[str, Any]) -> str:
    if "enum" in schema:
        return " or ".join(f'"{value}"' for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    if schema.get("type") == "object" and "properties" in schema:
        fields = ", ".join(
            f'"{name}": {_kind(part)}' for name, part in schema["properties"].items()
        )
        return f"object {{{fields}}}"
    return str(schema.get("type", "any"))
