"""``ecliptic report``: a static site from the logs of runs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

DONE, SOME_UNREAD = 0, 1
SECONDS_BETWEEN_LINES = 10.0


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    default=Path("report"),
    show_default=True,
    help="Folder of the site. An earlier report there is replaced; anything else is left alone.",
)
@click.option("--title", default="", help="Heads the first page.")
@click.option(
    "--max-pages",
    type=click.IntRange(0),
    help="Pages of single attempts at most.  [default: one for each attempt]",
)
def report(logs: tuple[Path, ...], out: Path, title: str, max_pages: int | None) -> int:
    """Write a static site about the attempts in LOGS, to open in a browser without a server.

    LOGS are Inspect logs (.eval), folders that `ecliptic run` wrote, and folders that hold such
    ones. The first page says which agent is better, on what, by how much and how sure that is, and
    why attempts fail; every attempt has a page with its conversation and its submissions.

    The pages tell the truth of the tasks: do not show them to an agent. A log that cannot be read
    is named, and the exit status is 1.
    """
    from ecliptic.report import write_report

    begun = time.perf_counter()
    with _pages_shown() as shown:
        written = write_report(logs, out, title=title, max_pages=max_pages, progress=shown)
    for line in written.unread:
        click.echo(f"left out: {line}", err=True)
    seconds = time.perf_counter() - begun
    click.echo(f"{written.attempts} attempts, {written.pages} pages, {seconds:.1f} s")
    click.echo(f"open {out / 'index.html'}")
    return SOME_UNREAD if written.unread else DONE


@contextmanager
def _pages_shown() -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, a line now and then elsewhere, always on stderr."""
    if not sys.stderr.isatty():
        last = time.monotonic()

        def tell(done: int, total: int) -> None:
            nonlocal last
            if time.monotonic() - last >= SECONDS_BETWEEN_LINES:
                last = time.monotonic()
                click.echo(f"{done} of {total} pages written", err=True)

        yield tell
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    from rich.progress import TimeRemainingColumn as TimeLeft

    columns = (TextColumn("pages"), BarColumn(), MofNCompleteColumn(), TimeLeft())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        row = progress.add_task("pages", total=None)
        yield lambda done, total: progress.update(row, completed=done, total=total)
