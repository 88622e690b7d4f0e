"""Somebody else's benchmark as a cell: its own task, with a pattern around its solver."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import chdir, contextmanager, redirect_stdout
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

from inspect_ai import Task, task_with
from inspect_ai.solver import Generate, Solver, TaskState, solver

from ecliptic.agents import wrap_task
from ecliptic.agents.benchmarks import find_benchmark, load_benchmark
from ecliptic.errors import EclipticError, UsageError

CACHE = "cache"
_CACHE_HOME = "XDG_CACHE_HOME"


@solver(name="benchmark/answer_by")
def answer_inside(pattern: str, benchmark: str, inner: Solver) -> Solver:
    """The benchmark's own chain, behind whose ``generate`` a pattern works (``inner``)."""
    del pattern, benchmark  # what logs and tables call it

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await inner(state, generate)

    return solve


def benchmark_task(
    name: str, pattern: str, arguments: Mapping[str, Any], data: str, cache: Path
) -> Task:
    """The task of a benchmark, answered by a pattern.

    Parameters
    ----------
    data
        Folder of the data set in the layout that ``datasets`` accepts; empty for its usual place.
    cache
        Where Inspect keeps what it read of ``data``, apart from its cache of the published sets.

    Raises
    ------
    UsageError
        Its data set cannot be read, or what it needs is missing; says what to do.
    """
    with _data_set(name, data, cache), _quiet():
        try:
            task = load_benchmark(name, **arguments)
        except EclipticError:
            raise
        except Exception as error:  # noqa: BLE001 - other people's loaders raise anything
            known = find_benchmark(name)
            needs = f"; {known.needs}" if known.needs else ""
            told = " ".join(str(error).split())[:200]
            raise UsageError(
                f"benchmark {name}: its data set cannot be read ({type(error).__name__}: {told}); "
                f"give a folder that holds {known.dataset} (data: FOLDER, or --data), or go online"
                f"{needs}"
            ) from None
    task = wrap_task(task, pattern)
    return task_with(task, solver=answer_inside(pattern, name, task.solver))


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the loaders' remarks and bars, one for each cell."""
    if find_spec("datasets") is not None:
        import_module("datasets").disable_progress_bars()
    with redirect_stdout(StringIO()):
        yield


@contextmanager
def _data_set(name: str, data: str, cache: Path) -> Iterator[None]:
    if not data:
        yield
        return
    folder = Path(data)
    place = folder / find_benchmark(name).dataset
    if not place.exists():
        raise UsageError(
            f"benchmark {name}: {place} is missing; put its data set there, as `datasets` reads it"
        )
    with chdir(folder), _caches_in(cache.resolve()):
        if name == "gpqa_diamond":
            with _gpqa_from(place.resolve()):
                yield
        else:
            yield


@contextmanager
def _caches_in(folder: Path) -> Iterator[None]:
    """Inspect keeps data sets by name: look-alikes must not mix with the published ones."""
    before = os.environ.get(_CACHE_HOME)
    os.environ[_CACHE_HOME] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[_CACHE_HOME]
        else:
            os.environ[_CACHE_HOME] = before


@contextmanager
def _gpqa_from(path: Path) -> Iterator[None]:
    """GPQA reads one file, whose place is fixed on import, and compares it with the network's."""
    module: Any = import_module("inspect_evals.gpqa.gpqa")
    before = module.GPQA_DIAMOND_CACHE_PATH, module.download
    module.GPQA_DIAMOND_CACHE_PATH, module.download = path, lambda *_: None
    try:
        yield
    finally:
        module.GPQA_DIAMOND_CACHE_PATH, module.download = before
