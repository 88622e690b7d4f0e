"""What all tasks share: a schema version, an id that is a content hash, and the seal.

A task has a **public** part, which an agent may see, and a **sealed** part, which it may not.
The id is a hash of the public part alone, so it tells nothing about the truth or the seed.
"""

from __future__ import annotations

import hashlib
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray


@runtime_checkable
class Task(Protocol):
    """What suites, runs and reports need to know of a task of any world."""

    @property
    def id(self) -> str:
        """Hash of the public part."""
        ...

    @property
    def source_id(self) -> str | None:
        """The name that the task had where it was published, if it was."""
        ...

    @property
    def world(self) -> str:
        """Name of the package that knows this kind of task."""
        ...

    @property
    def tier(self) -> str:
        """Group within the suite, in order of difficulty."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """The whole task, ready for JSON."""
        ...


def content_id(prefix: str, *parts: str | float | NDArray[np.float64]) -> str:
    """``prefix`` and the first 64 bits of a SHA-256 over ``parts`` in order.

    Each part is hashed with its length in front; numbers as little-endian float64, so the id
    depends on values alone, not on how a file spells them.
    """
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else np.asarray(part, dtype="<f8").tobytes()
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return f"{prefix}-{digest.hexdigest()[:16]}"
