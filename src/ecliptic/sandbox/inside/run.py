"""One run of a cell, watched: its time, its output, its reply, its limits."""

from __future__ import annotations

import json
import os
import select
import time
from dataclasses import dataclass
from typing import Any

from . import processes, usage
from .pipes import CHUNK, HeadAndTail, LineTooLongError, drain
from .session import Session
from .settings import Settings

TICK_SECONDS = 0.05
RARE_CHECKS = 20
CLOSING_SECONDS = 0.2  # a process that ends closes its descriptors a little earlier
BATCH_SECONDS = 0.005  # a line at a time would wake two processes for each
_DRAIN_READS = 64


@dataclass
class Outcome:
    """What the harness is told of a cell; ``lost`` says why the session ended, if it did.

    ``emptied`` says whether its files are gone, too.
    """

    head: str
    tail: str
    cut: int
    error: str | None
    images: list[str]
    seconds: float
    timed_out: bool
    lost: str | None
    ignored: int
    emptied: bool = False

    def message(self) -> dict[str, Any]:
        """As JSON."""
        return dict(vars(self))


class CellRun:
    """Drives a session through one cell."""

    def __init__(self, session: Session, settings: Settings, seconds: float) -> None:
        self.session = session
        self.settings = settings
        self.seconds = seconds
        self.over = False
        self.broke_limit = False
        self._output = HeadAndTail(settings.output_bytes)
        self._nonce = os.urandom(16).hex()
        self._outbox = memoryview(b"")
        self._reply: dict[str, Any] = {}
        self._lost: str | None = None
        self._ignored = 0
        self._timed_out = False
        self._next_check = 0.0
        self._checks = 0
        self._next_read = 0.0

    def begin(self, code: str, name: str) -> None:
        """Hand the code over and let the session go on."""
        drain(self.session.output, None, _DRAIN_READS)
        request = {"nonce": self._nonce, "name": name, "code": code}
        self._outbox = memoryview(json.dumps(request).encode() + b"\n")
        self._begun = time.monotonic()
        self._deadline = self._begun + self.seconds
        self._next_check = self._begun + TICK_SECONDS
        self.session.resume()

    def hurry(self) -> None:
        """Bring the deadline forward to now."""
        if not self._timed_out:
            self._deadline = time.monotonic()

    def wait(self, poll: select.poll) -> set[int]:
        """Wait for the next event, deal with it, and say which descriptors were ready."""
        session = self.session
        now = time.monotonic()
        watched = {session.replies.fd: select.POLLIN}
        if now >= self._next_read:
            watched[session.output] = select.POLLIN
        if session.death is not None:
            watched[session.death] = select.POLLIN
        if self._outbox:
            watched[session.requests] = select.POLLOUT
        for fd, events in watched.items():
            poll.register(fd, events)
        awaited = [self._deadline, self._next_check]
        if now < self._next_read:
            awaited.append(self._next_read)
        timeout = max(0.0, min(awaited) - now)
        ready = {fd for fd, _ in poll.poll(timeout * 1000 + 0.5)}
        for fd in watched:
            poll.unregister(fd)
        self._handle(ready)
        return ready

    def _handle(self, ready: set[int]) -> None:
        session = self.session
        if session.requests in ready:
            self._send_more()
        if session.output in ready:
            drain(session.output, self._output, _DRAIN_READS)
            self._next_read = time.monotonic() + BATCH_SECONDS
        if session.replies.fd in ready:
            self._read_replies()
        now = time.monotonic()
        if self.over:
            return
        if session.death in ready and session.ended():
            self._lose(processes.describe_end(session.status or 0))
        elif now >= self._deadline:
            self._overdue()  # before a look at the limits, which takes long where many compete
        elif now >= self._next_check:
            self._next_check = now + TICK_SECONDS
            if session.ended():
                self._lose(processes.describe_end(session.status or 0))
            elif broken := self._excess():
                self.broke_limit = True
                self._lose(broken)

    def _excess(self) -> str | None:
        self._checks += 1
        rare = self._checks % RARE_CHECKS == 0
        broken = usage.excess(self.settings)
        return broken or (usage.mapping_excess(self.settings) if rare else None)

    def _send_more(self) -> None:
        try:
            self._outbox = self._outbox[os.write(self.session.requests, self._outbox[:CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._lose_channel()

    def _read_replies(self) -> None:
        try:
            lines = self.session.replies.read()
        except LineTooLongError:
            self._lose("it flooded its channel")
            return
        if lines is None:
            self._lose_channel()
            return
        for line in lines:
            reply = read_reply(line, self._nonce, self.settings)
            if reply is None:
                self._ignored += 1
            elif not self.over:
                self._reply, self.over = reply, True

    def _overdue(self) -> None:
        if self._timed_out:
            self._lose("it did not stop when interrupted")
            return
        self._timed_out = True
        self._deadline = time.monotonic() + self.settings.grace_seconds
        self.session.interrupt()

    def _lose_channel(self) -> None:
        ended = self.session.wait_for_end(CLOSING_SECONDS)
        status = self.session.status or 0
        self._lose(processes.describe_end(status) if ended else "it closed its channel")

    def _lose(self, why: str) -> None:
        if not self.over:
            self._lost, self.over = why, True

    def finish(self) -> Outcome:
        """Freeze or end the session and collect what it printed."""
        seconds = time.monotonic() - self._begun
        if self._lost is None and not self.session.freeze():
            self._lost = "it could not be stopped"
        if self._lost is not None:
            self.session.kill()
        drain(self.session.output, self._output, _DRAIN_READS)
        head, tail = self._output.parts()
        error = self._reply.get("error") if self._lost is None else f"session lost: {self._lost}"
        return Outcome(
            head,
            tail,
            self._output.cut,
            error,
            self._reply.get("images", []),
            seconds,
            self._timed_out,
            self._lost,
            self._ignored,
        )


def read_reply(line: bytes, nonce: str, settings: Settings) -> dict[str, Any] | None:
    """A reply of the right form to the right cell; ``None`` for anything else.

    The agent's code can write here what it likes; all it can gain is to end its own cell early.
    """
    if not line.startswith(b'{"nonce": "%s"' % nonce.encode()):
        return None  # without unpacking it, which takes many times its size
    try:
        reply = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(reply, dict):
        return None
    error, images = reply.get("error"), reply.get("images")
    if not (error is None or isinstance(error, str)) or not isinstance(images, list):
        return None
    if not all(isinstance(image, str) for image in images):
        return None
    return {"error": error and error[:2000], "images": images[: settings.images]}
