"""What the reference solver passes of a suite, in one blind submission a task, and its CPU time.

    python benchmarks/reference.py SUITE                     # a suite of ours, protocol strict
    python benchmarks/reference.py --seed 7 --count 40       # fresh tasks of the recipe ecliptic
    python benchmarks/reference.py --published FOLDER        # the public benchmark, protocol paper

CPU seconds of this process, after one run that compiles and imports. The classical solver stands
beside it. Failures are listed by kind with ``--failures``.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np

from ecliptic.analysis import wilson_interval
from ecliptic.rv.generator import generate_many
from ecliptic.rv.scoring import evaluate
from ecliptic.rv.solvers import solve
from ecliptic.rv.stargazer import import_stargazer
from ecliptic.rv.tasks import RVTask
from ecliptic.suite import load_suite
from ecliptic.verdict import Verdict

TIERS = ("easy", "medium", "hard", "frontier", "faint", "real")
NEAR_ALIAS = 0.01


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("suite", nargs="?", help="a suite; default: fresh tasks")
    parser.add_argument("--published", action="store_true", help="SUITE holds published files")
    parser.add_argument("--seed", type=int, default=20261130)
    parser.add_argument("--count", type=int, default=40, help="fresh tasks a tier")
    parser.add_argument("--tiers", default="easy,medium,hard,frontier,faint")
    parser.add_argument("--failures", action="store_true", help="say what each failure is")
    arguments = parser.parse_args()
    wanted = [tier for tier in TIERS if tier in arguments.tiers.split(",")]
    protocol = "paper" if arguments.published else "strict"
    print(f"protocol {protocol}, one submission a task")
    print("tier     tasks passed   %   95 % interval  CPU s: median   p90   max  classical passed")
    for tier in wanted:
        tasks = list(tasks_of(arguments, tier))
        if not tasks:
            continue
        run(tasks[0], "reference")
        seconds, kinds, passed, classical = [], Counter[str](), 0, 0
        lines: list[str] = []
        for number, task in enumerate(tasks):
            submission, spent = run(task, "reference")
            verdict = evaluate(task, submission, protocol=protocol)
            seconds.append(spent)
            passed += verdict.passed
            classical += evaluate(task, run(task, "classical")[0], protocol=protocol).passed
            if not verdict.passed:
                kind = kind_of(task, submission, verdict)
                kinds[kind] += 1
                lines.append(f"    {number}: {kind}; {', '.join(failed(verdict))}")
        low, high = wilson_interval(passed, len(tasks))
        median, p90 = np.quantile(seconds, [0.5, 0.9])
        print(
            f"{tier:8s} {len(tasks):5d} {passed:6d} {100 * passed / len(tasks):5.1f}"
            f"   {100 * low:5.1f} to {100 * high:5.1f}"
            f" {median:15.2f} {p90:5.1f} {max(seconds):5.1f} {classical:17d}",
            flush=True,
        )
        if kinds:
            print("    failures:", ", ".join(f"{kind} {n}" for kind, n in kinds.most_common()))
        if arguments.failures:
            print("\n".join(lines))


def tasks_of(arguments: argparse.Namespace, tier: str) -> Iterable[RVTask]:
    if arguments.suite is None:
        return generate_many(arguments.seed, arguments.count, recipe="ecliptic", tier=tier)
    read: Any = import_stargazer if arguments.published else load_suite
    return [task for task in read(arguments.suite) if task.tier == tier]


def run(task: RVTask, solver: str) -> tuple[dict[str, Any], float]:
    start = time.process_time()
    submission = solve(task.observation, solver)
    return submission, time.process_time() - start


def failed(verdict: Verdict) -> list[str]:
    return [name for name, each in verdict.criteria.items() if not each.passed]


def kind_of(task: RVTask, submission: dict[str, Any], verdict: Verdict) -> str:
    """Missed or further planets, an alias or another wrong period, else the failed criteria."""
    found = np.array([1.0 / planet["period_days"] for planet in submission["planets"]])
    true = np.array([1.0 / planet.period_days for planet in task.truth.planets])
    if len(found) != len(true):
        return "missed planet" if len(found) < len(true) else "further planet"
    wrong = [f for f in found.tolist() if np.abs(true / f - 1.0).min(initial=1.0) > NEAR_ALIAS]
    if not wrong:
        return "imprecise: " + " ".join(failed(verdict))
    cycles = defaultdict(list)
    for f in wrong:
        for cycle in (0.99726957, 1.0, 2.0, 365.25636):
            for image in (f + 1.0 / cycle, abs(f - 1.0 / cycle)):
                if np.abs(true / image - 1.0).min() < NEAR_ALIAS:
                    cycles["alias"].append(f)
        if np.abs(true / np.array([[2.0 * f], [0.5 * f]]) - 1.0).min() < NEAR_ALIAS:
            cycles["multiple"].append(f)
    return "alias" if cycles["alias"] else "multiple" if cycles["multiple"] else "wrong period"


if __name__ == "__main__":
    main()
