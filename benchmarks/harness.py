"""Cost of the harness: attempts a second and CPU an attempt, with a scripted model.

    python benchmarks/harness.py [--attempts 500]

One line a case: Inspect alone (one call and its own scorer), questions by one call and by a pattern
of four, and stars with a laboratory, two cells and a submission an attempt.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

from inspect_ai import Task, task_with
from inspect_ai import eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import match
from inspect_ai.solver import generate

import ecliptic.evals.registry  # noqa: F401 - registers the scripted provider
from ecliptic import rv
from ecliptic.agents import answer_by
from ecliptic.evals import helio, stargazer
from ecliptic.suite import Suite, write_suite

PLAN = {"asked": "a value", "steps": ["compute"], "answer_form": "as asked"}
ACCEPT = {"errors": [], "verdict": "accept"}
PLANET = {"period_days": 3.3, "m_sin_i_mjup": 0.01, "e": 0.0, "omega_rad": 0.0, "l_rad": 0.0}


def _call(function: str, **arguments: Any) -> list[dict[str, Any]]:
    return [{"function": function, "arguments": arguments}]


REPLIES: list[dict[str, Any]] = [
    {"stage": "pace/plan", "json": PLAN},
    {"stage": "pace/critique", "json": ACCEPT},
    {"stage": "act", "turn": 1, "tool_calls": _call("python", code="np.ptp(times_days)")},
    {"stage": "act", "turn": 2, "tool_calls": _call("python", code="np.std(rvs_ms)")},
    {"stage": "act", "turn": 3, "tool_calls": _call("submit", planets=[PLANET])},
    {"when": "", "text": "$42$ km/s"},
]


def measured(name: str, task: Task, epochs: int, folder: Path, connections: int) -> None:
    """Run it, and print how fast it was."""
    model = get_model("scripted/benchmark", script=REPLIES, memoize=False)
    cpu, begun = _cpu_seconds(), time.perf_counter()
    (log,) = inspect_eval(
        task,
        model=model,
        epochs=epochs,
        display="none",
        log_dir=str(folder),
        log_realtime=False,
        max_samples=connections,
        max_connections=connections,
    )
    seconds, used = time.perf_counter() - begun, _cpu_seconds() - cpu
    attempts = len(log.samples or [])
    assert log.status == "success", log.error
    line = {
        "case": name,
        "attempts": attempts,
        "attempts_per_s": round(attempts / seconds, 2),
        "cpu_ms_per_attempt": round(1000 * used / attempts, 1),
    }
    print(json.dumps(line), flush=True)


def _cpu_seconds() -> float:
    """Of this process and of those children that have ended."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--attempts", type=int, default=500)
    parser.add_argument("--connections", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        star = rv.generate(seed=2, recipe="ecliptic", tier="easy")
        write_suite(Suite.of([star], name="one"), folder / "suite")
        floor = Task(
            dataset=[Sample(input="6 * 7?", target="$42$")], solver=generate(), scorer=match()
        )
        records = {"types": "numeric", "per_type": 50}
        each = max(1, options.attempts // 50)
        cases = {
            "inspect alone": (floor, options.attempts),
            "helio, single_shot": (helio(**records), each),  # type: ignore[arg-type]
            "helio, pace": (task_with(helio(**records), solver=answer_by("pace")), each),  # type: ignore[arg-type]
            "stargazer, react": (stargazer(str(folder / "suite")), options.attempts),
        }
        for name, (task, epochs) in cases.items():
            measured(name, task, epochs, folder / "logs", options.connections)


if __name__ == "__main__":
    main()
