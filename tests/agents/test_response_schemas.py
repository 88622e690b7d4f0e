from __future__ import annotations

from typing import Any

import pytest
from agents.bench import run, script
from inspect_ai.model import GenerateConfig, ResponseSchema, get_model
from inspect_ai.util import JSONSchema

from ecliptic.agents import answer_by
from ecliptic.agents.response_schemas import for_server, schema_of
from ecliptic.agents.schema import Architecture
from ecliptic.agents.scripted import ScriptedAPI

LISTS = ("acceptance_checks", "experts")


def limits(schema: ResponseSchema | None) -> tuple[int | None, ...]:
    """As they stand in a request: of the acceptance checks, of the experts."""
    assert schema is not None
    fields = schema.json_schema.model_dump(exclude_none=True)["properties"]
    return tuple(fields[name].get("maxItems") for name in LISTS)


@pytest.mark.parametrize(
    ("model", "tokens", "expected"),
    [
        ("openai-api/local/small", None, (12, 3)),
        ("openai-api/local/small", 400, (4, 3)),
        ("openai-api/local/small", 50, (3, 3)),
        ("ollama/small", 100_000, (12, 3)),
        ("openai-api/acme/large", 400, (None, None)),
        ("openai/gpt-5", 400, (None, None)),
        ("scripted/x", 400, (None, None)),
    ],
)
def test_lists_are_limited_where_the_server_keeps_limits(model, tokens, expected) -> None:
    given: dict[str, Any] = {"script": []} if model.startswith("scripted") else {"api_key": "none"}
    config = GenerateConfig(max_tokens=tokens)
    made = get_model(model, config=config, base_url="http://127.0.0.1:9/v1", memoize=False, **given)
    asked = for_server(schema_of(Architecture), made)
    assert limits(asked) == expected
    assert limits(GenerateConfig().merge({"response_schema": asked}).response_schema) == expected


def test_a_tasks_own_schema_stays_as_it_is() -> None:
    own = JSONSchema(type="array", items=JSONSchema(type="string"))
    schema = ResponseSchema(name="own", json_schema=own)
    assert for_server(schema, get_model("mockllm/model")) is schema


def test_stages_ask_for_limited_lists(tmp_path, monkeypatch) -> None:
    asked: dict[str, ResponseSchema | None] = {}
    generate = ScriptedAPI.generate

    async def kept(self: ScriptedAPI, *, config: GenerateConfig, **given: Any) -> Any:
        schema = config.response_schema
        asked[schema.name if schema else ""] = schema
        return await generate(self, config=config, **given)

    monkeypatch.setattr(ScriptedAPI, "generate", kept)
    monkeypatch.setattr("ecliptic.agents.response_schemas.LIMITING_SERVERS", ("scripted/",))
    run(answer_by("schema"), script(), tmp_path, max_tokens=600)
    assert limits(asked["Architecture"]) == (6, 3)
