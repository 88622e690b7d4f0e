"""What a server serves, and what one client may use of it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Literal

from ecliptic.errors import UsageError

Kind = Literal["stars", "questions"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where the tasks are, and how they are graded.

    Attributes
    ----------
    path
        A suite of stars (shipped name, folder, Parquet, sealed public part), or question records
        (shipped name or a ``.jsonl`` file).
    truth
        Of a sealed suite: the folder of its private part.
    protocol
        Of stars: a name with thresholds; ``None`` as the first task says.
    feedback
        ``none``, ``statistical`` or ``criteria`` (stars); ``none`` or ``criteria`` (questions).
    """

    path: str
    kind: Kind = "stars"
    truth: str | None = None
    protocol: str | None = None
    feedback: str = "criteria"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of the server; each must be greater than zero.

    Attributes
    ----------
    body_bytes
        Longest body of a request.
    upload_bytes
        Longest file of submissions.
    calls_per_second, burst
        Rate of one token, and of one address that creates attempts.
    open_attempts
        Attempts that may be open together.
    laboratories
        Open Python sessions; each may use 2 GB.
    laboratory_idle_seconds
        A laboratory that rested for so long is closed when another attempt waits for one.
    queue, queue_seconds
        How many calls may wait for a laboratory, and how long.
    idle_seconds
        An attempt without a call for so long ends.
    cell_seconds
        Longest run of one Python cell.
    graders
        Processes that grade.
    waiting
        Submissions and drawings that may wait for a process.
    closing_seconds
        How long a stopped server waits for calls that are running.
    """

    body_bytes: int = 1_000_000
    upload_bytes: int = 20_000_000
    calls_per_second: float = 10.0
    burst: int = 40
    open_attempts: int = 2000
    laboratories: int = 8
    laboratory_idle_seconds: float = 60.0
    queue: int = 64
    queue_seconds: float = 20.0
    idle_seconds: float = 1800.0
    cell_seconds: float = 60.0
    graders: int = 2
    waiting: int = 1000
    closing_seconds: float = 30.0

    def __post_init__(self) -> None:
        for each in fields(self):
            if not getattr(self, each.name) > 0:
                raise UsageError(f"limit {each.name}: must be greater than zero")


@dataclass(frozen=True, slots=True)
class Settings:
    """All that a server is started with.

    Attributes
    ----------
    state
        Folder of the keys and, by default, the database; ``None`` keeps all in memory.
    database
        URL of PostgreSQL (``postgresql://user@host/name``) instead of SQLite in ``state``.
    open_creation
        Whether anybody may create attempts, without the operator's key.
    isolation
        Of the laboratory: ``auto``, ``bubblewrap`` or ``unconfined``.
    """

    source: Source
    state: Path | None = None
    database: str | None = None
    open_creation: bool = False
    isolation: str = "auto"
    limits: Limits = field(default_factory=Limits)
