"""MCP over streamable HTTP at ``/mcp``, with the token of an attempt like any other call."""

from __future__ import annotations

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.datastructures import Headers
from starlette.types import Receive, Scope, Send

from ecliptic.server.attempt import Attempt
from ecliptic.server.grading_pool import BusyError
from ecliptic.server.mcp_tools import Context, mcp_server
from ecliptic.server.problems import RefusedError, problem, refused
from ecliptic.server.rates import Rates
from ecliptic.server.service import Service
from ecliptic.server.store import StoreError

_KEY = "ecliptic.attempt"


def _attempt_of(context: Context) -> Attempt:
    attempt: Attempt = context.request.scope[_KEY]  # type: ignore[union-attr]
    return attempt


class MCPEndpoint:
    """The ASGI application behind ``/mcp``.

    No session is kept: what a call needs is in its token, so a restart of the server interrupts
    nobody.
    """

    path = "/mcp"
    """As logs and figures name it."""

    def __init__(self, service: Service, rates: Rates) -> None:
        self._service, self._rates = service, rates
        self.manager = StreamableHTTPSessionManager(
            mcp_server(service, _attempt_of),
            json_response=True,
            stateless=True,
            max_request_body_size=service.settings.limits.body_bytes,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one call."""
        scope["route"] = self
        if scope["method"] != "POST":  # there is no stream to listen to, and no session to end
            await problem(405, "send POST", headers={"Allow": "POST"})(scope, receive, send)
            return
        try:
            kind, _, token = Headers(scope=scope).get("authorization", "").partition(" ")
            if kind.lower() != "bearer":
                raise RefusedError(401, "send the attempt's token as 'Authorization: Bearer ...'")
            attempt = await self._service.attempts.of_token(token.strip())
            self._rates.take(attempt.id)
        except (RefusedError, BusyError, StoreError) as error:
            told = refused(error)
            await problem(told.status, told.detail, retry=told.retry)(scope, receive, send)
            return
        scope[_KEY], scope["attempt"] = attempt, attempt.id
        await self.manager.handle_request(scope, receive, send)
