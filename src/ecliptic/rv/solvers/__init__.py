"""Agents without a language model: an observation goes in, a submission comes out.

A solver is a deterministic function of an :class:`~ecliptic.rv.tasks.Observation` and its options.
What it returns is plain data, within what an agent may submit: at most seven planets, P > 0.5 d,
0 <= e <= 0.8, angles in [0, 2 pi), the mean longitude at ``times_days[0]``.
"""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Iterator, Mapping
from typing import Any, Protocol, cast

from ecliptic.errors import UsageError
from ecliptic.rv.tasks import Observation

_MODULES = {
    "null": "ecliptic.rv.solvers.null",
    "sine": "ecliptic.rv.solvers.sine",
    "classical": "ecliptic.rv.solvers.classical",
    "greedy": "ecliptic.rv.solvers.greedy",
    "nested": "ecliptic.rv.solvers.nested",
    "reference": "ecliptic.rv.solvers.reference",
}


class Solver(Protocol):
    """A function that turns an observation into a submission; options are keyword-only."""

    def __call__(self, observation: Observation, /, **options: Any) -> dict[str, Any]:
        """The submission, ready for JSON."""
        ...


class _Registry(Mapping[str, Solver]):
    """Name to solver; a solver's module is imported when it is taken out."""

    def __getitem__(self, name: str) -> Solver:
        return cast("Solver", importlib.import_module(_MODULES[name]).solve)

    def __contains__(self, name: object) -> bool:
        return name in _MODULES

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


SOLVERS: Mapping[str, Solver] = _Registry()


def solve(observation: Observation, solver: str = "classical", **options: Any) -> dict[str, Any]:
    """Run a solver by name.

    Returns ``{"planets": [{"period_days", "m_sin_i_mjup", "e", "omega_rad", "l_rad"}, ...],
    "noise": {"sigma_jitter_ms": ...}}``, the planets in order of period. The options are those of
    the solver's own ``solve``.

    Raises
    ------
    UsageError
        A name or option that is not known, or a value that the option cannot take.
    """
    if solver not in SOLVERS:
        raise UsageError(f"solver {solver!r} is not known{_hint(solver, list(SOLVERS))}")
    function = SOLVERS[solver]
    known = [
        name
        for name, parameter in inspect.signature(function).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    for name in options:
        if name not in known:
            raise UsageError(f"solver '{solver}' has no option '{name}'{_hint(name, known)}")
    return function(observation, **options)


def _hint(name: object, known: list[str]) -> str:
    close = difflib.get_close_matches(str(name), known, n=1)
    suggestion = f"; did you mean '{close[0]}'?" if close else ""
    return f"{suggestion} (known: {', '.join(known) or 'none'})"
