"""The reward for a submission: what it adds to the best one so far.

Every kind is a potential in which an episode's state is the best submission up to now. A step earns
the rise of that potential, so that

* an episode's undiscounted return is the potential of its best submission, in whatever order the
  submissions came;
* one that repeats an earlier one, is worse, is malformed or comes after the end earns 0.

The potential of an episode without a submission is 0. That of a submission:

``sparse``
    1 if it passes, 0 otherwise.
``shaped``
    1 if it passes; otherwise 0.9 times the mean of exp(-d) over true and submitted planets, paired
    one to one by the published distance d, where one without a partner counts as 0. Superfluous
    planets lower it, and zero-mass ones do not fill up a count.
``protocol``
    The published reward (:mod:`ecliptic.rv.scoring`) in excess of that of an empty submission, or 0
    where it is lower. It has no upper bound of its own.

``shaped`` and ``protocol`` tell of the truth, by more than feedback permits. That is the learner's
business as long as it trains; a policy that is *evaluated* must not be given them. ``sparse`` tells
no more than that the episode ended with success.
"""

from __future__ import annotations

import math
from typing import Literal, get_args

from ecliptic.arguments import one_of
from ecliptic.rv import RVTask, Submission
from ecliptic.rv.protocols import AnyProtocol
from ecliptic.rv.scoring import grade
from ecliptic.verdict import Verdict

RewardKind = Literal["sparse", "shaped", "protocol"]
REWARDS: tuple[RewardKind, ...] = get_args(RewardKind)
SHAPED_BELOW_PASS = 0.9


class Reward:
    """Hands out the rises of the potential, one episode at a time."""

    def __init__(self, kind: str) -> None:
        self.kind = one_of("reward", kind, REWARDS)
        self._best = 0.0
        self._empty = 0.0

    def begin(self, task: RVTask, protocol: AnyProtocol) -> None:
        """Start an episode."""
        self._best = self._empty = 0.0
        if self.kind == "protocol":
            self._empty = _published(grade(task, Submission(planets=()), protocol)) or 0.0

    def earned(self, verdict: Verdict | None) -> float:
        """The reward of a submission; ``None`` stands for one that was not graded."""
        if verdict is None:
            return 0.0
        rise = self.potential(verdict) - self._best
        self._best += max(rise, 0.0)
        return max(rise, 0.0)

    def potential(self, verdict: Verdict) -> float:
        """What the best submission of an episode is worth."""
        if self.kind == "protocol":
            published = _published(verdict)
            return 0.0 if published is None else max(published - self._empty, 0.0)
        if verdict.passed:
            return 1.0
        return 0.0 if self.kind == "sparse" else SHAPED_BELOW_PASS * closeness(verdict)


def closeness(verdict: Verdict) -> float:
    """Mean of exp(-d) over true and submitted planets, in [0, 1]; 0 for one without a partner."""
    details = verdict.details
    distances = [pair[2] for pair in details["pairs"]]
    true = len(distances) + len(details["unmatched_truth"])
    submitted = len(distances) + len(details["unmatched_guess"])
    if not submitted:  # nothing found is worth nothing, even where there is nothing
        return 0.0
    return math.fsum(math.exp(-distance) for distance in distances) / max(true, submitted)


def _published(verdict: Verdict) -> float | None:
    reward = verdict.details["reward"]
    return None if reward is None else float(reward)
