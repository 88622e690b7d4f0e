"""Servers that several tests use."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2 as httpx
import pytest
from server.openapi_client import OpenAPIClient
from server.served import KEY, Served

from ecliptic.sandbox import why_no_bubblewrap

ISOLATION = "auto" if why_no_bubblewrap() is None else "none"
FAST = ("--limit", "calls_per_second=10000", "--limit", "burst=100000")


@pytest.fixture(scope="session")
def stars(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The suite ``quick``; anybody may create attempts."""
    state = tmp_path_factory.mktemp("stars")
    served = Served("quick", "--open", "--isolation", ISOLATION, *FAST, state=state)
    yield served
    assert served.stop() == 0


@pytest.fixture(scope="session")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Question records, closed to all but the operator."""
    state = tmp_path_factory.mktemp("questions")
    served = Served("helio-v1", "--isolation", "none", *FAST, state=state)
    yield served
    assert served.stop() == 0


def attempt_at(served: Served, task: str | None = None, **more: str) -> OpenAPIClient:
    """A client with an attempt of its own."""
    client = OpenAPIClient(served.url, operator=KEY)
    task = task or client("tasks").json()["tasks"][0]
    created = client("create_attempt", {"task": task, **more}, expect=201).json()
    client.secrets["attempt"] = created["token"]
    return client


def find_task(served: Served, wanted, suite: str) -> str:
    """The opaque id of a task, found as only somebody with the suite can: by its velocities."""
    from server.stars import task_behind

    client = OpenAPIClient(served.url, operator=KEY)
    for name in client("tasks").json()["tasks"]:
        playing = attempt_at(served, name)
        seen = playing("observe").json()["observation"]
        playing("end")
        if task_behind(seen, suite).id == wanted.id:
            return name
    raise AssertionError("not served")


@pytest.fixture
def raw(stars: Served) -> Iterator[httpx.Client]:
    """Calls that no description allows."""
    with httpx.Client(base_url=stars.url, timeout=60) as client:
        yield client
