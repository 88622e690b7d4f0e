"""``ecliptic generate rv --engine``: a suite in Parquet parts, made by many workers."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import click

from ecliptic.cli.engine_options import workers_asked
from ecliptic.cli.progress import ProgressDisplay
from ecliptic.distributed import (
    QuestionShards,
    ShardSummary,
    StarShards,
    engine_of,
    generate_questions,
    generate_stars,
)
from ecliptic.errors import OutputError

DONE, SOME_FAILED, INTERRUPTED = 0, 1, 130
MAX_FAILURES_NAMED = 10


def generate_parts(
    shards: StarShards,
    out: Path,
    engine: str,
    workers: int | None,
    address: str | None,
    overwrite: bool,
    seed_given: bool,
) -> int:
    """Make the parts, say what they hold, and return the exit status."""
    display, begin = ProgressDisplay(), time.perf_counter()
    again = "the same command" if seed_given else f"the same command with --seed {shards.seed}"
    try:
        with engine_of(engine, workers, address) as running, display:
            summary = generate_stars(shards, out, running, overwrite=overwrite, progress=display)
    except KeyboardInterrupt:
        click.echo(
            f"ecliptic: interrupted with {display.standing}; finished parts are in {out}; "
            f"{again} goes on from there",
            err=True,
        )
        return INTERRUPTED
    except OutputError as error:
        if not display.begun:
            raise
        raise OutputError(f"{error} ({display.standing}; {again} resumes)") from None
    seconds = time.perf_counter() - begin
    _tell(summary, seconds)
    origin = "" if seed_given else f"  (drawn now; --seed {shards.seed} makes these tasks again)"
    click.echo(f"seed     {shards.seed}{origin}")
    return _name_failures(summary, again)


def _tell(summary: ShardSummary, seconds: float) -> None:
    click.echo(
        f"{summary.rows} tasks in {summary.folder}, {summary.parts} parts, "
        f"{summary.bytes / 1e6:.1f} MB ({seconds:.1f} s)"
    )
    if summary.resumed:
        click.echo(f"resumed  {summary.resumed} tasks were there already, verified")
    if summary.redone:
        click.echo(f"redone   {len(summary.redone)} damaged or missing parts")
    groups: dict[str, Counter[str]] = {"tier": Counter(), "planets": Counter()}
    groups["rejected"] = Counter()
    for name, number in summary.tally.items():
        kind, _, value = name.partition(" ")
        if kind in groups:
            groups[kind][value] = number
    for kind, label in (("tier", "tiers"), ("planets", "planets"), ("rejected", "rejected")):
        joint = " with " if kind == "planets" else " "
        told = ", ".join(
            f"{number}{joint}{value}" for value, number in sorted(groups[kind].items())
        )
        if told:
            click.echo(f"{label:<8} {told}")


def _name_failures(summary: ShardSummary, again: str) -> int:
    for name, why in list(summary.failures.items())[:MAX_FAILURES_NAMED]:
        click.echo(f"{name}: {why}", err=True)
    if summary.failures:
        click.echo(
            f"ecliptic: {len(summary.failures)} parts are missing; {again} tries them again",
            err=True,
        )
    return SOME_FAILED if summary.failures else DONE


def generate_record_parts(
    shards: QuestionShards,
    out: Path,
    engine: str,
    workers: int,
    address: str | None,
    seed_given: bool,
) -> int:
    """Make question records family by family, and return the exit status."""
    display, begin = ProgressDisplay(), time.perf_counter()
    again = "the same command" if seed_given else f"the same command with --seed {shards.seed}"
    try:
        with engine_of(engine, workers_asked(workers), address) as running, display:
            summary = generate_questions(shards, out, running, progress=display)
    except KeyboardInterrupt:
        click.echo(
            f"ecliptic: interrupted with {display.standing}; finished parts are in {out}.parts; "
            f"{again} goes on from there",
            err=True,
        )
        return INTERRUPTED
    seconds = time.perf_counter() - begin
    if not summary.failures:
        click.echo(f"{summary.rows} records in {out}, all proven ({seconds:.1f} s)")
    if summary.resumed:
        click.echo(f"resumed   {summary.resumed} records were there already, verified")
    click.echo(f"seed      {shards.seed}")
    return _name_failures(summary, again)
