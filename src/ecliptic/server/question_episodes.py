"""One question, one answer: the counterpart of :class:`ecliptic.rv.Environment`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from ecliptic.rv.environment import Step
from ecliptic.rv.feedback import Feedback

if TYPE_CHECKING:
    from ecliptic.helio import Record

SECONDS = 1500.0
LONGEST_ANSWER = 100_000


def public_question(record: Record) -> dict[str, Any]:
    """What an agent may see of a record: earlier parts, the question, the form asked for."""
    return {
        "preamble": list(record.preamble),
        "question": record.question,
        "hint": record.hint,
        "type": record.type,
    }


class QuestionEpisode:
    """Takes one answer; an empty or too long one costs nothing.

    With feedback ``none`` the agent learns that its answer was received; with ``criteria``
    whether it is correct, incorrect or undecided. An undecided answer counts as not passed.
    """

    submissions = 1
    budget_seconds = SECONDS

    def __init__(self, record: Record, feedback: str, clock: Callable[[], float]) -> None:
        self._record, self._level, self._clock = record, feedback, clock
        self._begun = clock()
        self.passed = False
        self.reason: Literal["", "submissions", "seconds"] = ""

    def step(self, answer: object) -> Step:
        """Grade the answer, or say why not."""
        if not self.reason and self._clock() - self._begun > SECONDS:
            self.reason = "seconds"
        if self.reason:
            text = f"This answer was not graded. {self._ending()}"
            return Step(Feedback("over", text, 0), False, True, False, self.reason)
        if not isinstance(answer, str) or not answer.strip() or len(answer) > LONGEST_ANSWER:
            text = (
                "The answer was not accepted: it must be text of 1 to "
                f"{LONGEST_ANSWER:,} characters.\nIt cost no attempt. 1 submission left."
            )
            return Step(Feedback("malformed", text, 1), False, False, False)
        from ecliptic.grading import grade

        verdict = grade(record=self._record, answer=answer)
        self.passed, self.reason = verdict.passed, "submissions"
        told = self._level == "criteria"
        said = f"The answer is {verdict.outcome}." if told else "The answer was received."
        seen = {"correct": verdict.passed} if told else {}
        feedback = Feedback("graded", f"{said} {self._ending()}", 0, seen)
        return Step(feedback, False, True, True, "submissions")

    def _ending(self) -> str:
        if self.reason == "seconds":
            return f"The episode is over: more than {SECONDS:g} s have passed."
        return "The episode is over: one answer is taken."
