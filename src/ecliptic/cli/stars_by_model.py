"""``ecliptic run stargazer --model``: language models on the stars of a suite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecliptic.cli.model_campaign import run_models
from ecliptic.cli.model_options import ModelOptions, need_model

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
    from ecliptic.evals import stargazer as task
    from ecliptic.evals.serving import LOCAL

    suite = options["suite"]
    options["suite"] = str(Path(suite).resolve()) if Path(suite).exists() else suite
    if options["hand_in"] is None:
        options["hand_in"] = "text" if model == LOCAL else "tool"
    by_tool = options["hand_in"] == "tool"
    options["constrained"] = model == LOCAL

    def make_task() -> Task:
        return task(**options)

    agents = "react" if by_tool else "single_shot"
    settings = {} if seconds is None else {"time_limit": max(1, round(seconds))}
    return run_models(
        models, make_task, agents, Path(suite).stem, out, fresh, limit, tools=by_tool, **settings
    )
