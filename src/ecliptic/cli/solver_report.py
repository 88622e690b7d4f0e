"""What a run of a solver came to: table, failures and a picture."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING

import click

from ecliptic.errors import EclipticError

if TYPE_CHECKING:
    from ecliptic.run import RunSummary
    from ecliptic.suite import Suite

DONE, SOME_FAILED = 0, 1
PICTURE = "fit.png"
MAX_FAILURES_NAMED = 10


def report_solver(summary: RunSummary, suite: Suite, workers: int) -> int:
    """Table, seconds and places on stdout, failures on stderr; the exit status."""
    from rich.console import Console

    table = summary.table()
    if sys.stdout.isatty():
        Console().print(table.to_rich())
    else:
        click.echo(table.to_text())
    cpu = sum(table.rows[-1].cpu_s)
    resumed = f", {summary.resumed} of them earlier" if summary.resumed else ""
    click.echo(
        f"\n{_count(summary.total, 'task')}{resumed}; {summary.wall_s:.1f} s wall, "
        f"{cpu:.1f} s CPU in the solver, {_count(workers, 'worker')}"
    )
    reasons = [f"{code} {n}" for code, n in table.rows[-1].diagnoses.most_common()]
    if reasons:
        click.echo(f"why not passed: {', '.join(reasons)}")
    failed = table.rows[-1].failed
    if failed:
        graded, passed = table.rows[-1].graded, table.rows[-1].passed
        share = 100 * passed / (graded + failed)
        click.echo(
            f"the rates leave out the {_count(failed, 'task')} that failed to run; counted as not "
            f"passed, {passed} of {graded + failed} pass ({share:.0f} %)"
        )
    if summary.dropped_lines:
        click.echo(f"{_count(summary.dropped_lines, 'damaged line')} dropped, the tasks run again")
    click.echo(f"results: {summary.out / 'results.jsonl'}, {summary.out / 'results.parquet'}")
    drawn = _draw_one(summary, suite)
    if drawn:
        click.echo(f"picture: {drawn}")
        out = shlex.quote(str(summary.out))
        click.echo(f"a page for every task: ecliptic report {out} -o report (extra 'report')")
    if not summary.failures:
        return DONE
    named = [f"{key} ({reason})" for key, reason in summary.failures.items()]
    more = len(named) - MAX_FAILURES_NAMED
    rest = f"; and {more} more" if more > 0 else ""
    log = " and workers.log" if (summary.out / "workers.log").exists() else ""
    click.echo(
        f"ecliptic: {_count(len(named), 'task')} failed to run: "
        f"{'; '.join(named[:MAX_FAILURES_NAMED])}{rest} (tracebacks in results.jsonl{log}; the "
        "same command tries them again)",
        err=True,
    )
    return SOME_FAILED


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _draw_one(summary: RunSummary, suite: Suite) -> str | None:
    """Draw the fit of the suite's first task that passed, else of the first that was graded.

    It is an extra: where it cannot be drawn, a note says so and the run has still succeeded.
    """
    records = {
        r["key"]: r["verdict"]["passed"]
        for r in summary.records()
        if r["verdict"] and r["verdict"]["criteria"]
    }
    graded = [entry for entry in suite.entries() if entry.key in records]
    chosen = next((entry for entry in graded if records[entry.key]), next(iter(graded), None))
    if chosen is None:
        return None
    from ecliptic.rv.plots import fit_figure, save_figure

    record = next(r for r in summary.records() if r["key"] == chosen.key and r["verdict"])
    outcome = "passed" if records[chosen.key] else "not passed"
    path = summary.out / PICTURE
    try:
        figure = fit_figure(
            chosen.load().observation,
            record["submission"],
            title=f"{chosen.key} ({record['tier']}, {record['solver']}: {outcome})",
        )
        save_figure(figure, path)
    except EclipticError as error:
        click.echo(f"no picture: {error}", err=True)
        return None
    return f"{path} ({chosen.key}, {record['tier']}, {outcome})"
