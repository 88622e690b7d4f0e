"""Attempts: who may do what, and what was done. The rules of time:

An attempt begins when it is created. Its seconds pass on the clock of the server's machine while
a server runs; from the last heartbeat of a server (one every 5 s) to the start of the next they do
not. A submission is judged by the moment at which it arrived.
"""

from __future__ import annotations

import asyncio
import json
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from ecliptic.server import grading_process as grading
from ecliptic.server import store as changes
from ecliptic.server.attempt import ENDINGS, Attempt
from ecliptic.server.credentials import (
    attempt_of,
    digest,
    matches,
    new_attempt_id,
    new_token,
)
from ecliptic.server.grading_pool import GradingPool
from ecliptic.server.problems import RefusedError
from ecliptic.server.settings import Limits
from ecliptic.server.store import Store, StoredSubmission

T = TypeVar("T")
ENDED_KEPT = 1000
_NOBODY = digest("nobody")


class Attempts:
    """All attempts of a server. Methods raise :class:`RefusedError` for what is not permitted."""

    def __init__(
        self, store: Store, pool: GradingPool, limits: Limits, clock: Callable[[], float]
    ) -> None:
        self._store, self._pool, self._limits, self.clock = store, pool, limits, clock
        self._open: dict[str, Attempt] = {}
        self._ended: OrderedDict[str, Attempt] = OrderedDict()
        self._parts: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._busy: dict[str, float] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.when_ended: Callable[[str], Awaitable[None]] | None = None

    @property
    def open_count(self) -> int:
        """Attempts that go on."""
        return len(self._open)

    def open_on(self, task: str) -> Attempt | None:
        """An attempt on a task that goes on, if there is one."""
        return next((each for each in self._open.values() if each.task == task), None)

    async def load(self) -> None:
        """Take up what an earlier server left open."""
        for row in await self._store.do(changes.open_attempts):
            attempt = Attempt(**row._mapping)
            _, attempt.submissions = await self._store.do(changes.read_attempt(attempt.id))
            await self._measure(attempt)
            self._open[attempt.id] = attempt

    async def create(self, task: str, run: str, agent: str, model: str) -> tuple[Attempt, str]:
        """A new attempt on a task (its key in the suite), and its token."""
        if len(self._open) >= self._limits.open_attempts:
            raise RefusedError(503, "too many attempts are open", retry=30)
        name, now = new_attempt_id(), self.clock()
        token = new_token(name)
        attempt = Attempt(name, digest(token), task, run, agent, model, now, 0.0, now, "")
        await self._measure(attempt)
        await self._store.do(changes.insert_attempt(attempt.row()))
        self._open[name] = attempt
        return attempt, token

    async def of_token(self, token: str) -> Attempt:
        """The attempt of a token; one that has ended, too."""
        name = attempt_of(token)
        attempt = None if name is None else await self._find(name)
        # Compared also where there is nothing to compare with: both cases take the same time.
        right = matches(token, _NOBODY if attempt is None else attempt.token_digest)
        if attempt is None or not right:
            raise RefusedError(401, "the token is that of no attempt")
        if not attempt.ended:
            attempt.used = self._busy[attempt.id] = self.clock()
            await self._check_time(attempt)
        return attempt

    async def _find(self, name: str) -> Attempt | None:
        known = self._open.get(name) or self._ended.get(name)
        if known is not None:
            return known
        found = await self._store.do(changes.read_attempt(name))
        if found is None:
            return None
        attempt = Attempt(**found[0]._mapping, submissions=found[1])
        await self._measure(attempt)
        self._remember(attempt)
        return attempt

    async def public_part(self, attempt: Attempt) -> dict[str, Any]:
        """What the agent may see of its task."""
        return await self._part(attempt.task)

    async def _part(self, task: str) -> dict[str, Any]:
        part = self._parts.get(task)
        if part is None:
            part = await self._pool.call(task, grading.public_part, task)
            self._parts[task] = part
            if len(self._parts) > ENDED_KEPT:
                self._parts.popitem(last=False)
        return part

    async def _measure(self, attempt: Attempt) -> None:
        part = await self._part(attempt.task)
        attempt.limits = part["submissions"], part["seconds"]

    def require_open(self, attempt: Attempt) -> None:
        """Refuse what comes after the end."""
        if attempt.ended:
            raise RefusedError(409, f"The attempt is over. {ENDINGS[attempt.ended]}", left=0)

    def seconds_left(self, attempt: Attempt) -> float:
        """Seconds that remain; 0 after the end."""
        if attempt.ended:
            return 0.0
        return max(0.0, attempt.limits[1] - attempt.seconds(self.clock()))

    def ending(self, attempt: Attempt) -> str:
        """Why it is over, in words; empty while it goes on."""
        return ENDINGS.get(attempt.ended, "")

    async def submit(self, attempt: Attempt, submission: Any, key: str | None) -> dict[str, Any]:
        """Grade a submission, keep it, and return what the agent is told.

        With the ``key`` of an earlier one the earlier answer comes again, and nothing is graded.
        It goes on to its end even if whoever sent it has hung up.
        """
        arrived = attempt.seconds(self.clock())
        return await self._to_its_end(self._submit(attempt, submission, key, arrived))

    async def _submit(
        self, attempt: Attempt, submission: Any, key: str | None, arrived: float
    ) -> dict[str, Any]:
        body = json.dumps(submission, sort_keys=True)
        mark = digest(body)
        async with attempt.turn:
            told = attempt.told_before(key, mark)
            if told is not None:
                return told
            self.require_open(attempt)
            earlier = [(each.digest, each.body, each.seconds) for each in attempt.submissions]
            outcome = await self._pool.call(
                attempt.id,
                grading.hand_in,
                *(attempt.id, attempt.task, earlier, submission, mark, arrived),
            )
            told = outcome["told"]
            if not outcome["counted"]:
                if outcome["reason"]:
                    await self._end(attempt, outcome["reason"])
                raise RefusedError(
                    409 if outcome["reason"] else 422, told["text"], left=told["submissions_left"]
                )
            told = {
                **told,
                "number": len(attempt.submissions) + 1,
                "over": bool(outcome["reason"]),
                "seconds_left": round(max(0.0, attempt.limits[1] - arrived), 3),
            }
            kept = StoredSubmission(
                told["number"], key, mark, body, arrived, json.dumps(told), outcome["passed"]
            )
            await self._store.do(
                changes.insert_submission(attempt.id, kept, outcome["reason"], attempt.used)
            )
            attempt.submissions.append(kept)
            if outcome["reason"]:
                attempt.ended = outcome["reason"]
                await self._forget(attempt)
        return told

    async def close(self, attempt: Attempt) -> None:
        """End an attempt at its owner's wish; again is harmless."""
        async with attempt.turn:
            if not attempt.ended:
                await self._to_its_end(self._end(attempt, "closed"))

    async def _check_time(self, attempt: Attempt) -> None:
        if attempt.seconds(self.clock()) > attempt.limits[1] and not attempt.turn.locked():
            async with attempt.turn:
                if not attempt.ended:
                    await self._end(attempt, "seconds")

    async def _end(self, attempt: Attempt, reason: str) -> None:
        await self._store.do(changes.end_attempt(attempt.id, reason, attempt.used))
        attempt.ended = reason
        await self._forget(attempt)

    async def _forget(self, attempt: Attempt) -> None:
        self._open.pop(attempt.id, None)
        self._busy.pop(attempt.id, None)
        self._remember(attempt)
        if self.when_ended is not None:
            await self.when_ended(attempt.id)

    def _remember(self, attempt: Attempt) -> None:
        self._ended[attempt.id] = attempt
        if len(self._ended) > ENDED_KEPT:
            self._ended.popitem(last=False)

    async def sweep(self) -> None:
        """End attempts whose time is up or that nobody has used for long."""
        now = self.clock()
        for attempt in list(self._open.values()):
            if attempt.turn.locked():
                continue
            await self._check_time(attempt)
            if not attempt.ended and now - attempt.used > self._limits.idle_seconds:
                async with attempt.turn:
                    if not attempt.ended:
                        await self._end(attempt, "idle")

    async def beat(self) -> None:
        """Keep the time, so that a later server knows for how long there was none."""
        used, self._busy = self._busy, {}
        await self._store.do(changes.beat(self.clock(), used))

    async def finish(self) -> None:
        """Wait for what is being graded, and keep the time once more."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.beat()

    async def _to_its_end(self, work: Coroutine[Any, Any, T]) -> T:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)
