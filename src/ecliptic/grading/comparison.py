"""What a check of one answer against one gold answer finds, whatever the type of the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from ecliptic.grading.diagnose import GradingDiagnosis

Sameness = Literal["same", "different", "undecided"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of one check.

    Attributes
    ----------
    outcome
        ``undecided`` when the check could not tell; never a guess.
    code
        Why not the same; ``None`` exactly when ``outcome`` is ``same``.
    message
        One sentence for a scientist: what was compared and what is wrong with it.
    evidence
        Figures behind the code, ready for JSON (such as ``{"factor": "2"}``).
    method
        How it was decided, such as ``canonical form`` or ``8 points``.
    rules
        Names of the contested rules that decided, so that a reader can see which convention
        would have changed the outcome.
    """

    outcome: Sameness
    code: GradingDiagnosis | None = None
    message: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    method: str = ""
    rules: tuple[str, ...] = ()

    def decided_by(self, *rules: str) -> Comparison:
        """The same result, with the names of contested rules that decided added."""
        if not rules:
            return self
        return replace(self, rules=tuple(dict.fromkeys((*self.rules, *rules))))


def same(
    message: str = "", *, method: str = "", rules: tuple[str, ...] = (), **evidence: Any
) -> Comparison:
    """The answer says what the gold says."""
    return Comparison("same", None, message, evidence, method, rules)


def different(
    code: GradingDiagnosis,
    message: str,
    *,
    method: str = "",
    rules: tuple[str, ...] = (),
    **evidence: Any,
) -> Comparison:
    """The answer says something else; ``code`` and ``evidence`` say what is wrong."""
    return Comparison("different", code, message, evidence, method, rules)


def undecided(
    code: GradingDiagnosis,
    message: str,
    *,
    method: str = "",
    rules: tuple[str, ...] = (),
    **evidence: Any,
) -> Comparison:
    """The check cannot tell; ``code`` says what stands in its way."""
    return Comparison("undecided", code, message, evidence, method, rules)
