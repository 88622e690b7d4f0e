"""Processes that grade: an attempt always goes to the same one, and a dead one is replaced."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import Any, TypeVar

from ecliptic.errors import UsageError
from ecliptic.server import child_process, grading_process
from ecliptic.server.settings import Source

T = TypeVar("T")


class BusyError(Exception):
    """So many calls wait already that this one is refused; caught inside the package."""


class GradingPool:
    """``count`` processes with the tasks of ``source``, and at most ``waiting`` calls at them."""

    def __init__(self, source: Source, count: int, waiting: int) -> None:
        self._source, self._most, self._here = source, waiting, 0
        self._lanes = [self._lane() for _ in range(count)]

    def _lane(self) -> ProcessPoolExecutor:
        # Spawned, not forked: the parent has threads.
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(1, context, grading_process.start, (self._source,))

    @property
    def waiting(self) -> int:
        """Calls that are graded or wait to be."""
        return self._here

    async def warm_up(self) -> None:
        """Start all processes and compile what they need."""
        loop = asyncio.get_running_loop()
        with few_threads():
            calls = [loop.run_in_executor(each, grading_process.warm_up) for each in self._lanes]
            await asyncio.gather(*calls)

    async def call(self, lane_of: str, function: Callable[..., T], *arguments: Any) -> T:
        """Run a function of :mod:`ecliptic.server.grading_process` in the process of a name.

        Raises
        ------
        BusyError
            Too many wait.
        """
        if self._here >= self._most:
            raise BusyError
        self._here += 1
        try:
            number = zlib.crc32(lane_of.encode()) % len(self._lanes)
            for last in (False, True):
                lane = self._lanes[number]
                try:
                    loop = asyncio.get_running_loop()
                    return await loop.run_in_executor(lane, function, *arguments)
                except BrokenProcessPool:
                    self._replace(number, lane)
                    if last:
                        raise BusyError from None
            raise AssertionError
        finally:
            self._here -= 1

    def _replace(self, number: int, broken: ProcessPoolExecutor) -> None:
        if self._lanes[number] is broken:  # another call may have seen it first
            broken.shutdown(wait=False, cancel_futures=True)
            self._lanes[number] = self._lane()

    def close(self) -> None:
        """End the processes when what they grade is done."""
        for lane in self._lanes:
            lane.shutdown(wait=True, cancel_futures=True)


@contextmanager
def few_threads() -> Iterator[None]:
    """Children that start meanwhile compute with one thread each: there is one a core of them."""
    kept = {name: os.environ.get(name) for name in child_process.FEWER_THREADS}
    os.environ.update(dict.fromkeys(kept, "1"))
    try:
        yield
    finally:
        for name, value in kept.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def listing_of(source: Source) -> dict[str, Any]:
    """Name, checksum and tasks of a source, read in a process that then ends.

    Raises
    ------
    UsageError
        Why it cannot be served.
    """
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, context) as once:
        found = once.submit(grading_process.look, source).result()
    if isinstance(found, str):
        raise UsageError(found)
    return found
