"""CPU time of the classical solver and what it passes, by tier.

    python benchmarks/classical.py                           # generated tasks, the published recipe
    python benchmarks/classical.py SUITE                     # a suite of ours
    python benchmarks/classical.py --published FOLDER        # the public benchmark's own files

CPU seconds of this process, after one run that compiles and imports; also in units of one pass of
``numpy.sin`` over 1e4 doubles, measured in the same run, so that machines compare.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ecliptic.rv.generator import generate_many
from ecliptic.rv.scoring import evaluate
from ecliptic.rv.solvers import SOLVERS, solve
from ecliptic.rv.stargazer import import_stargazer
from ecliptic.rv.tasks import RVTask
from ecliptic.suite import load_suite

TIERS = ("easy", "medium", "hard", "real")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("suite", nargs="?", help="a suite; default: generated tasks")
    parser.add_argument("--published", action="store_true", help="SUITE holds published files")
    parser.add_argument("--count", type=int, default=40, help="generated tasks a tier")
    parser.add_argument("--seed", type=int, default=20260417)
    parser.add_argument("--solver", choices=list(SOLVERS), default="classical")
    parser.add_argument("--options", type=json.loads, default={}, help='such as {"jitter": false}')
    arguments = parser.parse_args()

    tasks: Sequence[RVTask]
    if arguments.suite is None:
        tasks = [
            task
            for tier in TIERS[:3]
            for task in generate_many(arguments.seed, arguments.count, recipe="paper", tier=tier)
        ]
    else:
        read = import_stargazer if arguments.published else load_suite
        tasks = list(read(arguments.suite))

    def run(task: RVTask) -> dict[str, Any]:
        return solve(task.observation, arguments.solver, **arguments.options)

    run(max(tasks, key=lambda task: len(task.observation.times_days)))
    unit_before = sine_seconds()
    seconds: dict[str, list[float]] = defaultdict(list)
    outcomes: dict[str, list[tuple[bool, int]]] = defaultdict(list)
    for task in tasks:
        submission, spent = timed(partial(run, task))
        verdict = evaluate(task, submission)
        difference = len(submission["planets"]) - len(task.truth.planets)
        seconds[task.tier].append(spent)
        outcomes[task.tier].append((verdict.passed, difference))
    unit = min(unit_before, sine_seconds())

    print(f"solver {arguments.solver} {arguments.options or ''}; {len(tasks)} tasks")
    print(f"numpy.sin over 1e4 doubles: {1e6 * unit:.1f} us")
    print("tier    tasks passed  count: right over under   CPU ms: median    p90    max   sines")
    for tier in TIERS:
        if tier not in seconds:
            continue
        milliseconds = 1e3 * np.array(seconds[tier])
        passed = sum(good for good, _ in outcomes[tier])
        differences = np.array([difference for _, difference in outcomes[tier]])
        right, over = int((differences == 0).sum()), int((differences > 0).sum())
        median, p90 = np.quantile(milliseconds, [0.5, 0.9])
        print(
            f"{tier:6s} {len(differences):6d} {passed:6d}"
            f" {right:13d} {over:4d} {len(differences) - right - over:5d}"
            f" {median:17.1f} {p90:6.1f} {milliseconds.max():6.1f} {1e-3 * median / unit:7.0f}"
        )


def timed(function: Callable[[], dict[str, Any]]) -> tuple[dict[str, Any], float]:
    start = time.process_time()
    result = function()
    return result, time.process_time() - start


def sine_seconds(repeats: int = 200) -> float:
    """CPU seconds of one pass over 1e4 doubles: the best of several batches."""
    angles = np.linspace(0.0, 100.0, 10_000)
    batches = []
    for _ in range(5):
        start = time.process_time()
        for _ in range(repeats):
            np.sin(angles)
        batches.append((time.process_time() - start) / repeats)
    return min(batches)


if __name__ == "__main__":
    main()
