"""What is the same for all tasks of a run: the solver, its options, the protocol."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ecliptic.errors import EclipticError, UsageError

if TYPE_CHECKING:
    from ecliptic.rv.protocols import PaperProtocol
    from ecliptic.rv.tasks import Observation

MAX_REASON = 300
Solver = Callable[["Observation"], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is the same for all tasks of a run.

    ``solver`` is a registered name, or ``module:function`` for a function of one's own that takes
    an :class:`~ecliptic.rv.tasks.Observation` (and ``options`` as keyword arguments) and returns
    ``{"planets": [{"period_days": ..., ...}], "noise": {...}}``.
    """

    solver: str
    protocol: PaperProtocol
    options: Mapping[str, Any] = field(default_factory=dict)


def find_solver(plan: Plan) -> Solver:
    """The function that ``plan.solver`` names, with the plan's options bound.

    Raises
    ------
    UsageError
        If there is no such solver; says why, and what was probably meant.
    """
    name = plan.solver
    if ":" in name:
        function = _import(name)
    else:
        from ecliptic.rv import solvers

        if name not in solvers.SOLVERS:
            close = difflib.get_close_matches(name, solvers.SOLVERS, n=1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            known = ", ".join(solvers.SOLVERS)
            raise UsageError(
                f"no solver '{name}'{hint} (there are {known}, or module:function of your own)"
            )

        def function(observation: Observation, **options: Any) -> Mapping[str, Any]:
            return solvers.solve(observation, solver=name, **options)

    return lambda observation: function(observation, **plan.options)


def _import(spec: str) -> Callable[..., Mapping[str, Any]]:
    module_name, _, attribute = spec.partition(":")
    try:
        module = importlib.import_module(module_name)
    except Exception as error:  # noqa: BLE001  (a user's module may fail in any way)
        raise UsageError(f"solver '{spec}': importing {module_name}: {reason_of(error)}") from None
    function = getattr(module, attribute, None)
    if not callable(function):
        raise UsageError(f"solver '{spec}': {module_name} has no function '{attribute}'")
    return function  # type: ignore[no-any-return]


def reason_of(error: BaseException) -> str:
    """One line; an error of our own speaks for itself, any other is named by its class."""
    text = " ".join(str(error).split())
    if not isinstance(error, EclipticError):
        text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return text if len(text) <= MAX_REASON else text[: MAX_REASON - 3] + "..."
