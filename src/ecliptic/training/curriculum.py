"""From easy to hard: which tier comes next."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ecliptic.arguments import whole_number
from ecliptic.errors import UsageError


class Curriculum:
    """Moves to the next tier when enough of the last episodes succeeded.

    The level rises by one when, of the last ``window`` episodes at the level's own tier, a share
    of at least ``success_rate`` was solved; the count begins anew then, and the level never falls.
    With probability ``review`` an episode is of an earlier tier, each as likely as any other; these
    do not count. So the level depends on the episodes' outcomes and on the environment's random
    numbers alone.

    Parameters
    ----------
    tiers
        In order of difficulty.
    window
        Episodes that are looked at.
    success_rate
        In (0, 1].
    review
        In [0, 1).

    Raises
    ------
    UsageError
        A value out of range.
    """

    def __init__(
        self,
        tiers: Sequence[str] = ("easy", "medium", "hard", "frontier"),
        window: int = 50,
        success_rate: float = 0.7,
        review: float = 0.1,
    ) -> None:
        if isinstance(tiers, str) or not tiers:
            raise UsageError("curriculum: tiers must be a list of names, the easiest first")
        if not 0.0 < success_rate <= 1.0 or not 0.0 <= review < 1.0:
            raise UsageError("curriculum: success_rate must lie in (0, 1] and review in [0, 1)")
        self.tiers = tuple(tiers)
        self.window = whole_number("curriculum: window", window, 1, 1_000_000)
        self.success_rate = float(success_rate)
        self.review = float(review)
        self.level = 0
        self._outcomes: deque[bool] = deque(maxlen=self.window)

    @classmethod
    def of(cls, given: Curriculum | Mapping[str, Any]) -> Curriculum:
        """A curriculum, or the arguments of one (which an environment's spec can hold as JSON)."""
        if isinstance(given, Curriculum):
            return given
        try:
            return cls(**given)
        except TypeError as error:
            raise UsageError(f"curriculum: {error}") from None

    @property
    def tier(self) -> str:
        """The tier of the level."""
        return self.tiers[self.level]

    def restart(self) -> None:
        """Back to the first tier, as after seeding."""
        self.level = 0
        self._outcomes.clear()

    def draw(self, random: np.random.Generator) -> str:
        """The tier of the next episode."""
        if self.level and self.review and random.random() < self.review:
            return self.tiers[int(random.integers(self.level))]
        return self.tier

    def record(self, tier: str, solved: bool) -> None:
        """Note how an episode ended."""
        if tier != self.tier:
            return
        self._outcomes.append(solved)
        full = len(self._outcomes) == self.window
        # In whole episodes, as a share of 0.7 of 10 is 7 in numbers that are not binary too.
        enough = sum(self._outcomes) >= round(self.success_rate * self.window, 9)
        if full and enough and self.level + 1 < len(self.tiers):
            self.level += 1
            self._outcomes.clear()
