"""Grading a file of submissions without a server."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ecliptic.errors import UsageError
from ecliptic.files import reason
from ecliptic.server import grading_process
from ecliptic.server import leaderboard as board
from ecliptic.server.credentials import kept_secret, opaque_id
from ecliptic.server.grading_pool import GradingPool, listing_of
from ecliptic.server.problems import RefusedError
from ecliptic.server.settings import Limits, Source
from ecliptic.server.signatures import Signer


def grade_file(source: Source, path: Path, agent: str, model: str, state: Path) -> dict[str, Any]:
    """The signed counts of a file of submissions, as an upload gets them.

    Raises
    ------
    EclipticError
        The suite, the file or the key cannot be used; names the line.
    """
    source = replace(source, feedback="none")
    signer = Signer.of_folder(state)
    secret = kept_secret(state, "tasks.key").encode()
    listing = listing_of(source)
    ids = {task_id: key for key, task_id in listing["tasks"]}
    ids |= {opaque_id(secret, task_id): key for task_id, key in list(ids.items())}
    try:
        data = path.read_bytes()
        found = board.read_upload(data, ids)
    except OSError as error:
        raise UsageError(f"{path}: {reason(error)}") from None
    except RefusedError as refusal:
        raise UsageError(f"{path}: {refusal.detail}") from None
    counts = asyncio.run(_graded(source, found))
    served = {name: listing[name] for name in ("name", "checksum", "commitment", "protocol")}
    return signer.sign(
        board.document(
            served,
            len(listing["tasks"]),
            counts,
            mode="upload",
            agent=agent,
            model=model,
            budget={"submissions": 1, "feedback": "none"},
            evidence=board.digest_of("upload", data, agent, model),
            version=version("ecliptic"),
        )
    )


async def _graded(source: Source, found: dict[str, Any]) -> dict[str, int]:
    lanes = Limits().graders
    pool = GradingPool(source, lanes, len(found) + lanes)
    try:
        await pool.warm_up()

        async def grade(key: str, submission: Any) -> tuple[bool, bool]:
            given = submission
            if source.kind == "questions" and isinstance(submission, dict):
                given = submission.get("answer")
            return await pool.call(key, grading_process.grade_once, key, given)

        return await board.grade_upload(found, grade, lanes)
    finally:
        await asyncio.to_thread(pool.close)
