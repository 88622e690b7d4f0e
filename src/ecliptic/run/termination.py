"""Signals that ask a run to end: a scheduler's SIGTERM, the SIGHUP of a terminal that closes."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_ENDINGS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextmanager
def terminable() -> Iterator[None]:
    """Let SIGTERM and SIGHUP end a run as Ctrl-C does: results on file, no worker left behind.

    One that is ignored stays so (`nohup`). Outside of the main thread nothing changes.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {
        number: signal.signal(number, _interrupt)
        for number in _ENDINGS
        if signal.getsignal(number) not in (signal.SIG_IGN, None)  # None: set by no Python code
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(_signal: int, frame: FrameType | None) -> None:
    # An event loop puts a handler of its own in the place of Ctrl-C's, so that its tasks end in
    # order. Where Ctrl-C is ignored, as for jobs in the background, there is none.
    interrupted = signal.getsignal(signal.SIGINT)
    if not callable(interrupted):
        raise KeyboardInterrupt
    interrupted(signal.SIGINT, frame)
