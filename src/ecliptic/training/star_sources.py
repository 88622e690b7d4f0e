"""Where an environment takes its stars from.

========================  =========================================  ==============================
source                    a star is                                  proven solvable
========================  =========================================  ==============================
``SuiteStars``            one of a suite's, drawn with replacement   where the suite is audited
``GeneratedStars``        new each time: 128 fresh bits of seed      with ``audited`` only
========================  =========================================  ==============================

A star depends on the generator of random numbers and the tier alone, so that a seeded episode is
the same on every machine.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ecliptic.arguments import one_of
from ecliptic.errors import UsageError
from ecliptic.rv import RVTask, generate
from ecliptic.rv.acceptance import by_audit
from ecliptic.rv.difficulty import TIERS
from ecliptic.rv.generator import RECIPES
from ecliptic.rv.structures import ECLIPTIC_TIERS
from ecliptic.suite import Suite, load_suite

SOURCES = ("generator", "suite")


class Stars(Protocol):
    """A supply of tasks without end."""

    def draw(self, random: np.random.Generator, tier: str | None) -> RVTask:
        """A task of this tier, or of any."""
        ...

    def find(self, name: str) -> RVTask:
        """The task of an id, where the supply is a fixed one."""
        ...


class SuiteStars:
    """Stars of a suite, each read once and kept.

    Raises
    ------
    UsageError
        The suite has no star of a tier that is asked for.
    SuiteError
        It cannot be opened, or its truth is sealed.
    """

    def __init__(self, suite: str | Suite) -> None:
        self.suite = load_suite(suite) if isinstance(suite, str) else suite
        self.suite.require_truth()
        self._tasks: tuple[RVTask, ...] = tuple(self.suite)
        self._by_tier: dict[str | None, tuple[RVTask, ...]] = {None: self._tasks}
        for tier in dict.fromkeys(task.tier for task in self._tasks):
            self._by_tier[tier] = tuple(task for task in self._tasks if task.tier == tier)

    def draw(self, random: np.random.Generator, tier: str | None) -> RVTask:
        """Each star of the tier is as likely as any other."""
        stars = self._by_tier.get(tier)
        if not stars:
            known = ", ".join(name for name in self._by_tier if name)
            raise UsageError(f"{self.suite.name}: has no star of tier '{tier}'; it has {known}")
        return stars[int(random.integers(len(stars)))]

    def find(self, name: str) -> RVTask:
        """The star of a key or an id."""
        task: RVTask = self.suite.find(name).load()
        return task


class GeneratedStars:
    """A star that nobody has seen, each time.

    Parameters
    ----------
    recipe
        ``ecliptic``, or ``paper``: the published one.
    audited
        Only stars that an audit accepts; of the recipe ``ecliptic`` alone.
    """

    def __init__(self, recipe: str = "ecliptic", audited: bool = False) -> None:
        self.recipe = one_of("recipe", recipe, RECIPES)
        if audited and self.recipe == "paper":
            raise UsageError("audited: of the recipe 'ecliptic' alone")
        self.audited = audited

    def draw(self, random: np.random.Generator, tier: str | None) -> RVTask:
        """A task from a fresh seed of 128 bits."""
        known = TIERS if self.recipe == "paper" else ECLIPTIC_TIERS
        wanted = one_of("tier", tier, known) if tier is not None else None
        seed = int.from_bytes(random.bytes(16), "little")
        if wanted is None and self.recipe == "ecliptic":
            wanted = ("easy", "medium", "hard", "frontier")[int(random.integers(4))]
        return generate(seed, self.recipe, wanted, accept=by_audit if self.audited else None)

    def find(self, name: str) -> RVTask:
        """There is nothing to find: a generated star is never made twice."""
        raise UsageError(f"options: source='generator' has no task '{name}'; use source='suite'")


def stars_from(source: str, suite: str | Suite | None, recipe: str, audited: bool) -> Stars:
    """The supply that an environment's arguments describe.

    Raises
    ------
    UsageError
        An argument of the other source, which would have no effect.
    """
    if one_of("source", source, SOURCES) == "suite":
        if audited or recipe != RECIPES[0]:
            raise UsageError("recipe, audited: go with source='generator'; leave them out")
        return SuiteStars("quick" if suite is None else suite)
    if suite is not None:
        raise UsageError("suite: goes with source='suite'; add it, or leave out suite")
    return GeneratedStars(recipe, audited)
