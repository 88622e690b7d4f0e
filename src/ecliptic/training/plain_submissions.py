"""Submissions as they are, instead of vectors: for policies that write JSON."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from ecliptic.errors import SubmissionError
from ecliptic.rv import read_submission
from ecliptic.rv.submission import AGENT_LIMITS
from ecliptic.training.star_actions import decode_action, is_array
from ecliptic.training.star_spaces import Arrays, action_space


class SubmissionSpace(gymnasium.Space[Any]):
    """All submissions that can be graded: mappings or JSON text.

    ``sample`` draws a vector of the usual action space and gives the submission that it stands for
    at a star of one solar mass.
    """

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(None, None, seed)

    @property
    def is_np_flattenable(self) -> bool:
        """Always false: a submission has no fixed length."""
        return False

    def sample(self, mask: Any = None, probability: Any = None) -> dict[str, Any]:
        """A random submission; masks are not supported and must be ``None``."""
        if mask is not None or probability is not None:
            raise NotImplementedError("a space of submissions has no masks")
        space = action_space()
        space.seed(int(self.np_random.integers(2**31)))
        return decode_action(space.sample(), 1.0)

    def contains(self, x: Any) -> bool:
        """Whether an environment would grade it."""
        try:
            read_submission(x, AGENT_LIMITS)
        except SubmissionError:
            return False
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SubmissionSpace)

    def __hash__(self) -> int:
        return hash(SubmissionSpace)

    def __repr__(self) -> str:
        return "SubmissionSpace()"


class PlainSubmissions(
    gymnasium.ActionWrapper[Arrays, Any, Any], gymnasium.utils.RecordConstructorArgs
):
    """Takes ``{"planets": [...], "noise": {...}}``, or its JSON text, as an action.

    A malformed submission is no error: it costs no attempt, earns nothing, and the feedback names
    the faulty field.
    """

    def __init__(self, env: gymnasium.Env[Arrays, Any]) -> None:
        gymnasium.utils.RecordConstructorArgs.__init__(self)
        gymnasium.ActionWrapper.__init__(self, env)
        self.action_space = SubmissionSpace()

    def action(self, action: Any) -> Any:
        """The submission itself; a list or array, which would be read as a vector, as no object."""
        vector = isinstance(action, list | tuple) or is_array(action)
        return {"planets": action} if vector else action
