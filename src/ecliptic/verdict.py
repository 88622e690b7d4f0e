"""What every grader returns: criteria with their values and thresholds, and a diagnosis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Literal

Outcome = Literal["correct", "incorrect", "undecided"]
Comparison = Literal[">", ">=", "<", "<=", "=="]


@dataclass(frozen=True, slots=True)
class Criterion:
    """One condition of a protocol: passed when ``value comparison threshold`` holds.

    ``value`` is ``None`` where the figure is not a finite number (an answer so extreme that it
    overflows); such a criterion is never passed.
    """

    value: float | None
    threshold: float
    passed: bool
    comparison: Comparison = ">="


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why an answer failed: a code from the grader's closed vocabulary, and the evidence for it.

    Each grader declares its vocabulary as a :class:`~enum.StrEnum`. A diagnosis may name the
    truth, so it must never reach an agent.
    """

    code: StrEnum
    message: str
    evidence: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """A grade that explains itself.

    Attributes
    ----------
    outcome
        ``correct``, ``incorrect`` or ``undecided`` (counts as not passed).
    score
        In [0, 1]; 1 exactly when the answer is correct.
    criteria
        By name, every condition that was checked.
    diagnosis
        ``None`` when correct, otherwise the main reason of the failure.
    details
        All further figures of the grader, ready for JSON (``None``: not a finite number).
    protocol
        The rules that were applied, with every threshold that differs from their default.
    """

    outcome: Outcome
    score: float
    criteria: Mapping[str, Criterion]
    diagnosis: Diagnosis | None
    details: Mapping[str, Any]
    protocol: str = ""

    @property
    def passed(self) -> bool:
        """Whether the outcome is ``correct``."""
        return self.outcome == "correct"

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries, lists and numbers, in the shape of the results' JSON lines."""
        return {
            "outcome": self.outcome,
            "passed": self.passed,
            "score": self.score,
            "protocol": self.protocol,
            "criteria": {name: asdict(criterion) for name, criterion in self.criteria.items()},
            "diagnosis": None
            if self.diagnosis is None
            else {
                "code": str(self.diagnosis.code),
                "message": self.diagnosis.message,
                "evidence": dict(self.diagnosis.evidence),
            },
            "details": dict(self.details),
        }
