"""The laboratory in the sample's own sandbox: Inspect's docker, or any other that it knows.

For machines without bubblewrap. The container holds an interpreter and what an agent may import;
truth, environment and grades stay in this process, as with every laboratory.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path
from typing import Any
from uuid import uuid4

from inspect_ai.util import OutputLimitExceededError, SandboxEnvironment, sandbox

from ecliptic.errors import UsageError
from ecliptic.sandbox import (
    RUNNER_FOLDER,
    CellResult,
    Limits,
    encode_preload,
    read_outcome,
    runner_command,
    session_settings,
)

COMPOSE = str(Path(str(files("ecliptic.evals"))) / "container" / "compose.yaml")
_CHANNEL = Path(COMPOSE).with_name("channel.py")
_FIND_HOME = """import os, tempfile
print("/lab" if os.access("/lab", os.W_OK) else tempfile.mkdtemp(prefix="laboratory-"))"""
_MARGIN_SECONDS = 30


class ContainerLaboratory:
    """Runs cells in the sandbox of the running sample; used like a ``Laboratory``."""

    def __init__(
        self,
        environment: SandboxEnvironment,
        limits: Limits,
        folder: str,
        preload: dict[str, dict[str, Any]],
    ) -> None:
        self.limits = limits
        self._environment = environment
        self._folder = folder
        self._preload = preload
        self._cell = 0
        self._turn = asyncio.Lock()
        self._session = ""

    @classmethod
    async def start(
        cls, preload: Mapping[str, Any], limits: Limits | None = None
    ) -> ContainerLaboratory:
        """Copy the runner into the sample's sandbox and start a session there.

        Raises
        ------
        UsageError
            The sample has no sandbox, or no session starts in it; with what it said.
        """
        try:
            environment = sandbox()
        except ProcessLookupError:
            raise UsageError(
                "isolation 'sandbox' needs a sandbox of Inspect's: add --sandbox docker, or choose "
                "isolation 'docker'"
            ) from None
        found = await environment.exec(["python3", "-I", "-c", _FIND_HOME], timeout=_MARGIN_SECONDS)
        if not found.success:
            raise UsageError(f"the sandbox has no python3: {found.stderr.strip() or 'no reason'}")
        home = found.stdout.strip()
        folder = f"{home}/.laboratory-{uuid4().hex}"
        laboratory = cls(environment, limits or Limits(), folder, encode_preload(preload))
        for path in RUNNER_FOLDER.rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                inside = path.relative_to(RUNNER_FOLDER.parent)
                await environment.write_file(f"{folder}/{inside}", path.read_bytes())
        await environment.write_file(f"{folder}/channel.py", _CHANNEL.read_bytes())
        await laboratory._begin()
        return laboratory

    async def run(self, code: str, seconds: float | None = None) -> CellResult:
        """Run a cell and wait for its end; what the code does wrong is in the result."""
        limit = min(seconds or self.limits.cell_seconds, self.limits.cell_seconds)
        size = len(code.encode("utf-8", "surrogatepass"))
        if size > self.limits.code_bytes:
            error = f"the cell has {size:,} bytes; at most {self.limits.code_bytes:,} are taken"
            return CellResult(text=f"[{error}]\n", error=error)
        async with self._turn:
            if not self._session:
                await self._begin()
            self._cell += 1
            message = {"id": self._cell, "code": code, "seconds": limit}
            patience = limit + self.limits.grace_seconds + _MARGIN_SECONDS
            answer = await self._ask(message, str(self._cell), patience)
            try:
                if answer is not None:
                    return read_outcome(answer, self.limits, limit)
            except (KeyError, TypeError, ValueError):
                pass  # the agent's code wrote into the channel: only its own session suffers
            await self._end_session()
            error = "session lost"
            return CellResult(f"[{error}; variables are gone]\n", error=error, session_lost=True)

    async def close(self) -> None:
        """End the session; again is harmless."""
        async with self._turn:
            if self._session:
                await self._end_session()

    async def _begin(self) -> None:
        self._session = f"{self._folder}/session-{uuid4().hex}"
        home = str(Path(self._folder).parent)
        bootstrap = runner_command("python3", f"{self._folder}/inside")[-1]
        begun = await self._channel("start", bootstrap, home)
        settings = session_settings(self.limits, home, counted_apart=False)
        first = {"settings": asdict(settings), "preload": self._preload}
        answer = None
        if begun is None:
            answer = await self._ask(first, "-", self.limits.start_seconds)
        if answer is None or "ready" not in answer:
            await self._end_session()
            raise UsageError(
                "the laboratory did not start in the sandbox: "
                f"{begun or 'no answer; does its image have python3 and numpy?'}"
            )

    async def _ask(
        self, message: Mapping[str, Any], wanted: str, patience: float
    ) -> dict[str, Any] | None:
        """The answer to a message, or nothing where the session has gone or talks nonsense."""
        failed = await self._channel("ask", wanted, line=message, patience=patience)
        if failed is not None:
            return None
        try:
            answer = json.loads(await self._environment.read_file(f"{self._session}/answer"))
        except (OSError, ValueError, RecursionError, OutputLimitExceededError):
            return None
        return answer if isinstance(answer, dict) else None

    async def _end_session(self) -> None:
        await self._channel("end")
        self._session = ""

    async def _channel(
        self,
        verb: str,
        *arguments: str,
        line: Mapping[str, Any] | None = None,
        patience: float = _MARGIN_SECONDS,
    ) -> str | None:
        """Run the channel's program once; what it complained of, if it did."""
        command = ["python3", "-I", f"{self._folder}/channel.py", verb, self._session, *arguments]
        try:
            done = await self._environment.exec(
                command,
                input=None if line is None else json.dumps(line) + "\n",
                timeout=math.ceil(patience),
                timeout_retry=False,
                concurrency=False,  # a cell may take a minute, others need not wait for it
            )
        except (TimeoutError, UnicodeDecodeError, OutputLimitExceededError, OSError) as error:
            return f"{type(error).__name__}: {error}"
        if done.success:
            return None
        return (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
