"""What a log's header says of all its attempts: agent, model, suite, protocol."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WORLDS = {"ecliptic/stargazer": "stargazer", "ecliptic/helio": "helio"}
OTHER = "other"
SOURCES = {"stargazer": ("suite", "quick"), "helio": ("records", "helio-v1")}
"""By world, the task's argument that names its source, and what stands there by default."""
CONDITIONS: Mapping[str, Any] = {
    "skills": "none",
    "feedback": "criteria",
    "hand_in": "tool",
    "constrained": False,
    "images": True,
    "hint": True,
}
"""Arguments of our tasks that change what an agent is given, with their defaults: another value is
a part of the agent's name, since its attempts do not mix with those under the default."""
_NAMING = frozenset({"answer_by", "wrapped"})
_PARTS = frozenset({"public", "private"})


@dataclass(frozen=True, slots=True)
class LogHeader:
    """See :class:`ecliptic.analysis.Attempt`; ``run`` is the same in a log and its retries."""

    agent: str
    model: str
    world: str
    suite: str
    suite_source: str
    suite_checksum: str
    protocol: str
    run: str


def log_header(header: Mapping[str, Any]) -> LogHeader:
    """Read the ``eval`` and ``plan`` of an Inspect log."""
    spec = header["eval"]
    task = str(spec.get("task_registry_name") or spec.get("task") or "")
    world = WORLDS.get(task, OTHER)
    arguments = spec.get("task_args") or {}
    metadata = spec.get("metadata") or {}
    source = task
    if world in SOURCES:
        name, default = SOURCES[world]
        source = str(arguments.get(name) or default)
    return LogHeader(
        agent=agent_name(header) + (_conditions(arguments) if world != OTHER else ""),
        model=str(spec.get("model") or "").removeprefix("none/none"),
        world=world,
        suite=suite_name(source) if world != OTHER else task.rpartition("/")[2],
        suite_source=source,
        suite_checksum=str(metadata.get("suite_checksum") or ""),
        protocol=_protocol(spec),
        run=str(spec.get("task_id") or spec.get("eval_id") or ""),
    )


def suite_name(source: str) -> str:
    """A shipped name as it is; of a path the folder's or file's, of a sealed suite the whole's."""
    path = Path(source)
    if path.name in _PARTS and path.parent.name:
        path = path.parent
    return path.stem if path.suffix in {".parquet", ".jsonl", ".json"} else path.name or source


def agent_label(name: str, options: Mapping[str, Any]) -> str:
    """``react[max_turns=20]``: the options that were given, in the order of their names."""
    given = ",".join(f"{key}={_shown(options[key])}" for key in sorted(options))
    return f"{name}[{given}]" if given else name


def agent_name(header: Mapping[str, Any]) -> str:
    """What the log's agent is called: the pattern, or the solver with its options."""
    steps = (header.get("plan") or {}).get("steps") or []
    if not steps:
        return str(header["eval"].get("solver") or "unknown").rpartition("/")[2]
    name = str(steps[-1].get("solver", "")).rpartition("/")[2]
    passed = steps[-1].get("params_passed") or {}
    if name in _NAMING and "pattern" in passed:
        pattern = passed["pattern"]
        return str(pattern.get("name") or "own") if isinstance(pattern, dict) else str(pattern)
    plain = {key: each for key, each in passed.items() if isinstance(each, str | int | float)}
    return agent_label(name or "unknown", plain)


def _conditions(arguments: Mapping[str, Any]) -> str:
    changed = [
        f"+{name}:{_shown(arguments[name])}"
        for name, default in CONDITIONS.items()
        if name in arguments and arguments[name] != default
    ]
    return "".join(changed)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _protocol(spec: Mapping[str, Any]) -> str:
    for scorer in spec.get("scorers") or []:
        protocol = (scorer.get("options") or {}).get("protocol")
        if protocol:
            return str(protocol)
    return ""
