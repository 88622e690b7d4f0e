"""A stateful Python session for one attempt, shut off from all that the attempt must not see."""

from __future__ import annotations

import asyncio
import time
import warnings
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from ecliptic.errors import EclipticWarning, UsageError

from . import nursery
from .isolation import choose
from .limits import Limits
from .preload import encode
from .process import SupervisorProcess
from .result import CellResult, read_outcome, with_remarks

PACKAGES = ("numpy", "scipy", "astropy", "matplotlib", "sympy")
_MARGIN_SECONDS = 30.0


class Laboratory:
    """Runs cells of Python one after another in a process (and jail) of its own.

    Open one with :meth:`open` or :meth:`start`; cells sent at the same time wait for each other.
    The truth of a task must never be passed in, and nothing else of this process gets there.
    """

    def __init__(
        self,
        isolation: str,
        limits: Limits,
        preload: dict[str, dict[str, Any]],
        packages: tuple[str, ...],
    ) -> None:
        self.isolation = isolation
        self.limits = limits
        self._preload = preload
        self._packages = packages
        self._process: SupervisorProcess | None = None
        self._turn = asyncio.Lock()
        self._cell = 0
        self._closed = False

    @classmethod
    @asynccontextmanager
    async def open(
        cls,
        preload: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        isolation: str = "auto",
        packages: tuple[str, ...] = PACKAGES,
    ) -> AsyncIterator[Laboratory]:
        """:meth:`start` and, at the end of the block, :meth:`close`."""
        laboratory = await cls.start(preload, limits, isolation, packages)
        try:
            yield laboratory
        finally:
            await laboratory.close()

    @classmethod
    async def start(
        cls,
        preload: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        isolation: str = "auto",
        packages: tuple[str, ...] = PACKAGES,
    ) -> Laboratory:
        """Start a session.

        Parameters
        ----------
        preload : mapping of str to array, list, number or str
            Variables of the session, beside ``np`` (numpy).
        limits : Limits
            What the session may use.
        isolation : {"auto", "bubblewrap", "unconfined"}
            ``auto`` is bubblewrap or an error; ``unconfined`` runs the code with all rights of the
            user, and warns.
        packages : tuple of str
            Distributions that can be imported, with what they need.

        Raises
        ------
        UsageError
            No jail is to be had on this machine, a package is missing, or a value cannot be sent.

        Warns
        -----
        EclipticWarning
            The session is unconfined.
        """
        chosen = await asyncio.to_thread(choose, isolation)
        if chosen == "unconfined":
            warnings.warn(
                "the agent's code runs unconfined: it can read and change what this user can, the "
                "truth of the tasks included",
                EclipticWarning,
                stacklevel=2,
            )
        laboratory = cls(chosen, limits or Limits(), encode(preload or {}), packages)
        await laboratory._ready()
        return laboratory

    @staticmethod
    async def warm_up(isolation: str = "auto", packages: tuple[str, ...] = PACKAGES) -> None:
        """Begin importing the packages for later sessions and return; without a jail, nothing.

        Raises
        ------
        UsageError
            As in :meth:`start`.
        """
        if await asyncio.to_thread(choose, isolation) == "bubblewrap":
            await asyncio.to_thread(nursery.warm_up, packages)

    async def run(self, code: str, seconds: float | None = None) -> CellResult:
        """Run a cell and wait for its end; what the code does wrong is in the result.

        A cancelled call interrupts its cell; the session goes on.

        Parameters
        ----------
        code : str
            Python source.
        seconds : float
            Time limit, if shorter than that of the laboratory.

        Raises
        ------
        UsageError
            The laboratory is closed, or a lost jail could not be started again.
        """
        limit = min(seconds or self.limits.cell_seconds, self.limits.cell_seconds)
        size = len(code.encode("utf-8", "surrogatepass"))
        if size > self.limits.code_bytes:
            error = f"the cell has {size:,} bytes; at most {self.limits.code_bytes:,} are taken"
            return CellResult(text=with_remarks("", [error]), error=error)
        async with self._turn:
            process = await self._ready()
            self._cell += 1
            return await self._run(process, self._cell, code, limit)

    async def restart(self) -> None:
        """Begin again with the preloaded variables only; files stay."""
        async with self._turn:
            process = await self._ready()
            self._cell += 1
            await process.send({"restart": self._cell})
            while (message := await process.receive()) is not None:
                if message.get("id") == self._cell:
                    return
            await self._lost(0.0)

    async def close(self) -> None:
        """End the session with every process in it and delete its folder; again is harmless."""
        self._closed = True
        process, self._process = self._process, None
        if process is not None:
            await process.end()

    async def _ready(self) -> SupervisorProcess:
        self._check_open()
        if self._process is None:
            process = await SupervisorProcess.start(
                self.isolation, self.limits, self._preload, self._packages
            )
            try:
                self._check_open()
            except UsageError:
                await process.end()
                raise
            self._process = process
        return self._process

    def _check_open(self) -> None:
        if self._closed:
            raise UsageError("the laboratory is closed")

    async def _run(
        self, process: SupervisorProcess, cell: int, code: str, limit: float
    ) -> CellResult:
        begun = time.monotonic()
        try:
            async with asyncio.timeout(limit + self.limits.grace_seconds + _MARGIN_SECONDS):
                await process.send({"id": cell, "code": code, "seconds": limit})
                while (message := await process.receive()) is not None:
                    if message.get("id") == cell:
                        return read_outcome(message, self.limits, limit)
        except TimeoutError:
            pass
        except asyncio.CancelledError:
            process.send_soon({"interrupt": cell})
            raise
        return await self._lost(time.monotonic() - begun)

    async def _lost(self, seconds: float) -> CellResult:
        """The jail itself is gone or silent: end it; the next cell starts another."""
        process, self._process = self._process, None
        if process is not None:
            await process.end()
        error = "session lost: the laboratory was closed" if self._closed else "session lost"
        remark = f"{error}; variables and files are gone"
        return CellResult(with_remarks("", [remark]), (), error, seconds, session_lost=True)
