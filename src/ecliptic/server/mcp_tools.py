"""The tools over the Model Context Protocol; what they do stands in :mod:`ecliptic.server.desk`."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server

from ecliptic.server.attempt import Attempt
from ecliptic.server.grading_pool import BusyError
from ecliptic.server.problems import RefusedError, refused
from ecliptic.server.service import Service
from ecliptic.server.store import StoreError

INSTRUCTIONS = {
    "stars": "Find the planets of one star from its radial velocities. Call observe first, work "
    "with python, periodogram and plot, and hand in the planets with submit.",
    "questions": "Answer one question. Call observe to read it, and submit to answer.",
}
Context = ServerRequestContext[Any, Any]


def mcp_server(service: Service, attempt_of: Callable[[Context], Attempt]) -> Server[Any]:
    """A server whose calls belong to the attempt that ``attempt_of`` tells."""

    async def list_tools(_: Context, __: types.PaginatedRequestParams | None) -> Any:
        return types.ListToolsResult(
            tools=[
                types.Tool(name=each.name, description=each.description, input_schema=each.schema)
                for each in service.tools
            ]
        )

    async def call_tool(context: Context, asked: types.CallToolRequestParams) -> Any:
        try:
            return await _call(service, attempt_of(context), asked.name, asked.arguments or {})
        except (RefusedError, BusyError, StoreError) as error:
            told = refused(error)
            text = told.detail
            if told.left is not None and "left" not in text:
                text += f"\n{told.left} submissions left."
            return types.CallToolResult(content=[_text(text)], is_error=True)

    return Server(
        "ecliptic",
        version=service.version,
        instructions=INSTRUCTIONS[service.served["kind"]],
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


async def _call(
    service: Service, attempt: Attempt, name: str, arguments: dict[str, Any]
) -> types.CallToolResult:
    if name not in [tool.name for tool in service.tools]:
        raise RefusedError(404, f"there is no tool {name[:100]!r}")
    service.metrics.tools.labels(name, "mcp").inc()
    desk = service.desk
    if name == "observe":
        return _told(await desk.observe(attempt))
    if name == "submit":
        answer = await desk.submit(attempt, arguments)
        return types.CallToolResult(content=[_text(answer["text"])], structured_content=answer)
    if name == "python":
        result = await desk.python(attempt, arguments)
        shown = [_text(result.text or "[no output]"), *map(_image, result.images)]
        return types.CallToolResult(content=shown)
    if name == "periodogram":
        found = await desk.periodogram(attempt, arguments)
        return _told({name: found[name] for name in ("peaks", "false_alarm_power")})
    return types.CallToolResult(content=[_image(await desk.plot(attempt, arguments))])


def _told(value: dict[str, Any]) -> types.CallToolResult:
    return types.CallToolResult(content=[_text(json.dumps(value))], structured_content=value)


def _text(text: str) -> types.ContentBlock:
    # A lone surrogate, which JSON can spell, cannot be sent.
    return types.TextContent(type="text", text=text.encode("utf-8", "backslashreplace").decode())


def _image(png: bytes) -> types.ContentBlock:
    return types.ImageContent(
        type="image", data=base64.b64encode(png).decode(), mime_type="image/png"
    )
