"""What a run of language models came to, in the terminal."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ecliptic.analysis import Attempt

DONE, SOME_FAILED = 0, 1
MAX_FAILURES_NAMED = 5


def _say_what_next(rows: tuple[Attempt, ...], folder: Path) -> None:
    agents = list(dict.fromkeys(row.agent for row in rows if row.passed is not None))
    if not agents:
        return
    logs = shlex.quote(str(folder))
    click.echo(f"a page for every attempt: ecliptic report {logs} -o report (extra 'report')")
    if len(agents) > 1:
        names = shlex.quote(",".join(agents))
        click.echo(f"which is better: ecliptic compare --agents {names} {logs}")


def report_attempts(rows: tuple[Attempt, ...], folder: Path) -> int:
    """Table and places on stdout, failures on stderr; the exit status."""
    from ecliptic.evals.result_table import result_table, stop_summary
    from ecliptic.evals.stop_reasons import StopReason

    click.echo(result_table(rows))
    click.echo(f"\nended by: {stop_summary(rows)}")
    cost = sum(row.cost for row in rows)
    if cost:
        click.echo(f"cost: {cost:,.2f}")
    click.echo(f"logs: {folder} (inspect view --log-dir {folder})")
    _say_what_next(rows, folder)
    not_begun = sum(row.stop == StopReason.RUN_BUDGET for row in rows)
    if not_begun:
        click.echo(
            f"ecliptic: stopped at the limit; {not_begun} attempts were not begun (the same "
            "command with a larger limit goes on)",
            err=True,
        )
    failed = [row for row in rows if row.passed is None and row.stop != StopReason.RUN_BUDGET]
    if failed:
        named = [f"{row.agent} on {row.task} ({row.stop}: {row.error[:120]})" for row in failed]
        more = len(named) - MAX_FAILURES_NAMED
        click.echo(
            f"ecliptic: {len(failed)} attempts ended in an error and are in no rate: "
            f"{'; '.join(named[:MAX_FAILURES_NAMED])}{f'; and {more} more' if more > 0 else ''} "
            "(the same command tries them again)",
            err=True,
        )
    return SOME_FAILED if failed or not_begun else DONE
