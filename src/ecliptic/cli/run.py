"""``ecliptic run``: solve the tasks of a suite, grade them, show the table."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import click

from ecliptic.cli.run_model import ModelOptions, helio, model_options, run_stars
from ecliptic.errors import EclipticError, OutputError, UsageError

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
    """Run a solver or a language model on tasks, grade, and show the result.

    Without a subcommand: `stargazer` with the shipped suite `quick` of 12 tasks.
    """


run.add_command(helio)


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
    "`archival` (15 real stars), `quick-paper` (12 of the published recipe).",
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
    help="How to grade: strict, archival or paper.  [default: what the suite names, else strict "
    "where the tasks declare their models and paper where they do not]",
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
@click.option("--tiers", help="With --model: only tasks of these tiers, such as easy,medium.")
@click.option("--per-tier", type=click.IntRange(1), help="With --model: so many tasks of a tier.")
@click.option(
    "--feedback",
    type=click.Choice(["none", "statistical", "criteria", "paper"]),
    default="criteria",
    show_default=True,
    help="With --model: what an agent is told of its submissions.",
)
@click.option(
    "--skills",
    type=click.Choice(["none", "injected", "on_demand"]),
    default="none",
    show_default=True,
    help="With --model: skills for the agent.",
)
@click.option(
    "--isolation",
    type=click.Choice(["auto", "bubblewrap", "unconfined"]),
    default="auto",
    show_default=True,
    help="With --model: of the agent's Python; unconfined code can read everything you can.",
)
@click.option(
    "--hand-in",
    type=click.Choice(["tool", "text"]),
    help="With --model: by a tool, or as JSON in the reply, without a laboratory [default: tool, "
    "for `local` text].",
)
@click.option(
    "--images/--no-images",
    default=True,
    show_default=True,
    help="With --model: whether the model sees plots.",
)
@model_options
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
    tiers: str | None,
    per_tier: int | None,
    feedback: str,
    skills: str,
    isolation: str,
    hand_in: str | None,
    images: bool,
    models: ModelOptions,
) -> int:
    """Radial-velocity tasks: find the planets.

    By a solver, or with --model by a language model that has Python and submits several times.

    Prints a table of passes by tier and criterion, with Wilson 95 % intervals. Tasks that could
    not be run are counted apart; then the exit status is 1.
    """
    if models.model is not None:
        _refuse_with_model("truth", "solver", "options", "workers")
        task_options = {
            "suite": source,
            "protocol": protocol,
            "feedback": feedback,
            "skills": skills,
            "isolation": isolation,
            "hand_in": hand_in,
            "images": images,
            "tiers": tiers,
            "per_tier": per_tier,
        }
        return run_stars(models, task_options, out=out, fresh=fresh, limit=limit, seconds=seconds)
    _refuse_without_model(models, tiers=tiers, per_tier=per_tier, hand_in=hand_in)
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


def _refuse_with_model(*names: str) -> None:
    """An option that a language model has no use for, if it was given."""
    for parameter in click.get_current_context().command.params:
        if parameter.name in names and _given(parameter.name):
            raise UsageError(f"{parameter.opts[-1]} and --model do not go together: leave one out")


def _given(name: str) -> bool:
    source = click.get_current_context().get_parameter_source(name)
    return source is click.core.ParameterSource.COMMANDLINE


def _refuse_without_model(models: ModelOptions, **given: object) -> None:
    given |= {"agents": models.agents, "estimate": models.estimate_only or None}
    given |= {"max_tokens": models.max_tokens, "max_cost": models.max_cost}
    for name, value in given.items():
        if value is not None:
            raise UsageError(f"--{name.replace('_', '-')} needs a language model: add --model")


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
