"""What one laboratory may use."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ecliptic.errors import UsageError

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Limits:
    """Limits of a laboratory; the defaults suit fits to some thousand points.

    Attributes
    ----------
    cell_seconds : float
        Wall time of a cell. Then it is interrupted; what ignores that is killed.
    grace_seconds : float
        Time between the interrupt and the kill.
    memory_bytes : int
        Address space of each process, and resident memory of all processes together.
    processes : int
        Processes and threads together.
    disk_bytes, file_bytes : int
        Size of the session's folder (under bubblewrap), and of a single file.
    files : int
        Files, folders and links that may exist in the folder (under bubblewrap).
    open_files : int
        Open descriptors of a process.
    output_bytes : int
        Printed output of a cell that is kept, three fifths of it from the beginning.
    code_bytes : int
        Longest cell.
    images, image_bytes : int
        Figures a cell, and the size of one.
    start_seconds : float
        How long a start may take on a busy machine before it counts as failed.
    """

    cell_seconds: float = 60.0
    grace_seconds: float = 2.0
    memory_bytes: int = 2048 * MEBIBYTE
    processes: int = 64
    disk_bytes: int = 256 * MEBIBYTE
    file_bytes: int = 128 * MEBIBYTE
    files: int = 10_000
    open_files: int = 256
    output_bytes: int = 20_000
    code_bytes: int = MEBIBYTE
    images: int = 4
    image_bytes: int = 2 * MEBIBYTE
    start_seconds: float = 60.0

    def __post_init__(self) -> None:
        for field in fields(self):
            if not getattr(self, field.name) > 0:
                raise UsageError(f"Limits.{field.name}: must be greater than zero")
