"""What workers of the tests import."""

from __future__ import annotations

import gc
import os
import signal
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Letters:
    """Parts of three lines; parts named in ``poisoned`` end their worker, ``faulty`` raise."""

    count: int = 6
    poisoned: tuple[int, ...] = ()
    faulty: tuple[int, ...] = ()
    seconds: float = 0.0
    trail: str = ""
    """A folder where each part leaves a file for each time that it is begun."""

    @property
    def sizes(self) -> Sequence[int]:
        return [3] * self.count

    @property
    def work(self) -> Any:
        return partial(spelled, self)

    def name(self, index: int) -> str:
        return f"part-{index:05d}.jsonl"


def spelled(letters: Letters, index: int) -> dict[str, Any]:
    if letters.trail:
        Path(letters.trail, f"{index}-{time.time_ns()}-{os.getpid()}").touch()
    if index in letters.poisoned:
        os.kill(os.getpid(), signal.SIGKILL)
    if index in letters.faulty:
        raise ValueError(f"part {index} is at fault")
    time.sleep(letters.seconds)
    data = "".join(f'"{chr(97 + index)}{row}"\n' for row in range(3)).encode()
    return {"data": data, "rows": 3, "tally": {"letters": 3}}


def spy(observation: Any, *, seen: str) -> dict[str, Any]:
    """A solver that looks for a task in its process, and for the cluster in its environment."""
    kinds = {type(item).__name__ for item in gc.get_objects()}
    found = sorted(kinds & {"RVTask", "Truth", "Environment", "Attempt"})
    found += [name for name in os.environ if name.startswith("RAY_")]
    with Path(seen).open("a") as file:
        file.write(f"{found}\n")
    return {"planets": []}


def kills_itself(observation: Any) -> dict[str, Any]:
    os.kill(os.getpid(), signal.SIGKILL)
    return {"planets": []}
