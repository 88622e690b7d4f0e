"""The Gymnasium environment of radial velocities."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ecliptic.arguments import one_of, whole_number
from ecliptic.errors import UsageError
from ecliptic.rv import Budget, Environment, Feedback, RVTask, budget_of
from ecliptic.rv.protocols import AnyProtocol, protocol_of
from ecliptic.suite import Suite
from ecliptic.training.curriculum import Curriculum
from ecliptic.training.pictures import fit_picture
from ecliptic.training.star_actions import is_array, submission_of
from ecliptic.training.star_rewards import Reward
from ecliptic.training.star_sources import stars_from
from ecliptic.training.star_spaces import (
    Arrays,
    action_space,
    attempt_arrays,
    observation_space,
    star_arrays,
)

RENDER_MODES = ("rgb_array", "ansi")
MALFORMED_PER_SUBMISSION = 4
OPTIONS = ("task", "tier")


class RadialVelocityEnv(gymnasium.Env[Arrays, Any]):
    """Find the planets of a star in a limited number of submissions.

    Wraps :class:`ecliptic.rv.Environment`, which grades and decides what is told.

    Parameters
    ----------
    tier
        Of the stars; ``None`` for any.
    source
        ``generator`` (a new star at each reset) or ``suite``.
    suite
        With ``source="suite"``: a shipped name, a path, or a suite; by default ``quick``.
    recipe, audited
        With ``source="generator"``: see :class:`~ecliptic.training.star_sources.GeneratedStars`.
    protocol
        How to grade; by default ``strict`` where the task declares its models, ``paper`` otherwise.
    feedback
        ``none``, ``statistical``, ``criteria``, or with protocol ``paper`` also ``paper``.
    reward
        ``shaped``, ``sparse`` or ``protocol`` (:mod:`ecliptic.training.star_rewards`).
    curriculum
        A :class:`Curriculum` or its arguments; ``tier`` is ignored then.
    submissions
        Instead of the number that belongs to the task's difficulty.
    seconds
        Wall-clock limit of an episode. There is none by default: an episode that depends on the
        clock cannot be reproduced.
    max_points
        Data that the observation space holds.

    Raises
    ------
    UsageError, SuiteError
        An argument that cannot be used.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (as its base class declares it)
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
    }

    def __init__(
        self,
        tier: str | None = None,
        *,
        source: str = "generator",
        suite: str | Suite | None = None,
        recipe: str = "ecliptic",
        audited: bool = False,
        protocol: str | AnyProtocol | None = None,
        feedback: str = "criteria",
        reward: str = "shaped",
        curriculum: Curriculum | Mapping[str, Any] | None = None,
        submissions: int | None = None,
        seconds: float = math.inf,
        max_points: int = 256,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = (
            None if render_mode is None else one_of("render_mode", render_mode, RENDER_MODES)
        )
        self.tier = tier
        self.stars = stars_from(source, suite, recipe, audited)
        self.curriculum = None if curriculum is None else Curriculum.of(curriculum)
        self._protocol = None if protocol is None else protocol_of(protocol)
        self._feedback = feedback
        self._reward = Reward(reward)
        if submissions is not None:
            submissions = whole_number("submissions", submissions, 1, 1_000_000)
        self._submissions = submissions
        self._seconds = seconds
        self._max_points = whole_number("max_points", max_points, 1, 100_000)
        self.observation_space = observation_space(self._max_points)
        self.action_space = action_space()
        self._episode: Environment | None = None
        self._data: Arrays = {}
        self._last: tuple[Feedback | None, object] = (None, None)
        self._told = ""
        self._malformed = 0
        self._ended: tuple[bool, bool, bool] | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Arrays, dict[str, Any]]:
        """Begin an episode on another star.

        With a ``seed``, this and all later episodes are reproduced bit for bit, the curriculum
        included. ``options``: ``tier`` for this episode, or ``task``: a task, or the id of one of
        the suite.
        """
        super().reset(seed=seed)
        if seed is not None and self.curriculum is not None:
            self.curriculum.restart()
        task = self._next(options or {})
        protocol = self._protocol or protocol_of(
            "strict" if task.observation.family is not None else "paper"
        )
        episode = Environment(task, protocol, self._feedback, self._budget(task))
        self._data = star_arrays(task.observation, self._max_points)
        episode.reset()
        self._reward.begin(task, protocol)
        self._episode, self._last, self._told = episode, (None, None), ""
        self._malformed, self._ended = 0, None
        info = self._info("begun", counted=False)
        info["instruments"] = task.observation.instrument_labels
        return self._observation(), info

    def step(self, action: Any) -> tuple[Arrays, float, bool, bool, dict[str, Any]]:
        """Hand in one submission: a vector of the action space, or a submission as it is.

        ``terminated``: solved, or that was the last submission. ``truncated``: time is up, or four
        times as many malformed submissions came as good ones are allowed. A step after the end
        grades nothing and earns 0.

        Raises
        ------
        UsageError
            The environment was not reset, or a vector has another shape.
        """
        episode = self._running()
        task = episode.task
        if self._ended is not None:
            terminated, truncated, solved = self._ended
            self._told = "This submission was not graded. The episode is over."
            info = self._info("over", counted=False) | {"is_success": solved}
            return self._observation(), 0.0, terminated, truncated, info
        submission = submission_of(action, task.observation.star_mass_sun)
        step = episode.step(submission)
        self._told = step.feedback.text
        verdict = episode.history[-1].verdict
        if step.counted:
            # A copy: the caller may write its next action into the same array.
            kept = np.array(action, np.float64) if is_array(action) else submission
            self._last = (step.feedback, kept)
        else:
            self._malformed += 1
        reward = self._reward.earned(verdict)
        terminated = step.reason in ("success", "submissions")
        too_often = self._malformed >= MALFORMED_PER_SUBMISSION * episode.budget.submissions
        truncated = not terminated and (step.truncated or too_often)
        info = self._info(step.feedback.status, counted=step.counted)
        if terminated or truncated:
            info["is_success"] = step.terminated
            if self.curriculum is not None:
                self.curriculum.record(task.tier, step.terminated)
            self._ended = (terminated, truncated, step.terminated)
        return self._observation(), reward, terminated, truncated, info

    def render(self) -> Any:
        """The data with the last graded submission: an image, or the feedback as text."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode: give one to gymnasium.make")
            return None
        episode = self._running()
        if self.render_mode == "ansi":
            n = len(episode.task.observation.times_days)
            return f"{episode.task.id}: {n} velocities\n{self._told or 'No submission yet.'}"
        return self._picture(episode)

    def _picture(self, episode: Environment) -> NDArray[np.uint8]:
        graded = [each.submission for each in episode.history if each.submission is not None]
        return fit_picture(episode.task.observation, graded[-1] if graded else None)

    def _next(self, options: Mapping[str, Any]) -> RVTask:
        for name in options:
            one_of("options", name, OPTIONS)
        given = options.get("task")
        if isinstance(given, RVTask):
            return given
        if given is not None:
            return self.stars.find(str(given))
        tier = options.get("tier")
        if tier is None:
            tier = self.tier if self.curriculum is None else self.curriculum.draw(self.np_random)
        return self.stars.draw(self.np_random, tier)

    def _budget(self, task: RVTask) -> Budget:
        submissions = self._submissions
        if submissions is None:
            submissions = budget_of(task.difficulty).submissions
        return Budget(tokens=math.inf, seconds=self._seconds, submissions=submissions)

    def _running(self) -> Environment:
        if self._episode is None:
            raise UsageError("call reset() before step() or render()")
        return self._episode

    def _observation(self) -> Arrays:
        episode = self._running()
        feedback, submission = self._last
        data = episode.task.observation
        fixed = {name: values.copy() for name, values in self._data.items()}
        told = attempt_arrays(
            feedback,
            submission,
            data.star_mass_sun,
            len(data.times_days),
            (episode.left, episode.budget.submissions),
        )
        return {**fixed, **told}

    def _info(self, status: str, *, counted: bool) -> dict[str, Any]:
        """Public facts only; whatever is here may reach an agent."""
        episode = self._running()
        return {
            "task": episode.task.id,
            "tier": episode.task.tier,
            "submissions_left": episode.left,
            "status": status,
            "counted": counted,
            "feedback": self._told,
        }
