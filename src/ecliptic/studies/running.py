"""A study is run cell by cell; a cell that cannot run costs no other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from ecliptic.errors import EclipticError, OutputError, UsageError
from ecliptic.studies.grid import Cell
from ecliptic.studies.plan import StudyPlan
from ecliptic.studies.study_folder import (
    CELLS,
    DONE,
    FAILED,
    INCOMPLETE,
    CellState,
    keep_state,
    open_study,
    state_of,
)

if TYPE_CHECKING:
    from ecliptic.evals.admission import RunBudget
    from ecliptic.evals.estimate import Estimate

Tell = Callable[[str], None]
NOT_BEGUN = "run_budget"
_LONGEST = 220


@dataclass(frozen=True, slots=True)
class Limit:
    """What all runs of the study may take together: ``unit`` is ``tokens`` or ``cost``."""

    total: float
    unit: str


@dataclass(frozen=True, slots=True)
class StudyOutcome:
    """How each cell stands, and whether the run was stopped by hand or by its limit."""

    states: dict[Cell, CellState]
    interrupted: bool = False
    limited: bool = False

    def of(self, status: str) -> list[tuple[Cell, CellState]]:
        """The cells that stand so."""
        return [(cell, state) for cell, state in self.states.items() if state.status == status]


def run_study(
    plan: StudyPlan,
    *,
    limit: Limit | None = None,
    workers: int = 2,
    tell: Tell = lambda _: None,
) -> StudyOutcome:
    """Run the cells that are not finished; those that are, are not touched.

    Raises
    ------
    UsageError
        The folder holds another study, or another run is at work there; or this machine has no
        jail for the Python of a cell's agent, told before any model is called.
    OutputError
        The disk is full, or the folder cannot be written.
    """
    from ecliptic.run.folder import locked
    from ecliptic.run.termination import terminable

    _check_jails(plan)
    states: dict[Cell, CellState] = {}
    interrupted, limited = True, False
    with suppress(KeyboardInterrupt), terminable(), locked(plan.out):
        open_study(plan.out, plan.study, plan.subjects)
        todo = set(plan.todo)
        for cell in plan.cells:
            known = state_of(plan.out, cell)
            if cell not in todo and known is not None:
                states[cell] = known
        interrupted, limited = _Runner(plan, limit, workers, tell, states).run()
    ordered = {cell: states[cell] for cell in plan.cells if cell in states}
    return StudyOutcome(ordered, interrupted, limited)


def _check_jails(plan: StudyPlan) -> None:
    for cell in plan.todo:
        if cell.baseline is not None or cell in plan.refused:
            continue
        from ecliptic.studies.cell_tasks import check_jail

        try:
            check_jail(cell)
        except UsageError as error:
            field = f"{cell.subject.field}.isolation"
            raise UsageError(f"{plan.where}: field '{field}': {error}") from None


class _Runner:
    def __init__(
        self,
        plan: StudyPlan,
        limit: Limit | None,
        workers: int,
        tell: Tell,
        states: dict[Cell, CellState],
    ) -> None:
        self._plan, self._limit, self._workers, self._tell = plan, limit, workers, tell
        self._states = states
        self._spent = 0.0

    def run(self) -> tuple[bool, bool]:
        """Whether it was interrupted, and whether it came to its limit."""
        if self._limit is not None and self._plan.study.models:
            from ecliptic.evals.campaign import spent_in

            self._spent = spent_in(self._plan.out / CELLS, self._limit.unit)
        limited = False
        for model, group in groupby(self._plan.todo, key=lambda cell: cell.model):
            cells = list(group)
            with self._serving(model) as served:
                for cell in cells:
                    state, interrupted = self._cell(cell, served)
                    if interrupted:
                        return True, limited
                    self._states[cell] = state
                    keep_state(self._plan.out, cell, state)
                    self._tell(f"{self._place(cell)} {cell}: {_words(state)}")
                    limited = limited or (state.reason == NOT_BEGUN)
        return False, limited

    @contextmanager
    def _serving(self, model: str) -> Iterator[Any]:
        if not model:
            with nullcontext():
                yield None
            return
        from inspect_ai.model import GenerateConfig

        from ecliptic.evals.serving import served

        study = self._plan.study
        config = GenerateConfig(temperature=study.temperature)
        with served(model, config, roles=study.roles) as ready:
            yield ready

    def _place(self, cell: Cell) -> str:
        return f"[{self._plan.cells.index(cell) + 1}/{len(self._plan.cells)}]"

    def _cell(self, cell: Cell, served: Any) -> tuple[CellState, bool]:
        refused = self._plan.refused.get(cell)
        if refused is not None:
            return CellState(FAILED, refused), False
        try:
            if cell.baseline is not None:
                return self._solver_cell(cell), False
            return self._model_cell(cell, *served)
        except OutputError:
            raise  # no other cell could be written either
        except EclipticError as error:
            return CellState(FAILED, str(error)), False

    def _solver_cell(self, cell: Cell) -> CellState:
        from ecliptic.studies.baselines import run_baseline

        summary = run_baseline(cell, self._plan.out / CELLS / cell.key, self._workers)
        passed = sum(bool(r["verdict"] and r["verdict"]["passed"]) for r in summary.records())
        failed = len(summary.failures)
        reason = "" if not failed else next(iter(summary.failures.values()))
        return CellState(INCOMPLETE if failed else DONE, reason, summary.total, passed, failed)

    def _model_cell(self, cell: Cell, model: Any, roles: Any) -> tuple[CellState, bool]:
        from ecliptic.evals.campaign import run_campaign
        from ecliptic.studies.cell_tasks import campaign_of

        campaign = campaign_of(cell, self._plan.study, self._plan.out, model, roles)
        budget = self._budget(cell)
        outcome = run_campaign(campaign, campaign.tasks(), budget)
        if budget is not None:
            self._spent = budget.spent
        rows = outcome.rows
        bad = [row for row in rows if row.passed is None]
        others = [row for row in bad if row.stop != NOT_BEGUN]
        reason = others[0].error if others else NOT_BEGUN if bad else ""
        state = CellState(
            INCOMPLETE if bad else DONE,
            _shortened(reason),
            len(rows),
            sum(bool(row.passed) for row in rows),
            len(bad),
        )
        return state, outcome.interrupted

    def _budget(self, cell: Cell) -> RunBudget | None:
        if self._limit is None:
            return None
        from ecliptic.evals.admission import RunBudget

        expected = self._plan.estimates[cell]
        whole = amount(expected, self._plan, cell.model, self._limit.unit)
        each = whole / max(1, expected.attempts)
        return RunBudget(self._limit.total, self._limit.unit, each, self._spent)


def amount(estimate: Estimate, plan: StudyPlan, model: str, unit: str) -> float:
    """Tokens or cost of an estimate.

    Raises
    ------
    UsageError
        A cost is asked for, and no prices of the model are known.
    """
    if unit == "tokens":
        return estimate.tokens
    prices = plan.prices.get(model)
    if prices is None:
        raise UsageError(
            f"--max-cost: no prices are known of {model}; add them to the study (prices: "
            f"{{{model}: {{read: ..., written: ...}}}}), or use --max-tokens"
        )
    return estimate.cost(prices)


def _shortened(reason: str) -> str:
    """One line; of a long one head and tail, since providers' errors hold the whole request."""
    text = " ".join(reason.split())
    return text if len(text) <= _LONGEST else f"{text[:60]} ... {text[-140:]}"


