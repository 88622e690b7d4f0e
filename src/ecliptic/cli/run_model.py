"""``ecliptic run stargazer --model`` and ``ecliptic run helio``: language models as agents."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ecliptic.errors import UsageError

if TYPE_CHECKING:
    from inspect_ai import Task

    from ecliptic.evals.attempts import AttemptRow
    from ecliptic.evals.campaign import Campaign

DONE, SOME_FAILED, INTERRUPTED = 0, 1, 130
LOCAL = "local"
MAX_FAILURES_NAMED = 5
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class ModelOptions:
    """The options that all runs of language models share."""

    model: str | None
    agents: str | None
    model_args: dict[str, Any]
    model_roles: dict[str, str]
    base_url: str | None
    temperature: float | None
    max_connections: int | None
    epochs: int
    price_in: float | None
    price_out: float | None
    max_tokens: float | None
    max_cost: float | None
    estimate_only: bool


def _pairs(_: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    import json

    found: dict[str, Any] = {}
    for value in values:
        name, equals, text = value.partition("=")
        if not (name and equals and text):
            raise click.BadParameter(f"'{value}' is not of the form NAME=VALUE")
        try:
            found[name] = text if parameter.name == "model_roles" else json.loads(text)
        except ValueError:
            found[name] = text
    return found


_POSITIVE = click.FloatRange(0, min_open=True)
_OPTIONS = (
    click.option(
        "--model",
        metavar="PROVIDER/MODEL",
        help="A language model: any of Inspect's, such as openai/gpt-5, or `local`. Needs the "
        "extra `agents`.",
    ),
    click.option(
        "--agents", "--agent", metavar="NAMES", help="Patterns, such as single_shot,pace,react."
    ),
    click.option(
        "-M",
        "--model-arg",
        "model_args",
        multiple=True,
        callback=_pairs,
        metavar="NAME=VALUE",
        help="An argument of the model's provider; may be repeated.",
    ),
    click.option(
        "--model-role",
        "model_roles",
        multiple=True,
        callback=_pairs,
        metavar="ROLE=MODEL",
        help="Another model for a role, such as verifier=openai/gpt-5; may be repeated.",
    ),
    click.option("--base-url", help="Of the model's server."),
    click.option("--temperature", type=click.FloatRange(0), help="Of every call."),
    click.option("--max-connections", type=click.IntRange(1), help="Calls at the same time."),
    click.option(
        "--epochs",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        help="Attempts on each task.",
    ),
    click.option("--price-in", type=click.FloatRange(0), help="Of a million tokens read."),
    click.option("--price-out", type=click.FloatRange(0), help="Of a million tokens written."),
    click.option(
        "--max-tokens",
        type=_POSITIVE,
        help="Begin no attempt that would take all runs into --out beyond this.",
    ),
    click.option("--max-cost", type=_POSITIVE, help="The same, in the currency of the prices."),
    click.option(
        "--estimate", "estimate_only", is_flag=True, help="Show what it would take, and stop."
    ),
)


def model_options(command: F) -> F:
    """Add the shared options; the command gets them as one argument ``models``."""
    names = {field.name for field in fields(ModelOptions)}

    @wraps(command)
    def gathered(**arguments: Any) -> Any:
        own = {name: arguments.pop(name) for name in names}
        return command(models=ModelOptions(**own), **arguments)

    for option in reversed(_OPTIONS):
        gathered = option(gathered)
    return gathered  # type: ignore[return-value]


@click.command()
@click.option(
    "--records",
    default="helio-v1",
    show_default=True,
    help="Question records: JSON lines, a shipped set, or `rws`, the published ones.",
)
@click.option("--hints/--no-hints", default=True, show_default=True, help="Show hints.")
@click.option("--types", help="Only records of these types, such as numeric,symbolic.")
@click.option("--per-type", type=click.IntRange(1), help="Only so many records of each type.")
@click.option("--limit", type=click.IntRange(1), help="Only the first so many records.")
@click.option(
    "--verifier/--no-verifier",
    default=None,
    help="Have undecided answers judged by the role `verifier` [default: if one is bound].",
)
@click.option("--allow-self-judge", is_flag=True, help="The model under test may judge itself.")
@click.option(
    "--skills",
    type=click.Choice(["none", "injected", "on_demand"]),
    default="none",
    show_default=True,
    help="Skills for the agent.",
)
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the logs; resumes there.")
@click.option("--fresh", is_flag=True, help="Delete earlier logs in the folder first.")
@model_options
def helio(
    records: str,
    hints: bool,
    types: str | None,
    per_type: int | None,
    limit: int | None,
    verifier: bool | None,
    allow_self_judge: bool,
    skills: str,
    out: Path | None,
    fresh: bool,
    models: ModelOptions,
) -> int:
    """Heliophysics questions: answer, grade, and show passes by agent and type.

    Shows an estimate of tokens (and cost, where prices are known) first. Exit status: 0 done, 1
    some attempts ended in an error or were not begun, 2 a mistake in what was asked for.
    """
    _need_model(models)
    from ecliptic.evals import helio as task
    from ecliptic.evals.verifier_role import ROLE

    if verifier and ROLE not in models.model_roles:
        raise UsageError("--verifier: no verifier is bound; add --model-role verifier=MODEL")
    judges_itself = models.model_roles.get(ROLE) == models.model and verifier is not False
    if judges_itself and not allow_self_judge:
        raise UsageError(
            "the verifier is the model under test: bind another one, or add --allow-self-judge"
        )
    records = str(Path(records).resolve()) if Path(records).exists() else records

    def make_task() -> Task:
        return task(
            records=records,
            hint=hints,
            types=types,
            per_type=per_type,
            verifier=verifier,
            allow_self_judge=allow_self_judge,
            skills=skills,
        )

    return _run(models, make_task, "single_shot", Path(records).stem, out, fresh, limit)


def run_stars(
    models: ModelOptions,
    options: dict[str, Any],
    *,
    out: Path | None,
    fresh: bool,
    limit: int | None,
    seconds: float | None,
) -> int:
    """The stars of a suite; ``options`` are arguments of the task ``stargazer``."""
    _need_model(models)
    from ecliptic.evals import stargazer as task

    suite = options["suite"]
    options["suite"] = str(Path(suite).resolve()) if Path(suite).exists() else suite
    if options["hand_in"] is None:
        options["hand_in"] = "text" if models.model == LOCAL else "tool"
    by_tool = options["hand_in"] == "tool"
    options["constrained"] = models.model == LOCAL

    def make_task() -> Task:
        return task(**options)

    agents = "react" if by_tool else "single_shot"
    settings = {} if seconds is None else {"time_limit": max(1, round(seconds))}
    return _run(
        models, make_task, agents, Path(suite).stem, out, fresh, limit, tools=by_tool, **settings
    )


def _need_model(models: ModelOptions) -> None:
    if models.model is None:
        raise UsageError("name a language model: --model PROVIDER/MODEL (or --model local)")


def _run(
    models: ModelOptions,
    make_task: Callable[[], Task],
    agents: str,
    subject: str,
    out: Path | None,
    fresh: bool,
    limit: int | None,
    *,
    tools: bool = False,
    **settings: Any,
) -> int:
    from ecliptic.evals.campaign import Campaign

    assert models.model is not None
    name = models.model.replace("/", "-")
    folder = out or Path("results") / f"{subject}-{Path(name).stem or name}"
    display = "rich" if sys.stdout.isatty() else "none"
    settings |= {"display": display, "log_level": "error"}
    if models.max_connections:
        settings["max_connections"] = models.max_connections
    with _served(models) as (model, roles):
        campaign = Campaign(
            make_task=make_task,
            patterns=[each.strip() for each in (models.agents or agents).split(",")],
            model=model,
            folder=folder,
            roles=roles,
            tools=tools,
            epochs=models.epochs,
            limit=limit,
            settings=settings,
        )
        return _with_budget(models, campaign, fresh)


@contextmanager
def _served(models: ModelOptions) -> Iterator[tuple[Any, dict[str, Any]]]:
    """The model under test and those of the roles; a local one is served meanwhile."""
    from inspect_ai.model import GenerateConfig

    from ecliptic.evals.models_by_name import find_model

    config = GenerateConfig(temperature=models.temperature)
    roles = {role: find_model(name) for role, name in models.model_roles.items()}
    if models.model == LOCAL:
        from ecliptic.evals.local_model import local_model

        with local_model(config) as model:
            yield model, roles
        return
    assert models.model is not None
    yield find_model(models.model, config, models.base_url, models.model_args), roles


def _with_budget(models: ModelOptions, campaign: Campaign, fresh: bool) -> int:
    from ecliptic.evals.admission import COST, TOKENS, RunBudget
    from ecliptic.evals.campaign import delete_logs, estimates, run_campaign, spent_in
    from ecliptic.evals.estimate import estimate_table
    from ecliptic.evals.models_by_name import prices_of

    prices = prices_of(campaign.model, models.price_in, models.price_out)
    if models.max_cost is not None and prices is None:
        raise UsageError(
            f"--max-cost: no prices are known of {campaign.model}; give --price-in and --price-out"
        )
    if models.max_cost is not None and models.max_tokens is not None:
        raise UsageError("give one of --max-cost and --max-tokens")
    tasks = campaign.tasks()
    expected = estimates(campaign, tasks)
    click.echo(estimate_table(expected, prices))
    click.echo(
        "(rough: models that reason at length write several times as much"
        + ("" if prices else "; no prices known, so no cost")
        + ")\n"
    )
    if models.estimate_only:
        return DONE
    if fresh:
        delete_logs(campaign.folder)
    budget = None
    total = models.max_tokens if models.max_cost is None else models.max_cost
    if total is not None:
        unit = TOKENS if models.max_cost is None else COST
        attempts = sum(each.attempts for each in expected)
        whole = sum(
            each.tokens if models.max_cost is None or prices is None else each.cost(prices)
            for each in expected
        )
        spent = spent_in(campaign.folder, unit)
        budget = RunBudget(total, unit, whole / max(1, attempts), spent)
    try:
        outcome = run_campaign(campaign, tasks, budget)
    except KeyboardInterrupt:
        return _interrupted(campaign)
    if outcome.interrupted:
        return _interrupted(campaign)
    return _report(outcome.rows, campaign)


def _interrupted(campaign: Campaign) -> int:
    click.echo(
        f"ecliptic: interrupted; finished attempts are in {campaign.folder}; the same command "
        "(without --fresh) goes on from there",
        err=True,
    )
    return INTERRUPTED


def _report(rows: tuple[AttemptRow, ...], campaign: Campaign) -> int:
    from ecliptic.evals.result_table import result_table, stop_summary
    from ecliptic.evals.stop_reasons import StopReason

    click.echo(result_table(rows))
    click.echo(f"\nended by: {stop_summary(rows)}")
    cost = sum(row.cost for row in rows)
    if cost:
        click.echo(f"cost: {cost:,.2f}")
    click.echo(f"logs: {campaign.folder} (inspect view --log-dir {campaign.folder})")
    not_begun = sum(row.stop == StopReason.RUN_BUDGET for row in rows)
    if not_begun:
        click.echo(
            f"ecliptic: stopped at the limit; {not_begun} attempts were not begun (the same "
            "command with a larger limit goes on)",
            err=True,
        )
    failed = [row for row in rows if row.passed is None and row.stop != StopReason.RUN_BUDGET]
    if failed:
        named = [f"{row.pattern} on {row.sample} ({row.stop}: {row.error[:120]})" for row in failed]
        more = len(named) - MAX_FAILURES_NAMED
        click.echo(
            f"ecliptic: {len(failed)} attempts ended in an error and are in no rate: "
            f"{'; '.join(named[:MAX_FAILURES_NAMED])}{f'; and {more} more' if more > 0 else ''} "
            "(the same command tries them again)",
            err=True,
        )
    return SOME_FAILED if failed or not_begun else DONE
