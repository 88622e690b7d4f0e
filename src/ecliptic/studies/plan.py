"""A study made ready: its cells, what is done already, and what the rest will take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ecliptic.errors import EclipticError, UsageError
from ecliptic.studies.definition import ForeignBenchmark, Study
from ecliptic.studies.grid import Cell, cells_of
from ecliptic.studies.study_folder import DONE, state_of
from ecliptic.studies.subjects import Subject, subjects_of

if TYPE_CHECKING:
    from ecliptic.evals.estimate import Estimate, Prices


@dataclass(frozen=True)
class StudyPlan:
    """What :func:`ecliptic.studies.running.run_study` runs.

    Attributes
    ----------
    where
        The study's file, for messages.
    out
        The study's folder.
    todo
        Cells that are not finished.
    estimates
        Of the cells of ``todo`` that ask a model and can be estimated.
    refused
        Why a benchmark's cell cannot be prepared; the others run.
    prices
        By model; a model without known prices is left out.
    """

    study: Study
    where: str
    out: Path
    subjects: Sequence[Subject]
    cells: Sequence[Cell]
    todo: Sequence[Cell]
    estimates: Mapping[Cell, Estimate] = field(default_factory=dict)
    refused: Mapping[Cell, str] = field(default_factory=dict)
    prices: Mapping[str, Prices] = field(default_factory=dict)


def plan_study(
    study: Study, where: str, out: Path, scratch: Path | None = None, *, keys: bool = True
) -> StudyPlan:
    """Find or make the suites, lay out the grid and estimate it; nothing is paid for.

    Parameters
    ----------
    scratch
        Where generated suites go instead of ``out``, for an estimate alone.
    keys
        Whether the key of a model under test must be there.

    Raises
    ------
    UsageError
        A mistake in the study: names file, field and fix. A model that cannot be reached.
    """
    if study.models:
        check_models(study, where, keys)
    subjects = subjects_of(study, where, scratch or out)
    cells = cells_of(study, subjects, where)
    todo = [cell for cell in cells if not _is_done(out, cell)]
    estimates: dict[Cell, Estimate] = {}
    refused: dict[Cell, str] = {}
    for cell in todo:
        try:
            if cell.baseline is not None:
                from ecliptic.studies.baselines import chosen_stars

                chosen_stars(cell.subject)
                continue
            from ecliptic.studies.cell_tasks import estimate_of

            estimates[cell] = estimate_of(cell, study, scratch or out)
        except EclipticError as error:
            # A benchmark leans on networks and containers; all else is a mistake of the file.
            if not isinstance(cell.subject.entry, ForeignBenchmark):
                raise UsageError(f"{where}: field '{cell.subject.field}': {error}") from None
            refused[cell] = str(error)
    prices = _prices(study, keys)
    return StudyPlan(study, where, out, subjects, cells, todo, estimates, refused, prices)


def _is_done(out: Path, cell: Cell) -> bool:
    state = state_of(out, cell)
    return state is not None and state.status == DONE


def check_models(study: Study, where: str, keys: bool = True) -> None:
    """Whether each model and each role's can be reached, as far as that is free.

    Without ``keys`` a missing key of a model under test is no mistake.

    Raises
    ------
    UsageError
        An unknown provider, a missing package or key.
    """
    from ecliptic.evals.serving import LOCAL, reachable_model

    for model in study.models:
        if model == LOCAL:
            from ecliptic.evals.local_model import find_weights

            find_weights()
        else:
            reachable_model(model, arguments=_arguments(keys))
    for role, model in study.roles.items():
        if model == LOCAL:
            raise UsageError(f"{where}: field 'roles.{role}': local serves no roles; name another")
        reachable_model(model, role=role)


def _arguments(keys: bool) -> dict[str, str]:
    return {} if keys else {"api_key": "none"}  # never sent, for nothing is called


def _prices(study: Study, keys: bool) -> dict[str, Prices]:
    if not study.models:
        return {}
    from ecliptic.evals.models_by_name import prices_of
    from ecliptic.evals.serving import LOCAL, reachable_model

    found: dict[str, Prices] = {}
    for model in study.models:
        if model == LOCAL:
            continue
        given = study.prices.get(model)
        read, written = (given.read, given.written) if given else (None, None)
        prices = prices_of(reachable_model(model, arguments=_arguments(keys)), read, written)
        if prices is not None:
            found[model] = prices
    return found
