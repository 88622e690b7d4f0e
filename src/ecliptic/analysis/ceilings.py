"""Ceilings and floors of tasks, from the audits beside a suite."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ecliptic.analysis.attempts import Attempt
from ecliptic.errors import SuiteError, TaskError


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of one task: the share of fresh noise that the oracle passes, and whether a submission
    without insight passes, under ``protocol``."""

    ceiling: float
    floor: bool
    protocol: str


BoundsBySuite = Mapping[str, Mapping[str, Bounds]]
"""By a suite's source and a task's id."""


@dataclass(frozen=True, slots=True)
class Reach:
    """What attempts could reach: means over them, each with the bounds of its task.

    ``reached`` is the pass rate over the ceiling.
    """

    ceiling: float
    floor: float
    reached: float | None


def read_bounds(attempts: Iterable[Attempt]) -> dict[str, dict[str, Bounds]]:
    """Bounds of the tasks of the suites that the attempts name.

    A suite that is not here any more, or was never audited, has none; a record's or somebody else's
    task has none either.
    """
    sources = dict.fromkeys(a.suite_source for a in attempts if a.world == "stargazer")
    return {source: suite_bounds(source) for source in sources}


def suite_bounds(source: str) -> dict[str, Bounds]:
    """Bounds by task id, from the audit files of a suite (a path or a shipped name)."""
    return {task: bounds for path in _audit_files(source) for task, bounds in _read(path)}


def reach(graded: Iterable[Attempt], bounds: BoundsBySuite) -> Reach | None:
    """``None`` unless every attempt's task was audited under the attempt's own protocol."""
    ceilings = floors = passed = total = 0.0
    for attempt in graded:
        own = bounds.get(attempt.suite_source, {}).get(attempt.task)
        if own is None or own.protocol != attempt.protocol:
            return None
        total += 1
        ceilings += own.ceiling
        floors += own.floor
        passed += bool(attempt.passed)
    if not total:
        return None
    return Reach(ceilings / total, floors / total, passed / ceilings if ceilings else None)


def _audit_files(source: str) -> list[Path]:
    from ecliptic.suite import load_suite
    from ecliptic.suite.manifest import AUDIT_SUFFIX

    try:
        path = Path(source).expanduser()
        if path.is_file():
            beside = path.with_name(path.stem + AUDIT_SUFFIX)
            return [beside] if beside.is_file() else []
        folder = load_suite(source).folder if source else None
    except (SuiteError, TaskError):
        return []
    except (OSError, RuntimeError, ValueError):  # no name of a file on this system
        return []
    if folder is None:
        return []
    places = [folder]
    if folder.name == "public":  # of a sealed suite the audits are in its private part
        places.append(folder.with_name("private"))
    return [file for place in places for file in sorted(place.glob(f"*{AUDIT_SUFFIX}"))]


def _read(path: Path) -> Iterator[tuple[str, Bounds]]:
    with path.open("rb") as file:
        for line in file:
            try:
                audit: dict[str, Any] = json.loads(line)["audit"] or {}
                ceiling = audit.get("ceiling") or {}
                if ceiling.get("draws"):
                    share = ceiling["passed"] / ceiling["draws"]
                    floor = any(audit["floor"].values())
                    yield audit["task_id"], Bounds(share, floor, str(audit["protocol"]))
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
                continue  # cut short, or no audit
