"""Attempts on stars that are going on in a tool server."""

from __future__ import annotations

import asyncio
import math
import time
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict

from ecliptic.rv import Budget, Environment
from ecliptic.training.language.references import StarReference


class AttemptRules(BaseModel):
    """What an attempt is made of."""

    model_config = ConfigDict(frozen=True)

    reference: StarReference
    protocol: str
    feedback: str
    submissions: int
    seconds: float | None = None

    def begin(self) -> Environment:
        """A running attempt; its clock starts now."""
        budget = Budget(
            tokens=math.inf, seconds=self.seconds or math.inf, submissions=self.submissions
        )
        environment = Environment(self.reference.find(), self.protocol, self.feedback, budget)
        environment.reset()
        return environment


@dataclass
class Attempt:
    """One rollout's attempt, and what of it was graded."""

    environment: Environment
    graded: list[Any] = field(default_factory=list)
    used: float = field(default_factory=time.monotonic)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def submit(self, submission: dict[str, Any]) -> str:
        """Hand in; what the agent is told."""
        async with self.turn:
            step = await asyncio.to_thread(self.environment.step, submission)
            if step.counted:
                self.graded.append(submission)
        return step.feedback.text


class Attempts:
    """Attempts by the name of their rollout; those that nobody called for long are forgotten."""

    def __init__(self, idle_seconds: float) -> None:
        self._idle_seconds = idle_seconds
        self._running: dict[str, Attempt] = {}
        self._turn = asyncio.Lock()

    async def of(self, name: str, rules: AttemptRules) -> Attempt:
        """The attempt of a rollout, begun at its first call."""
        now = time.monotonic()
        async with self._turn:
            for idle in [k for k, a in self._running.items() if a.used < now - self._idle_seconds]:
                del self._running[idle]
            attempt = self._running.get(name)
            if attempt is None:
                attempt = Attempt(await asyncio.to_thread(rules.begin))
                self._running[name] = attempt
        attempt.used = now
        return attempt
