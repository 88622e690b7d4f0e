"""A host with secrets, and a session beside it."""

from __future__ import annotations

import os
import secrets
import socket
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest
from sandbox.attack import HELPERS

from ecliptic.sandbox import BlockingLaboratory, why_no_bubblewrap

SOURCES = Path(__file__).parents[2] / "src"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where there is no bubblewrap, say why; continuous integration must have it."""
    problem = why_no_bubblewrap()
    if problem is None or os.environ.get("ECLIPTIC_REQUIRE_BUBBLEWRAP"):
        return
    for item in items:
        if item.path.parent == Path(__file__).parent and item.path.name != "test_isolation.py":
            item.add_marker(pytest.mark.skip(reason=problem))


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A truth in the harness's memory, on its disk and in its environment, and its sockets."""
    folder = tmp_path_factory.mktemp("host")
    truth = "TRUTH-" + secrets.token_hex(16)
    suite = folder / "suite.jsonl"
    suite.write_text(truth)
    abstract = f"ecliptic-{secrets.token_hex(4)}"
    patch = pytest.MonkeyPatch()
    patch.setenv("ECLIPTIC_TRUTH", truth)
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as file,
        socket.socket(socket.AF_UNIX) as hidden,
        suite.open() as held,
    ):
        os.set_inheritable(held.fileno(), True)
        file.bind(str(folder / "socket"))
        hidden.bind(f"\0{abstract}")
        for server in (file, hidden):
            server.listen()
        yield {
            "SUITE_FILE": str(suite),
            "SOURCES": str(SOURCES),
            "CACHE": str(folder),
            "USER": os.environ.get("USER", "root"),
            "TCP_PORT": str(tcp.getsockname()[1]),
            "SOCKET_FILE": str(folder / "socket"),
            "ABSTRACT_SOCKET": abstract,
            "PACKAGES": sysconfig.get_path("purelib"),
        }
    patch.undo()


@pytest.fixture(scope="module")
def session(facts: dict[str, str]) -> Iterator[BlockingLaboratory]:
    """One jailed session for all attacks that leave it alive."""
    with BlockingLaboratory(isolation="bubblewrap") as laboratory:
        laboratory.run(HELPERS)
        yield laboratory
