"""A table of patterns on one task: the estimate, the budget, the run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ecliptic.cli.model_options import ModelOptions, need_model
from ecliptic.cli.model_report import report_attempts
from ecliptic.cli.progress import ProgressDisplay
from ecliptic.errors import UsageError

if TYPE_CHECKING:
    from inspect_ai import Task

    from ecliptic.evals.admission import RunBudget
    from ecliptic.evals.campaign import Campaign, Outcome
    from ecliptic.evals.estimate import Estimate, Prices
    from ecliptic.evals.skill_modes import SkillUse

DONE, INTERRUPTED = 0, 130
ALL = "all"
NO_PRICES = "no prices known, so no cost: --price-in and --price-out give them"


def run_models(
    models: ModelOptions,
    make_task: Callable[[], Task],
    agents: str,
    subject: str,
    out: Path | None,
    fresh: bool,
    limit: int | None,
    *,
    skills: SkillUse,
    tools: bool = False,
    **settings: Any,
) -> int:
    """Estimate, run and report what is not done yet of a table of patterns; the exit status.

    ``agents`` are the patterns where the options name none, ``subject`` goes into the folder's
    name where none is given.
    """
    from inspect_ai.model import GenerateConfig

    from ecliptic.evals.campaign import Campaign
    from ecliptic.evals.serving import served

    chosen = need_model(models)
    arguments = models.model_args
    if models.estimate_only:  # which calls nothing: what a table costs is asked before a key is got
        arguments = {"api_key": "none", **arguments}
    name = chosen.replace("/", "-").removesuffix(".jsonl")  # that of a script
    folder = out or Path("results") / f"{subject}-{name}"
    # Inspect's own display names neither pattern nor question of a row.
    settings |= {"display": "none", "log_level": "error"}
    if models.max_connections:
        settings["max_connections"] = models.max_connections
    with served(
        chosen,
        GenerateConfig(temperature=models.temperature),
        base_url=models.base_url,
        arguments=arguments,
        roles=models.model_roles,
    ) as (model, roles):
        campaign = Campaign(
            make_task=make_task,
            patterns=_patterns(models.agents or agents),
            model=model,
            folder=folder,
            roles=roles,
            tools=tools,
            skills=skills,
            epochs=models.epochs,
            limit=limit,
            settings=settings,
        )
        return _with_budget(models, campaign, fresh)


def _patterns(names: str) -> list[str]:
    from ecliptic.agents import PATTERNS

    return list(PATTERNS) if names.strip() == ALL else [each.strip() for each in names.split(",")]


def _with_budget(models: ModelOptions, campaign: Campaign, fresh: bool) -> int:
    from ecliptic.evals.campaign import delete_logs, estimates
    from ecliptic.evals.estimate import estimate_table
    from ecliptic.evals.models_by_name import prices_of
    from ecliptic.evals.serving import LOCAL
    from ecliptic.run.folder import locked
    from ecliptic.run.termination import terminable

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
        + ("" if prices or models.model == LOCAL else f"; {NO_PRICES}")
        + ")\n"
    )
    if models.estimate_only:
        return DONE
    try:
        with terminable(), locked(campaign.folder):
            if fresh:
                delete_logs(campaign.folder)
            budget = _budget(models, campaign, expected, prices)
            outcome = _run(campaign, tasks, budget)
    except KeyboardInterrupt:
        return _interrupted(campaign)
    if outcome.interrupted:
        return _interrupted(campaign)
    return report_attempts(outcome.rows, campaign.folder)


def _budget(
    models: ModelOptions, campaign: Campaign, expected: list[Estimate], prices: Prices | None
) -> RunBudget | None:
    """What the options still allow, after what earlier runs into the folder took."""
    from ecliptic.evals.admission import COST, TOKENS, RunBudget
    from ecliptic.evals.campaign import spent_in

    total = models.max_tokens if models.max_cost is None else models.max_cost
    if total is None:
        return None
    unit = TOKENS if models.max_cost is None else COST
    attempts = sum(each.attempts for each in expected)
    whole = sum(
        each.tokens if models.max_cost is None or prices is None else each.cost(prices)
        for each in expected
    )
    return RunBudget(total, unit, whole / max(1, attempts), spent_in(campaign.folder, unit))


def _run(campaign: Campaign, tasks: dict[str, Task], budget: RunBudget | None) -> Outcome:
    from ecliptic.evals.campaign import run_campaign

    display = ProgressDisplay(what="attempts")
    with display:
        return run_campaign(campaign, tasks, budget, display)


def _interrupted(campaign: Campaign) -> int:
    click.echo(
        f"ecliptic: interrupted; finished attempts are in {campaign.folder}; the same command "
        "(without --fresh) goes on from there",
        err=True,
    )
    return INTERRUPTED
