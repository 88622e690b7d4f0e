"""``ecliptic run stargazer``: radial-velocity tasks, by a solver or by a language model."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ecliptic.cli.engine_options import chosen_engine, engine_options
from ecliptic.cli.model_options import ModelOptions, model_options
from ecliptic.cli.option_types import NAMED_PATH, POSITIVE
from ecliptic.cli.solver_report import report_solver
from ecliptic.cli.stars_by_model import run_stars
from ecliptic.errors import OutputError, UsageError

if TYPE_CHECKING:
    from ecliptic.distributed import Engine, EnginePool
    from ecliptic.run.plan import Plan

INTERRUPTED = 130
_FOR_MODELS = ("tiers", "per_tier", "feedback", "skills", "isolation", "hand_in", "images")


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


@click.command()
@click.option(
    "--suite",
    "source",
    default="quick",
    show_default=True,
    help="Folder of task files, .parquet, or a shipped suite: `quick` (12 tasks over four tiers), "
    "`core-v1` (120), `archival` (15 real stars), `quick-paper` (12 of the published recipe).",
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
    type=NAMED_PATH,
    help="Folder of the results [default: results/SUITE-SOLVER]. A run into the same folder "
    "resumes: finished tasks are kept, failed ones tried again.",
)
@click.option("--limit", type=click.IntRange(1), help="Only the first so many tasks.")
@click.option(
    "--time-limit",
    "seconds",
    type=POSITIVE,
    help="Stop a task after so many seconds, if its tier's budget allows more.",
)
@click.option("--fresh", is_flag=True, help="Delete earlier results in the folder first.")
@engine_options("Where solvers run: processes of this machine, or a Ray cluster.")
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
    type=click.Choice(["auto", "bubblewrap", "docker", "unconfined"]),
    default="auto",
    show_default=True,
    help="With --model: where the agent's Python runs; auto is bubblewrap or an error, unconfined "
    "code can read everything you can.",
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
    engine: str | None,
    address: str | None,
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
        _refuse_with_model("solver", "options", "workers", "engine", "address")
        task_options = {
            "suite": source,
            "truth": None if truth is None else str(truth),
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
    _refuse_without_model()
    from ecliptic.cli.progress import ProgressDisplay
    from ecliptic.run import default_out, run_suite
    from ecliptic.suite import load_suite

    if ":" in solver:
        sys.path.insert(0, str(Path.cwd()))  # as `python -m` does
    suite = load_suite(source, truth=truth)
    target = out or default_out(suite.name, solver)
    display = ProgressDisplay()
    try:
        with chosen_engine(engine, workers, address) as chosen, display:
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
                pool=None if chosen is None else _pool(chosen, seconds),
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
    return report_solver(summary, suite, workers)


def _pool(engine: Engine, seconds: float | None) -> Callable[[Plan], EnginePool]:
    """Solvers on an engine; modules of one's own are looked for in this folder too."""
    from ecliptic.distributed import EnginePool

    return lambda plan: EnginePool(engine, plan, seconds=seconds, folder=Path.cwd())


def _refuse_with_model(*names: str) -> None:
    """An option that a language model has no use for, if it was given."""
    for option in _given(names):
        raise UsageError(f"{option} and --model do not go together: leave one out")


def _refuse_without_model() -> None:
    """An option that only a language model has a use for, if it was given."""
    for option in _given((*_FOR_MODELS, *(field.name for field in fields(ModelOptions)))):
        raise UsageError(f"{option} needs a language model: add --model")


def _given(names: Iterable[str]) -> Iterator[str]:
    """Those of the command's options ``names`` that stand in the command line."""
    context, wanted = click.get_current_context(), frozenset(names)
    for parameter in context.command.params:
        if parameter.name in wanted:
            source = context.get_parameter_source(parameter.name)
            if source is click.core.ParameterSource.COMMANDLINE:
                yield parameter.opts[-1]
