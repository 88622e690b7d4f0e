"""Verifiable scientific-reasoning tasks for AI agents, from the Sun to other stars' planets.

One flow, always in this direction: task, agent, submission, verdict, log, report.

>>> from ecliptic import rv
>>> task = rv.generate(seed=1, recipe="paper", tier="easy")
>>> submission = rv.solvers.solve(task.observation, solver="classical")
>>> verdict = rv.evaluate(task, submission, protocol="paper")
>>> sorted(verdict.criteria)
['count', 'delta_bic', 'match', 'rms']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import lazy_loader

if TYPE_CHECKING:
    from ecliptic import analysis, grading, helio, rv
    from ecliptic.errors import EclipticError
    from ecliptic.run import run_suite
    from ecliptic.suite import Suite, load_suite, write_suite
    from ecliptic.verdict import Criterion, Diagnosis, Verdict

# Loaded at first use, so that `import ecliptic` and the command line's help are instant.
_load, _names, _ = lazy_loader.attach(
    __name__,
    submodules=["analysis", "grading", "helio", "rv"],
    submod_attrs={
        "errors": ["EclipticError"],
        "run": ["run_suite"],
        "suite": ["Suite", "load_suite", "write_suite"],
        "verdict": ["Criterion", "Diagnosis", "Verdict"],
    },
)

__all__ = [
    "Criterion",
    "Diagnosis",
    "EclipticError",
    "Suite",
    "Verdict",
    "analysis",
    "grading",
    "helio",
    "load_suite",
    "run_suite",
    "rv",
    "write_suite",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("ecliptic")
    return _load(name)


def __dir__() -> list[str]:
    return [*_names(), "__version__"]
