"""The ASGI application: routes, limits, description."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from starlette.responses import Response
from starlette.routing import Route

from ecliptic.server import leaderboard_routes, routes
from ecliptic.server.described import problem_schema
from ecliptic.server.gate import Gate
from ecliptic.server.logs import LOGGER
from ecliptic.server.mcp_http import MCPEndpoint
from ecliptic.server.problems import add_handlers, problem
from ecliptic.server.rates import Rates
from ecliptic.server.service import Service, running
from ecliptic.server.tool_routes import tool_router

_DESCRIPTION = """\
Play tasks whose truth stays on the server.

1. `GET /v1/tasks`, and `POST /v1/attempts` with one of them: you get a token.
2. With `Authorization: Bearer TOKEN`: `GET /v1/attempt/observation`, work, and
   `POST /v1/attempt/submissions` until the answer says `over`.

Whatever is refused comes as `application/problem+json` with a `detail` in words. The same tools
are offered over the Model Context Protocol (streamable HTTP) at `/mcp`, with the same token.
"""


def create_app(service: Service) -> FastAPI:
    """The application of a service that :func:`ecliptic.server.service.prepare` has made."""
    rates = Rates(service.settings.limits.calls_per_second, service.settings.limits.burst)
    endpoint = MCPEndpoint(service, rates)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        async with running(service), endpoint.manager.run():
            yield

    app = FastAPI(
        title="Ecliptic",
        description=_DESCRIPTION,
        version=service.version,
        lifespan=lifespan,
        docs_url=None,  # their pages load scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.service, app.state.rates = service, rates
    app.include_router(routes.router)
    python = any(tool.name == "python" for tool in service.tools)
    app.include_router(tool_router(service.served["kind"], python))
    app.include_router(leaderboard_routes.router)
    app.router.routes.append(Route(endpoint.path, endpoint))
    add_handlers(app)
    app.add_exception_handler(Exception, _fault)
    limits = service.settings.limits
    app.add_middleware(
        Gate,
        metrics=service.metrics,
        body_bytes=limits.body_bytes,
        upload_bytes=limits.upload_bytes,
    )
    _complete(app)
    return app


async def _fault(_: Request, error: Exception) -> Response:
    LOGGER.error("fault", exc_info=error)
    return problem(500, "a fault of the server; it is in its log")


def _complete(app: FastAPI) -> None:
    """What FastAPI cannot know: the shape of problems, and that its own 422 is one of them."""
    original = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = original()
            components = schema["components"]["schemas"]
            for name in ("HTTPValidationError", "ValidationError"):
                components.pop(name, None)
            components["Problem"] = problem_schema()
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]
