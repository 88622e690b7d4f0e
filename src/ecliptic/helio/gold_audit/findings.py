"""What the audit of a record finds: a sentence that its author can act on, with the evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

Severity = Literal["error", "warning", "note"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")


class Check(StrEnum):
    """The closed vocabulary of checks."""

    PARSE = "parse"
    """The final is read by its type."""
    TYPE = "type"
    """The type says what the final is."""
    UNIT = "unit"
    """The final stands in the unit that is asked for, or that its steps carry."""
    VALUE = "value"
    """The value is possible for what it measures."""
    DIMENSIONS = "dimensions"
    """Both sides of a formula, and what is added in it, have one dimension."""
    LAST_STEP = "last_step"
    """The final is what the steps end in."""
    OWN_EQUATION = "own_equation"
    """The final satisfies the equations of its own question and steps."""
    RECOMPUTED = "recomputed"
    """The formula of the steps gives the final at the values of the question."""
    GIVEN = "given"
    """Preamble, question and steps give a symbol one value."""
    FORM = "form"
    """The final has the form that its hint asks for."""
    SYMBOLS = "symbols"
    """The symbols of the final are defined, and those that were asked for."""
    PARTS = "parts"
    """The parts of a problem are complete and tell each other's answers alike."""
    DUPLICATE = "duplicate"
    """No two records ask one thing."""
    TEXT = "text"
    """Nothing is empty, cut short or eaten by escape sequences."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault of one record.

    Attributes
    ----------
    severity
        ``error``: the record is wrong or contradicts itself; ``warning``: it very likely is, or a
        grader may stumble over it; ``note``: worth a look.
    message
        One plain sentence.
    fix
        What would mend it.
    evidence
        Figures and texts behind the message, ready for JSON.
    """

    record_id: str
    check: Check
    severity: Severity
    message: str
    fix: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """All fields, ready for JSON."""
        return {
            "id": self.record_id,
            "check": str(self.check),
            "severity": self.severity,
            "message": self.message,
            "fix": self.fix,
            "evidence": dict(self.evidence),
        }


def count_findings(findings: tuple[Finding, ...]) -> dict[Check, dict[Severity, int]]:
    """How many there are by check and severity; checks without findings have zeros."""
    counted = Counter((finding.check, finding.severity) for finding in findings)
    return {check: {level: counted[check, level] for level in SEVERITIES} for check in Check}
