"""One episode of an agent on one task: submissions, feedback, a budget.

>>> from ecliptic import rv
>>> task = rv.generate(seed=3, recipe="paper", tier="easy")
>>> env = rv.Environment(task)
>>> observation = env.reset()
>>> step = env.step({"planets": [{"P_days": 10.0, "e": 1.2}]})
>>> print(step.feedback.text)
The submission was not accepted: planets[0].e must be a number with 0 <= e <= 0.8, not 1.2.
It cost no attempt. 3 submissions left.
>>> step.counted
False

Two objects answer a submission, and they are kept apart. A :class:`Step` is for the agent and
holds no truth (:mod:`ecliptic.rv.feedback` decides what it says). The
:class:`~ecliptic.verdict.Verdict` is for whoever runs the agent, in ``env.history``.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ecliptic.errors import SubmissionError, UsageError
from ecliptic.rv import feedback as says
from ecliptic.rv.budget import Budget, budget_of
from ecliptic.rv.feedback import Feedback, level_of
from ecliptic.rv.protocols import AnyProtocol, PaperProtocol, protocol_of
from ecliptic.rv.repeats import repeated
from ecliptic.rv.scoring import grade, prepare
from ecliptic.rv.strict import residual_peaks
from ecliptic.rv.submission import AGENT_LIMITS, Submission, read_submission
from ecliptic.rv.tasks import Observation, RVTask
from ecliptic.verdict import Verdict

Reason = Literal["", "success", "submissions", "seconds", "tokens"]


@dataclass(frozen=True, slots=True)
class Step:
    """The answer to one submission; safe to show to the agent.

    Attributes
    ----------
    feedback
        What the agent is told.
    terminated
        The task is solved.
    truncated
        The budget is spent; ``reason`` names what ran out.
    counted
        Whether this submission cost an attempt.
    reason
        Empty while the episode goes on.
    """

    feedback: Feedback
    terminated: bool
    truncated: bool
    counted: bool
    reason: Reason = ""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the harness keeps of one submission. Sealed: the verdict tells of the truth.

    ``submission`` and ``verdict`` are ``None`` where it was malformed or came too late; the
    feedback says which. ``seconds`` and ``tokens`` were spent when it arrived. ``repeat_of`` is
    the number of an earlier graded submission, from 1, that it hardly differs from.
    """

    submission: Submission | None
    verdict: Verdict | None
    feedback: Feedback
    seconds: float
    tokens: int
    repeat_of: int | None = None


