"""Results of whole runs on a suite: uploaded, or played live."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa

from ecliptic.errors import TaskError
from ecliptic.server import schema
from ecliptic.server.bodies import read_body
from ecliptic.server.problems import RefusedError
from ecliptic.server.signatures import SCHEMA

Grade = Callable[[str, Any], Awaitable[tuple[bool, bool]]]
MOST_LINES = 200_000


def read_upload(data: bytes, keys: Mapping[str, str]) -> dict[str, Any]:
    """The submissions of an upload by the task's key in the suite.

    A line is ``{"task": ID, "submission": ...}``; ids are those of the public part of the suite
    or of the server's list. One submission a task.

    Raises
    ------
    RefusedError
        Names the line and what is wrong with it.
    """
    found: dict[str, Any] = {}
    for number, line in _lines(data):
        where = f"line {number}"
        try:
            value = read_body(line, where)
        except TaskError as error:
            raise RefusedError(422, str(error)) from None
        if not isinstance(value, dict) or value.keys() != {"task", "submission"}:
            raise RefusedError(422, f'{where}: must be {{"task": ..., "submission": ...}}')
        key = keys.get(value["task"]) if isinstance(value["task"], str) else None
        if key is None:
            raise RefusedError(422, f"{where}: names no task of this suite")
        if key in found:
            raise RefusedError(422, f"{where}: is a second submission for its task; one is taken")
        found[key] = value["submission"]
    if not found:
        raise RefusedError(422, "the file holds no submission")
    return found


def _lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if number > MOST_LINES:
            raise RefusedError(422, f"more than {MOST_LINES:,} lines")
        if line.strip():
            yield number, line


async def grade_upload(found: Mapping[str, Any], grade: Grade, together: int) -> dict[str, int]:
    """Counts over an upload: how many could be graded, how many pass."""
    room = asyncio.Semaphore(together)

    async def one(key: str, submission: Any) -> tuple[bool, bool]:
        async with room:
            return await grade(key, submission)

    outcomes = await asyncio.gather(*(one(key, value) for key, value in found.items()))
    return {
        "attempted": len(found),
        "graded": sum(counted for counted, _ in outcomes),
        "passed": sum(passed for _, passed in outcomes),
    }


def document(
    served: Mapping[str, Any],
    tasks: int,
    counts: Mapping[str, int],
    *,
    mode: str,
    agent: str,
    model: str,
    budget: Mapping[str, Any],
    evidence: str,
    version: str,
) -> dict[str, Any]:
    """A result, ready to be signed. It tells counts alone, no task by name."""
    return {
        "schema": SCHEMA,
        "suite": {
            "name": served["name"],
            "checksum": served["checksum"],
            "commitment": served["commitment"],
            "tasks": tasks,
        },
        "protocol": served["protocol"],
        "mode": mode,
        "agent": agent,
        "model": model,
        "budget": dict(budget),
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "version": version,
        "counts": {"tasks": tasks, **counts},
        "evidence": evidence,
    }


def digest_of(*parts: str | bytes) -> str:
    """SHA-256 over parts, each with its length in front."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "little") + data)
    return total.hexdigest()


def live_run(run: str) -> Callable[[sa.Connection], list[dict[str, Any]]]:
    """The attempts of a run: task, state, agent, model, submissions used, whether one passed."""
    a, s = schema.attempts, schema.submissions
    query = (
        sa.select(
            a.c.id,
            a.c.task,
            a.c.ended,
            a.c.agent,
            a.c.model,
            sa.func.count(s.c.number).label("submissions"),
            sa.func.coalesce(sa.func.max(sa.case((s.c.passed, 1), else_=0)), 0).label("passed"),
        )
        .select_from(a.outerjoin(s, a.c.id == s.c.attempt))
        .where(a.c.run == run)
        .group_by(a.c.id, a.c.task, a.c.ended, a.c.agent, a.c.model, a.c.created)
        .order_by(a.c.created, a.c.id)
    )
    return lambda connection: [dict(row._mapping) for row in connection.execute(query)]


def kept_result(digest: str) -> Callable[[sa.Connection], dict[str, Any] | None]:
    """The result of the same upload or run, if it was signed before."""
    table = schema.results

    def work(connection: sa.Connection) -> dict[str, Any] | None:
        text = connection.execute(
            sa.select(table.c.document).where(table.c.digest == digest)
        ).scalar()
        return None if text is None else dict(json.loads(text))

    return work


def keep_result(digest: str, signed: Mapping[str, Any]) -> Callable[[sa.Connection], Any]:
    """Add a result to the list."""
    row = {"digest": digest, "document": json.dumps(signed)}
    return lambda connection: connection.execute(sa.insert(schema.results).values(**row))


def results(offset: int, limit: int) -> Callable[[sa.Connection], tuple[list[Any], int]]:
    """A page of the list, the newest first, and how many there are."""
    table = schema.results

    def work(connection: sa.Connection) -> tuple[list[Any], int]:
        page = sa.select(table.c.document).order_by(table.c.id.desc()).offset(offset).limit(limit)
        total = connection.execute(sa.select(sa.func.count()).select_from(table)).scalar()
        return [json.loads(row[0]) for row in connection.execute(page)], int(total or 0)

    return work
