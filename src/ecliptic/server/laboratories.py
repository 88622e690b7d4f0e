"""Python sessions of attempts: so many at a time, the others wait in a line."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from ecliptic.errors import UsageError
from ecliptic.sandbox import CellResult, Laboratory
from ecliptic.sandbox import Limits as CellLimits
from ecliptic.server.grading_pool import BusyError
from ecliptic.server.settings import Limits

CLOSED = (
    "[the session had rested and was closed to make room for others: variables and files of "
    "earlier cells are gone]\n"
)


CELLS_WAITING = 8
"""Cells of one attempt, the one that runs included; a further call is refused at once."""


@dataclass(slots=True)
class _Session:
    laboratory: Laboratory
    used: float
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    calls: int = 0


class Laboratories:
    """One session an attempt, opened at its first cell.

    Where all are taken, the one that has rested longest is closed, if it has rested long enough;
    else the call waits.
    """

    def __init__(self, limits: Limits, isolation: str) -> None:
        self._limits, self._isolation = limits, isolation
        self._sessions: dict[str, _Session] = {}
        self._waiting = 0
        self._opening: set[str] = set()
        self._change = asyncio.Condition()
        self._evicted: set[str] = set()

    @property
    def count(self) -> int:
        """Open sessions."""
        return len(self._sessions)

    async def run(
        self, attempt: str, preload: dict[str, Any], code: str, seconds: float
    ) -> CellResult:
        """Run a cell of an attempt, whose first cell opens its session.

        Raises
        ------
        BusyError
            The line is too long, or nothing became free in time.
        """
        session = await self._session(attempt, preload)
        if session.calls >= CELLS_WAITING:
            raise BusyError
        session.calls += 1
        try:
            async with session.turn:
                result = await session.laboratory.run(code, seconds)
        except UsageError:  # its attempt ended meanwhile, or the jail cannot be started
            raise BusyError from None
        finally:
            session.calls -= 1
            session.used = time.monotonic()
            async with self._change:
                self._change.notify_all()
        if attempt in self._evicted:
            self._evicted.discard(attempt)
            return CellResult(
                CLOSED + result.text, result.images, result.error, result.seconds,
                result.truncated, result.timed_out, session_lost=True,
            )  # fmt: skip
        return result

    async def _session(self, attempt: str, preload: dict[str, Any]) -> _Session:
        if attempt in self._sessions:
            return self._sessions[attempt]
        if self._waiting >= self._limits.queue:
            raise BusyError
        self._waiting += 1
        try:
            async with asyncio.timeout(self._limits.queue_seconds), self._change:
                while not await self._room(attempt):
                    with suppress(TimeoutError):  # a session may have rested long enough by then
                        await asyncio.wait_for(self._change.wait(), 1.0)
                if attempt in self._sessions:
                    return self._sessions[attempt]
                self._opening.add(attempt)
        except TimeoutError:
            raise BusyError from None
        finally:
            self._waiting -= 1
        try:
            cells = CellLimits(cell_seconds=self._limits.cell_seconds)
            laboratory = await Laboratory.start(preload, cells, self._isolation)
            session = self._sessions[attempt] = _Session(laboratory, time.monotonic())
        except UsageError:  # the jail cannot be started now, though it could when the server began
            raise BusyError from None
        finally:
            self._opening.discard(attempt)
            async with self._change:  # other cells of the attempt may wait for this one
                self._change.notify_all()
        return session

    async def _room(self, attempt: str) -> bool:
        if attempt in self._sessions:
            return True
        if attempt in self._opening:
            return False
        if len(self._sessions) + len(self._opening) < self._limits.laboratories:
            return True
        now = time.monotonic()
        resting = [
            (each.used, name)
            for name, each in self._sessions.items()
            if not each.calls and now - each.used >= self._limits.laboratory_idle_seconds
        ]
        if not resting:
            return False
        _, name = min(resting)
        self._evicted.add(name)
        await self._sessions.pop(name).laboratory.close()
        return True

    async def end(self, attempt: str) -> None:
        """Close the session of an attempt, if it has one."""
        self._evicted.discard(attempt)
        session = self._sessions.pop(attempt, None)
        if session is not None:
            await session.laboratory.close()
            async with self._change:
                self._change.notify_all()

    async def close(self) -> None:
        """Close all."""
        for attempt in list(self._sessions):
            await self.end(attempt)
