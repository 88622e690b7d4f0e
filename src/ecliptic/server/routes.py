"""What anybody may ask, and how attempts are created."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ecliptic.server import messages as m
from ecliptic.server.access import Here, Key, is_operator
from ecliptic.server.described import refusals
from ecliptic.server.problems import PlainJSON, RefusedError

router = APIRouter(tags=["suite"])
MOST_LISTED = 1000
_PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


@router.get("/healthz", operation_id="health", response_model=m.Health, responses=refusals(503))
async def health(here: Here) -> Response:
    """Whether the server works: 200, or 503 where nothing can be kept."""
    if not here.store.alive:
        raise RefusedError(503, "nothing can be kept")
    return PlainJSON({"status": "ok"})


@router.get(
    "/metrics",
    operation_id="metrics",
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **refusals()},
    response_class=Response,
)
async def metrics(here: Here) -> Response:
    """Figures in Prometheus's text format."""
    here.gauge()
    return Response(here.metrics.text(), headers={"Content-Type": _PROMETHEUS})


@router.get("/v1/suite", operation_id="suite", response_model=m.SuiteInfo, responses=refusals())
async def suite(here: Here) -> Response:
    """What is served, and how it is graded."""
    return PlainJSON(
        {
            **here.served,
            "tasks": len(here.keys),
            "tools": [tool.name for tool in here.tools],
            "version": here.version,
        }
    )


@router.get("/v1/tasks", operation_id="tasks", response_model=m.TaskList, responses=refusals(422))
async def tasks(
    here: Here,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MOST_LISTED)] = MOST_LISTED,
) -> Response:
    """The ids of the tasks. They are names on this server alone, and tell nothing of a task."""
    names = list(here.keys)
    return PlainJSON({"tasks": names[offset : offset + limit], "total": len(names)})


@router.post(
    "/v1/attempts",
    operation_id="create_attempt",
    status_code=201,
    response_model=m.CreatedAttempt,
    responses=refusals(401, 403, 404, 409, 422, 429, 503),
    tags=["attempt"],
)
async def create_attempt(request: Request, here: Here, given: Key, asked: m.NewAttempt) -> Response:
    """Begin an attempt on a task; its time runs from now.

    Takes the operator's key, unless the server was started with `--open`. The token is told once:
    whoever has it plays the attempt.
    """
    known = is_operator(here, given)
    if not known:
        if not here.settings.open_creation or given is not None:
            raise RefusedError(401, "creating attempts takes the operator's key")
        request.app.state.rates.take(f"@{request.client.host if request.client else ''}")
    if asked.run and not known:
        raise RefusedError(403, "a run takes the operator's key")
    task = here.keys.get(asked.task)
    if task is None:
        raise RefusedError(404, "there is no such task; GET /v1/tasks lists them")
    attempt, token = await here.attempts.create(task, asked.run, asked.agent, asked.model)
    return PlainJSON(
        {
            "attempt": attempt.id,
            "task": asked.task,
            "token": token,
            "submissions": attempt.limits[0],
            "seconds": attempt.limits[1],
        },
        201,
    )
