"""Live attempts on stars, by the sample's uuid: the environment with the truth, the laboratory.

Nothing of an episode is in a message, a tool or the store but what was handed in.
"""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import anyio
from inspect_ai.util import sample_limits, store

from ecliptic.agents import end_attempt
from ecliptic.evals.stop_reasons import StopReason
from ecliptic.rv import Environment, Step
from ecliptic.rv.agent_texts import session_variables
from ecliptic.sandbox import CellResult, Laboratory

if TYPE_CHECKING:
    from ecliptic.evals.container_laboratory import ContainerLaboratory

Confinement = Literal["auto", "bubblewrap", "docker", "sandbox", "unconfined"]
"""Where an agent's Python runs: those of the laboratory, and Inspect's own sandboxes."""
IN_CONTAINER = ("docker", "sandbox")

SUBMISSIONS_KEY = "ecliptic:submissions"
"""In the store: what was handed in, in order, without any verdict."""

REASONS = {
    "success": StopReason.SOLVED,
    "submissions": StopReason.SUBMISSIONS,
    "seconds": StopReason.TIME,
    "tokens": StopReason.TOKENS,
}
"""What the environment calls them."""


@dataclass
class Episode:
    """One attempt: takes submissions and runs cells until the budget is used up."""

    environment: Environment
    isolation: Confinement = "auto"
    _laboratory: Laboratory | ContainerLaboratory | None = None
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _grading: asyncio.Lock = field(default_factory=asyncio.Lock)
    _told: int = 0
    _closed: bool = False

    async def hand_in(self, submission: Any) -> Step:
        """Grade it, keep it in the store, and end the attempt where that was the last one."""
        async with self._grading:
            self._tell_tokens()
            # A cancelled call must not leave a submission half-way between here and there.
            with anyio.CancelScope(shield=True):
                step = await anyio.to_thread.run_sync(self.environment.step, submission)
        kept = {"submission": submission, "status": step.feedback.status}
        store().set(SUBMISSIONS_KEY, [*(store().get(SUBMISSIONS_KEY) or []), kept])
        if step.reason:
            end_attempt(REASONS[step.reason])
        return step

    async def run(self, code: str) -> CellResult:
        """Run a cell, in the time that is left; the laboratory is opened for the first one."""
        left = self.environment.budget.seconds - self.environment.seconds
        async with self._turn:
            if self._laboratory is None and not self._closed:
                self._laboratory = await self._opened()
        assert self._laboratory is not None
        return await self._laboratory.run(code, max(1.0, left))

    async def _opened(self) -> Laboratory | ContainerLaboratory:
        preload = session_variables(self.environment.task.observation)
        if self.isolation not in IN_CONTAINER:
            return await Laboratory.start(preload, isolation=self.isolation)
        from ecliptic.evals.container_laboratory import ContainerLaboratory

        return await ContainerLaboratory.start(preload)

    async def close(self) -> None:
        """End the laboratory."""
        self._closed = True
        if self._laboratory is not None:
            await self._laboratory.close()

    def _tell_tokens(self) -> None:
        used = int(sample_limits().token.usage)
        self.environment.spend(max(0, used - self._told))
        self._told = max(used, self._told)


_live: dict[str, Episode] = {}
_current: ContextVar[str] = ContextVar("ecliptic_episode")


def open_episode(uuid: str, episode: Episode) -> None:
    """Make it the episode of this sample; tools that run in its context find it."""
    _live[uuid] = episode
    _current.set(uuid)


def current_episode() -> Episode:
    """The episode of the running sample."""
    return _live[_current.get()]


def find_episode(uuid: str) -> Episode | None:
    """The episode of a sample, while it lives."""
    return _live.get(uuid)


async def close_episode(uuid: str) -> None:
    """Forget the episode and end its laboratory; again is harmless."""
    episode = _live.pop(uuid, None)
    if episode is not None:
        await episode.close()
