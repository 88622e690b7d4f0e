"""Nanoseconds a solve of Kepler's equation and a point of a velocity curve, beside RadVel's C
solver and exoplanet-core.

Run as ``python benchmarks/kepler.py``. All candidates take turns in one run, so that the ratios
hold on a busy machine; the table shows the minimum and the median over the turns. exoplanet-core
returns the sine and cosine of the true anomaly as well, RadVel and this package E alone.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from ecliptic.rv import kepler, orbit

SIZE = 100_000
TURNS = 25
CURVE_TIMES = 100
Candidates = dict[str, Callable[[], object]]


def main() -> None:
    rng = np.random.default_rng(1)
    M = rng.uniform(0.0, 2.0 * math.pi, SIZE)
    print(f"Kepler's equation, {SIZE} mean anomalies, ns a solve, {TURNS} turns each")
    for e in (0.3, 0.9):
        report(f"e = {e}", solvers(M, e), SIZE)
    print(f"\nvelocity curve of one planet at {CURVE_TIMES} times, ns a point")
    times = np.sort(rng.uniform(0.0, 300.0, CURVE_TIMES))
    for e in (0.3, 0.9):
        report(f"e = {e}", curves(times, e), CURVE_TIMES, repeat=200)


def solvers(M: np.ndarray, e: float) -> Candidates:
    found: Candidates = {"ecliptic": lambda: kepler.eccentric_anomaly(M, e)}
    if radvel := optional("radvel._kepler"):
        found["RadVel (C)"] = lambda: radvel.kepler_array(M, e)
    if core := optional("exoplanet_core"):
        same_e = np.full(M.size, e)
        found["exoplanet-core"] = lambda: core.kepler(M, same_e)
    return found


def curves(times: np.ndarray, e: float) -> Candidates:
    period, K, omega, M0 = 17.3, 25.0, 1.1, 2.0
    elements = np.array([[period, K, e, omega, M0]])
    found: Candidates = {"ecliptic": lambda: orbit.curves(times, 0.0, elements)}
    if radvel := optional("radvel.kepler"):
        orbel = [period, -M0 / (2.0 * math.pi) * period, e, omega, K]
        found["RadVel (C)"] = lambda: radvel.rv_drive(times, orbel)
    return found


def optional(name: str) -> Any:
    """The module, or None with a word on what is missing."""
    try:
        return import_module(name)
    except ImportError:
        print(f"  {name.split('.')[0]} is not installed: left out")
        return None


def report(title: str, candidates: Candidates, points: int, repeat: int = 1) -> None:
    """Time every candidate in turn and print its figures and ratios."""
    taken: dict[str, list[float]] = {name: [] for name in candidates}
    for call in candidates.values():
        call()  # compile, and touch the memory
    for _ in range(TURNS):
        for name, call in candidates.items():
            begin = time.perf_counter()
            for _ in range(repeat):
                call()
            taken[name].append((time.perf_counter() - begin) / repeat / points * 1e9)
    print(f"  {title}")
    for name, values in taken.items():
        print(f"    {name:<15} min {min(values):7.1f}   median {np.median(values):7.1f}")
    others = [name for name in candidates if name != "ecliptic"]
    if others:
        fastest = min(others, key=lambda name: min(taken[name]))
        best = min(taken["ecliptic"]) / min(taken[fastest])
        middle = float(np.median(taken["ecliptic"]) / np.median(taken[fastest]))
        print(f"    ecliptic / {fastest}: min {best:.2f}, median {middle:.2f}")


if __name__ == "__main__":
    main()
