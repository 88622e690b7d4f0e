"""What the harness tells the supervisor when it starts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Limits of a session and its folder.

    ``process_rlimit`` is the kernel's limit of processes (``None`` where it would count foreign
    ones, too).
    """

    folder: str
    grace_seconds: float
    memory_bytes: int
    processes: int
    process_rlimit: int | None
    file_bytes: int
    open_files: int
    inodes: int
    output_bytes: int
    images: int
    image_bytes: int

    @property
    def reply_bytes(self) -> int:
        """The longest line that the process with the agent's code may answer."""
        return self.images * (self.image_bytes * 4 // 3 + 16) + 65_536
