"""Clients that know a description alone play whole attempts."""

from __future__ import annotations

import sys

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from server.conftest import ISOLATION, attempt_at, find_task
from server.served import Served
from server.stars import WRONG, solvable, truth_of

needs_jail = pytest.mark.skipif(ISOLATION == "none", reason="no bubblewrap here")


@pytest.fixture(scope="module")
def star():
    return solvable("quick", "strict")


@pytest.fixture(scope="module")
def task(stars: Served, star) -> str:
    return find_task(stars, star, "quick")


def test_openapi_client_solves_a_star(stars, star, task) -> None:
    client = attempt_at(stars, task, agent="from the description")
    assert len(client("observe").json()["observation"]["times_days"]) == len(
        star.observation.times_days
    )
    assert client("periodogram", {"peaks": 3}).json()["peaks"][0]["power"] > 0
    assert client("plot", WRONG).content.startswith(b"\x89PNG")
    wrong = client("submit", WRONG).json()
    assert (wrong["number"], wrong["over"]) == (1, False)
    refused = client("submit", {"planets": [{"period_days": 0.1}]}, expect=422).json()
    assert refused["submissions_left"] == wrong["submissions_left"]
    right = client("submit", truth_of(star)).json()
    assert right["over"]
    assert all(right["criteria"].values())
    state = client("state").json()
    assert [answer["number"] for answer in state["answers"]] == [1, 2]
    assert state["over"]
    assert "solved" in client("submit", WRONG, expect=409).json()["detail"]


@needs_jail
def test_openapi_client_computes(stars, task) -> None:
    client = attempt_at(stars, task)
    assert client("python", {"code": "x = len(times_days)"}).json()["error"] is None
    assert int(client("python", {"code": "x"}).json()["text"]) > 10
    assert "ZeroDivision" in client("python", {"code": "1 / 0"}).json()["error"]
    client("end")
    client("python", {"code": "x"}, expect=409)


def test_openapi_client_answers_a_question(questions) -> None:
    from ecliptic import helio

    record = next(each for each in helio.load("helio-v1") if each.type == "numeric")
    tasks = attempt_at(questions)("tasks").json()["tasks"]
    for name in tasks:
        client = attempt_at(questions, name)
        seen = client("observe").json()["question"]
        if seen["question"] == record.question and seen["preamble"] == list(record.preamble):
            break
        client("end")
    assert set(seen) == {"preamble", "question", "hint", "type"}
    client("submit", {"answer": "  "}, expect=422)
    answer = client("submit", {"answer": record.final}).json()
    assert answer["criteria"] == {"correct": True}
    assert client("state").json()["over"]
    client("submit", {"answer": "1"}, expect=409)


async def play(client: Client, star) -> None:
    names = [tool.name for tool in (await client.list_tools()).tools]
    assert names[:2] == ["observe", "submit"]
    seen = (await client.call_tool("observe", {})).structured_content
    assert seen["observation"]["star_mass_sun"] == star.observation.star_mass_sun
    if "python" in names:
        cell = await client.call_tool("python", {"code": "6 * 7"})
        assert cell.content[0].text.strip() == "42"
    picture = await client.call_tool("plot", {})
    assert picture.content[0].type == "image"
    peaks = (await client.call_tool("periodogram", {})).structured_content["peaks"]
    assert peaks
    refused = await client.call_tool("submit", {"planets": "many"})
    assert refused.is_error
    assert "cost no attempt" in refused.content[0].text
    wrong = await client.call_tool("submit", WRONG)
    assert not wrong.structured_content["over"]
    right = await client.call_tool("submit", truth_of(star))
    assert "solved" in right.content[0].text
    after = await client.call_tool("submit", WRONG)
    assert after.is_error
    assert "over" in after.content[0].text


def test_mcp_client_over_http_solves_a_star(stars, star, task) -> None:
    import anyio

    token = attempt_at(stars, task).secrets["attempt"]

    async def main() -> None:
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx2.AsyncClient(headers=headers, timeout=120) as http:
            transport = streamable_http_client(f"{stars.url}/mcp", http_client=http)
            async with Client(transport) as client:
                await play(client, star)

    anyio.run(main)


def test_mcp_client_over_stdio_solves_a_star(star) -> None:
    import anyio

    arguments = ["-m", "ecliptic", "serve", "quick", "--mcp", "stdio", "--task", star.id]
    server = StdioServerParameters(
        command=sys.executable, args=[*arguments, "--isolation", ISOLATION]
    )

    async def main() -> None:
        async with Client(stdio_client(server)) as client:
            await play(client, star)

    anyio.run(main)
