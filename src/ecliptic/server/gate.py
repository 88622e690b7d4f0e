"""What every call passes first: size, time to arrive, log line, figures."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ecliptic.server.logs import log
from ecliptic.server.metrics import Metrics
from ecliptic.server.problems import problem

BODY_SECONDS = 30.0
UPLOAD_PATH = "/v1/leaderboard/uploads"
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
)


class Gate:
    """Reads the body within limits before anything else sees the call."""

    def __init__(self, app: ASGIApp, metrics: Metrics, body_bytes: int, upload_bytes: int) -> None:
        self._app, self._metrics = app, metrics
        self._most, self._most_uploaded = body_bytes, upload_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one call."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 500

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        try:
            await self._within_limits(scope, receive, told)
        finally:
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

    async def _within_limits(self, scope: Scope, receive: Receive, send: Send) -> None:
        most = self._most_uploaded if scope["path"] == UPLOAD_PATH else self._most
        body = bytearray()
        try:
            async with asyncio.timeout(BODY_SECONDS):
                more = True
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return
                    body += message.get("body", b"")
                    more = message.get("more_body", False)
                    if len(body) > most:
                        refusal = problem(413, f"a body may hold at most {most:,} bytes")
                        refusal.headers["Connection"] = "close"
                        await refusal(scope, receive, send)
                        return
        except TimeoutError:
            await problem(408, "the body did not arrive in time")(scope, receive, send)
            return
        handed = False

        async def whole() -> Any:
            nonlocal handed
            if handed:
                return await receive()
            handed = True
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        await self._app(scope, whole, send)


_METHODS = {"GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS"}
