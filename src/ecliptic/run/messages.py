"""JSON lines over a socket between a run and its workers.

Neither side can make the other execute anything, and a partial line never makes anyone wait.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

MAX_LINE_BYTES = 64_000_000
"""Longest line that is taken; an observation of 100,000 points needs a tenth."""


class MessageError(Exception):
    """The other side does not keep to the protocol, or is gone."""


class Line:
    """One end of the line.

    With ``send_seconds`` a message must be taken within that time, and :meth:`arrived` may be
    used, by one thread. Without, all calls wait, and one thread may receive while another sends.
    """

    def __init__(self, end: socket.socket, *, send_seconds: float | None = None) -> None:
        self._socket = end
        self._send_seconds = send_seconds
        self._received = bytearray()

    def fileno(self) -> int:
        """For ``multiprocessing.connection.wait`` and the like."""
        return self._socket.fileno()

    def close(self) -> None:
        """End the line; the other side reads its end."""
        self._socket.close()

    def send(self, message: dict[str, Any]) -> None:
        """Send one message; :class:`MessageError` if nobody takes it."""
        self.send_encoded(json.dumps(message).encode())

    def send_encoded(self, message: bytes) -> None:
        """Send a message that is JSON already."""
        try:
            if self._send_seconds is not None:
                self._socket.settimeout(self._send_seconds)
            self._socket.sendall(message + b"\n")
        except OSError as error:
            raise MessageError(str(error)) from None

    def arrived(self) -> Iterator[dict[str, Any]]:
        """The messages that are complete by now, without waiting.

        Raises
        ------
        MessageError
            The other side is gone, or sent what is not a message.
        """
        gone = False
        self._socket.settimeout(0.0)
        while not gone and len(self._received) <= MAX_LINE_BYTES:
            try:
                chunk = self._socket.recv(1 << 20)
            except BlockingIOError:
                break
            except OSError:
                chunk = b""
            gone = not chunk
            self._received += chunk
        yield from self._complete()
        if gone or len(self._received) > MAX_LINE_BYTES:
            raise MessageError("the line has ended" if gone else "a message is too long")

    def receive(self) -> dict[str, Any]:
        """The next message, waiting for it; :class:`MessageError` at the end of the line."""
        while True:
            for message in self._complete(1):
                return message
            chunk = self._socket.recv(1 << 20)
            if not chunk:
                raise MessageError("the line has ended")
            self._received += chunk

    def _complete(self, most: int | None = None) -> Iterator[dict[str, Any]]:
        while most is None or most > 0:
            line, newline, rest = self._received.partition(b"\n")
            if not newline:
                return
            self._received = rest
            most = None if most is None else most - 1
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                raise MessageError("a message is not JSON") from None
            if not isinstance(message, dict):
                raise MessageError("a message is not an object")
            yield message
