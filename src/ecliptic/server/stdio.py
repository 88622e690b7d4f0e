"""MCP over standard input and output: one process, one attempt."""

from __future__ import annotations

from ecliptic.errors import UsageError
from ecliptic.server.attempt import Attempt
from ecliptic.server.mcp_tools import mcp_server
from ecliptic.server.service import Service, running


async def serve_stdio(service: Service, task: str | None) -> None:
    """Play one attempt until the client closes its end.

    ``task`` is an id of the server's list or of the suite; by default the first of the list.
    An open attempt on the task goes on (which takes a state folder).

    Raises
    ------
    UsageError
        There is no such task.
    """
    from mcp.server.stdio import stdio_server

    async with running(service, warm=False):  # clients wait for a start but some seconds
        attempt = await _attempt(service, task)
        server = mcp_server(service, lambda _: attempt)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())


async def _attempt(service: Service, task: str | None) -> Attempt:
    if task is None:
        key = next(iter(service.keys.values()))
    elif task in service.ids:
        key = service.ids[task]
    else:
        raise UsageError(f"--task: there is no task '{task[:100]}' in this suite")
    found = service.attempts.open_on(key)
    if found is None:
        found, _ = await service.attempts.create(key, "", "stdio", "")
    return found
