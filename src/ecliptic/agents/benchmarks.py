"""Other people's benchmarks from Inspect Evals, answered by a pattern.

The task, its prompts, its answer format and its scorer are Inspect Evals' own; only the
``generate`` behind its solver is ours (:func:`ecliptic.agents.wrap_task`).
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any

from inspect_ai import Task

from ecliptic.agents.stage import Pattern
from ecliptic.agents.wrapping import wrap_task
from ecliptic.errors import MissingExtraError, UsageError


@dataclass(frozen=True)
class Benchmark:
    """Where a benchmark comes from and what it needs.

    ``packages`` are modules that its scorer imports only when it is too late; ``dataset`` is the
    path that ``datasets`` loads, which may be a folder of that name in the working directory.
    ``docker`` says that it wants containers unless told otherwise, ``needs`` what its data set must
    hold beside the questions.
    """

    module: str
    task: str
    dataset: str
    packages: tuple[str, ...] = ()
    docker: bool = False
    needs: str = ""


BENCHMARKS: Mapping[str, Benchmark] = MappingProxyType(
    {
        "gsm8k": Benchmark(
            "inspect_evals.gsm8k",
            "gsm8k",
            "openai/gsm8k",
            needs="its worked examples are drawn from main/train.jsonl, ten records at least, "
            "unless fewshot is 0 (arguments: {fewshot: 0}, or -T gsm8k.fewshot=0)",
        ),
        "math": Benchmark(
            "inspect_evals.math", "math", "DigitalLearningGmbH/MATH-lighteval", ("sympy", "antlr4")
        ),
        "gpqa_diamond": Benchmark("inspect_evals.gpqa", "gpqa_diamond", "gpqa_diamond.csv"),
        "humaneval": Benchmark(
            "inspect_evals.humaneval", "humaneval", "openai/openai_humaneval", docker=True
        ),
        "swe_bench": Benchmark(
            "inspect_evals.swe_bench",
            "swe_bench",
            "princeton-nlp/SWE-bench_Verified",
            ("swebench", "docker"),
            docker=True,
        ),
    }
)
"""The benchmarks that patterns are compared on."""


def find_benchmark(name: str) -> Benchmark:
    """The benchmark of that name.

    Raises
    ------
    UsageError
        There is none; the nearest name is suggested.
    """
    if name in BENCHMARKS:
        return BENCHMARKS[name]
    near = difflib.get_close_matches(name, BENCHMARKS, n=1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    raise UsageError(f"there is no benchmark '{name}': {hint}choose from {', '.join(BENCHMARKS)}")


def load_benchmark(name: str, **arguments: Any) -> Task:
    """A benchmark's task as its authors made it; ``arguments`` are its own.

    Raises
    ------
    MissingExtraError
        Inspect Evals or what the benchmark needs is not installed.
    UsageError
        There is no such benchmark, or its task refuses the arguments.
    """
    benchmark = find_benchmark(name)
    missing = [p for p in ("inspect_evals", *benchmark.packages) if find_spec(p) is None]
    if missing:
        raise MissingExtraError(f"tasks of '{name}' ({', '.join(missing)} missing)", "benchmarks")
    make: Callable[..., Task] = getattr(import_module(benchmark.module), benchmark.task)
    try:
        return make(**arguments)
    except TypeError as error:
        if "unexpected keyword argument" not in str(error):
            raise
        raise UsageError(f"benchmark '{name}': {error}: use an argument of its task") from None


def answer_benchmark(name: str, pattern: str | Pattern, **arguments: Any) -> Task:
    """A benchmark's task answered by ``pattern``."""
    return wrap_task(load_benchmark(name, **arguments), pattern)
