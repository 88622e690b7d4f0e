"""Which pattern the rule router takes for each task: as logged, else from the task's structure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from inspect_ai.dataset import Sample
from inspect_ai.log import list_eval_logs, read_eval_log_samples
from inspect_ai.model import ChatMessageUser, ModelName
from inspect_ai.solver import TaskState

from ecliptic.agents import ROUTE_KEY, TaskStructure, route
from ecliptic.analysis.log_headers import suite_name
from ecliptic.analysis.routing import TaskKey
from ecliptic.evals.star_tools import python, submit
from ecliptic.studies.cell_tasks import hand_in_of, task_of
from ecliptic.studies.definition import ForeignBenchmark, StarOptions, Study
from ecliptic.studies.grid import Cell
from ecliptic.studies.study_folder import CELLS

ROUTER = "router"
_NOT_NEEDED = {"events", "messages", "attachments", "output"}


def rule_choices(study: Study, cells: Sequence[Cell], out: Path) -> dict[TaskKey, str]:
    """By suite and task, the pattern that the rules choose.

    A study in which the router itself was run holds its choices. Where it was not, the same rules
    are put to the same task; not for benchmarks of others, whose prompts are made while they run.
    """
    found: dict[TaskKey, str] = {}
    for cell in cells:
        if cell.agent == ROUTER:
            found |= _logged(cell, out)
    seen: set[str] = set()
    for cell in cells:
        own = cell.baseline is None and not isinstance(cell.subject.entry, ForeignBenchmark)
        if own and cell.subject.label not in seen:
            seen.add(cell.subject.label)
            found = _recomputed(cell, study, out) | found
    return found


def _logged(cell: Cell, out: Path) -> dict[TaskKey, str]:
    folder = out / CELLS / cell.key
    found: dict[TaskKey, str] = {}
    for log in list_eval_logs(str(folder)) if folder.is_dir() else ():
        for sample in read_eval_log_samples(
            log, all_samples_required=False, exclude_fields=_NOT_NEEDED
        ):
            taken = sample.store.get(ROUTE_KEY)
            if taken:
                found[_suite(cell), str(sample.id)] = str(taken["pattern"])
    return found


def _recomputed(cell: Cell, study: Study, out: Path) -> dict[TaskKey, str]:
    entry = cell.subject.entry
    tools = isinstance(entry, StarOptions) and hand_in_of(cell) == "tool"
    task = task_of(cell, study, out)
    samples = list(task.dataset)[: entry.limit]
    return {
        (_suite(cell), str(sample.id)): route(_structure(sample, tools)).pattern
        for sample in samples
    }


def _structure(sample: Sample, tools: bool) -> TaskStructure:
    state = TaskState(
        model=ModelName("none/none"),
        sample_id=sample.id or "",
        epoch=1,
        input=sample.input,
        messages=[ChatMessageUser(content=str(sample.input))],
        choices=sample.choices,
        metadata=dict(sample.metadata or {}),
    )
    if tools:
        state.tools = [python(), submit()]
    return TaskStructure.of(state)


def _suite(cell: Cell) -> str:
    entry = cell.subject.entry
    if isinstance(entry, ForeignBenchmark):
        return entry.benchmark
    return suite_name(cell.subject.source)
