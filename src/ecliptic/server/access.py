"""Who calls: an attempt by its token, or the operator by the key."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from ecliptic.errors import TaskError
from ecliptic.server.attempt import Attempt
from ecliptic.server.bodies import read_body
from ecliptic.server.credentials import matches
from ecliptic.server.problems import RefusedError
from ecliptic.server.service import Service

_token = HTTPBearer(scheme_name="attempt", description="the token of an attempt", auto_error=False)
_key = HTTPBearer(scheme_name="operator", description="the operator's key", auto_error=False)
Token = Annotated[HTTPAuthorizationCredentials | None, Depends(_token)]
Key = Annotated[HTTPAuthorizationCredentials | None, Depends(_key)]


async def service_of(request: Request) -> Service:
    """The service behind an application."""
    service: Service = request.app.state.service
    return service


Here = Annotated[Service, Depends(service_of)]


async def attempt_of(request: Request, here: Here, given: Token) -> Attempt:
    """The attempt whose token came along."""
    if given is None:
        raise RefusedError(401, "send the attempt's token as 'Authorization: Bearer ...'")
    attempt = await here.attempts.of_token(given.credentials)
    request.scope["attempt"] = attempt.id
    request.app.state.rates.take(attempt.id)
    return attempt


async def operator(here: Here, given: Key) -> None:
    """Refuse whoever is not the operator."""
    if not is_operator(here, given):
        raise RefusedError(401, "this takes the operator's key as 'Authorization: Bearer ...'")


def is_operator(here: Service, given: HTTPAuthorizationCredentials | None) -> bool:
    """Whether the operator's key came along."""
    return given is not None and matches(given.credentials, here.operator)


Mine = Annotated[Attempt, Depends(attempt_of)]
Operator = Depends(operator)


async def json_body(request: Request) -> Any:
    """The body as JSON; a :class:`RefusedError` says what is wrong with it."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RefusedError(415, "send JSON, with 'Content-Type: application/json'")
    try:
        return read_body(await request.body(), "the body")
    except TaskError as error:
        raise RefusedError(400, str(error)) from None


Body = Annotated[Any, Depends(json_body)]
