"""All that a log holds of one attempt, with its task and the task's truth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ecliptic.analysis.attempts import Attempt

if TYPE_CHECKING:
    from ecliptic.helio import Record
    from ecliptic.rv import RVTask
    from ecliptic.rv.submission import Submission
    from ecliptic.verdict import Verdict

GRADED, MALFORMED, OVER = "graded", "malformed", "over"


@dataclass(frozen=True, slots=True)
class SubmissionFacts:
    """One hand-in.

    Attributes
    ----------
    number
        From 1, malformed ones counted.
    status
        ``graded``, ``malformed``, or ``over`` where it came after the end.
    submission
        As it was read; ``None`` where it could not be.
    passed, score
        Of its verdict; ``None`` for the score where it was not graded.
    seconds, tokens
        Spent when it arrived; ``None`` where the log does not say.
    repeat_of
        Number of an earlier graded submission that it hardly differs from, from 1 and of the
        graded ones alone.
    said
        What the agent was told; for a malformed one, why.
    """

    number: int
    status: str
    submission: Submission | None = None
    passed: bool = False
    score: float | None = None
    seconds: float | None = None
    tokens: int | None = None
    repeat_of: int | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool: its arguments, what it returned, and the error of the call itself."""

    tool: str
    arguments: Mapping[str, Any]
    result: str = ""
    error: str = ""


@dataclass(frozen=True)
class Details:
    """An attempt in full.

    Attributes
    ----------
    attempt
        Its row.
    task
        The star or the question with its truth; ``None`` where it is not at hand.
    missing
        Why it is not; else empty.
    submissions
        In order. For a question there are none: ``reply`` is what was graded.
    calls
        Calls of tools, in order.
    reply
        The last reply of the model.
    verdict
        Of the submission that counts, as the log holds it.
    by_text
        Whether a star's submission stood in the reply, without a tool.
    """

    attempt: Attempt
    task: RVTask | Record | None = None
    missing: str = ""
    submissions: tuple[SubmissionFacts, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    reply: str = ""
    verdict: Mapping[str, Any] | None = None
    by_text: bool = False

    @property
    def stop(self) -> str:
        """Why it ended."""
        return self.attempt.stop

    @property
    def star(self) -> RVTask | None:
        """The task, if it is a star."""
        from ecliptic.rv import RVTask

        return self.task if isinstance(self.task, RVTask) else None

    @property
    def graded(self) -> tuple[SubmissionFacts, ...]:
        """The submissions that were graded."""
        return tuple(each for each in self.submissions if each.status == GRADED)

    @cached_property
    def verdicts(self) -> tuple[Verdict | None, ...]:
        """One a submission, graded again with the truth; ``None`` where that cannot be done."""
        from ecliptic.rv import evaluate

        star = self.star
        return tuple(
            evaluate(star, each.submission, self.attempt.protocol)
            if star is not None and each.submission is not None and each.status == GRADED
            else None
            for each in self.submissions
        )

    @property
    def counted(self) -> SubmissionFacts | None:
        """The submission that counts: one that passed, then the highest score, then the reward.

        Where scores are equal and there is no truth to compute the reward with, the one that has
        the verdict's number of planets; the earlier one of two equals.
        """
        graded = self.graded
        if not graded:
            return None
        best = max((each.passed, each.score or 0.0) for each in graded)
        level = [each for each in graded if (each.passed, each.score or 0.0) == best]
        return level[0] if len(level) == 1 else self._of_the_verdict(level)

    def _of_the_verdict(self, level: list[SubmissionFacts]) -> SubmissionFacts:
        if self.star is not None:
            return max(level, key=self._reward)
        count = ((self.verdict or {}).get("criteria", {}).get("count") or {}).get("value")
        return next(
            (each for each in level if each.submission and len(each.submission.planets) == count),
            level[0],
        )

    def _reward(self, facts: SubmissionFacts) -> float:
        verdict = self.verdicts[self.submissions.index(facts)]
        reward = None if verdict is None else verdict.details.get("reward")
        return float("-inf") if reward is None else float(reward)
