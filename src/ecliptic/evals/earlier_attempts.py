"""What earlier runs into a folder have brought to an end of a table that is run now."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from inspect_ai import Task
from inspect_ai._util.registry import registry_params
from inspect_ai.log import EvalSpec, list_eval_logs, read_eval_log, read_eval_log_sample_summaries
from inspect_ai.model import Model

from ecliptic.analysis.log_headers import agent_name


def finished_in(
    folder: Path, tasks: Mapping[str, Task], model: Model, limit: int | None, epochs: int
) -> int:
    """Attempts in a folder's logs that came to an end without an error, each counted once.

    Only those that a run of ``tasks`` (by pattern) takes up: a folder also holds other patterns',
    other models', other settings', and those on other samples.
    """
    found: set[str | None] = set()
    for place in list_eval_logs(str(folder)) if folder.is_dir() else []:
        header = read_eval_log(place, header_only=True)
        pattern = agent_name(header.model_dump(include={"eval": {"solver"}, "plan": True}))
        task = tasks.get(pattern)
        if task is None or not _is_of(header.eval, task, model):
            continue
        asked = {sample.id for sample in task.dataset[:limit]}
        found |= {
            each.uuid
            for each in read_eval_log_sample_summaries(place)
            if each.completed and each.error is None
            if each.id in asked and each.epoch <= epochs
        }
    return len(found)


def _is_of(log: EvalSpec, task: Task, model: Model) -> bool:
    return (
        log.task_version == task.version
        and log.task_args_passed == registry_params(task)
        and log.model == str(model)
        and log.model_generate_config.temperature == model.config.temperature
    )
