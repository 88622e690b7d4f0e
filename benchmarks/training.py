"""Environments for training: steps a second, memory over many episodes, resets by source.

``python benchmarks/training.py [steps|memory|resets] [--episodes N]``; all three by default.
Rates are per second of processor time of one core, as machines are shared.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

import ecliptic.training  # noqa: F401  (registers the environments)
from ecliptic import rv

STAR = "ecliptic/RadialVelocity-{}-v1"
SIZE, PER_SLOT = 43, 6
Actions = np.ndarray[Any, np.dtype[np.float32]]


def actions(count: int, planets: int) -> Actions:
    """Random submissions of so many planets."""
    drawn = np.random.default_rng(0).uniform(-1.0, 1.0, (count, SIZE)).astype(np.float32)
    drawn[:, 0:-1:PER_SLOT] = -1.0
    drawn[:, 0 : planets * PER_SLOT : PER_SLOT] = 1.0
    return drawn


def best_rate(work: Callable[[], int], repeats: int) -> tuple[float, float]:
    """Median and best of the rates of several bursts."""
    rates = []
    for _ in range(repeats):
        start = time.process_time()
        done = work()
        rates.append(done / (time.process_time() - start))
    return float(np.median(rates)), max(rates)


def measure_steps() -> None:
    star = next(
        star
        for star in rv.generate_many(5, 40, tier="medium", accept=None)
        if len(star.truth.planets) == 3
    )
    print(f"step, 3 planets submitted of 3, {len(star.observation.times_days)} points")
    print("protocol  feedback     a second of CPU: median   best")
    for protocol, count in (("paper", 1000), ("strict", 60)):
        for feedback in ("none", "statistical", "criteria"):
            env = gymnasium.make(
                STAR.format("Medium"), protocol=protocol, feedback=feedback, submissions=10
            )
            offered = actions(count, 3)

            def work(env: gymnasium.Env[Any, Any] = env, offered: Actions = offered) -> int:
                over = True
                for action in offered:
                    if over:
                        env.reset(options={"task": star})
                    *_, terminated, truncated, _ = env.step(action)
                    over = terminated or truncated
                return len(offered)

            work()
            median, best = best_rate(work, 9 if protocol == "paper" else 3)
            print(f"{protocol:8s}  {feedback:11s}  {median:22.0f}  {best:6.0f}")
            env.close()


def resident_mb() -> float:
    """Memory of this process that is in RAM."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def measure_memory(episodes: int, source: str) -> None:
    many = gymnasium.make_vec(
        STAR.format("Easy"),
        16,
        vectorization_mode="sync",
        source=source,
        recipe="paper",
        protocol="paper",
        submissions=1,
    )
    offered = actions(512, 1)
    many.reset(seed=0)
    print(f"16 environments, source {source}, {episodes} episodes")
    done, told, start = 0, 0, time.process_time()
    turn = 0
    while done < episodes:
        *_, terminated, truncated, _ = many.step(offered[np.arange(turn, turn + 16) % 512])
        done += int(np.sum(terminated | truncated))
        turn += 16
        if done >= told:
            rate = done / (time.process_time() - start)
            print(f"{done:8d} episodes  {resident_mb():7.1f} MB  {rate:6.0f} a second", flush=True)
            told += episodes // 10
    many.close()


def measure_resets() -> None:
    print("reset                                    ms of CPU")
    cases: list[tuple[str, dict[str, Any], int]] = [
        *((tier, {"source": "suite"}, 100) for tier in ("Easy", "Hard")),
        *((tier, {"recipe": "paper"}, 100) for tier in ("Easy", "Hard")),
        *((tier, {}, 10) for tier in ("Easy", "Medium", "Hard", "Frontier", "Faint")),
        *((tier, {"audited": True}, 4) for tier in ("Easy", "Medium", "Hard")),
    ]
    for tier, arguments, count in cases:
        protocols = ("paper", "strict") if arguments.get("recipe") != "paper" else ("paper",)
        for protocol in protocols:
            env = gymnasium.make(STAR.format(tier), protocol=protocol, **arguments)
            env.reset(seed=1)
            start = time.process_time()
            for _ in range(count):
                env.reset()
            told = ", ".join(f"{name}={value}" for name, value in arguments.items())
            spent = 1000 * (time.process_time() - start) / count
            print(f"{tier:8s} {protocol:6s} {told or 'generator':24s} {spent:9.1f}", flush=True)
            env.close()
    env = gymnasium.make("ecliptic/Heliophysics-v1")
    env.reset(seed=1)
    start = time.process_time()
    for _ in range(200):
        env.reset()
    print(f"questions, all families {1000 * (time.process_time() - start) / 200:26.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", help="steps, memory, resets")
    parser.add_argument("--episodes", type=int, default=100_000)
    given = parser.parse_args()
    what = given.what or ["steps", "memory", "resets"]
    if "steps" in what:
        measure_steps()
    if "memory" in what:
        measure_memory(given.episodes, "suite")
        measure_memory(given.episodes // 20, "generator")
    if "resets" in what:
        measure_resets()


if __name__ == "__main__":
    main()
