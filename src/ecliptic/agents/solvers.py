"""The patterns as Inspect solvers, registered as ``ecliptic/NAME``.

``constrained=False`` asks for hand-overs without a schema that the provider enforces.
"""

from __future__ import annotations

from inspect_ai.solver import Generate, Solver, TaskState, solver

from ecliptic.agents.catalogue import ROUTABLE, find_pattern
from ecliptic.agents.generation import MultiAgentGenerate
from ecliptic.agents.inspect_errors import in_one_line
from ecliptic.agents.mentor import make_mentor
from ecliptic.agents.react import make_react
from ecliptic.agents.router import make_router
from ecliptic.agents.stage import Pattern
from ecliptic.agents.tool_loop import MOST_TURNS


def _by(pattern: str | Pattern, constrained: bool = True) -> Solver:
    way = find_pattern(pattern, None if constrained else False)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        return await MultiAgentGenerate(way, generate)(state)

    return solve


@solver
@in_one_line
def answer_by(pattern: str | Pattern) -> Solver:
    """Answers the task by a pattern: one of ours by its name, or your own."""
    return _by(pattern)


@solver
def single_shot() -> Solver:
    """The task as it stands, one call."""
    return _by("single_shot")


@solver
def hmaw(constrained: bool = True) -> Solver:
    """CEO, manager, worker; no retries."""
    return _by("hmaw", constrained)


@solver
def pace(constrained: bool = True) -> Solver:
    """Plan, answer, critique (may send back once), enclose."""
    return _by("pace", constrained)


@solver
def phase(constrained: bool = True) -> Solver:
    """Plan, hypothesise, analyse, solve, evaluate."""
    return _by("phase", constrained)


@solver
def schema(constrained: bool = True) -> Solver:
    """Architecture, experts, synthesis, guard, final."""
    return _by("schema", constrained)


@solver
def react(max_turns: int = MOST_TURNS) -> Solver:
    """A tool loop of at most ``max_turns`` model calls."""
    return _by(make_react(max_turns))


@solver
@in_one_line
def mentor(
    every: int = 4, reviews: int = 5, max_turns: int = MOST_TURNS, constrained: bool = True
) -> Solver:
    """A tool loop with a review after ``every`` turns, ``reviews`` at most."""
    return _by(make_mentor(every, reviews, max_turns), constrained)


@solver
def router(ask_model: bool = False, constrained: bool = True) -> Solver:
    """One of the others, by rules, or by one model call with ``ask_model``."""
    return _by(make_router(ROUTABLE, ask_model), constrained)
