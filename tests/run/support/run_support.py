"""Suites and solvers that worker processes can import."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ecliptic.errors import TaskError
from ecliptic.rv.tasks import Instrument, Noise, Observation, Planet, RVTask, Truth

TIERS = ("easy", "medium", "hard")


def make_task(index: int) -> RVTask:
    """One planet, sixty points; the star's mass carries ``index`` so that solvers can see it."""
    times = np.linspace(0.0, 40.0, 60)
    return RVTask.create(
        source_id=f"task{index:03d}",
        tier=TIERS[index % 3],
        observation=Observation(
            times_days=times,
            rvs_ms=20.0 * np.sin(2 * np.pi * times / 7.0),
            sigmas_ms=np.ones(60),
            instruments=("A",) * 60,
            star_mass_sun=1.0 + index / 1000,
        ),
        truth=Truth(
            planets=(Planet(period_days=7.0, m_sin_i_mjup=0.2, l_rad=-np.pi / 2),),
            instruments=(Instrument(label="A"),),
            noise=Noise(sigma_white_ms=1.0),
        ),
        difficulty=1 + 3 * (index % 3),
    )


@dataclass(frozen=True)
class MemoryEntry:
    key: str
    index: int

    def load(self) -> RVTask:
        if self.index < 0:
            raise TaskError(f"{self.key}.json: observation.rvs_ms must be finite at index 3")
        return make_task(self.index)


@dataclass
class MemorySuite:
    count: int
    name: str = "memory"
    checksum: str = "0123456789abcdef"
    damaged: tuple[int, ...] = ()

    def entries(self) -> Iterator[MemoryEntry]:
        for index in range(self.count):
            yield MemoryEntry(f"task{index:03d}", -1 if index in self.damaged else index)


def index_of(observation: Observation) -> int:
    return round(1000 * (observation.star_mass_sun - 1.0))


def nothing(observation: Observation) -> dict[str, Any]:
    return {"planets": []}


def good(observation: Observation) -> dict[str, Any]:
    mass = 0.2 * observation.star_mass_sun ** (2 / 3)
    return {"planets": [{"period_days": 7.0, "m_sin_i_mjup": mass, "l_rad": -np.pi / 2}]}


def slow(observation: Observation) -> dict[str, Any]:
    time.sleep(0.15)
    return good(observation) if index_of(observation) % 2 else nothing(observation)


def counted(observation: Observation, folder: str = "") -> dict[str, Any]:
    """Leaves one file a call, so that a test can count how often a task was solved."""
    name = f"{index_of(observation)}.{time.monotonic_ns()}"
    (Path(folder) / name).touch()
    time.sleep(0.05)
    return good(observation)


def faulty(observation: Observation, folder: str = "") -> dict[str, Any]:
    """Each task meets another fate; see ``FATES`` in the tests."""
    match index_of(observation):
        case 1:
            raise ValueError("a singular\nmatrix")
        case 2:
            os.kill(os.getpid(), signal.SIGKILL)
        case 3:
            ctypes.string_at(0)
        case 4:
            while True:
                pass
        case 5:
            sys.exit("no licence")
        case 6:
            return {"planets": [{"period_days": -1.0}]}
        case 7:
            return {"planets": [], "noise": object()}
        case 8:  # a child that keeps every open file, while its parent dies
            if os.fork() == 0:
                time.sleep(60)
            os._exit(4)
        case 9 if not (Path(folder) / "died").exists():
            (Path(folder) / "died").touch()
            os._exit(3)
    return good(observation)


def environment(observation: Observation) -> dict[str, Any]:
    limits = {os.environ.get(name) for name in ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS")}
    if limits != {"1"} or os.getsid(0) != os.getpid():
        raise RuntimeError(f"thread limits {limits}, session {os.getsid(0)}")
    sys.stdout.write("a word from the solver\n")
    sys.stdout.flush()
    return good(observation)


def forks(observation: Observation) -> dict[str, Any]:
    """Parent and child both return."""
    if os.fork() == 0:
        time.sleep(0.1)
    return good(observation)


def writes_to_the_line(observation: Observation) -> dict[str, Any]:
    """Garbage, and no end of line, into every socket of the process."""
    for end in Path("/proc/self/fd").iterdir():
        try:
            if str(end.readlink()).startswith("socket:"):
                os.write(int(end.name), b"garbage\n{")
        except OSError:
            continue
    return good(observation)


def leaves(observation: Observation) -> dict[str, Any]:
    os.chdir("/")
    return good(observation)


def spoils(observation: Observation) -> dict[str, Any]:
    """Tries to be graded on other data."""
    observation.__dict__["star_mass_sun"] = 99.0
    observation.__dict__["sigmas_ms"] = observation.sigmas_ms * 1000.0
    observation.__dict__["rvs_ms"] = np.zeros(60)
    return {"planets": [{"period_days": 9.0, "m_sin_i_mjup": 1e-9}]}


def deaf(observation: Observation, folder: str = "") -> dict[str, Any]:
    """Never ends, and says where it runs."""
    (Path(folder) / f"pid{os.getpid()}").touch()
    while True:
        pass
