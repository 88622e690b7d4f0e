"""The process that draws: it has no truth, and no submission waits behind a picture."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from ecliptic.server import child_process
from ecliptic.server.grading_pool import BusyError, few_threads

T = TypeVar("T")


class DrawingPool:
    """One process, started at the first call; at most ``waiting`` calls at it."""

    def __init__(self, waiting: int) -> None:
        self._most, self._here = waiting, 0
        self._pool: ProcessPoolExecutor | None = None

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """Run a function of :mod:`ecliptic.server.drawing`.

        Raises
        ------
        BusyError
            Too many wait, or the process died over it.
        """
        if self._here >= self._most:
            raise BusyError
        self._here += 1
        try:
            with few_threads():
                if self._pool is None:
                    context = multiprocessing.get_context("spawn")
                    self._pool = ProcessPoolExecutor(1, context, child_process.begin)
                future = self._pool.submit(function, *arguments)
            return await asyncio.wrap_future(future)
        except BrokenProcessPool:
            self._pool = None
            raise BusyError from None
        finally:
            self._here -= 1

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
