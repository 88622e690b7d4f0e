"""The tool server of questions: ``python``, the laboratory.

Run as a program by the library: one process for all rollouts of a worker, since to import what it
needs takes seconds. Each rollout has a laboratory of its own in it.
"""

# The library ships no types.
# mypy: disable-error-code="import-untyped, misc, untyped-decorator"

# Annotations are read by the tool protocol, and so are not postponed here.

import asyncio
import time
from typing import Any

import verifiers.v1 as vf
from pydantic import Field

from ecliptic.errors import UsageError
from ecliptic.sandbox import Isolation, Laboratory


class AttemptState(vf.State):
    """Whose rollout a call belongs to; set on the host, never by the model."""

    attempt: str = ""


class LaboratoryConfig(vf.SharedToolsetConfig):
    """How the laboratories are shut off, and when a forgotten one ends."""

    isolation: Isolation = "auto"
    idle_seconds: float = Field(1800.0, gt=0)


class Laboratories:
    """The laboratories of the rollouts that are going on, each opened at its first call."""

    def __init__(self, isolation: Isolation, idle_seconds: float) -> None:
        self._isolation = isolation
        self._idle_seconds = idle_seconds
        self._open: dict[str, tuple[asyncio.Lock, list[Laboratory]]] = {}
        self._used: dict[str, float] = {}

    async def run(self, attempt: str, code: str, variables: dict[str, Any]) -> str:
        """What a cell prints, as a model reads it."""
        await self._end_idle()
        self._used[attempt] = time.monotonic()
        lock, opened = self._open.setdefault(attempt, (asyncio.Lock(), []))
        async with lock:
            if not opened:
                opened.append(await Laboratory.start(variables, isolation=self._isolation))
        result = await opened[0].run(code)
        self._used[attempt] = time.monotonic()
        text = result.text or "[no output]"
        plots = len(result.images)
        return f"{text}\n[{plots} plots were drawn; they are not shown]" if plots else text

    async def end(self, attempt: str) -> None:
        """End a rollout's laboratory, if it has one."""
        self._used.pop(attempt, None)
        _, opened = self._open.pop(attempt, (None, []))
        for laboratory in opened:
            await laboratory.close()

    async def end_all(self) -> None:
        """End all of them."""
        for attempt in list(self._open):
            await self.end(attempt)

    async def _end_idle(self) -> None:
        before = time.monotonic() - self._idle_seconds
        for attempt in [name for name, used in self._used.items() if used < before]:
            await self.end(attempt)


class LaboratoryTools(vf.Toolset[LaboratoryConfig, AttemptState]):
    """``python`` for all rollouts."""

    TOOL_PREFIX = None

    async def setup(self) -> None:
        """Nothing is opened before the first call."""
        self._laboratories = Laboratories(self.config.isolation, self.config.idle_seconds)
        self._exit_stack.push_async_callback(self._laboratories.end_all)

    @property
    def attempt(self) -> str:
        """The rollout that the running call belongs to."""
        if not self.state.attempt:
            raise UsageError("a call without a rollout")
        return str(self.state.attempt)

    @vf.tool
    async def python(self, code: str) -> str:
        """Run Python and return what it prints, with the value of a last expression.

        Variables, imports and files are kept from call to call. numpy (as np), scipy, astropy,
        matplotlib and sympy can be imported.
        """
        return await self._laboratories.run(self.attempt, code, {})


if __name__ == "__main__":
    LaboratoryTools.run()
