"""Running the application under uvicorn."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import Callable

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ecliptic.errors import UsageError
from ecliptic.files import reason
from ecliptic.server.application import create_app
from ecliptic.server.service import Service

KEEP_ALIVE_SECONDS = 65
HEAD_SECONDS = 20.0
"""For the head of a request to arrive, from its first byte or from the connection's start."""
MOST_CONNECTIONS = 4000


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens.

    Raises
    ------
    UsageError
        The address is taken or is not of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
    except OSError as error:
        taken.close()
        raise UsageError(f"{host}:{port}: {reason(error)}") from None
    return taken


def serve_http(service: Service, at: socket.socket, when_up: Callable[[], None]) -> bool:
    """Serve until SIGTERM or Ctrl-C; false if the start failed."""
    config = uvicorn.Config(
        create_app(service),
        http=PromptProtocol,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=int(service.settings.limits.closing_seconds),
        limit_concurrency=MOST_CONNECTIONS,
        proxy_headers=True,  # from 127.0.0.1 alone, where the proxy stands
        lifespan="on",
        backlog=2048,
    )
    server = _Server(config, when_up)
    # uvicorn raises the signal again when it has stopped: the stop was wanted, and went well.
    kept = {number: signal.signal(number, _wanted) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        server.run(sockets=[at])
    finally:
        for number, handler in kept.items():
            signal.signal(number, handler)
    return bool(server.started)


def _wanted(number: int, _: object) -> None:
    del number


class PromptProtocol(H11Protocol):
    """Closes a connection whose request does not come: each takes one of a number of places."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Expect the head of a request."""
        super().connection_made(transport)
        self._expect()

    def data_received(self, data: bytes) -> None:
        """Expect the rest of a head that has begun."""
        if self._late is None and not self._is_answering():
            self._expect()
        super().data_received(data)
        if self._is_answering():
            self._unset()

    def connection_lost(self, exc: Exception | None) -> None:
        """Expect nothing more."""
        super().connection_lost(exc)
        self._unset()

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _expect(self) -> None:
        self._late = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _give_up(self) -> None:
        self._late = None
        if not self._is_answering():
            self.transport.close()

    def _unset(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class _Server(uvicorn.Server):
    """Tells when it is up."""

    def __init__(self, config: uvicorn.Config, when_up: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_up = when_up

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._when_up()
