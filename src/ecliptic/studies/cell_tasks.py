"""A cell as a campaign of Inspect: its task, its solver, its settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inspect_ai import Task, task_with
from inspect_ai.model import Model
from inspect_ai.solver import Solver

from ecliptic.evals import helio, stargazer
from ecliptic.evals.answer_scoring import records_of
from ecliptic.evals.campaign import Campaign
from ecliptic.evals.estimate import Estimate, estimate
from ecliptic.evals.serving import LOCAL
from ecliptic.evals.skill_modes import skill_use
from ecliptic.evals.star_task import check_isolation
from ecliptic.studies.definition import ForeignBenchmark, QuestionOptions, StarOptions, Study
from ecliptic.studies.foreign_benchmarks import CACHE, benchmark_task
from ecliptic.studies.grid import Cell
from ecliptic.studies.retrieval import answer_with_passages, retrieved
from ecliptic.studies.study_folder import CELLS


@dataclass
class CellCampaign(Campaign):
    """A campaign of one arm; ``own_solver`` makes its solver where a pattern alone will not do."""

    own_solver: Callable[[], Solver] | None = None
    own_task: bool = False

    def tasks(self) -> dict[str, Task]:
        """The one task, under the arm's name."""
        (arm,) = self.patterns
        if self.own_task:
            return {arm: self.make_task()}
        if self.own_solver is not None:
            return {arm: task_with(self.make_task(), solver=self.own_solver())}
        return super().tasks()


def campaign_of(
    cell: Cell, study: Study, out: Path, model: Model, roles: Mapping[str, Model]
) -> CellCampaign:
    """The campaign that runs a cell."""
    by_tool = isinstance(cell.subject.entry, StarOptions) and hand_in_of(cell) == "tool"
    settings: dict[str, Any] = {"display": "none", "log_level": "error"}
    if cell.seed is not None:
        settings["seed"] = cell.seed
    # A mode that our tasks know is in the log; the pattern's own name is the arm's there.
    passages = cell.retrieval != "none"
    foreign = isinstance(cell.subject.entry, ForeignBenchmark)
    return CellCampaign(
        make_task=lambda: task_of(cell, study, out),
        patterns=[_passages_arm(cell) if passages else cell.agent],
        model=model,
        folder=(out / CELLS / cell.key).resolve(),
        roles=roles,
        tools=by_tool,
        epochs=study.epochs,
        limit=cell.subject.entry.limit,
        settings=settings,
        own_solver=_passages_solver(cell) if passages else None,
        own_task=foreign,
    )


def _passages_solver(cell: Cell) -> Callable[[], Solver]:
    entry, source = cell.subject.entry, cell.subject.source
    assert isinstance(entry, QuestionOptions)
    return lambda: answer_with_passages(_passages_arm(cell), source, cell.retrieval, entry.passages)


def _passages_arm(cell: Cell) -> str:
    return f"{cell.agent}+retrieval:{cell.retrieval}"


def hand_in_of(cell: Cell) -> str:
    """``tool`` or ``text``; ``auto`` is by tool but for the local model, which cannot call any."""
    entry = cell.subject.entry
    assert isinstance(entry, StarOptions)
    if entry.hand_in != "auto":
        return entry.hand_in
    return "text" if cell.model == LOCAL else "tool"


def task_of(cell: Cell, study: Study, out: Path) -> Task:
    """The cell's task, made afresh; that of a benchmark with its pattern around its solver."""
    entry, source = cell.subject.entry, cell.subject.source
    if isinstance(entry, StarOptions):
        return stargazer(
            suite=source,
            protocol=entry.protocol,
            feedback=entry.feedback,
            skills=cell.skills,
            isolation=entry.isolation,
            hand_in=hand_in_of(cell),  # type: ignore[arg-type]
            constrained=cell.model == LOCAL,
            images=entry.images,
            tiers=_listed(entry.tiers),
            per_tier=entry.per_tier,
        )
    if isinstance(entry, QuestionOptions):
        return helio(
            records=source,
            hint=entry.hints,
            types=_listed(entry.types),
            per_type=entry.per_type,
            allow_self_judge=study.allow_self_judge,
            skills=cell.skills,
        )
    return benchmark_task(entry.benchmark, cell.agent, entry.arguments, source, out / CACHE)


def _listed(names: tuple[str, ...] | None) -> list[str] | None:
    return None if names is None else list(names)


def check_jail(cell: Cell) -> None:
    """Raises :class:`UsageError` where this machine has no such jail for the cell's laboratory."""
    entry = cell.subject.entry
    if isinstance(entry, StarOptions):
        check_isolation(entry.isolation, hand_in_of(cell))


def estimate_of(cell: Cell, study: Study, out: Path) -> Estimate:
    """What the cell will take, roughly (:mod:`ecliptic.evals.estimate`).

    Skills and passages are read again at every call.
    """
    entry = cell.subject.entry
    task = task_of(cell, study, out)
    tools = isinstance(entry, StarOptions) and hand_in_of(cell) == "tool"
    world = "rv" if isinstance(entry, StarOptions) else "helio"
    found = estimate(
        task,
        cell.agent,
        tools=tools,
        skills=skill_use(cell.skills, world),
        epochs=study.epochs,
        limit=entry.limit,
    )
    ids = [str(sample.id) for sample in task.dataset][: entry.limit]
    more = _passage_characters(cell, ids)
    return replace(found, read=found.read + found.calls * more // 4)


def _passage_characters(cell: Cell, ids: Sequence[str]) -> int:
    """Of one task, on average."""
    entry, source = cell.subject.entry, cell.subject.source
    if cell.retrieval == "none" or not isinstance(entry, QuestionOptions):
        return 0
    records = records_of(source)
    shown = [retrieved(records[each], source, cell.retrieval, entry.passages)[0] for each in ids]
    return sum(map(len, shown)) // max(1, len(shown))
