"""The cells of a study: what is run, one after another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

from ecliptic.errors import EclipticError, UsageError
from ecliptic.studies.definition import (
    AnyEntry,
    Baseline,
    ForeignBenchmark,
    StarOptions,
    Study,
)
from ecliptic.studies.subjects import Subject, is_questions, is_stars

ALL = "all"
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9.:+_-]+")


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One subject under one arm: an agent with a model and modes, or a baseline.

    ``seed`` is the sampling seed, ``None`` where none is sent. ``agent`` is the pattern, or the
    baseline's solver.
    """

    subject: Subject
    agent: str
    model: str = ""
    skills: str = "none"
    retrieval: str = "none"
    seed: int | None = None
    baseline: Baseline | None = None

    @property
    def arm(self) -> str:
        """The agent with its modes, as logs and tables call it."""
        skills = "" if self.skills == "none" else f"+skills:{self.skills}"
        retrieval = "" if self.retrieval == "none" else f"+retrieval:{self.retrieval}"
        return f"{self.agent}{retrieval}{skills}"

    @property
    def key(self) -> str:
        """Name of the cell's folder."""
        parts = [self.subject.label, self.arm]
        parts += [_short_model(self.model)] if self.model else []
        parts += [] if self.seed is None else [f"seed-{self.seed}"]
        return "--".join(_NOT_IN_NAMES.sub("-", part) for part in parts).replace(":", "-")

    def __str__(self) -> str:
        seed = "" if self.seed is None else f", seed {self.seed}"
        model = f" ({self.model})" if self.model else ""
        return f"{self.subject.label}, {self.arm}{model}{seed}"


def cells_of(study: Study, subjects: Sequence[Subject], where: str) -> list[Cell]:
    """All cells: baselines first, then model by model.

    Raises
    ------
    UsageError
        A pattern, solver or benchmark is not known, or the grid is empty; names file and field.
    """
    _check_names(study, where)
    cells = [*_baseline_cells(study, subjects), *_model_cells(study, subjects)]
    if not cells:
        asked = study.agents or any(entry.agents for entry in study.suites)
        if asked and not study.models:
            raise UsageError(
                f"{where}: field 'models' names none, so no agent can run; add one, or give "
                "--model PROVIDER/MODEL (or --model local)"
            )
        raise UsageError(
            f"{where}: the grid is empty: fields 'agents' and 'baselines' name nothing that fits "
            "these suites (baselines are for stars); add agents"
        )
    seen: dict[str, Cell] = {}
    for cell in cells:
        if seen.setdefault(cell.key, cell) is not cell:
            raise UsageError(f"{where}: two cells are called '{cell.key}'; give suites a 'label'")
    return cells


def _baseline_cells(study: Study, subjects: Sequence[Subject]) -> Iterator[Cell]:
    for subject in subjects:
        if is_stars(subject.entry):
            for baseline in _axis(study, subject.entry, "baselines"):
                yield Cell(subject, _baseline_label(baseline), baseline=baseline)


def _model_cells(study: Study, subjects: Sequence[Subject]) -> Iterator[Cell]:
    seeds: tuple[int | None, ...] = study.seeds or (None,)
    for model in study.models:
        for subject in subjects:
            entry = subject.entry
            foreign = isinstance(entry, ForeignBenchmark)
            skills = ("none",) if foreign else _axis(study, entry, "skills")
            retrieval = _axis(study, entry, "retrieval") if is_questions(entry) else ("none",)
            agents = patterns_of(_axis(study, entry, "agents"))
            for agent, skill, passages, seed in product(agents, skills, retrieval, seeds):
                yield Cell(subject, agent, model, skill, passages, seed)


def _axis(study: Study, entry: AnyEntry, name: str) -> tuple[Any, ...]:
    own = getattr(entry, name)
    return getattr(study, name) if own is None else own  # type: ignore[no-any-return]


def patterns_of(names: Iterable[str]) -> list[str]:
    """Names of patterns, with ``all`` written out."""
    found: dict[str, None] = {}
    for name in names:
        if name == ALL:
            from ecliptic.agents import PATTERNS

            found |= dict.fromkeys(PATTERNS)
        else:
            found[name] = None
    return list(found)


def _check_names(study: Study, where: str) -> None:
    places = [("", study), *((f"suites[{n}].", entry) for n, entry in enumerate(study.suites))]
    for prefix, place in places:
        for name in place.agents or ():
            _checked(_check_pattern, name, f"{prefix}agents", where)
        for baseline in place.baselines or ():
            _checked(_check_baseline, baseline, f"{prefix}baselines", where)
        if isinstance(place, StarOptions) and place.protocol is not None:
            _checked(_check_protocol, place.protocol, f"{prefix}protocol", where)
        if isinstance(place, ForeignBenchmark):
            _checked(_check_benchmark, place.benchmark, f"{prefix}benchmark", where)


def _checked(check: Callable[[Any], None], value: object, field: str, where: str) -> None:
    try:
        check(value)
    except EclipticError as error:
        raise UsageError(f"{where}: field '{field}': {error}") from None


def _check_pattern(name: str) -> None:
    if name != ALL:
        from ecliptic.agents import find_pattern

        find_pattern(name)


def _check_baseline(baseline: Baseline) -> None:
    from ecliptic.run.plan import plan_of
    from ecliptic.rv.protocols import protocol_of

    plan_of(baseline.solver, protocol_of("paper"), baseline.options)


def _check_protocol(name: str) -> None:
    from ecliptic.rv.protocols import protocol_of

    protocol_of(name)


def _check_benchmark(name: str) -> None:
    from ecliptic.agents.benchmarks import find_benchmark

    find_benchmark(name)


def _baseline_label(baseline: Baseline) -> str:
    from ecliptic.analysis.log_headers import agent_label

    return agent_label(baseline.solver, baseline.options)


def _short_model(model: str) -> str:
    """``scripted/a/b/replies.jsonl`` is ``scripted-replies``; others in full."""
    provider, slash, rest = model.partition("/")
    if provider == "scripted":
        return f"scripted-{Path(rest).stem}"
    return f"{provider}-{rest}" if slash else provider
