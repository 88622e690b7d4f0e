"""Answers graded on an engine, some at a time; one that ends its worker costs no other."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ecliptic.errors import UsageError
from ecliptic.run.processes import Job

if TYPE_CHECKING:
    from ecliptic.distributed.engine import Engine
    from ecliptic.grading.rules import Rules
    from ecliptic.helio.records import Record

ANSWERS_PER_JOB = 64
"""About a second of work, against some milliseconds for sending it."""
Pair = tuple["Record", Any]


@dataclass(frozen=True, slots=True)
class Grading:
    """The rules, and the work on one job: verdicts in order, or why a record has none."""

    rules: Rules

    def __call__(self, pairs: Sequence[Pair]) -> dict[str, Any]:
        """``verdicts``: for each pair a verdict as JSON, or a line of text."""
        return {"verdicts": [self._one(record, answer) for record, answer in pairs]}

    def _one(self, record: Record, answer: Any) -> dict[str, Any] | str:
        from ecliptic.grading.grader import grade

        try:
            return grade(record, answer, rules=self.rules).to_dict()
        except UsageError as error:  # a fault of this record alone
            return str(error)


def verdicts(
    pairs: Sequence[Pair], rules: Rules, engine: Engine
) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """For each pair its number and its verdict as JSON, or why there is none, as they come."""
    jobs = deque(
        range(start, min(start + ANSWERS_PER_JOB, len(pairs)))
        for start in range(0, len(pairs), ANSWERS_PER_JOB)
    )
    running: dict[str, range] = {}

    def take() -> Job | None:
        if not jobs:
            return None
        numbers = jobs.popleft()
        key = f"{numbers.start}-{numbers.stop}"
        running[key] = numbers
        return Job(key, [pairs[number] for number in numbers])

    with closing(engine.outcomes(take, Grading(rules))) as stream:
        for outcome in stream:
            if outcome is None:
                continue
            numbers = running.pop(outcome.key)
            if outcome.result is not None:
                yield from zip(numbers, outcome.result["verdicts"], strict=True)
            elif len(numbers) == 1:
                yield numbers.start, outcome.reason
            else:  # which of them is at fault: each alone
                jobs.extend(range(number, number + 1) for number in numbers)
