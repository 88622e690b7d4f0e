"""What every call passes first: size, time to arrive, log line, figures."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ecliptic.server.logs import log
from ecliptic.server.metrics import Metrics
from ecliptic.server.problems import problem

BODY_SECONDS = 30.0
HELD_BYTES = 256_000_000
"""Of bodies that arrive or are worked on, all calls together."""
LEFT = 499
"""In logs and figures: the client hung up before its body was there."""
UPLOAD_PATH = "/v1/leaderboard/uploads"
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
)


class Gate:
    """Reads the body within limits before anything else sees the call.

    Calls of web pages (which browsers mark with ``Origin``) are refused: no page is served here,
    and one that had its name lead to this machine could else speak with a server on it.
    """

    def __init__(
        self,
        app: ASGIApp,
        metrics: Metrics,
        body_bytes: int,
        upload_bytes: int,
        held_bytes: int = HELD_BYTES,
    ) -> None:
        self._app, self._metrics = app, metrics
        self._most, self._most_uploaded = body_bytes, upload_bytes
        self._held, self._most_held = 0, max(held_bytes, upload_bytes, body_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one call."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        begun, status, body = time.perf_counter(), LEFT, bytearray()

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        try:
            if _of_a_page(scope):
                await problem(403, "web pages may not call this server")(scope, receive, told)
            else:
                await self._within_limits(scope, receive, told, body)
        except asyncio.CancelledError:  # the server has waited for this call as long as it may
            if status != LEFT:
                raise
            await problem(503, "the server is being stopped")(scope, receive, told)
        except BaseException:
            status = 500
            raise
        finally:
            self._held -= len(body)
            seconds = time.perf_counter() - begun
            route = getattr(scope.get("route"), "path", None) or "other"
            method = scope["method"] if scope["method"] in _METHODS else "other"
            self._metrics.calls.labels(route, method, str(status)).inc()
            self._metrics.seconds.labels(route).observe(seconds)
            log(
                "call",
                method=method,
                route=route,
                status=status,
                seconds=round(seconds, 4),
                **({"attempt": scope["attempt"]} if "attempt" in scope else {}),
            )

    async def _within_limits(
        self, scope: Scope, receive: Receive, send: Send, body: bytearray
    ) -> None:
        most = self._most_uploaded if scope["path"] == UPLOAD_PATH else self._most
        refusal: Response | None = None
        try:
            async with asyncio.timeout(BODY_SECONDS):
                more = True
                while more and refusal is None:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    part = message.get("body", b"")
                    body += part
                    self._held += len(part)
                    more = message.get("more_body", False)
                    if len(body) > most:
                        refusal = problem(413, f"a body may hold at most {most:,} bytes")
                    elif self._held > self._most_held:
                        refusal = problem(503, "too many long bodies at the same time, try again")
        except TimeoutError:
            refusal = problem(408, "the body did not arrive in time")
        if refusal is not None:
            refusal.headers["Connection"] = "close"  # the rest of the body is not wanted
            await refusal(scope, receive, send)
            return
        handed = False

        async def whole() -> Any:
            nonlocal handed
            if handed:
                return await receive()
            handed = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        await self._app(scope, whole, send)


def _of_a_page(scope: Scope) -> bool:
    origin = Headers(scope=scope).get("origin", "").lower()
    return origin == "null" or origin.startswith(("http:", "https:"))


_METHODS = {"GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"}
