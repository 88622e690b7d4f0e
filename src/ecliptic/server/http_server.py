"""Running the application under uvicorn."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

import uvicorn

from ecliptic.errors import UsageError
from ecliptic.files import reason
from ecliptic.server.application import create_app
from ecliptic.server.service import Service

KEEP_ALIVE_SECONDS = 65
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


class _Server(uvicorn.Server):
    """Tells when it is up."""

    def __init__(self, config: uvicorn.Config, when_up: Callable[[], None]) -> None:
        super().__init__(config)
        self._when_up = when_up

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._when_up()
