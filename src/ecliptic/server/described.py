"""Parts of the OpenAPI description that routes share."""

from __future__ import annotations

from typing import Any

from ecliptic.server.problems import TITLES, Problem

_RETRY = {
    "Retry-After": {
        "description": "seconds to wait",
        "schema": {"type": "integer", "minimum": 1},
    }
}
_WHO = {"WWW-Authenticate": {"schema": {"type": "string"}, "description": "`Bearer`"}}
_ALWAYS = (400, 403, 408, 413, 503)
REF = {"$ref": "#/components/schemas/Problem"}


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The responses of calls that are refused with these statuses, and those all may meet."""
    found: dict[int | str, dict[str, Any]] = {}
    for status in sorted({*_ALWAYS, *statuses}):
        found[status] = {
            "description": TITLES.get(status, "The body did not arrive in time"),
            "content": {"application/problem+json": {"schema": REF}},
        }
        if status in (429, 503):
            found[status]["headers"] = _RETRY
        if status == 401:
            found[status]["headers"] = _WHO
    return found


def body(schema: dict[str, Any], example: Any, kind: str = "application/json") -> dict[str, Any]:
    """The description of a request's body that the route reads itself."""
    content = {kind: {"schema": schema, "example": example}}
    return {"requestBody": {"required": True, "content": content}}


def problem_schema() -> dict[str, Any]:
    """The component that :data:`REF` points at."""
    return Problem.model_json_schema()
