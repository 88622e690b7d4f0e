"""Opening SQLite or PostgreSQL, each for one server alone."""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import StaticPool

from ecliptic.errors import MissingExtraError, UsageError
from ecliptic.files import output_errors
from ecliptic.server.schema import migrate

FILE = "attempts.sqlite"
_BUSY = "is in use by another server; stop that one, or choose another --state or --database"


def open_database(url: str | None, folder: Path | None) -> tuple[sa.Engine, Callable[[], None]]:
    """An engine on a database of this version's schema, and what gives it back at the end.

    One server a database: its counts of attempts and submissions are in memory. SQLite is locked
    by a file beside it, PostgreSQL by an advisory lock.

    Raises
    ------
    UsageError
        Another server uses it, it cannot be reached, or it is of a newer version.
    """
    try:
        engine, release = _of_url(url) if url else _of_folder(folder)
        try:
            with engine.begin() as connection:
                migrate(connection)
        except BaseException:
            release()
            raise
    except sa.exc.SQLAlchemyError as error:
        told = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise UsageError(f"the database cannot be used: {told}") from None
    return engine, release


def _of_folder(folder: Path | None) -> tuple[sa.Engine, Callable[[], None]]:
    if folder is None:
        memory = sa.create_engine(
            "sqlite://", poolclass=StaticPool, connect_args={"check_same_thread": False}
        )
        return memory, memory.dispose
    path = folder / FILE
    with output_errors(path):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = (folder / f"{FILE}.lock").open("w")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise UsageError(f"{path}: {_BUSY}") from None
        path.touch(mode=0o600)
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"timeout": 30})
    sa.event.listen(engine, "connect", _make_durable)

    def release() -> None:
        engine.dispose()
        lock.close()

    return engine, release


def _make_durable(connection: Any, _: object) -> None:
    """What was committed is on the disk, also after a power cut."""
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _of_url(url: str) -> tuple[sa.Engine, Callable[[], None]]:
    try:
        parsed = sa.make_url(url)
    except sa.exc.ArgumentError:
        raise UsageError("--database: is no URL such as postgresql://user@host/name") from None
    if parsed.get_backend_name() != "postgresql":
        raise UsageError("--database: takes a URL of PostgreSQL; SQLite needs --state alone")
    try:
        engine = sa.create_engine(parsed.set(drivername="postgresql+psycopg"), pool_pre_ping=True)
    except ModuleNotFoundError:
        raise MissingExtraError("databases of PostgreSQL", "postgresql") from None
    place = f"ecliptic:{parsed.database}"
    number = int.from_bytes(hashlib.sha256(place.encode()).digest()[:8], "big", signed=True)
    holder = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    if not holder.execute(sa.select(sa.func.pg_try_advisory_lock(number))).scalar():
        holder.close()
        engine.dispose()
        raise UsageError(f"the database {parsed.database} {_BUSY}")

    def release() -> None:
        holder.close()
        engine.dispose()

    return engine, release
