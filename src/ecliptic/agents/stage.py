"""Stages and patterns: the parts that a way to reason is put together from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ecliptic.agents.contracts import NO_CONTRACT, Contract
from ecliptic.agents.role_prompts import read_prompt

if TYPE_CHECKING:
    from ecliptic.agents.session import Session


@dataclass(frozen=True)
class Stage:
    """One module of a pattern: a role at work under a contract.

    Parameters
    ----------
    name
        What it does; names its span in the log (``pace/critique``).
    role
        Who does it; its prompt is the packaged file ``prompts/PATTERN/ROLE.md`` unless ``prompt``
        is given.
    contract
        What it needs and delivers.
    prompt
        Text of the prompt, for patterns that are kept elsewhere.
    """

    name: str
    role: str
    contract: Contract = NO_CONTRACT
    prompt: str | None = None

    def instructions(self, pattern: str) -> str:
        """The role's prompt."""
        return read_prompt(f"{pattern}/{self.role}") if self.prompt is None else self.prompt


@dataclass(frozen=True)
class Pattern:
    """A way to reason: a name and a coroutine that runs its stages on a session.

    Parameters
    ----------
    name
        Names its spans, its records and the folder of its prompts.
    run
        Runs the stages.
    repairs
        Number of repair calls that a broken contract gets, 0 or 1.
    constrained
        Whether hand-overs are asked for with a schema that the provider enforces. Inspect leaves
        it out where a provider has no such thing; some servers refuse the request instead.
    """

    name: str
    run: Callable[[Session], Awaitable[None]]
    repairs: int = 1
    constrained: bool = True
