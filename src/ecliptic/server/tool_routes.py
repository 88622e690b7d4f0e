"""The tools of an attempt over HTTP: ``/v1/attempt`` is the one whose token comes along."""

from __future__ import annotations

import base64
from typing import Annotated

from fastapi import APIRouter, Header
from starlette.responses import Response

from ecliptic.server import messages as m
from ecliptic.server.access import Body, Here, Mine
from ecliptic.server.described import body, refusals
from ecliptic.server.problems import PlainJSON
from ecliptic.server.tool_schemas import (
    ANSWER_SUBMISSION,
    CODE,
    EXAMPLE,
    MODEL,
    POWER,
    STAR_SUBMISSION,
)

_ANY = (401, 429, 503)
IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=100,
        pattern=r"^[A-Za-z0-9._:-]+$",
        description="a name of your own for this submission; sent again with it, it is not graded "
        "again, and the answer is the same",
    ),
]


def tool_router(kind: str, python: bool) -> APIRouter:
    """Routes for stars or questions, with or without the laboratory."""
    router = APIRouter(prefix="/v1/attempt", tags=["attempt"])
    stars = kind == "stars"

    @router.get("", operation_id="state", response_model=m.History, responses=refusals(*_ANY))
    async def state(here: Here, mine: Mine) -> Response:
        """What is left of the attempt, and what was told of each graded submission."""
        return PlainJSON({**here.desk.state(mine), "answers": here.desk.told(mine)})

    @router.delete(
        "", operation_id="end", status_code=204, responses=refusals(*_ANY), response_class=Response
    )
    async def end(here: Here, mine: Mine) -> Response:
        """End the attempt; what was graded counts. Again is harmless."""
        await here.attempts.close(mine)
        return Response(status_code=204)

    @router.get(
        "/observation",
        operation_id="observe",
        response_model=m.StarSeen if stars else m.QuestionSeen,
        responses=refusals(*_ANY),
    )
    async def observe(here: Here, mine: Mine) -> Response:
        """All that may be seen of the task."""
        here.metrics.tools.labels("observe", "http").inc()
        return PlainJSON(await here.desk.observe(mine))

    @router.post(
        "/submissions",
        operation_id="submit",
        response_model=m.Answer,
        responses=refusals(409, 415, 422, *_ANY),
        openapi_extra=body(STAR_SUBMISSION, EXAMPLE)
        if stars
        else body(ANSWER_SUBMISSION, {"answer": r"$4.2\ \mathrm{nT}$"}),
    )
    async def submit(
        here: Here, mine: Mine, asked: Body, idempotency_key: IdempotencyKey = None
    ) -> Response:
        """Hand in a submission. When the answer arrives, it is kept.

        409: the attempt is over. 422: it was not accepted, and cost nothing.
        """
        here.metrics.tools.labels("submit", "http").inc()
        return PlainJSON(await here.desk.submit(mine, asked, idempotency_key))

    if python:
        _add_python(router)
    if stars:
        _add_pictures(router)
    return router


def _add_python(router: APIRouter) -> None:
    @router.post(
        "/python",
        operation_id="python",
        response_model=m.CellOutcome,
        responses=refusals(409, 415, 422, *_ANY),
        openapi_extra=body(CODE, {"code": "6 * 7"}),
    )
    async def python(here: Here, mine: Mine, asked: Body) -> Response:
        """Run Python in the laboratory of the attempt; variables are kept from call to call."""
        here.metrics.tools.labels("python", "http").inc()
        result = await here.desk.python(mine, asked)
        return PlainJSON(
            {
                "text": result.text,
                "images": [base64.b64encode(image).decode() for image in result.images],
                "error": result.error,
                "seconds": result.seconds,
                "truncated": result.truncated,
                "timed_out": result.timed_out,
                "session_lost": result.session_lost,
            }
        )


def _add_pictures(router: APIRouter) -> None:
    @router.post(
        "/periodogram",
        operation_id="periodogram",
        response_model=m.Power,
        responses=refusals(409, 415, 422, *_ANY),
        openapi_extra=body(POWER, {"peaks": 5}),
    )
    async def periodogram(here: Here, mine: Mine, asked: Body) -> Response:
        """Periodogram of the velocities, or of what planets leave of them; costs no attempt."""
        here.metrics.tools.labels("periodogram", "http").inc()
        return PlainJSON(await here.desk.periodogram(mine, asked))

    @router.post(
        "/plot",
        operation_id="plot",
        responses={
            200: {
                "description": "a picture",
                "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}},
            },
            **refusals(409, 415, 422, *_ANY),
        },
        response_class=Response,
        openapi_extra=body(MODEL, EXAMPLE),
    )
    async def plot(here: Here, mine: Mine, asked: Body) -> Response:
        """A picture of the data and a model; costs no attempt."""
        here.metrics.tools.labels("plot", "http").inc()
        return Response(await here.desk.plot(mine, asked), media_type="image/png")
