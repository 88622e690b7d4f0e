"""The process that runs the agent's code, cell after cell.

Nothing in here can be kept from the agent: it shares the interpreter. The supervisor therefore
believes nothing but that a cell has ended, and keeps time, output and limits itself.
"""

from __future__ import annotations

import base64
import builtins
import io
import json
import os
import select
import selectors
import signal
import sys
import types
from contextlib import suppress
from typing import Any

from . import cell, figures
from .pipes import LineReader, write_all
from .preload import decode
from .settings import Settings

_LONGEST_REQUEST = 64 << 20


class Worker:
    """Namespace and streams of one session."""

    def __init__(self, settings: Settings, preload: dict[str, dict[str, Any]]) -> None:
        self.settings = settings
        self.running = False
        self._spare_output = os.dup(1)
        main = types.ModuleType("__main__")
        sys.modules["__main__"] = main
        self.namespace = main.__dict__
        self.namespace.update({"__builtins__": builtins, **decode(preload)})
        _do_without_epoll()
        if "numpy" in sys.modules:
            self.namespace["np"] = sys.modules["numpy"]
            sys.modules["numpy"].random.seed()  # a fork would repeat the state of the others

    def serve(self, requests: int, replies: int) -> None:
        """Answer requests until the supervisor closes the pipe."""
        reader = LineReader(requests, _LONGEST_REQUEST)
        while (lines := reader.read()) is not None:
            for line in lines:
                request = json.loads(line)
                reply = json.dumps({"nonce": request["nonce"], **self._run(request)})
                write_all(replies, reply.encode() + b"\n")

    def _run(self, request: dict[str, Any]) -> dict[str, Any]:
        self._out = self._open_output()
        error: str | None = None
        images: list[bytes] = []
        signal.signal(signal.SIGINT, self._interrupt)
        sys.unraisablehook = self._say_ignored
        self.running = True
        try:
            error = cell.execute(request["code"], request["name"], self.namespace, self._say)
            if not (error or "").startswith("KeyboardInterrupt"):
                images = figures.collect(self.settings.images, self.settings.image_bytes, self._say)
        except BaseException as fault:  # noqa: BLE001  (a figure that cannot be drawn, a late interrupt)
            error = f"{type(fault).__name__}: {fault}"[: cell.ERROR_CHARACTERS]
            self._say(error + "\n")
        with suppress(KeyboardInterrupt):
            _flush(sys.stdout, sys.stderr, self._out)
        self.running = False
        return {"error": error, "images": [base64.b64encode(image).decode() for image in images]}

    def _open_output(self) -> io.TextIOWrapper:
        """Standard streams as they were, whatever the last cell did to them."""
        os.dup2(self._spare_output, 1)
        os.dup2(self._spare_output, 2)
        raw = io.FileIO(1, "w", closefd=False)
        out = io.TextIOWrapper(
            io.BufferedWriter(raw), "utf-8", errors="backslashreplace", line_buffering=True
        )
        sys.stdout = sys.stderr = sys.__stdout__ = sys.__stderr__ = out  # type: ignore[misc]
        return out

    def _say(self, text: str) -> None:
        """Show text in the order of the output, even if the cell closed or broke its streams."""
        try:
            self._out.write(text)
        except (OSError, ValueError):
            with suppress(OSError):
                write_all(self._spare_output, text.encode("utf-8", "backslashreplace"))

    def _say_ignored(self, fault: Any) -> None:
        """What was raised where nothing can catch it, such as in ``__del__``."""
        if fault.exc_value is not None:
            cell.report(fault.exc_value, self._say)

    def _interrupt(self, number: int, frame: object) -> None:
        if self.running:
            raise KeyboardInterrupt


def _do_without_epoll() -> None:
    """Let asyncio work where the filter forbids epoll."""
    try:
        select.epoll().close()
    except AttributeError:
        return  # not Linux
    except OSError:
        selectors.DefaultSelector = selectors.PollSelector  # type: ignore[misc, assignment]


def _flush(*streams: Any) -> None:
    for stream in streams:
        try:
            stream.flush()
        except BaseException:  # noqa: BLE001  (the agent may have put anything there)
            continue
