"""``ecliptic study``: grids of suites, agents, models and seeds from a file."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ecliptic.cli.option_types import NAMED_PATH, POSITIVE
from ecliptic.cli.study_display import grid_text, report_study
from ecliptic.errors import OutputError, UsageError
from ecliptic.files import write_bytes

if TYPE_CHECKING:
    from ecliptic.studies import Study
    from ecliptic.studies.running import Limit

DONE, SOME_FAILED, INTERRUPTED = 0, 1, 130
_Path = NAMED_PATH
_RUN_OPTIONS = (
    click.option(
        "--model",
        "models",
        multiple=True,
        metavar="PROVIDER/MODEL",
        help="Instead of the study's models; may be repeated. `local` needs no key.",
    ),
    click.option(
        "--out",
        type=_Path,
        help="Folder of the study [default: results/studies/NAME]. The same command goes on there.",
    ),
    click.option(
        "--max-tokens",
        type=POSITIVE,
        help="Begin no attempt that would take the whole study beyond this.",
    ),
    click.option("--max-cost", type=POSITIVE, help="The same, in the currency of the prices."),
    click.option(
        "--workers",
        type=click.IntRange(1, 512),
        default=2,
        show_default=True,
        help="Processes of the solvers.",
    ),
    click.option(
        "--estimate", "estimate_only", is_flag=True, help="Show grid and estimate, and stop."
    ),
    click.option("--fresh", is_flag=True, help="Delete the cells in the folder first."),
    click.option("--no-report", is_flag=True, help="Write no report at the end."),
)


def _run_options(command: Any) -> Any:
    for option in reversed(_RUN_OPTIONS):
        command = option(command)
    return command


def _changes(
    _: click.Context, __: click.Parameter, values: tuple[str, ...]
) -> list[tuple[str, Any]]:
    import yaml

    found = []
    for value in values:
        field, equals, text = value.partition("=")
        if not (field and equals):
            raise click.BadParameter(f"'{value}' is not of the form FIELD=VALUE")
        try:
            found.append((field, yaml.safe_load(text)))
        except yaml.YAMLError:
            raise click.BadParameter(f"'{text}' is not YAML") from None
    return found


@click.group(no_args_is_help=True)
def study() -> None:
    """Run a table of suites, agents, models and seeds, with statistics and a report.

    Example: ecliptic study run rws-table --model local
    """


@study.command("list")
def list_() -> int:
    """The shipped studies."""
    from ecliptic.studies import read_study, shipped_studies

    for name, path in shipped_studies().items():
        click.echo(f"{name:<16} {read_study(path).title}")
    return DONE


@study.command()
@click.argument("name")
def show(name: str) -> int:
    """The file of a shipped study, to read or to copy."""
    from ecliptic.studies.catalogue import path_of

    click.echo(path_of(name).read_text(encoding="utf-8"), nl=False)
    return DONE


@study.command()
@click.argument("file", type=_Path, default="study.yaml")
@click.option("--from", "source", metavar="NAME", help="Copy a shipped study instead.")
def init(file: Path, source: str | None) -> int:
    """Write an example, with comments, into FILE [default: study.yaml]."""
    from ecliptic.studies.catalogue import example_text, path_of

    if file.exists():
        raise OutputError(f"{file}: exists; name another file")
    text = path_of(source).read_text(encoding="utf-8") if source else example_text()
    write_bytes(file, text.encode())
    click.echo(f"{file}: edit it, then: ecliptic study run {file} --estimate")
    return DONE


@study.command()
@click.argument("source", metavar="FILE_OR_NAME")
@click.option(
    "--set",
    "changes",
    multiple=True,
    callback=_changes,
    metavar="FIELD=VALUE",
    help="Change a field, such as suites.0.questions=rws or epochs=3; may be repeated.",
)
@_run_options
def run(source: str, changes: list[tuple[str, Any]], **options: Any) -> int:
    """Estimate, run, and report a study: a YAML file, or a shipped one by its name.

    Cells that are finished are not run again. Exit status: 0 all cells are finished, 1 some are
    not, 2 a mistake in what was asked for, 130 interrupted.
    """
    from ecliptic.studies import find_study
    from ecliptic.studies.catalogue import path_of

    models: tuple[str, ...] = options.pop("models")
    if models:
        changes = [*changes, ("models", list(models))]
    return _run(find_study(source, changes), str(path_of(source)), **options)


@study.command("cross-benchmark")
@click.option("--patterns", default="all", show_default=True, help="Such as single_shot,pace.")
@click.option(
    "--benchmarks",
    default="gsm8k,math,gpqa_diamond,humaneval,swe_bench",
    show_default=True,
    help="Of Inspect Evals.",
)
@click.option(
    "--data",
    type=_Path,
    help="A folder with data sets as `datasets` reads them, such as openai/gsm8k/main/test.jsonl.",
)
@click.option("--limit", type=click.IntRange(1), help="Only the first so many tasks of each.")
@click.option(
    "-T",
    "arguments",
    multiple=True,
    callback=_changes,
    metavar="BENCHMARK.NAME=VALUE",
    help="An argument of a benchmark's task, such as humaneval.sandbox=local (which runs the "
    "model's code without a container); may be repeated.",
)
@_run_options
def cross_benchmark(
    patterns: str,
    benchmarks: str,
    data: Path | None,
    limit: int | None,
    arguments: list[tuple[str, Any]],
    **options: Any,
) -> int:
    """Each pattern around each benchmark's own solver, prompts and answer format."""
    from ecliptic.studies.cross_benchmark import cross_benchmark_study

    models: tuple[str, ...] = options.pop("models")
    made = cross_benchmark_study(
        _names(patterns), _names(benchmarks), models, data, limit, arguments
    )
    return _run(made, "cross-benchmark", **options)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _run(
    study: Study,
    where: str,
    *,
    out: Path | None,
    max_tokens: float | None,
    max_cost: float | None,
    workers: int,
    estimate_only: bool,
    fresh: bool,
    no_report: bool,
) -> int:
    from ecliptic.run.folder import locked
    from ecliptic.studies.plan import plan_study
    from ecliptic.studies.running import amount, run_study
    from ecliptic.studies.study_folder import check_study, clear

    limit = _limit(max_tokens, max_cost)
    folder = out or Path("results", "studies", study.name)
    if estimate_only:
        with tempfile.TemporaryDirectory() as scratch:
            # What a study costs is asked before a key is got.
            plan = plan_study(study, where, folder, Path(scratch), keys=False)
            click.echo(grid_text(plan))
        return DONE
    if fresh:
        with tempfile.TemporaryDirectory() as scratch:
            plan_study(study, where, folder, Path(scratch))  # nothing goes for a mistake
        if folder.exists():
            with locked(folder):  # not under a run that is at work there
                clear(folder)
    check_study(folder, study)
    plan = plan_study(study, where, folder)
    if limit is not None:
        for cell, expected in plan.estimates.items():
            amount(expected, plan, cell.model, limit.unit)  # refuses before anything is paid for
    click.echo(grid_text(plan) + "\n")
    outcome = run_study(plan, limit=limit, workers=workers, tell=click.echo)
    return report_study(plan, outcome, with_report=not no_report)


def _limit(max_tokens: float | None, max_cost: float | None) -> Limit | None:
    from ecliptic.studies.running import Limit

    if max_tokens is not None and max_cost is not None:
        raise UsageError("give one of --max-cost and --max-tokens")
    if max_cost is not None:
        return Limit(max_cost, "cost")
    return None if max_tokens is None else Limit(max_tokens, "tokens")
