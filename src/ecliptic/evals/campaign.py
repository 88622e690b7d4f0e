"""A whole table: one task under several patterns, in a folder of logs that can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspect_ai import Task, eval_set, task_with
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log_samples
from inspect_ai.model import Model

from ecliptic.agents import answer_by, find_pattern
from ecliptic.analysis import Attempt
from ecliptic.analysis.log_headers import agent_name
from ecliptic.errors import UsageError
from ecliptic.evals.admission import COST, RunBudget, run_budget
from ecliptic.evals.attempt_progress import Listener, attempt_progress
from ecliptic.evals.attempts import rows_of
from ecliptic.evals.earlier_attempts import finished_in
from ecliptic.evals.estimate import Estimate, estimate
from ecliptic.evals.log_folder import BESIDE_LOGS, check_logs, check_written, storage_errors
from ecliptic.evals.log_order import ordered_by_content
from ecliptic.evals.model_address import check_address
from ecliptic.evals.skill_modes import NO_SKILLS, SkillUse


@dataclass
class Campaign:
    """What to run.

    Attributes
    ----------
    make_task
        Makes the task afresh, since each pattern changes its own.
    patterns
        Names of patterns, in the order of the table.
    model, roles
        The model under test, and others by role.
    folder
        Where the logs are. A run into the same folder keeps what is finished and runs again what
        ended in an error.
    epochs, limit
        Attempts on each sample; only so many samples, the first ones.
    tools, skills
        Whether the task has tools, and what skills add, for the estimate.
    settings
        Further arguments of Inspect's ``eval_set``.
    """

    make_task: Callable[[], Task]
    patterns: Sequence[str]
    model: Model
    folder: Path
    roles: Mapping[str, Model] = field(default_factory=dict)
    tools: bool = False
    skills: SkillUse = NO_SKILLS
    epochs: int = 1
    limit: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    def tasks(self) -> dict[str, Task]:
        """The task under each pattern."""
        for pattern in self.patterns:
            find_pattern(pattern)
        return {
            pattern: task_with(self.make_task(), solver=answer_by(pattern))
            for pattern in dict.fromkeys(self.patterns)
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """The attempts in the folder, and whether the run came to its end."""

    rows: tuple[Attempt, ...]
    interrupted: bool
    refused: int


def estimates(campaign: Campaign, tasks: Mapping[str, Task]) -> list[Estimate]:
    """By pattern."""
    return [
        estimate(
            task,
            pattern,
            tools=campaign.tools,
            skills=campaign.skills,
            epochs=campaign.epochs,
            limit=campaign.limit,
        )
        for pattern, task in tasks.items()
    ]


def spent_in(folder: Path, unit: str) -> float:
    """What the attempts in a folder's logs took, each counted once."""
    check_logs(folder)
    seen: dict[str, float] = {}
    for log in list_eval_logs(str(folder)) if folder.is_dir() else ():
        for sample in read_eval_log_samples(
            log, all_samples_required=False, exclude_fields={"events", "messages", "attachments"}
        ):
            usage = sample.model_usage.values()
            seen[sample.uuid or ""] = (
                sum(each.total_cost or 0.0 for each in usage)
                if unit == COST
                else sum(each.total_tokens for each in usage)
            )
    return sum(seen.values())


def delete_logs(folder: Path) -> None:
    """Delete a run's logs and what Inspect keeps beside them; nothing else in the folder."""
    for log in folder.glob("*.eval"):
        log.unlink()
    for name in BESIDE_LOGS:
        (folder / name).unlink(missing_ok=True)


def run_campaign(
    campaign: Campaign,
    tasks: Mapping[str, Task],
    budget: RunBudget | None = None,
    listener: Listener | None = None,
) -> Outcome:
    """Run what is not done yet, telling ``listener`` how far it is; all attempts of the folder.

    Raises
    ------
    UsageError
        Nobody listens where a model is said to be. Or Inspect refuses: a folder that holds
        something else, a task that cannot run.
    TaskError
        A log in the folder cannot be read.
    OutputError
        A log could not be written to its end, on a full disk for instance.
    """
    check_logs(campaign.folder)
    attempts = campaign.epochs * sum(len(task.dataset[: campaign.limit]) for task in tasks.values())
    finished = finished_in(campaign.folder, tasks, campaign.model, campaign.limit, campaign.epochs)
    if finished < attempts:
        for model in (campaign.model, *campaign.roles.values()):
            check_address(model)
    try:
        with (
            storage_errors(campaign.folder),
            ordered_by_content(campaign.folder),
            run_budget(budget),
            attempt_progress(listener, attempts, finished),
        ):
            _, logs = eval_set(
                list(tasks.values()),
                log_dir=str(campaign.folder),
                model=[campaign.model],
                model_roles=dict(campaign.roles),
                epochs=campaign.epochs if campaign.epochs > 1 else None,
                limit=campaign.limit,
                retry_attempts=0,
                retry_immediate=False,
                # All attempts are made; a log with an error in it counts as unfinished, so that a
                # further run makes those again and no others.
                fail_on_error=True,
                continue_on_fail=True,
                score_on_error=True,
                log_dir_allow_dirty=True,
                log_buffer=1,  # what is paid for is on disk at once
                **campaign.settings,
            )
    except PrerequisiteError as error:
        raise UsageError(str(error.message)) from None
    check_written(campaign.folder, logs)
    by_pattern = _by_pattern(tasks, logs)
    return Outcome(
        rows=tuple(rows_of(by_pattern)),
        # After an interrupt Inspect returns no logs at all.
        interrupted=len(by_pattern) < len(tasks)
        or any(log.status in {"cancelled", "started"} for log in logs),
        refused=0 if budget is None else budget.refused,
    )


def _by_pattern(tasks: Mapping[str, Task], logs: Sequence[EvalLog]) -> list[tuple[str, EvalLog]]:
    """Each log under the name that all readers of logs give its agent."""
    found = {
        agent_name(log.model_dump(include={"eval": {"solver"}, "plan": True})): log for log in logs
    }
    return [(pattern, found[pattern]) for pattern in tasks if pattern in found]
