"""``ecliptic run``: solve the tasks of a suite, grade them, show the table."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from ecliptic.errors import EclipticError, OutputError

if TYPE_CHECKING:
    from ecliptic.run import RunSummary
    from ecliptic.suite import Suite

DONE, SOME_FAILED, INTERRUPTED = 0, 1, 130
PICTURE = "fit.png"
MAX_FAILURES_NAMED = 10


class DefaultGroup(click.Group):
    """A group whose options alone mean its main job."""

    default: ClassVar[str] = "stargazer"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the main job where no subcommand is named."""
        if not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


@click.group(cls=DefaultGroup)
def run() -> None:
    """Run a solver on a suite, grade, and show the result.

    Without a subcommand: `stargazer` with the shipped suite `quick` of 12 tasks.
    """


def _options(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not equals or not name.isidentifier():
            raise click.BadParameter(f"'{value}' is not of the form NAME=VALUE")
        try:
            options[name] = json.loads(text)
        except ValueError:
            options[name] = text
    return options


@run.command()
@click.option(
    "--suite",
    "source",
    default="quick",
    show_default=True,
    help="Folder of task files, .parquet, or a shipped suite: `quick` (12 tasks over four tiers), "
    "`core-v1` (120), `quick-paper` (12 of the published recipe).",
)
@click.option(
    "--truth",
    type=click.Path(path_type=Path),
    help="Of a sealed suite: the folder of its private part.",
)
@click.option(
    "--solver",
    default="classical",
    show_default=True,
    help="null, sine, classical, or module:function of your own. The function takes an "
    "Observation and returns a dict {'planets': [{'period_days': ..., 'm_sin_i_mjup': ..., "
    "'e': ..., 'omega_rad': ..., 'l_rad': ...}]}; its module is looked for in this folder too.",
)
@click.option(
    "--option",
    "options",
    multiple=True,
    callback=_options,
    metavar="NAME=VALUE",
    help="An option of the solver; may be repeated.",
)
@click.option(
    "--protocol",
    help="How to grade: strict or paper.  [default: what the suite names, else strict where the "
    "tasks declare their models and paper where they do not]",
)
@click.option(
    "--workers", type=click.IntRange(1, 512), default=2, show_default=True, help="Processes."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder of the results [default: results/SUITE-SOLVER]. A run into the same folder "
    "resumes: finished tasks are kept, failed ones tried again.",
)
@click.option("--limit", type=click.IntRange(1), help="Only the first so many tasks.")
@click.option(
    "--time-limit",
    "seconds",
    type=click.FloatRange(0, min_open=True),
    help="Stop a task after so many seconds, if its tier's budget allows more.",
)
@click.option("--fresh", is_flag=True, help="Delete earlier results in the folder first.")
def stargazer(
    source: str,
    truth: Path | None,
    solver: str,
    options: dict[str, Any],
    protocol: str | None,
    workers: int,
    out: Path | None,
    limit: int | None,
    seconds: float | None,
    fresh: bool,
) -> int:
    """Radial-velocity tasks: find the planets.

    Prints a table of passes by tier and criterion, with Wilson 95 % intervals. Tasks that could
    not be run are counted apart; then the exit status is 1.
    """
    from ecliptic.cli.progress import ProgressDisplay
    from ecliptic.run import default_out, run_suite
    from ecliptic.suite import load_suite

    if ":" in solver:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` does
    suite = load_suite(source, truth=truth)
    target = out or default_out(suite.name, solver)
    display = ProgressDisplay()
    try:
        with display:
            summary = run_suite(
                suite,
                solver,
                protocol,
                workers,
                target,
                options=options,
                limit=limit,
                seconds=seconds,
                fresh=fresh,
                progress=display,
                suite_source=source,
            )
    except KeyboardInterrupt:
        again = " (without --fresh)" if fresh else ""
        click.echo(
            f"ecliptic: interrupted with {display.standing}; results so far are in {target}; the "
            f"same command{again} goes on from there",
            err=True,
        )
        return INTERRUPTED
    except OutputError as error:
        raise OutputError(f"{error} ({display.standing}; the same command resumes)") from None
    return _report(summary, suite, workers)


def _report(summary: RunSummary, suite: Suite, workers: int) -> int:
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
