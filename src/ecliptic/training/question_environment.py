"""The Gymnasium environment of heliophysics questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ecliptic.arguments import one_of, whole_number
from ecliptic.errors import UsageError
from ecliptic.grading import grade
from ecliptic.helio import Record
from ecliptic.model import short
from ecliptic.training.question_sources import question_text, questions_from

FEEDBACK = ("none", "outcome")
OPTIONS = ("record",)
TYPES = ("numeric", "symbolic", "textual", "structured")

# Blocks of Unicode: Latin, Greek, punctuation, sub- and superscripts, letter-like symbols, arrows,
# mathematical operators.
_BLOCKS = (
    (0x20, 0x7F),
    (0xA0, 0x180),
    (0x370, 0x400),
    (0x2010, 0x2028),
    (0x2030, 0x205F),
    (0x2070, 0x20A0),
    (0x2100, 0x2150),
    (0x2190, 0x2300),
    (0x27E8, 0x27EA),
)
CHARACTERS = frozenset("\n\t") | {chr(code) for low, high in _BLOCKS for code in range(low, high)}
"""What texts of the spaces are made of; of a question, any other character is shown as ``?``."""

View = dict[str, Any]


class HeliophysicsEnv(gymnasium.Env[View, Any]):
    """Answer a question; the deterministic grader decides (:func:`ecliptic.grading.grade`).

    The observation has ``question`` (text), ``type`` (0 to 3: numeric, symbolic, textual,
    structured) and ``attempts`` (left, in all). The action is a text; a whole reply will do, as the
    grader looks for the final answer in it. The reward is 1 for the first correct answer and 0 for
    all else, an undecided answer included.

    Parameters
    ----------
    records
        A file or a named set; by default questions are generated without end.
    families, forms
        Of generated questions (``families``), or of any (``forms``).
    attempts
        Answers that are taken.
    feedback
        ``outcome``: whether the answer was correct, incorrect or undecided; or ``none``.
    hints
        Whether the question says what form the answer should have.
    max_question, max_answer
        Characters that the spaces hold.

    Raises
    ------
    UsageError
        An argument that cannot be used.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  (as its base class declares it)
        "render_modes": ["ansi"],
        "render_fps": 1,
    }

    def __init__(
        self,
        *,
        records: str | None = None,
        families: Sequence[str] | None = None,
        forms: Sequence[str] | None = None,
        attempts: int = 1,
        feedback: str = "outcome",
        hints: bool = True,
        max_question: int = 8192,
        max_answer: int = 4096,
        render_mode: str | None = None,
    ) -> None:
        self.render_mode = (
            None if render_mode is None else one_of("render_mode", render_mode, ("ansi",))
        )
        self.questions = questions_from(records, families, forms)
        self.attempts = whole_number("attempts", attempts, 1, 1000)
        self._feedback = one_of("feedback", feedback, FEEDBACK)
        self._hints = hints
        self._longest = whole_number("max_question", max_question, 1, 1_000_000)
        text = spaces.Text(
            whole_number("max_answer", max_answer, 1, 1_000_000), min_length=0, charset=CHARACTERS
        )
        self.action_space = text
        view: spaces.Space[Any] = spaces.Dict(
            {
                "question": spaces.Text(self._longest, min_length=0, charset=CHARACTERS),
                "type": spaces.Discrete(len(TYPES)),
                "attempts": spaces.Box(0, 1000, (2,), np.int32),
            }
        )
        self.observation_space = view
        self._record: Record | None = None
        self._shown = self._told = ""
        self._left = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[View, dict[str, Any]]:
        """Ask another question; ``options`` may hold a ``record`` of one's own.

        Raises
        ------
        UsageError
            The question is longer than ``max_question``, or ``record`` is no record.
        """
        super().reset(seed=seed)
        for name in options or {}:
            one_of("options", name, OPTIONS)
        given = (options or {}).get("record")
        if given is not None and not isinstance(given, Record):
            raise UsageError(f"options: record must be a Record, not {short(given)}")
        self._record = self.questions.draw(self.np_random) if given is None else given
        text = question_text(self._record, self._hints)
        if len(text) > self._longest:
            raise UsageError(f"a question of {len(text)} characters; raise max_question")
        self._shown = "".join(each if each in CHARACTERS else "?" for each in text)
        self._told, self._left = "", self.attempts
        return self._view(), self._info("begun")

    def step(self, action: Any) -> tuple[View, float, bool, bool, dict[str, Any]]:
        """Grade an answer. ``terminated``: it was correct, or the last. Never ``truncated``."""
        if self._record is None:
            raise UsageError("call reset() before step()")
        if self._left == 0:
            return self._view(), 0.0, True, False, self._info("over")
        verdict = grade(self._record, action)
        self._left = 0 if verdict.passed else self._left - 1
        terminated = self._left == 0
        self._told = f"The answer is {verdict.outcome}." if self._feedback == "outcome" else ""
        info = self._info("graded")
        if terminated:
            info["is_success"] = verdict.passed
        return self._view(), float(verdict.passed), terminated, False, info

    def render(self) -> Any:
        """The question, and what was said of the last answer."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode: give one to gymnasium.make")
            return None
        return f"{self._shown}\n\n{self._told}".strip()

    def _view(self) -> View:
        assert self._record is not None
        return {
            "question": self._shown,
            "type": np.int64(TYPES.index(self._record.type)),
            "attempts": np.array([self._left, self.attempts], dtype=np.int32),
        }

    def _info(self, status: str) -> dict[str, Any]:
        """Public facts only; whatever is here may reach an agent."""
        return {"status": status, "attempts_left": self._left, "feedback": self._told}
