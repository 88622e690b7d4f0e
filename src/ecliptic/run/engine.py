"""Run a solver over a suite: workers, journal, manifest and Parquet put together."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Protocol, cast

from ecliptic.errors import SuiteError, UsageError
from ecliptic.run import folder as files
from ecliptic.run.export import write_parquet
from ecliptic.run.journal import Journal, read_results
from ecliptic.run.plan import Plan, plan_of, protocol_for, source_hash
from ecliptic.run.termination import terminable

if TYPE_CHECKING:
    from ecliptic.analysis import PassTable
    from ecliptic.run.attempt import Entry, Result
    from ecliptic.rv.protocols import AnyProtocol
    from ecliptic.suite import Suite


class Workers(Protocol):
    """What runs the tasks: :class:`ecliptic.run.pool.Pool`, or workers on other machines."""

    def results(self, entries: Iterator[Entry]) -> Iterator[Result | None]:
        """One result a task, as they come; ``None`` now and then between them."""
        ...


class RunnableSuite(Protocol):
    """What a run needs of a suite: tasks that are read one at a time, where they are solved."""

    @property
    def name(self) -> str:
        """Shown to people."""
        ...

    @property
    def checksum(self) -> str:
        """Changes when any task does."""
        ...

    def entries(self) -> Iterator[Entry]:
        """All tasks in order, unread."""
        ...


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a run stands after one more task (or, at first, after none).

    ``done`` of ``total`` are behind us: ``resumed`` by an earlier run, ``passed`` and ``failed``
    by this one. ``key`` is the task that has just finished.
    """

    total: int
    done: int
    resumed: int
    passed: int = 0
    failed: int = 0
    key: str | None = None


@dataclass(frozen=True, slots=True)
class RunSummary:
    """What a run came to; the results themselves are in ``out``.

    ``failures`` are the tasks of this run without a verdict, by key, with the reason in one line.
    ``keys`` names the tasks that the run was about; the folder may hold more.
    """

    out: Path
    total: int
    resumed: int
    dropped_lines: int
    failures: Mapping[str, str]
    wall_s: float
    keys: frozenset[str] = field(repr=False)

    def records(self) -> Iterator[dict[str, Any]]:
        """The run's result records, in the order in which they finished."""
        return (record for record in read_results(self.out) if record["key"] in self.keys)

    def table(self) -> PassTable:
        """Passes by tier and criterion."""
        from ecliptic.analysis import pass_table

        return pass_table(self.records())


