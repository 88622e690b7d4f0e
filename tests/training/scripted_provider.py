"""A chat-completions server on loopback that says what a script tells it, as a stream."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Say = Callable[[list[dict[str, Any]]], dict[str, Any]]


def calls(tool: str, **arguments: Any) -> dict[str, Any]:
    """A reply that calls a tool."""
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return {
        "role": "assistant",
        "tool_calls": [{"index": 0, "id": "call", "type": "function", "function": function}],
    }


@contextmanager
def scripted_provider(say: Say) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Its address, and the requests that it has had."""
    requests: list[dict[str, Any]] = []

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            requests.append(body)
            delta = say(body["messages"])
            finish = "tool_calls" if "tool_calls" in delta else "stop"
            usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
            chunk = {
                "id": "chat",
                "object": "chat.completion.chunk",
                "created": 1,
                "model": body["model"],
            }
            events: list[dict[str, Any]] = [
                {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
                {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]},
                {"choices": [], "usage": usage},
            ]
            lines = [json.dumps({**chunk, **event}) for event in events]
            text = "".join(f"data: {line}\n\n" for line in [*lines, "[DONE]"])
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            self.wfile.write(text.encode())

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", requests
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
