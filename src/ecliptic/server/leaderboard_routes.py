"""The leaderboard over HTTP."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ecliptic.server import grading_process
from ecliptic.server import leaderboard as board
from ecliptic.server import messages as m
from ecliptic.server.access import Here, Operator
from ecliptic.server.described import body, refusals
from ecliptic.server.problems import PlainJSON, RefusedError
from ecliptic.server.service import Service
from ecliptic.server.store import StoreError

router = APIRouter(prefix="/v1/leaderboard", tags=["leaderboard"])
NDJSON = "application/x-ndjson"
_SIGNED: dict[int | str, Any] = {
    200: {
        "description": "the signed result",
        "content": {"application/json": {"schema": {"type": "object"}}},
    }
}
_LABEL = Query(max_length=200, pattern=r"^[ -~]*$")


@router.get("", operation_id="results", response_model=m.Results, responses=refusals(422))
async def results(
    here: Here,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=100)] = 100,
) -> Response:
    """Signed results, the newest first."""
    page, total = await here.store.do(board.results(offset, limit))
    return PlainJSON({"results": page, "total": total})


@router.get("/key", operation_id="key", response_model=m.PublicKey, responses=refusals())
async def key(here: Here) -> Response:
    """The key that results are verified with."""
    return PlainJSON({"algorithm": "Ed25519", "public_key": here.signer.public_key})


@router.post(
    "/uploads",
    operation_id="upload",
    dependencies=[Operator],
    responses={**_SIGNED, **refusals(401, 415, 422, 503)},
    response_class=Response,
    openapi_extra=body(
        {"type": "string"}, '{"task":"t-3f0a1b2c","submission":{"planets":[]}}\n', NDJSON
    ),
)
async def upload(
    request: Request,
    here: Here,
    agent: Annotated[str, _LABEL],
    model: Annotated[str, _LABEL] = "",
) -> Response:
    """Grade a file of submissions, a line of JSON a task, and sign the counts.

    Tasks that the file leaves out count as not passed. The same file of the same agent gets the
    same result, and is graded once.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != NDJSON:
        raise RefusedError(415, f"send JSON lines, with 'Content-Type: {NDJSON}'")
    signed = await sign_upload(here, await request.body(), agent, model)
    return PlainJSON(signed)


async def sign_upload(here: Service, data: bytes, agent: str, model: str) -> dict[str, Any]:
    """The signed result of a file of submissions."""
    mark = board.digest_of("upload", data, agent, model)
    async with here.uploads:  # one at a time: attempts that are played live go first
        known = await here.store.do(board.kept_result(mark))
        if known is not None:
            return known
        found = board.read_upload(data, here.ids)

        async def grade(task: str, submission: Any) -> tuple[bool, bool]:
            if here.served["kind"] == "questions" and isinstance(submission, dict):
                submission = submission.get("answer")
            return await here.pool.call(task, grading_process.grade_once, task, submission)

        counts = await board.grade_upload(found, grade, here.settings.limits.graders)
        budget = {"submissions": 1, "feedback": "none"}
        result = board.document(
            here.served, len(here.keys), counts, mode="upload", agent=agent, model=model,
            budget=budget, evidence=mark, version=here.version,
        )  # fmt: skip
        return await _kept(here, mark, here.signer.sign(result))


@router.post(
    "/runs",
    operation_id="close_run",
    dependencies=[Operator],
    responses={**_SIGNED, **refusals(401, 404, 409, 422, 503)},
    response_class=Response,
)
async def close_run(here: Here, asked: m.LiveRun) -> Response:
    """Sign the counts of a run that was played live.

    Of several attempts on a task the first counts; tasks without one count as not passed. All
    attempts of the run must be over, and be of one agent and model.
    """
    rows = await here.store.do(board.live_run(asked.run))
    if not rows:
        raise RefusedError(404, "there is no attempt of this run")
    if any(not row["ended"] for row in rows):
        raise RefusedError(409, "attempts of this run are still open")
    who = {(row["agent"], row["model"]) for row in rows}
    if len(who) > 1:
        raise RefusedError(409, "attempts of this run are of several agents or models")
    first: dict[str, dict[str, Any]] = {}
    for row in rows:
        first.setdefault(row["task"], row)
    parts = [f"{row['id']}:{row['submissions']}:{row['passed']}" for row in first.values()]
    mark = board.digest_of("live", asked.run, *parts)
    known = await here.store.do(board.kept_result(mark))
    if known is not None:
        return PlainJSON(known)
    counts = {
        "attempted": len(first),
        "graded": sum(row["submissions"] > 0 for row in first.values()),
        "passed": sum(bool(row["passed"]) for row in first.values()),
        "submissions": sum(row["submissions"] for row in first.values()),
    }
    ((agent, model),) = who
    budget = {"submissions": "of each task", "feedback": here.served["feedback"]}
    result = board.document(
        here.served, len(here.keys), counts, mode="live", agent=agent, model=model,
        budget=budget, evidence=mark, version=here.version,
    )  # fmt: skip
    return PlainJSON(await _kept(here, mark, here.signer.sign(result)))


async def _kept(here: Service, mark: str, signed: dict[str, Any]) -> dict[str, Any]:
    try:
        await here.store.do(board.keep_result(mark, signed))
    except StoreError:  # two calls at once: the first one's stands
        known = await here.store.do(board.kept_result(mark))
        if known is None:
            raise
        return known
    return signed
