"""The supervisor of one session as the harness holds it: start, messages, end."""

from __future__ import annotations

import asyncio
import json
import os
import platform
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from ecliptic.errors import UsageError

from . import jail, nursery
from .inside.settings import Settings
from .limits import Limits

_END_SECONDS = 5.0
_COUNTS_IN_NAMESPACES = (5, 14)  # Linux; RLIMIT_NPROC of a user namespace's own processes


class SupervisorProcess:
    """The channel to a session's supervisor; unconfined, also its process and folder."""

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        process: subprocess.Popen[bytes] | None,
        folder: str | None,
        pidfd: int | None,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._process = process
        self._folder = folder
        self._pidfd = pidfd
        self._reading = asyncio.Lock()

    @classmethod
    async def start(
        cls,
        isolation: str,
        limits: Limits,
        preload: Mapping[str, Any],
        packages: tuple[str, ...],
    ) -> SupervisorProcess:
        """Start it, hand it settings and preloaded values, and wait until it is ready.

        Raises
        ------
        UsageError
            It does not come up on this machine.
        """
        confined = isolation == "bubblewrap"
        uid = jail.session_uid() if confined else None
        folder = jail.FOLDER if confined else _new_folder()
        apart = confined and (uid is not None or _kernel() >= _COUNTS_IN_NAMESPACES)
        ours, theirs = socket.socketpair()
        process = pidfd = None
        try:
            if confined:
                pidfd = await asyncio.to_thread(nursery.new_session, packages, limits, uid, theirs)
            else:
                process = _spawn_unconfined(folder, theirs)
        except BaseException:
            ours.close()
            raise
        finally:
            theirs.close()
        longest = limits.images * limits.image_bytes * 4 // 3 + limits.output_bytes * 6 + 1_000_000
        reader, writer = await asyncio.open_connection(sock=ours, limit=longest)
        started = cls(reader, writer, process, None if confined else folder, pidfd)
        settings = session_settings(limits, folder, counted_apart=apart)
        answer: dict[str, Any] | None = None
        try:
            async with asyncio.timeout(limits.start_seconds):
                await started.send({"settings": asdict(settings), "preload": dict(preload)})
                answer = await started.receive()
        except TimeoutError:
            pass
        except BaseException:
            await started.end()
            raise
        if answer is None or "ready" not in answer:
            await started.end()
            reason = (answer or {}).get("failed") or nursery.failure(packages)
            raise UsageError(f"the laboratory did not start: {reason}")
        return started

    async def send(self, message: dict[str, Any]) -> None:
        """Send a message; that the other side has gone shows when an answer is awaited."""
        self.send_soon(message)
        try:
            await self._writer.drain()
        except OSError:
            return

    def send_soon(self, message: dict[str, Any]) -> None:
        """Put a message on its way without waiting."""
        if not self._writer.is_closing():
            self._writer.write(json.dumps(message).encode() + b"\n")

    async def receive(self) -> dict[str, Any] | None:
        """The next message, or ``None`` when the process has gone or answers nonsense."""
        try:
            async with self._reading:
                message = json.loads(await self._reader.readline())
        except (ValueError, RecursionError, OSError):
            return None
        return message if isinstance(message, dict) else None

    async def end(self) -> None:
        """End it with everything that runs inside, and wait for that.

        One that is kept from noticing, by load for instance, is killed, and with the first process
        of its namespace the kernel kills the others.
        """
        try:
            if self._writer.can_write_eof():
                self._writer.write_eof()
            async with asyncio.timeout(_END_SECONDS), self._reading:
                while await self._reader.read(65_536):
                    pass
        except (TimeoutError, OSError):
            pass
        finally:
            self._writer.close()
            if self._pidfd is not None:
                _kill(self._pidfd)
                self._pidfd = None
            if self._process is not None:
                self._reap(self._process)
            if self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)

    @staticmethod
    def _reap(process: subprocess.Popen[bytes]) -> None:
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _new_folder() -> str:
    try:
        return tempfile.mkdtemp(prefix="laboratory-")
    except OSError as error:
        raise UsageError(
            f"the laboratory finds no room for its folder ({error.strerror}); free some disk, or "
            "set TMPDIR to a folder that can be written"
        ) from None


def _kill(pidfd: int) -> None:
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(pidfd, signal.SIGKILL)
    os.close(pidfd)


def session_settings(limits: Limits, folder: str, *, counted_apart: bool) -> Settings:
    """What the supervisor is told.

    ``counted_apart`` says whether the kernel counts the session's processes apart from others of
    the same user, so that it can limit them.
    """
    return Settings(
        folder=folder,
        grace_seconds=limits.grace_seconds,
        memory_bytes=limits.memory_bytes,
        processes=limits.processes,
        process_rlimit=limits.processes + 1 if counted_apart else None,  # one is the supervisor
        file_bytes=limits.file_bytes,
        open_files=limits.open_files,
        inodes=limits.files,
        output_bytes=limits.output_bytes,
        images=limits.images,
        image_bytes=limits.image_bytes,
    )


def _kernel() -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", platform.release())[:2])


def _spawn_unconfined(folder: str, channel: socket.socket) -> subprocess.Popen[bytes]:
    code = jail.bootstrap(str(jail.RUNNER_FOLDER.parent), None)
    code += f"; import shutil; shutil.rmtree({folder!r}, True)"  # also where the harness was killed
    return subprocess.Popen(
        [sys.executable, "-I", "-c", code],
        stdin=channel.fileno(),
        stdout=channel.fileno(),
        stderr=subprocess.DEVNULL,
        env=jail.environment(folder, str(jail.RUNNER_FOLDER)),
        cwd=folder,
        start_new_session=True,
    )
