"""How far a run is: a live bar on a terminal, a line now and then elsewhere, always on stderr."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Self, TextIO, TypeVar

import click

if TYPE_CHECKING:
    from ecliptic.run import Progress

T = TypeVar("T")

SECONDS_BETWEEN_LINES = 10.0


class ProgressDisplay:
    """Takes the events of :func:`ecliptic.run.run_suite`; a context that cleans up the bar."""

    def __init__(self, stream: TextIO | None = None, what: str = "tasks") -> None:
        self._stream = sys.stderr if stream is None else stream
        self._what = what
        self._latest: Progress | None = None
        self._begin = self._shown = time.monotonic()
        self._bar: Any = None
        self._task: Any = None

    @property
    def begun(self) -> bool:
        """Whether anything was told so far."""
        return self._latest is not None

    @property
    def standing(self) -> str:
        """``37 of 120 tasks done``, also after the end."""
        if self._latest is None:
            return f"no {self._what} done"
        return f"{self._latest.done} of {self._latest.total} {self._what} done"

    def __enter__(self) -> Self:
        if self._stream.isatty():
            self._bar = _bar(self._stream)
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        """Show where the run stands."""
        first, self._latest = self._latest is None, progress
        if first:
            self._begin = self._shown = time.monotonic()
        if self._bar is None:
            self._print_line(progress)
            return
        if first:
            self._task = self._bar.add_task("", total=progress.total, failed="", rate="", left="")
        failed = f"[red]{progress.failed} failed[/]" if progress.failed else ""
        self._bar.update(
            self._task,
            completed=progress.done,
            failed=failed,
            rate=self._rate(progress),
            left=self._left(progress),
        )

    def _print_line(self, progress: Progress) -> None:
        now = time.monotonic()
        if progress.done < progress.total and now - self._shown < SECONDS_BETWEEN_LINES:
            return
        self._shown = now
        failed = f", {progress.failed} failed" if progress.failed else ""
        rate = self._rate(progress)
        click.echo(
            f"{self.standing}{failed}{rate and f', {rate}'}{self._left(progress, ', ')}",
            file=self._stream,
        )

    def _rate(self, progress: Progress) -> str:
        """Empty while nothing new is done: a run that found all of it there has no rate."""
        seconds, new = time.monotonic() - self._begin, progress.done - progress.resumed
        if not new or seconds <= 0:
            return ""
        rate = new / seconds
        return f"{rate:.1f}/s" if rate >= 1 else f"{60 * rate:.1f}/min"

    def _left(self, progress: Progress, before: str = "") -> str:
        new = progress.done - progress.resumed
        if not new or progress.done == progress.total:
            return ""
        seconds = (time.monotonic() - self._begin) / new * (progress.total - progress.done)
        return f"{before}{_duration(seconds)} left"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _bar(stream: TextIO) -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    return Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}"),
        TextColumn("{task.fields[failed]}"),
        console=Console(file=stream),
    )


def counted(items: Iterable[T], total: int, what: str) -> Iterator[T]:
    """The same items behind a bar with rate and time left, where somebody can see it."""
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    rate = TextColumn("{task.fields[rate]:.0f} a second")
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), rate, TimeLeft())
    begin = time.perf_counter()
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        row = progress.add_task(what, total=total, rate=0.0)
        for done, item in enumerate(items, start=1):
            yield item
            progress.update(row, completed=done, rate=done / (time.perf_counter() - begin))
