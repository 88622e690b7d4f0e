"""Tasks generated a second on one core, by forward model and tier.

    python benchmarks/generate.py [--count N]

The yardstick is one ``numpy.sin`` over 1e4 doubles, measured in the same run between the others,
so that machines (and busy ones) compare. Each figure is the best of five rounds.
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Callable

import numpy as np

from ecliptic.rv.generator import generate, generate_many
from ecliptic.rv.nbody import require_rebound

ROUNDS = 5
CASES = (
    ("keplerian", None),
    ("keplerian", "easy"),
    ("keplerian", "medium"),
    ("keplerian", "hard"),
    ("nbody", None),
    ("nbody", "hard"),
)
NUMBERS = np.linspace(-10.0, 10.0, 10_000)


def best_seconds(call: Callable[[], object]) -> float:
    def once() -> float:
        begin = time.process_time()
        call()
        return time.process_time() - begin

    return min(once() for _ in range(ROUNDS))


def yardstick_seconds() -> float:
    def pass_over() -> None:
        for _ in range(500):
            np.sin(NUMBERS)

    return best_seconds(pass_over) / 500


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=400, help="tasks a round")
    count = parser.parse_args().count
    require_rebound()
    for forward_model, _ in CASES:
        generate(0, recipe="paper", forward_model=forward_model)  # compile
    print(f"{'forward model':14} {'tier':8} {'tasks/s':>8} {'us/task':>8} {'yardsticks':>10}")
    for forward_model, tier in CASES:

        def batch(forward_model: str = forward_model, tier: str | None = tier) -> None:
            deque(
                generate_many(7, count, recipe="paper", tier=tier, forward_model=forward_model),
                maxlen=0,
            )

        sine = yardstick_seconds()
        seconds = best_seconds(batch) / count
        sine = min(sine, yardstick_seconds())
        print(
            f"{forward_model:14} {tier or 'any':8} {1 / seconds:8.0f} {seconds * 1e6:8.0f} "
            f"{seconds / sine:10.1f}"
        )
    print(f"yardstick: {yardstick_seconds() * 1e6:.1f} us; CPU time of one process")


if __name__ == "__main__":
    main()
