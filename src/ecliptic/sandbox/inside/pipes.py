"""Reading lines and output from pipes whose other end cannot be trusted."""

from __future__ import annotations

import os

CHUNK = 65_536


class LineTooLongError(Exception):
    """More bytes came without an end of line than are allowed."""


class LineReader:
    """Collects whole lines from a file descriptor, however they are cut."""

    def __init__(self, fd: int, longest: int) -> None:
        self.fd = fd
        self.longest = longest
        self._rest = bytearray()

    def read(self) -> list[bytes] | None:
        """The lines that one read completes; ``None`` at the end of the file.

        Raises
        ------
        LineTooLongError
            An unfinished line exceeds the limit.
        """
        try:
            chunk = os.read(self.fd, CHUNK)
        except BlockingIOError:
            return []
        if not chunk:
            return None
        start = len(self._rest)
        self._rest += chunk
        if b"\n" not in chunk:
            if len(self._rest) > self.longest:
                raise LineTooLongError
            return []
        end = self._rest.rindex(b"\n", start)
        lines = bytes(self._rest[:end]).split(b"\n")
        del self._rest[: end + 1]
        return lines


class HeadAndTail:
    """Keeps the beginning and the end of a stream, and counts what fell out between."""

    def __init__(self, limit: int) -> None:
        self._head_limit = limit * 3 // 5
        self._tail_limit = limit - self._head_limit
        self._head = bytearray()
        self._tail = bytearray()
        self.cut = 0

    def feed(self, chunk: bytes) -> None:
        """Take more of the stream."""
        room = self._head_limit - len(self._head)
        if room > 0:
            self._head += chunk[:room]
            chunk = chunk[room:]
        self._tail += chunk
        excess = len(self._tail) - self._tail_limit
        if excess > 0:
            del self._tail[:excess]
            self.cut += excess

    def parts(self) -> tuple[str, str]:
        """Beginning and end as text; bytes that are no UTF-8 become replacement characters."""
        if not self.cut:
            return (self._head + self._tail).decode("utf-8", "replace"), ""
        return self._head.decode("utf-8", "replace"), self._tail.decode("utf-8", "replace")


def write_all(fd: int, data: bytes) -> None:
    """Write every byte to a blocking descriptor."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def drain(fd: int, into: HeadAndTail | None, reads: int) -> None:
    """Read what is in a non-blocking pipe now, in so many reads at most.

    Without ``into`` it is thrown away.
    """
    for _ in range(reads):
        try:
            chunk = os.read(fd, CHUNK)
        except BlockingIOError:
            return
        if not chunk:
            return
        if into is not None:
            into.feed(chunk)
