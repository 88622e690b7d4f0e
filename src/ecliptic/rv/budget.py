"""How much an agent may spend on one task.

| tier   | difficulty | tokens  | seconds | submissions |
|--------|------------|---------|---------|-------------|
| easy   | 1-2        | 200 000 | 600     | 3           |
| medium | 3-6        | 450 000 | 900     | 5           |
| hard   | 7-10       | 900 000 | 1500    | 10          |

Real stars take the row of their difficulty (Stargazer, Liu et al. 2026, arXiv:2604.15664). Tasks of
the tiers ``frontier`` and ``faint`` have a difficulty of at least 7, and so the last row.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from ecliptic.errors import UsageError


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of one episode; ``math.inf`` for tokens or seconds lifts that limit."""

    tokens: float
    seconds: float
    submissions: int

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, int | float) or not value > 0:
                raise UsageError(f"budget: {field.name} must be a number > 0, not {value!r}")
        if not isinstance(self.submissions, int):
            raise UsageError(f"budget: submissions must be whole, not {self.submissions!r}")


EASY = Budget(tokens=200_000, seconds=600, submissions=3)
MEDIUM = Budget(tokens=450_000, seconds=900, submissions=5)
HARD = Budget(tokens=900_000, seconds=1500, submissions=10)


def budget_of(difficulty: int) -> Budget:
    """The budget of a task with a difficulty of 1 to 10."""
    if not 1 <= difficulty <= 10:
        raise UsageError(f"difficulty must be 1 to 10, not {difficulty!r}")
    return EASY if difficulty <= 2 else MEDIUM if difficulty <= 6 else HARD
