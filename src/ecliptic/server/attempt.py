"""One attempt, as it stands in memory."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

from ecliptic.server.problems import RefusedError
from ecliptic.server.store import StoredSubmission

ENDINGS = {
    "success": "All criteria passed: the task is solved.",
    "submissions": "All submissions are used.",
    "seconds": "Its time is up.",
    "idle": "There was no call for too long.",
    "closed": "It was ended by its owner.",
}


@dataclass(slots=True)
class Attempt:
    """One attempt of one agent on one task."""

    id: str
    token_digest: str
    task: str
    run: str
    agent: str
    model: str
    created: float
    paused: float
    used: float
    ended: str
    submissions: list[StoredSubmission] = field(default_factory=list)
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    limits: tuple[int, float] = (0, 0.0)

    def seconds(self, now: float) -> float:
        """Seconds that count."""
        return max(0.0, now - self.created - self.paused)

    def row(self) -> dict[str, Any]:
        """As it stands in the database."""
        names = [
            "id",
            "token_digest",
            "task",
            "run",
            "agent",
            "model",
            "created",
            "paused",
            "used",
            "ended",
        ]
        return {name: getattr(self, name) for name in names}

    @property
    def left(self) -> int:
        """Submissions that may still be graded."""
        return 0 if self.ended else max(0, self.limits[0] - len(self.submissions))

    def told_before(self, key: str | None, mark: str) -> dict[str, Any] | None:
        """The answer to the submission that was sent with this idempotency key, if one was.

        ``mark`` is its digest; another submission with the key is refused.
        """
        if key is None:
            return None
        for each in self.submissions:
            if each.key == key:
                if each.digest != mark:
                    raise RefusedError(
                        409, "this idempotency key was used for another submission", left=self.left
                    )
                told: dict[str, Any] = json.loads(each.answer)
                return told
        return None