def _words(state: CellState) -> str:
    if state.status == FAILED:
        return f"could not run: {state.reason}"
    graded = state.attempts - state.errors
    text = f"{state.passed} of {graded} passed"
    if state.reason == NOT_BEGUN:
        return f"{text}, {state.errors} not begun (limit)"
    return text + (f", {state.errors} ended in an error ({state.reason})" if state.errors else "")


def unfinished(cells: Sequence[tuple[Cell, CellState]]) -> str:
    """The cells by name, a few of each reason, and a few reasons, each told once."""
    groups = by_reason({str(cell): state.reason for cell, state in cells})
    told = [f"{names} ({reason})" for reason, names in list(groups.items())[:5]]
    more = len(groups) - len(told)
    return "; ".join(told) + (f"; and {more} more reasons" if more > 0 else "")


def by_reason(reasons: Mapping[str, str]) -> dict[str, str]:
    """Names of the cells, three at most and how many more, by what they have in common.

    >>> by_reason({"a": "no key", "b": "no engine", "c": "no key"})
    {'no key': 'a; c', 'no engine': 'b'}
    """
    groups: dict[str, list[str]] = {}
    for cell, reason in reasons.items():
        groups.setdefault(reason, []).append(cell)
    return {
        reason: "; ".join(cells[:3]) + (f"; {len(cells) - 3} more" if len(cells) > 3 else "")
        for reason, cells in groups.items()
    }
