"""How often intervals hold the truth, and tests find what is there: large simulations.

    python benchmarks/interval_coverage.py [--trials 4000]

One JSON line a case. Rates are drawn afresh in each trial, as the coverage of any interval of a
proportion jumps with the rate itself; so a line is the mean over rates. A standard error of a line
is about 0.3 points with 4,000 trials.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from itertools import product

import numpy as np

from ecliptic.analysis import (
    bootstrap_interval,
    clustered_interval,
    mcnemar,
    sign_flip,
    tasks_needed,
    wilson_interval,
)

Line = dict[str, float | str | int]


def clustered_passes(
    rng: np.random.Generator, rate: float, sizes: np.ndarray, correlation: float
) -> tuple[np.ndarray, np.ndarray]:
    """0s and 1s whose rate in each cluster is beta distributed about ``rate``, and the clusters."""
    scale = 1.0 / correlation - 1.0 if correlation else np.inf
    rates = rng.beta(rate * scale, (1.0 - rate) * scale, sizes.size) if correlation else rate
    clusters = np.repeat(np.arange(sizes.size), sizes)
    return (rng.random(clusters.size) < np.broadcast_to(rates, sizes.size)[clusters]), clusters


def wilson(trials: int, n: int, rng: np.random.Generator) -> float:
    """Share of trials whose interval holds the rate."""
    rates = rng.uniform(0.05, 0.95, trials)
    passed = rng.binomial(n, rates)
    bounds = [wilson_interval(k, n) for k in range(n + 1)]
    return float(
        np.mean([bounds[k][0] <= p <= bounds[k][1] for p, k in zip(rates, passed, strict=True)])
    )


def clustered(
    trials: int, groups: int, size: int, correlation: float, rng: np.random.Generator
) -> float:
    """The same, in clusters of 1 to ``2 size - 1`` attempts."""
    held = 0
    for _ in range(trials):
        rate = rng.uniform(0.1, 0.9)
        sizes = rng.integers(1, 2 * size, groups)
        values, clusters = clustered_passes(rng, rate, sizes, correlation)
        low, high = clustered_interval(values.astype(float).tolist(), clusters.tolist())
        held += low <= rate <= high
    return held / trials


def paired_trial(
    rng: np.random.Generator, groups: int, epochs: int, gain: float
) -> tuple[list[float], list[int], float]:
    """Differences of two agents on ``groups`` tasks, their clusters, and the true difference.

    Tasks have a difficulty that both agents feel; with ``gain`` the first is better on each.
    """
    base = rng.uniform(0.05, 0.95 - gain, groups)
    first = rng.binomial(epochs, base + gain) / epochs
    second = rng.binomial(epochs, base) / epochs
    return (first - second).tolist(), list(range(groups)), gain


def bootstrap(
    trials: int, groups: int, epochs: int, rng: np.random.Generator, resamples: int = 2000
) -> float:
    """Share of trials whose interval of the difference holds the true one."""
    held = 0
    for trial in range(trials):
        gain = rng.uniform(0.0, 0.3)
        differences, clusters, truth = paired_trial(rng, groups, epochs, gain)
        low, high = bootstrap_interval(differences, clusters, resamples=resamples, seed=trial)
        held += low <= truth <= high
    return held / trials


def false_alarms(trials: int, groups: int, epochs: int, rng: np.random.Generator) -> float:
    """Share of trials without a difference in which the right test finds one at 5 %."""
    found = 0
    for _ in range(trials):
        differences, clusters, _ = paired_trial(rng, groups, epochs, 0.0)
        if epochs == 1:
            p = mcnemar(differences.count(1.0), differences.count(-1.0))
        else:
            p = sign_flip(differences, clusters)
        found += p < 0.05
    return found / trials


def power(trials: int, one: float, other: float, rng: np.random.Generator) -> tuple[int, float]:
    """Tasks needed, and the share of trials with so many in which McNemar's test finds it."""
    tasks = tasks_needed(one, other)
    assert tasks is not None
    counts = rng.multinomial(tasks, [one, other, 1.0 - one - other], trials)
    return tasks, float(np.mean([mcnemar(int(b), int(c)) < 0.05 for b, c, _ in counts]))


def lines(trials: int) -> Iterator[Line]:
    streams = iter(np.random.SeedSequence(20260).spawn(100))
    for n in (12, 30, 100, 300):
        rng = np.random.default_rng(next(streams))
        yield {"case": "wilson", "n": n, "coverage": wilson(10 * trials, n, rng)}
    for groups, correlation in product((30, 60, 120), (0.0, 0.3, 0.8)):
        rng = np.random.default_rng(next(streams))
        covered = clustered(trials, groups, 3, correlation, rng)
        yield {"case": "clustered", "clusters": groups, "correlation": correlation,
               "coverage": covered}  # fmt: skip
    for groups, epochs in product((30, 60, 120), (1, 4)):
        rng = np.random.default_rng(next(streams))
        yield {"case": "bootstrap of the difference", "tasks": groups, "epochs": epochs,
               "coverage": bootstrap(trials, groups, epochs, rng)}  # fmt: skip
    for groups, epochs in product((30, 120), (1, 4)):
        rng = np.random.default_rng(next(streams))
        yield {"case": "false alarms at 5 %", "tasks": groups, "epochs": epochs,
               "share": false_alarms(trials, groups, epochs, rng)}  # fmt: skip
    for one, other in ((0.2, 0.05), (0.3, 0.2), (0.12, 0.08)):
        rng = np.random.default_rng(next(streams))
        tasks, found = power(trials, one, other, rng)
        yield {"case": "power", "only_first": one, "only_second": other, "tasks": tasks,
               "found": found}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=4000)
    for line in lines(parser.parse_args().trials):
        print(json.dumps({k: round(v, 4) if isinstance(v, float) else v for k, v in line.items()}),
              flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
