"""A client that knows nothing but an OpenAPI document: calls by ``operationId``."""

from __future__ import annotations

import json
from typing import Any

import httpx2 as httpx
import jsonschema


class OpenAPIClient:
    """Builds each call from the document and holds each response against it."""

    def __init__(self, url: str, **secrets: str) -> None:
        self.http = httpx.Client(base_url=url, timeout=120)
        self.document = self.http.get("/openapi.json").json()
        self.secrets = secrets
        self.calls = {
            operation["operationId"]: (method, path, operation)
            for path, methods in self.document["paths"].items()
            for method, operation in methods.items()
        }

    def __call__(self, name: str, body: Any = None, /, expect: int | None = None, **given: Any):
        method, path, operation = self.calls[name]
        headers, query = {}, {}
        for parameter in operation.get("parameters", []):
            if parameter["name"] in given:
                place = {"header": headers, "query": query}[parameter["in"]]
                place[parameter["name"]] = given.pop(parameter["name"])
        assert not given, f"{name} has no {list(given)}"
        for scheme in [name for each in operation.get("security", []) for name in each]:
            described = self.document["components"]["securitySchemes"][scheme]
            assert (described["type"], described["scheme"]) == ("http", "bearer")
            if scheme in self.secrets:
                headers["Authorization"] = "Bearer " + self.secrets[scheme]
        content = None
        if "requestBody" in operation:
            (kind,) = operation["requestBody"]["content"]
            headers["Content-Type"] = kind
            content = body if isinstance(body, str | bytes) else json.dumps(body)
        answer = self.http.request(method, path, headers=headers, params=query, content=content)
        self._hold(operation, answer)
        if expect is None:
            assert answer.is_success, answer.text
        else:
            assert answer.status_code == expect, answer.text
        return answer

    def __del__(self) -> None:
        self.http.close()

    def _hold(self, operation: dict[str, Any], answer: httpx.Response) -> None:
        described = operation["responses"][str(answer.status_code)]
        if "content" not in described:
            assert not answer.content
            return
        kind = answer.headers["content-type"].partition(";")[0]
        schema = described["content"][kind]["schema"]
        if kind.endswith("json"):
            whole = {**schema, "components": self.document["components"]}
            jsonschema.validate(answer.json(), whole)