class Environment:
    """An episode: :meth:`reset` hands out the data, :meth:`step` takes submissions.

    Parameters
    ----------
    task
        The star to be analysed.
    protocol
        How to grade: a name, a :class:`~ecliptic.rv.protocols.PaperProtocol`, a
        :class:`~ecliptic.rv.protocols.StrictProtocol` or an
        :class:`~ecliptic.rv.protocols.ArchivalProtocol`.
    feedback
        How much the agent is told: ``none``, ``statistical``, ``criteria``, or with protocol
        ``paper`` all that the published environment tells: ``paper``.
    budget
        Submissions, seconds and tokens; by default those of the task's difficulty.
    clock
        Seconds from any origin, never going back.

    **Action.** A submission as :func:`~ecliptic.rv.submission.read_submission` takes it, within
    :data:`~ecliptic.rv.submission.AGENT_LIMITS`. A malformed one costs no attempt.

    **End.** ``terminated`` when a submission passes. ``truncated`` when the submissions are used
    up, or when time or tokens are. Time and tokens are checked as a submission arrives: one that
    arrives with more spent than the budget holds is not graded. A step after the end says so and
    changes nothing.

    **Result.** The best submission counts: by passing, then score, then reward; the earlier one
    of two equals.
    """

    def __init__(
        self,
        task: RVTask,
        protocol: str | AnyProtocol = "paper",
        feedback: str = "criteria",
        budget: Budget | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.task = task
        self.protocol = protocol_of(protocol)
        self.feedback_level = level_of(feedback)
        if self.feedback_level == "paper" and not isinstance(self.protocol, PaperProtocol):
            raise UsageError("feedback 'paper' tells distances to the truth: protocol paper only")
        self.budget = budget_of(task.difficulty) if budget is None else budget
        self.history: list[Attempt] = []
        self.tokens = 0
        self._clock = clock
        self._start: float | None = None
        self._used = 0
        self._ended: Reason = ""

    def reset(self) -> Observation:
        """Start afresh, with a full budget, and hand out the public part of the task.

        It is the agent's own instance, of immutable arrays: nothing that is done to it reaches
        the task, and what grading needs of the task is computed before.
        """
        prepare(self.task, self.protocol)
        self.history = []
        self.tokens = self._used = 0
        self._ended = ""
        self._start = self._clock()
        return self.task.observation.model_copy()

    def spend(self, tokens: int) -> None:
        """Count tokens that the agent used since the last call."""
        if isinstance(tokens, bool) or not isinstance(tokens, int) or tokens < 0:
            raise UsageError(f"spend: tokens must be a whole number >= 0, not {tokens!r}")
        self.tokens += tokens

    def step(self, submission: object) -> Step:
        """Take one submission, grade it, and say what the feedback level permits.

        Nothing that an agent can send raises an error.

        Raises
        ------
        UsageError
            :meth:`reset` was not called.
        """
        seconds = self.seconds
        self._ended = self._reason_at(seconds)
        if self._ended:
            return self._record(
                says.on_over(_ending(self._ended, self.budget), submissions_left=self.left),
                seconds,
            )
        try:
            guess = read_submission(submission, AGENT_LIMITS)
        except SubmissionError as error:
            return self._record(says.on_malformed(error, submissions_left=self.left), seconds)
        verdict = grade(self.task, guess, self.protocol)
        graded = [attempt.submission for attempt in self.history if attempt.verdict is not None]
        repeat = repeated(guess, [each for each in graded if each is not None])
        self._used += 1
        if verdict.passed:
            self._ended = "success"
        elif self.left == 0:
            self._ended = "submissions"
        answer = says.on_graded(
            self.feedback_level,
            self.task.observation,
            guess,
            verdict,
            number=self._used,
            submissions_left=self.left,
            ending=_ending(self._ended, self.budget),
            repeat_of=repeat,
        )
        return self._record(answer, seconds, guess, verdict, repeat)

    def residual_peaks(self, count: int = 5) -> list[tuple[float, float]]:
        """Where the residuals of the last graded submission ask for one more planet.

        Periods in days, and the gain in log-likelihood of a sinusoid there; empty before the
        first submission, or where the feedback level is ``none``. It follows from the public
        part of the task and the submission, and costs no attempt.
        """
        graded = [attempt.submission for attempt in self.history if attempt.verdict is not None]
        if self.feedback_level == "none" or not graded or graded[-1] is None:
            return []
        return residual_peaks(self.task.observation, graded[-1], count)

    @property
    def seconds(self) -> float:
        """Seconds since :meth:`reset`."""
        if self._start is None:
            raise UsageError("call reset() before the first step")
        return self._clock() - self._start

    @property
    def left(self) -> int:
        """Submissions that may still be graded."""
        return self.budget.submissions - self._used

    @property
    def reason(self) -> Reason:
        """Why the episode is over at this moment; empty while it goes on."""
        return self._ended or self._reason_at(self.seconds)

    @property
    def over(self) -> bool:
        """Whether a further submission would not be graded."""
        return bool(self.reason)

    @property
    def last_verdict(self) -> Verdict | None:
        """Verdict of the last submission that was graded."""
        return next((a.verdict for a in reversed(self.history) if a.verdict is not None), None)

    @property
    def best(self) -> Attempt | None:
        """The submission that counts, with its verdict; ``None`` if none was graded."""
        graded = [attempt for attempt in self.history if attempt.verdict is not None]
        return max(graded, key=_merit, default=None)

    def _reason_at(self, seconds: float) -> Reason:
        if self._ended:
            return self._ended
        if seconds > self.budget.seconds:
            return "seconds"
        return "tokens" if self.tokens > self.budget.tokens else ""

    def _record(
        self,
        answer: Feedback,
        seconds: float,
        submission: Submission | None = None,
        verdict: Verdict | None = None,
        repeat_of: int | None = None,
    ) -> Step:
        attempt = Attempt(submission, verdict, answer, seconds, self.tokens, repeat_of)
        self.history.append(attempt)
        return Step(
            feedback=answer,
            terminated=self._ended == "success",
            truncated=self._ended not in ("", "success"),
            counted=verdict is not None,
            reason=self._ended,
        )


def _merit(attempt: Attempt) -> tuple[bool, float, float]:
    verdict = attempt.verdict
    assert verdict is not None
    reward = verdict.details["reward"]
    return verdict.passed, verdict.score, -math.inf if reward is None else reward


def _ending(reason: Reason, budget: Budget) -> str:
    return {
        "": "",
        "success": "All criteria passed: the task is solved and the episode is over.",
        "submissions": f"The episode is over: all {budget.submissions} submissions are used.",
        "seconds": f"The episode is over: more than {budget.seconds:g} s have passed.",
        "tokens": f"The episode is over: more than {budget.tokens:g} tokens are used.",
    }[reason]
