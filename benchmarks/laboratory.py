"""Speed of the laboratory: start, round trip of a cell, and whole attempts side by side.

    python benchmarks/laboratory.py [--attempts 20] [--at-once 2] [--isolation auto]

An attempt opens a laboratory with a star of 80 velocities and runs four cells: statistics, a
periodogram with astropy, a fit with scipy, a plot. ``light`` attempts run four cells of numpy.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import statistics
import time

import numpy as np

from ecliptic.sandbox import Laboratory, nursery

HEAVY = (
    "print(len(times_days), np.ptp(times_days), np.median(sigmas_ms)); np.std(rvs_ms)",
    """from astropy.timeseries import LombScargle
frequency, power = LombScargle(times_days, rvs_ms, sigmas_ms).autopower(maximum_frequency=1.0)
best = 1 / frequency[np.argmax(power)]
best""",
    """from scipy.optimize import least_squares
def residual(p):
    return (rvs_ms - p[0] - p[1] * np.sin(2 * np.pi * times_days / p[3] + p[2])) / sigmas_ms
fit = least_squares(residual, [0, 30, 0, best])
fit.x""",
    """import matplotlib.pyplot as plt
plt.errorbar(times_days % fit.x[3], rvs_ms, sigmas_ms, fmt=".");""",
)
LIGHT = (
    HEAVY[0],
    "design = np.vander(times_days, 3); np.linalg.lstsq(design, rvs_ms, rcond=None)[0]",
    "np.fft.rfft(rvs_ms)[:3]",
    "sorted(set(instruments))",
)

WARMING_SECONDS = 8.0


def star() -> dict[str, object]:
    random = np.random.default_rng(1)
    times = np.sort(random.uniform(0, 400, 80))
    velocities = 40 * np.sin(2 * np.pi * times / 17.3) + random.normal(0, 2, 80)
    return {
        "times_days": times,
        "rvs_ms": velocities,
        "sigmas_ms": np.full(80, 2.0),
        "instruments": np.array(["HARPS"] * 80),
        "star_mass_sun": 1.0,
    }


def show(name: str, seconds: list[float]) -> None:
    ordered = sorted(seconds)
    middle, high = statistics.median(ordered), ordered[int(0.95 * (len(ordered) - 1))]
    print(f"{name:<34} median {1e3 * middle:9.2f} ms   95 % {1e3 * high:9.2f} ms")


async def starts(isolation: str) -> None:
    begun = time.perf_counter()
    async with Laboratory.open(star(), isolation=isolation):
        print(f"{'first start of a process':<34} {1e3 * (time.perf_counter() - begun):16.2f} ms")
        await asyncio.sleep(WARMING_SECONDS)
    begins, ends, first = [], [], []
    for _ in range(20):
        begun = time.perf_counter()
        laboratory = await Laboratory.start(star(), isolation=isolation)
        ready = time.perf_counter()
        await laboratory.run("1")
        done = time.perf_counter()
        await laboratory.close()
        begins.append(ready - begun)
        first.append(done - ready)
        ends.append(time.perf_counter() - done)
    show("session start", begins)
    show("first cell", first)
    show("session end", ends)


async def cells(isolation: str) -> None:
    async with Laboratory.open(star(), isolation=isolation) as laboratory:
        for name, code in (("trivial cell", "1"), ("after a lost session", "1")):
            times = []
            for _ in range(300 if name == "trivial cell" else 20):
                if name != "trivial cell":
                    await laboratory.run("import os; os._exit(1)")
                begun = time.perf_counter()
                await laboratory.run(code)
                times.append(time.perf_counter() - begun)
            show(name, times)


async def attempts(
    count: int, at_once: int, isolation: str, sources: tuple[str, ...]
) -> tuple[float, float]:
    gate = asyncio.Semaphore(at_once)

    async def attempt() -> None:
        async with gate, Laboratory.open(star(), isolation=isolation) as laboratory:
            for source in sources:
                result = await laboratory.run(source)
                if result.error is not None:
                    raise SystemExit(result.text)

    nursery.close_all()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    await asyncio.gather(*(attempt() for _ in range(count)))
    seconds = time.perf_counter() - begun
    nursery.close_all()
    more = resource.getrusage(resource.RUSAGE_CHILDREN)
    return seconds, more.ru_utime + more.ru_stime - used.ru_utime - used.ru_stime


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--attempts", type=int, default=20)
    parser.add_argument("--at-once", type=int, default=2)
    parser.add_argument("--isolation", default="auto")
    options = parser.parse_args()
    await starts(options.isolation)
    await cells(options.isolation)
    for name, sources in (("light", LIGHT), ("heavy", HEAVY)):
        seconds, cpu = await attempts(options.attempts, options.at_once, options.isolation, sources)
        title = f"{options.attempts} {name} attempts of {len(sources)} cells"
        print(f"{title:<34} {seconds:9.2f} s, with one warm-up {cpu:.2f} s of processor time")


if __name__ == "__main__":
    asyncio.run(main())
