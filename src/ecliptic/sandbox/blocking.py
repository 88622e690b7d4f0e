"""The laboratory for code that is not asynchronous."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from .laboratory import PACKAGES, Laboratory
from .limits import Limits
from .result import CellResult


class BlockingLaboratory:
    """A :class:`Laboratory` on an event loop in a thread of its own; also a context manager.

    Parameters and errors are those of :meth:`Laboratory.start`.
    """

    def __init__(
        self,
        preload: Mapping[str, Any] | None = None,
        limits: Limits | None = None,
        isolation: str = "auto",
        packages: tuple[str, ...] = PACKAGES,
    ) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        try:
            self._laboratory = self._wait(Laboratory.start(preload, limits, isolation, packages))
        except BaseException:
            self._stop()
            raise

    def run(self, code: str, seconds: float | None = None) -> CellResult:
        """Run a cell; see :meth:`Laboratory.run`."""
        result: CellResult = self._wait(self._laboratory.run(code, seconds))
        return result

    def restart(self) -> None:
        """Begin again with the preloaded variables only; files stay."""
        self._wait(self._laboratory.restart())

    def close(self) -> None:
        """End the session; again is harmless."""
        if not self._loop.is_closed():
            self._wait(self._laboratory.close())
            self._stop()

    def __enter__(self) -> BlockingLaboratory:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        self.close()

    def _wait(self, work: Any) -> Any:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()
