"""The study ``cross-benchmark`` from options instead of a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ecliptic.errors import UsageError
from ecliptic.studies.definition import ForeignBenchmark, Study

NAME = "cross-benchmark"


def cross_benchmark_study(
    patterns: Sequence[str],
    benchmarks: Sequence[str],
    models: Sequence[str],
    data: Path | None = None,
    limit: int | None = None,
    arguments: Sequence[tuple[str, Any]] = (),
) -> Study:
    """Each pattern on each benchmark.

    Parameters
    ----------
    data
        A folder that holds the data sets; else their usual places.
    arguments
        ``BENCHMARK.NAME`` with its value.

    Raises
    ------
    UsageError
        No model or pattern is named, or an argument is of a benchmark that is not run.
    """
    if not models:
        raise UsageError("name a language model: --model PROVIDER/MODEL (or --model local)")
    if not patterns or not benchmarks:
        raise UsageError("--patterns and --benchmarks must name at least one each")
    own: dict[str, dict[str, Any]] = {name: {} for name in benchmarks}
    for field, value in arguments:
        benchmark, dot, name = field.partition(".")
        if not dot or benchmark not in own:
            raise UsageError(
                f"-T {field}: must be BENCHMARK.NAME=VALUE with one of {', '.join(own)}"
            )
        own[benchmark][name] = value
    place = None if data is None else str(data.expanduser().resolve())
    return Study(
        name=NAME,
        title="Patterns on other people's benchmarks",
        suites=tuple(
            ForeignBenchmark(benchmark=name, arguments=given, data=place, limit=limit)
            for name, given in own.items()
        ),
        agents=tuple(dict.fromkeys(patterns)),
        models=tuple(dict.fromkeys(models)),
    )
