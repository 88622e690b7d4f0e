"""Logs are read; where that takes long, it says how far it is."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

from ecliptic.analysis import Attempt, read_attempts
from ecliptic.errors import UsageError

QUIET_SECONDS = 2.0


def read_logs(paths: Sequence[Path]) -> list[Attempt]:
    """The attempts in logs and folders of logs.

    Raises
    ------
    UsageError
        There is none.
    """
    shown = time.monotonic()
    live = sys.stderr.isatty()

    def report(done: int, total: int, attempts: int) -> None:
        nonlocal shown
        if time.monotonic() - shown < QUIET_SECONDS and not (done == total and live and noted):
            return
        shown = time.monotonic()
        noted.append(done)
        text = f"read {done:,} of {total:,} logs, {attempts:,} attempts"
        click.echo(f"\r{text}" if live else text, err=True, nl=not live or done == total)

    noted: list[int] = []
    found = read_attempts(paths, report=report)
    if not found:
        raise UsageError(f"{', '.join(map(str, paths))}: the logs hold no attempt yet")
    return found
