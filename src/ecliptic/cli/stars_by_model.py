"""``ecliptic run stargazer --model``: language models on the stars of a suite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecliptic.cli.model_campaign import run_models
from ecliptic.cli.model_options import ModelOptions, need_model, refuse_roles

if TYPE_CHECKING:
    from inspect_ai import Task


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
    model = need_model(models)
    refuse_roles(models)
    from ecliptic.analysis.log_headers import suite_name
    from ecliptic.evals import stargazer as task
    from ecliptic.evals.serving import LOCAL
    from ecliptic.evals.skill_modes import skill_use
    from ecliptic.evals.star_task import check_isolation

    suite = options["suite"]
    options["suite"] = str(Path(suite).resolve()) if Path(suite).exists() else suite
    if options["hand_in"] is None:
        options["hand_in"] = "text" if model == LOCAL else "tool"
    by_tool = options["hand_in"] == "tool"
    options["constrained"] = model == LOCAL
    if not models.estimate_only:
        check_isolation(options["isolation"], options["hand_in"])

    def make_task() -> Task:
        return task(**options)

    settings = {} if seconds is None else {"time_limit": max(1, round(seconds))}
    return run_models(
        models,
        make_task,
        "react" if by_tool else "single_shot",
        suite_name(suite),
        out,
        fresh,
        limit,
        tools=by_tool,
        skills=skill_use(options["skills"], "rv"),
        **settings,
    )
