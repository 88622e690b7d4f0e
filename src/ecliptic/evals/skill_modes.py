"""Whether an agent gets skills: ``none``, ``injected`` into its prompt, or read ``on_demand``."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Literal, cast, get_args

from inspect_ai.solver import Solver

from ecliptic.errors import UsageError

SkillMode = Literal["none", "injected", "on_demand"]
_PACKAGE = "ecliptic.skills"


def skill_steps(mode: str, world: str) -> list[Solver]:
    """Steps of a task's setup that give its agent the skills of ``world``.

    They are made by ``ecliptic.skills.skill_setup(mode, world)``, which returns a solver.

    Raises
    ------
    UsageError
        There is no such mode, or this installation has no skills.
    """
    if mode not in get_args(SkillMode):
        raise UsageError(f"skills: {mode!r} is none of {', '.join(get_args(SkillMode))}")
    if mode == "none":
        return []
    if find_spec(_PACKAGE) is None:
        raise UsageError(f"skills={mode}: this installation has no skills; use skills=none")
    setup = cast("Callable[[str, str], Solver]", import_module(_PACKAGE).skill_setup)
    return [setup(mode, world)]