def run_suite(
    suite: RunnableSuite | str | Path,
    solver: str | Callable[..., Any] = "classical",
    protocol: str | AnyProtocol | None = None,
    workers: int = 2,
    out: str | Path | None = None,
    *,
    options: Mapping[str, Any] | None = None,
    limit: int | None = None,
    seconds: float | None = None,
    fresh: bool = False,
    progress: Callable[[Progress], None] | None = None,
    suite_source: str | None = None,
    pool: Callable[[Plan], Workers] | None = None,
) -> RunSummary:
    """Run ``solver`` on every task of ``suite``, grade, and keep the results in ``out``.

    A second call with the same arguments resumes: tasks that have a verdict are not run again,
    tasks that failed are. A task that raises, hangs or takes its worker down is recorded as failed
    and costs no other.

    Parameters
    ----------
    suite
        An open suite, or where to open one: a path, or a shipped name such as ``quick``.
    solver
        A registered name; ``"module:function"``; or a function of an importable module. It takes
        an ``Observation`` (and ``options``) and returns a submission as a plain dictionary.
    protocol
        How to grade; by default as :func:`ecliptic.run.plan.protocol_for` says.
    out
        Folder of the results; ``results/<suite>-<solver>`` by default.
    limit
        Only the first so many tasks of the suite.
    seconds
        Upper limit of the wall time a task may take, below its tier's budget.
    fresh
        Delete earlier results in ``out`` first.
    progress
        Called at the start and after each task, when its result is on file.
    suite_source
        Where an open suite comes from, kept in ``run.json`` so that ``ecliptic show`` finds it.
    pool
        What runs the tasks instead of ``workers`` processes of this machine, such as
        :class:`ecliptic.distributed.EnginePool`.

    Raises
    ------
    UsageError
        Unknown solver, or ``out`` holds results of something else or is in use.
    SuiteError
        No tasks, two with the same key, or a truth that is sealed.
    OutputError
        Results cannot be written; those written so far stay valid.
    KeyboardInterrupt
        On Ctrl-C, SIGTERM and SIGHUP; results so far are kept.
    """
    from ecliptic.run.pool import Pool
    from ecliptic.suite import load_suite

    if isinstance(suite, str | Path):
        suite_source, suite = str(suite), load_suite(suite)
    if workers < 1:
        raise UsageError(f"workers must be at least 1, not {workers}")
    if limit is not None and limit < 1:
        raise UsageError(f"limit must be at least 1, not {limit}")
    if seconds is not None and not seconds > 0:
        raise UsageError(f"seconds must be positive, not {seconds}")
    if getattr(suite, "sealed", False):
        cast("Suite", suite).require_truth()
    plan = plan_of(solver, protocol_for(suite, protocol), options)
    target = Path(out) if out is not None else default_out(suite.name, plan.solver)
    keys = _keys(suite, limit)
    begin = time.monotonic()
    with terminable(), files.locked(target):
        if fresh:
            files.clear(target)
        files.open_manifest(target, _identity(suite, plan), _described(suite, suite_source))
        with Journal(target / files.JOURNAL) as journal, _log(target / files.LOG) as log:
            resumed = sum(key in journal.finished for key in keys)
            workforce: Workers = (
                Pool(plan, min(workers, len(keys) - resumed), log, seconds=seconds)
                if pool is None
                else pool(plan)
            )
            todo = (
                entry
                for entry in islice(suite.entries(), limit)
                if entry.key not in journal.finished
            )
            try:
                failures = _collect(
                    workforce, todo, journal, Progress(len(keys), resumed, resumed), progress
                )
            except UsageError:
                files.withdraw(target)
                raise
            dropped = journal.dropped
        write_parquet(target / files.PARQUET, target / files.JOURNAL, _keys(suite, None))
    return RunSummary(
        target, len(keys), resumed, dropped, failures, time.monotonic() - begin, frozenset(keys)
    )


def default_out(suite_name: str, solver: str) -> Path:
    """The folder of results where none is named."""
    return Path("results") / f"{suite_name}-{solver.replace(':', '.')}"


def _collect(
    pool: Workers,
    todo: Iterator[Entry],
    journal: Journal,
    state: Progress,
    progress: Callable[[Progress], None] | None,
) -> dict[str, str]:
    """Bring results into the journal as they come; returns the failures."""
    failures: dict[str, str] = {}
    done, passed = state.done, 0
    if progress:
        progress(state)
    with closing(cast("Any", pool.results(todo))) as results:
        for result in results:
            if result is None:
                journal.tick()
                continue
            journal.append(result.line)
            done += 1
            passed += result.passed
            if result.failure is not None:
                failures[result.key] = result.failure
            if progress:
                progress(
                    Progress(state.total, done, state.resumed, passed, len(failures), result.key)
                )
    return failures


def _keys(suite: RunnableSuite, limit: int | None) -> Sequence[str]:
    keys = [entry.key for entry in islice(suite.entries(), limit)]
    if not keys:
        raise SuiteError(f"{suite.name}: no tasks in this suite")
    if len(set(keys)) < len(keys):
        twice = next(key for index, key in enumerate(keys) if key in keys[:index])
        raise SuiteError(f"{suite.name}: two tasks have the key '{twice}'; remove one")
    return keys


def _identity(suite: RunnableSuite, plan: Plan) -> dict[str, Any]:
    return {
        "suite_checksum": suite.checksum,
        "solver": plan.solver,
        "solver_source": source_hash(plan.solver),
        "options": plan.options,
        "protocol": plan.protocol.label,
        "ecliptic": version("ecliptic"),
    }


def _described(suite: RunnableSuite, source: str | None) -> dict[str, str]:
    if source is not None and Path(source).exists():
        source = str(Path(source).resolve())
    return {"suite": suite.name, "suite_source": source or ""}


@contextmanager
def _log(path: Path) -> Iterator[IO[bytes]]:
    """What solvers print, and the stacks of those that crash; removed if nothing was written."""
    try:
        with path.open("ab") as log:
            yield log
    finally:
        if path.exists() and path.stat().st_size == 0:
            path.unlink()
