"""What is the same for all tasks of a run: the solver, its options, the protocol."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecliptic.errors import EclipticError, TaskError, UsageError

if TYPE_CHECKING:
    from ecliptic.rv.protocols import AnyProtocol
    from ecliptic.rv.tasks import Observation, RVTask

MAX_REASON = 300
Solver = Callable[["Observation"], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Plan:
    """Which solver, with which options, under which protocol.

    ``solver`` is a registered name, or ``module:function`` for a function of one's own that takes
    an :class:`~ecliptic.rv.tasks.Observation` (and ``options`` as keyword arguments) and returns
    ``{"planets": [{"period_days": ..., ...}], "noise": {...}}``.
    """

    solver: str
    protocol: AnyProtocol
    options: Mapping[str, Any]


def plan_of(
    solver: str | Callable[..., Any], protocol: AnyProtocol, options: Mapping[str, Any] | None
) -> Plan:
    """A plan that can be sent to another process and compared with one from a file.

    A function of somebody's own is not imported here, only in the workers: nothing of an agent
    runs beside the truth.

    Raises
    ------
    UsageError
        No such registered solver, a function that workers cannot import, or options that JSON
        cannot hold.
    """
    name = solver if isinstance(solver, str) else _importable_name(solver)
    if ":" not in name:
        _check_registered(name)
    try:
        plain = json.loads(json.dumps(dict(options or {}), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise UsageError(f"options of the solver must be plain JSON values: {error}") from None
    return Plan(name, protocol, plain)


def protocol_for(suite: object, asked: str | AnyProtocol | None = None) -> AnyProtocol:
    """How a suite is graded: as asked, else as its manifest says, else as its first task does.

    Raises
    ------
    UsageError
        There is no such protocol.
    """
    from ecliptic.rv.protocols import protocol_of

    named = asked if asked is not None else getattr(suite, "protocol", None)
    if named is not None:
        return protocol_of(named)
    for entry in getattr(suite, "entries", lambda: ())():
        try:
            return protocol_of(usual_protocol(entry.load()))
        except TaskError:
            continue  # told when its turn comes
    return protocol_of("paper")


def usual_protocol(task: RVTask) -> str:
    """``strict`` for a task that declares its models, ``archival`` for a real star with a refit.

    All others are graded as published.
    """
    if task.tier == "real":
        return "paper" if task.truth.refit is None else "archival"
    return "paper" if task.observation.family is None else "strict"


def _importable_name(solver: Callable[..., Any]) -> str:
    module, name = getattr(solver, "__module__", None), getattr(solver, "__qualname__", "")
    if module in {None, "__main__"} or not name.isidentifier():
        raise UsageError(
            f"solver {name or solver!r}: workers import it by name; put it at the top level of a "
            "module of your own"
        )
    return f"{module}:{name}"


def _check_registered(name: str) -> None:
    from ecliptic.rv import solvers

    if name not in solvers.SOLVERS:
        close = difflib.get_close_matches(name, solvers.SOLVERS, n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        known = ", ".join(solvers.SOLVERS)
        raise UsageError(
            f"no solver '{name}'{hint} (there are {known}, or module:function of your own)"
        )


def source_hash(solver: str) -> str | None:
    """SHA-256 (16 digits) of the file that holds ``module:function``; None for registered solvers.

    The file is looked up, not imported. Results of an edited solver must not be mixed with those
    of the one before.
    """
    if ":" not in solver:
        return None
    names = solver.partition(":")[0].split(".")
    places: Sequence[str] | None = None
    for end in range(1, len(names) + 1):
        spec = PathFinder.find_spec(".".join(names[:end]), places)
        if spec is None:
            return None
        places = spec.submodule_search_locations
    if spec is None or not spec.has_location or spec.origin is None:
        return None
    return hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()[:16]


def find_solver(name: str, options: Mapping[str, Any]) -> Solver:
    """The function that a plan names, with the plan's options bound.

    Raises
    ------
    UsageError
        If there is no such solver; says why, and what was probably meant.
    """
    if ":" in name:
        function = _import(name)
    else:
        from ecliptic.rv import solvers

        _check_registered(name)

        def function(observation: Observation, **options: Any) -> Mapping[str, Any]:
            return solvers.solve(observation, solver=name, **options)

    return lambda observation: function(observation, **options)


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
    text = text.encode("utf-8", errors="backslashreplace").decode()
    return text if len(text) <= MAX_REASON else text[: MAX_REASON - 3] + "..."
