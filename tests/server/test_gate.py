"""What is decided before a call reaches the application, and connections without a call."""

from __future__ import annotations

import asyncio
import json

import pytest

from ecliptic.server import http_server
from ecliptic.server.gate import Gate
from ecliptic.server.metrics import Metrics


class Call:
    """A call whose body arrives part by part, as the test says."""

    def __init__(self, gate: Gate, path: str = "/v1/attempts") -> None:
        self.parts: asyncio.Queue = asyncio.Queue()
        self.sent: list = []
        scope = {"type": "http", "method": "POST", "path": path, "headers": []}
        self.task = asyncio.create_task(gate(scope, self.parts.get, self._send))

    async def _send(self, message) -> None:
        self.sent.append(message)

    async def part(self, size: int, more: bool = True) -> None:
        self.parts.put_nowait({"type": "http.request", "body": b" " * size, "more_body": more})
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    @property
    def status(self) -> int | None:
        return self.sent[0]["status"] if self.sent else None


async def application(scope, receive, send) -> None:
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


def gate_of(metrics: Metrics) -> Gate:
    return Gate(application, metrics, body_bytes=100, upload_bytes=100, held_bytes=250)


def test_bodies_of_all_calls_together_are_limited() -> None:
    async def main() -> None:
        gate = gate_of(Metrics())
        calls = [Call(gate) for _ in range(3)]
        for call in calls:
            await call.part(90)
        await asyncio.wait([calls[2].task])
        assert [call.status for call in calls] == [None, None, 503]
        for call in calls[:2]:
            await call.part(0, more=False)
            await call.task
        assert [call.status for call in calls] == [200, 200, 503]
        late = Call(gate)
        await late.part(90, more=False)
        await late.task
        assert late.status == 200

    asyncio.run(main())


def test_a_call_that_is_cut_off_by_the_end_of_the_server_is_told_so() -> None:
    async def main() -> None:
        async def slow(scope, receive, send) -> None:
            await asyncio.sleep(60)

        call = Call(Gate(slow, Metrics(), 100, 100))
        await call.part(1, more=False)
        call.task.cancel()
        await call.task
        assert call.status == 503
        assert b"being stopped" in call.sent[1]["body"]

    asyncio.run(main())


def test_a_client_that_hangs_up_is_no_fault_of_the_server(caplog) -> None:
    metrics = Metrics()

    async def main() -> None:
        call = Call(gate_of(metrics))
        await call.part(10)
        call.parts.put_nowait({"type": "http.disconnect"})
        await call.task
        assert call.sent == []

    asyncio.run(main())
    assert 'status="499"' in metrics.text().decode()
    assert 'status="5' not in metrics.text().decode()


@pytest.mark.parametrize(
    "sent", [b"", b"GET / HTTP/1.1\r\nHost: a", b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / H"]
)
def test_a_connection_whose_request_does_not_come_is_closed(sent, monkeypatch) -> None:
    import uvicorn

    monkeypatch.setattr(http_server, "HEAD_SECONDS", 0.1)

    async def main() -> bytes:
        config = uvicorn.Config(
            application, http=http_server.PromptProtocol, log_config=None, lifespan="off", port=0
        )
        server = uvicorn.Server(config)
        running = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        told = await asyncio.wait_for(reader.read(), 30)  # to the end that the server makes
        writer.close()
        server.should_exit = True
        await running
        return told

    told = asyncio.run(main())
    assert told.count(b"200 OK") == sent.count(b"\r\n\r\n")


def test_what_is_nested_deeply_is_refused_before_it_is_taken_apart() -> None:
    from ecliptic.errors import TaskError
    from ecliptic.server.bodies import MOST_DEEP, read_body

    def nested(levels: int) -> bytes:
        return b'[{"a":' * (levels // 2) + b"1" + b"}]" * (levels // 2)

    assert json.dumps(read_body(nested(MOST_DEEP), "it"))
    with pytest.raises(TaskError, match="it: is nested too deeply"):
        read_body(nested(MOST_DEEP + 2), "it")
