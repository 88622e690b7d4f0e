"""``ecliptic import``: published benchmarks become suites."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import click

from ecliptic.errors import SuiteError

DONE, SOME_FAILED = 0, 1
_SILENT_SECONDS = 2.0


@click.group("import")
def import_() -> None:
    """Convert a published benchmark into a suite."""


@import_.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("suites/stargazer"),
    show_default=True,
    help="Folder of the new suite, or a file that ends in .parquet.",
)
@click.option("--overwrite", is_flag=True, help="Replace the suite that is there.")
def stargazer(path: Path, out: Path, overwrite: bool) -> int:
    """Import the published Stargazer tasks from PATH.

    PATH is a checkout of the public repository, a folder, one task file, or a zip archive. Files
    that cannot be read are named, the others are imported; the exit status is then 1.
    """
    from ecliptic.rv.stargazer import TIERS, read_published
    from ecliptic.suite import write_suite

    tasks, problems = read_published(path, progress=_progress("importing"))
    for problem in problems:
        click.echo(str(problem), err=True)
    if not tasks:
        raise SuiteError(f"{path}: no task could be imported")
    count = write_suite(tasks, out, name="stargazer", overwrite=overwrite)
    tiers = Counter(task.tier for task in tasks)
    shown = ", ".join(f"{tier} {tiers[tier]}" for tier in TIERS if tiers[tier])
    click.echo(f"imported {count}: {shown} -> {out}")
    if problems:
        files = "1 file was" if len(problems) == 1 else f"{len(problems)} files were"
        click.echo(f"{files} left out (see above)", err=True)
    return SOME_FAILED if problems else DONE


@import_.command()
@click.argument("path", type=click.Path(path_type=Path), required=False)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("suites/rws.jsonl"),
    show_default=True,
    help="File of JSON lines to write.",
)
@click.option("--revision", help="Commit, branch or tag on the hub.  [default: the first fetched]")
@click.option("--refresh", is_flag=True, help="Take the newest commit from now on.")
@click.option("--overwrite", is_flag=True, help="Replace the file that is there.")
def rws(path: Path | None, out: Path, revision: str | None, refresh: bool, overwrite: bool) -> int:
    """Get the published questions of Reasoning With a Star, checked against the schema.

    Without PATH (a file of JSON lines) they come from the Hugging Face hub. Lines that are no
    records are named, the others are written; the exit status is then 1.
    """
    import warnings

    from ecliptic.errors import EclipticWarning, OutputError
    from ecliptic.helio.hub import RWS, load
    from ecliptic.helio.records import write_records

    if out.exists() and not overwrite:
        raise OutputError(f"{out}: exists; take another --out, or --overwrite")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", EclipticWarning)
        records = load(path or RWS, revision=revision, refresh=refresh)
    for problem in records.problems:
        click.echo(str(problem), err=True)
    for warning in told:
        if "left out" not in str(warning.message):  # each of those lines was just named
            click.echo(str(warning.message), err=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    count = write_records(records, out)
    shown = ", ".join(f"{kind} {number}" for kind, number in records.counts.items())
    click.echo(f"imported {count}: {shown} -> {out}")
    return SOME_FAILED if records.problems else DONE


def _progress(what: str) -> Callable[[int, int], None]:
    """A counter on the terminal, shown only when the work takes longer than a moment."""
    start = time.monotonic()
    shown = False

    def report(done: int, total: int) -> None:
        nonlocal shown
        if not sys.stderr.isatty():
            return
        if done == total:
            if shown:
                click.echo("\r\033[K", err=True, nl=False)
        elif time.monotonic() - start > _SILENT_SECONDS:
            shown = True
            click.echo(f"\r{what} {done}/{total}", err=True, nl=False)

    return report
