"""``ecliptic run helio``: language models on question records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ecliptic.cli.model_campaign import run_models
from ecliptic.cli.model_options import ModelOptions, model_options, need_model, refuse_roles
from ecliptic.cli.option_types import NAMED_PATH
from ecliptic.errors import UsageError

if TYPE_CHECKING:
    from inspect_ai import Task


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
@click.option("--out", type=NAMED_PATH, help="Folder of the logs; resumes there.")
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
    model = need_model(models)
    from ecliptic.analysis.log_headers import suite_name
    from ecliptic.evals import helio as task
    from ecliptic.evals.skill_modes import skill_use
    from ecliptic.evals.verifier_role import ROLE

    refuse_roles(models, ROLE)
    if verifier and ROLE not in models.model_roles:
        raise UsageError("--verifier: no verifier is bound; add --model-role verifier=MODEL")
    judge = models.model_roles.get(ROLE, "")
    judges_itself = judge.lower() == model.lower() and verifier is not False
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

    use = skill_use(skills, "helio")
    subject = suite_name(records)
    return run_models(models, make_task, "single_shot", subject, out, fresh, limit, skills=use)
