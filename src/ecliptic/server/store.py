"""What must survive a restart, written by one thread, many changes to a commit."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa

from ecliptic.server import schema
from ecliptic.server.database import open_database

T = TypeVar("T")
Work = Callable[[sa.Connection], Any]
MOST_TOGETHER = 256


class StoreError(Exception):
    """A change was not kept; the caller must not tell of it. Caught inside the package."""


@dataclass(frozen=True, slots=True)
class StoredSubmission:
    """A graded submission as it was answered."""

    number: int
    key: str | None
    digest: str
    body: str
    seconds: float
    answer: str
    passed: bool


class Store:
    """The database. Every method that changes returns after the commit is on the disk."""

    def __init__(self, url: str | None, folder: Path | None) -> None:
        self._engine, self._release = open_database(url, folder)
        self._queue: queue.SimpleQueue[tuple[Work, Future[Any]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write, name="store", daemon=True)
        self._thread.start()

    async def do(self, work: Callable[[sa.Connection], T]) -> T:
        """Carry out ``work`` in a transaction.

        It is shared with whatever waits at the same time, so that one flush to the disk serves
        many; if it fails, each is tried alone.

        Raises
        ------
        StoreError
            It was not kept.
        """
        if not self.alive:
            raise StoreError("its thread has ended")
        future: Future[T] = Future()
        self._queue.put((work, future))
        # A client that hangs up must not undo what is half-way to the disk.
        return await asyncio.shield(asyncio.wrap_future(future))

    @property
    def alive(self) -> bool:
        """Whether changes are still written."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Finish what waits and give the database back."""
        self._queue.put(None)
        self._thread.join()
        self._release()

    def _write(self) -> None:
        while (first := self._queue.get()) is not None:
            batch, last = [first], False
            while len(batch) < MOST_TOGETHER and not self._queue.empty():
                item = self._queue.get()
                if item is None:
                    last = True
                    break
                batch.append(item)
            self._together(batch)
            if last:
                return

    def _together(self, batch: list[tuple[Work, Future[Any]]]) -> None:
        try:
            with self._engine.begin() as connection:
                outcomes = [work(connection) for work, _ in batch]
        except sa.exc.SQLAlchemyError as error:
            if len(batch) == 1:
                batch[0][1].set_exception(StoreError(type(error).__name__))
                return
            for item in batch:
                self._together([item])
            return
        except BaseException as error:  # a fault of the program: nobody may wait for ever
            for _, future in batch:
                future.set_exception(StoreError(type(error).__name__))
            raise
        for (_, future), outcome in zip(batch, outcomes, strict=True):
            future.set_result(outcome)


def insert_attempt(row: dict[str, Any]) -> Work:
    """A new attempt."""
    return lambda connection: connection.execute(sa.insert(schema.attempts).values(**row))


def insert_submission(attempt: str, kept: StoredSubmission, ended: str, used: float) -> Work:
    """A graded submission, with the state that it leaves the attempt in."""

    def work(connection: sa.Connection) -> None:
        connection.execute(
            sa.insert(schema.submissions).values(
                attempt=attempt,
                **{name: getattr(kept, name) for name in StoredSubmission.__slots__},
            )
        )
        connection.execute(
            sa.update(schema.attempts)
            .where(schema.attempts.c.id == attempt)
            .values(ended=ended, used=used)
        )

    return work


def end_attempt(attempt: str, reason: str, used: float) -> Work:
    """The end of an attempt that was still open."""
    table = schema.attempts
    return lambda connection: connection.execute(
        sa.update(table)
        .where(table.c.id == attempt, table.c.ended == "")
        .values(ended=reason, used=used)
    )


def beat(now: float, used: dict[str, float]) -> Work:
    """The heartbeat, and when each attempt that was busy since the last one was used."""

    def work(connection: sa.Connection) -> None:
        put_setting(connection, "alive", repr(now))
        table = schema.attempts
        for attempt, when in used.items():
            connection.execute(sa.update(table).where(table.c.id == attempt).values(used=when))

    return work


def take_up(suite: str, now: float) -> Callable[[sa.Connection], tuple[str, float]]:
    """Begin to serve: the suite that the database belongs to, and the seconds of rest.

    Open attempts are credited with the time that no server was running.
    """

    def work(connection: sa.Connection) -> tuple[str, float]:
        owner = get_setting(connection, "suite")
        if owner is None:
            put_setting(connection, "suite", suite)
        elif owner != suite:
            return owner, 0.0
        alive = get_setting(connection, "alive")
        rest = max(0.0, now - float(alive)) if alive is not None else 0.0
        table = schema.attempts
        connection.execute(
            sa.update(table)
            .where(table.c.ended == "")
            .values(paused=table.c.paused + rest, used=table.c.used + rest)
        )
        put_setting(connection, "alive", repr(now))
        return suite, rest

    return work


def get_setting(connection: sa.Connection, name: str) -> str | None:
    """A value of the table ``settings``."""
    table = schema.settings
    value: str | None = connection.execute(
        sa.select(table.c.value).where(table.c.name == name)
    ).scalar()
    return value


def put_setting(connection: sa.Connection, name: str, value: str) -> None:
    """Set a value of the table ``settings``."""
    table = schema.settings
    connection.execute(sa.delete(table).where(table.c.name == name))
    connection.execute(sa.insert(table).values(name=name, value=value))


def read_attempt(attempt: str) -> Callable[[sa.Connection], Any]:
    """The row of an attempt and its submissions; ``None`` where there is none."""

    def work(connection: sa.Connection) -> Any:
        table = schema.attempts
        row = connection.execute(sa.select(table).where(table.c.id == attempt)).first()
        return None if row is None else (row, submissions_of(connection, attempt))

    return work


def submissions_of(connection: sa.Connection, attempt: str) -> list[StoredSubmission]:
    """The graded submissions of an attempt, in order."""
    table = schema.submissions
    rows = connection.execute(
        sa.select(table).where(table.c.attempt == attempt).order_by(table.c.number)
    )
    return [
        StoredSubmission(**{name: getattr(row, name) for name in StoredSubmission.__slots__})
        for row in rows
    ]


def open_attempts(connection: sa.Connection) -> list[Any]:
    """Rows of all attempts that go on."""
    table = schema.attempts
    return list(connection.execute(sa.select(table).where(table.c.ended == "")))
