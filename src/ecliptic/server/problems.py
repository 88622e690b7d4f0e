"""What a client is told when a call is refused: one shape for all, as RFC 9457 describes it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from ecliptic.server.grading_pool import BusyError
from ecliptic.server.store import StoreError

RETRY_SECONDS = 2
TITLES = {
    400: "Not readable",
    401: "No valid token",
    403: "Not permitted",
    404: "Not found",
    405: "Method not allowed",
    409: "Does not fit the attempt's state",
    413: "Too large",
    415: "Wrong content type",
    422: "Not valid",
    429: "Too many calls",
    503: "Busy",
}


class Problem(BaseModel):
    """Why a call was refused (`application/problem+json`, RFC 9457)."""

    type: str = Field("about:blank", description="always `about:blank`: the status tells the kind")
    title: str = Field(examples=["No valid token"])
    status: int = Field(examples=[401], ge=400, le=599)
    detail: str = Field(
        description="one or more sentences for a person or a language model",
        examples=["send the attempt's token as 'Authorization: Bearer ...'"],
    )
    submissions_left: int | None = Field(
        None, description="where a submission was refused: how many are left", examples=[3]
    )


class RefusedError(Exception):
    """A call that is refused; becomes a :class:`Problem`. Caught inside the package."""

    def __init__(
        self, status: int, detail: str, *, left: int | None = None, retry: float | None = None
    ) -> None:
        super().__init__(detail)
        self.status, self.detail, self.left, self.retry = status, detail, left, retry


class PlainJSON(JSONResponse):
    """JSON in ASCII, so that no text of an agent's own can break it."""

    def render(self, content: Any) -> bytes:
        """The bytes."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


class ProblemJSON(PlainJSON):
    """A problem."""

    media_type = "application/problem+json"


def problem(
    status: int,
    detail: str,
    left: int | None = None,
    headers: Mapping[str, str] | None = None,
    retry: float | None = None,
) -> Response:
    """The response of a refused call."""
    content = Problem(
        type="about:blank",
        title=TITLES.get(status, "Refused"),
        status=status,
        detail=detail,
        submissions_left=left,
    )
    told = dict(headers or {})
    if status == 401:
        told["WWW-Authenticate"] = "Bearer"
    if status in (429, 503):
        told["Retry-After"] = str(max(1, round(retry or RETRY_SECONDS)))
    return ProblemJSON(content.model_dump(exclude_none=True), status, told)


def refused(error: Exception) -> RefusedError:
    """What a busy process or database is told as."""
    if isinstance(error, RefusedError):
        return error
    if isinstance(error, StoreError):
        return RefusedError(
            503, "nothing can be kept at the moment; nothing was counted, try again"
        )
    return RefusedError(503, "all places are taken; nothing was counted, try again")


def add_handlers(app: FastAPI) -> None:
    """Turn every refusal into a problem."""

    async def refusal(_: Request, error: Exception) -> Response:
        known = refused(error)
        return problem(known.status, known.detail, known.left, retry=known.retry)

    async def http(_: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return problem(error.status_code, str(error.detail), headers=error.headers)

    async def invalid(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        if first["type"] == "json_invalid":
            return problem(400, "the body is not valid JSON")
        return problem(422, f"{place[:200]}: {str(first['msg'])[:500]}")

    for kind in (RefusedError, BusyError, StoreError):
        app.add_exception_handler(kind, refusal)
    app.add_exception_handler(HTTPException, http)
    app.add_exception_handler(RequestValidationError, invalid)
