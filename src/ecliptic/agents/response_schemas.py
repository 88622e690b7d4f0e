"""The schemas that providers hold replies to: what all take, and lists that end where one can ask.

All take closed objects. Limits on lengths are refused by some: Anthropic and Bedrock answer
``maxItems`` with status 400. But a small model that is held to a list without a limit often goes on
with it until its tokens are used up, and a reply that was cut off is no JSON. So lists are limited
where people run the server themselves, as llama.cpp, Ollama, vLLM and SGLang keep such limits.
(Inspect's own schemas know no ``maxItems``; it leaves out limits on texts for all these servers.)
"""

from __future__ import annotations

from inspect_ai.model import Model, ResponseSchema
from inspect_ai.model._generate_config import active_generate_config
from inspect_ai.util import JSONSchema
from inspect_ai.util._json import resolve_schema_references
from pydantic import BaseModel

LIMITING_SERVERS = ("llama-cpp-python/", "ollama/", "openai-api/local/", "sglang/", "vllm/")
"""Beginnings of the names of models whose server keeps ``maxItems``."""
MOST_ITEMS = 12
_FEWEST_ITEMS = 3
_TOKENS_AN_ITEM = 100
"""A list gets an item a hundred tokens, where replies have a limit of tokens."""


class LimitedSchema(JSONSchema):
    """A schema of ours: its lists may be given limits, which a task's own schema is not."""

    maxItems: int | None = None
    items: LimitedSchema | None = None
    properties: dict[str, LimitedSchema] | None = None  # type: ignore[assignment]


def schema_of(model: type[BaseModel]) -> ResponseSchema:
    """The schema of a hand-over; lists have the limits that the model declares."""
    given = resolve_schema_references(model.model_json_schema())
    schema = LimitedSchema.model_validate(given)
    for part in _parts(schema):
        part.minLength = None
        if part.properties is not None:
            part.additionalProperties = False
    return ResponseSchema(name=model.__name__, json_schema=schema)


def for_server(schema: ResponseSchema, model: Model) -> ResponseSchema:
    """``schema`` as the server of ``model`` takes it; one that is not ours stays as it is."""
    if not isinstance(schema.json_schema, LimitedSchema):
        return schema
    limited = schema.model_copy(deep=True)
    limit = _most_items(model) if str(model).startswith(LIMITING_SERVERS) else None
    for part in _parts(limited.json_schema):
        if part.type == "array":
            known = MOST_ITEMS if part.maxItems is None else part.maxItems
            part.maxItems = None if limit is None else min(known, limit)
    return limited


def _most_items(model: Model) -> int:
    tokens = active_generate_config().max_tokens or model.config.max_tokens
    if tokens is None:
        return MOST_ITEMS
    return min(MOST_ITEMS, max(_FEWEST_ITEMS, tokens // _TOKENS_AN_ITEM))


def _parts(schema: JSONSchema) -> list[LimitedSchema]:
    """The schema itself and all that it holds."""
    if not isinstance(schema, LimitedSchema):
        return []
    inner = [*(schema.properties or {}).values(), *([schema.items] if schema.items else [])]
    return [schema, *(part for each in inner for part in _parts(each))]
