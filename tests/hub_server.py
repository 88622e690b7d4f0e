"""A local server that answers as the Hugging Face hub does for one file of one dataset."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ecliptic.helio.hub import FILE, REPOSITORY


@dataclass
class Hub:
    """What the server holds and how it misbehaves."""

    content: bytes
    commit: str = "a" * 40
    status: int = 200
    error_code: str = ""
    truncate: int = 0
    requests: list[str] = field(default_factory=list)
    url: str = ""


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    class Handler(BaseHTTPRequestHandler):
        def do_HEAD(self) -> None:
            self._answer(body=False)

        def do_GET(self) -> None:
            self._answer(body=True)

        def _answer(self, *, body: bool) -> None:
            hub.requests.append(f"{self.command} {self.path}")
            prefix = f"/datasets/{REPOSITORY}/resolve/"
            known = self.path.startswith(prefix) and self.path.endswith(f"/{FILE}")
            status = hub.status if known else 404
            content = hub.content if status == 200 else b""
            self.send_response(status)
            if hub.error_code:
                self.send_header("X-Error-Code", hub.error_code)
            self.send_header("X-Repo-Commit", hub.commit)
            self.send_header("ETag", f'"{hashlib.sha1(hub.content).hexdigest()}"')
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if body:
                self.wfile.write(content[: len(content) - hub.truncate])
                self.wfile.flush()

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    hub.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
