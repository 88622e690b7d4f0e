"""The verdict of one grade, with all that a reader needs to follow it."""

from __future__ import annotations

from typing import Any

from ecliptic.grading.claim_drafts import Draft
from ecliptic.grading.comparison import Comparison
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.extraction import Extraction
from ecliptic.grading.formats import FormatCheck
from ecliptic.grading.problem import Problem
from ecliptic.grading.reading import read_as
from ecliptic.grading.verifier import Verification
from ecliptic.verdict import Criterion, Diagnosis, Outcome, Verdict

PROTOCOL = "answer"
SHOWN = 2_000
"""Characters of an answer that a verdict repeats."""


def make_verdict(
    problem: Problem,
    extraction: Extraction,
    comparison: Comparison,
    formats: tuple[FormatCheck, ...],
    verification: Verification | None = None,
    draft: Draft | None = None,
) -> Verdict:
    """Outcome, criteria, diagnosis and details; the verifier's judgement is kept apart.

    ``draft`` holds the claims that the verifier's parser drafted, if any were asked for.
    """
    outcome: Outcome = {"same": "correct", "different": "incorrect"}.get(  # type: ignore[assignment]
        comparison.outcome, "undecided"
    )
    code, message, evidence = comparison.code, comparison.message, dict(comparison.evidence)
    if verification is not None and verification.equivalent is not None:
        outcome = "correct" if verification.equivalent else "incorrect"
        if not verification.equivalent:
            code = GradingDiagnosis.NOT_EQUIVALENT
            message, evidence = f"the verifier says: {verification.reason}", {}
    right = outcome == "correct"
    criteria = {"answer": Criterion(float(right), 1.0, right)}
    if formats:
        kept = sum(check.passed for check in formats) / len(formats)
        criteria["format"] = Criterion(kept, 1.0, kept == 1.0)
    failed = [check for check in formats if check.strict and not check.passed]
    used = list(comparison.rules)
    if right and failed and problem.rules.require_format:
        outcome, code = "incorrect", GradingDiagnosis.FORMAT
        message = f"the answer is right, but its form is not: {failed[0].name}"
        evidence = {"demand": failed[0].name}
        used.append("require_format")
    diagnosis = (
        None
        if outcome == "correct"
        else Diagnosis(code or GradingDiagnosis.UNDECIDED, message, evidence)
    )
    overridden = problem.rules.overridden()
    taken = "" if extraction.doubt else extraction.text  # prose in doubt is no formula
    details: dict[str, Any] = {
        "type": problem.kind,
        "type_inferred": problem.inferred,
        "gold": problem.gold[:SHOWN],
        "extracted": {
            "text": extraction.text[:SHOWN],
            "how": extraction.how,
            "notes": list(extraction.notes),
            "alternatives": [text[:SHOWN] for text in extraction.alternatives],
        },
        "parsed": read_as(problem.kind, problem.gold, taken, problem.rules),
        "comparison": {
            "outcome": comparison.outcome,
            "method": comparison.method,
            "message": comparison.message,
        },
        "decided_by": _decided_by(verification, draft),
        "deciding_rules": used,
        "rules": overridden,
    }
    if formats:
        details["formats"] = [
            {"demand": item.name, "passed": item.passed, "strict": item.strict} for item in formats
        ]
    if comparison.code == GradingDiagnosis.UNREADABLE_GOLD:
        details["data_error"] = comparison.message
    elif "data_error" in comparison.evidence:
        details["data_error"] = comparison.evidence["data_error"]
    if draft is not None:
        details["drafted_claims"] = draft.to_dict()
    if verification is not None:
        details["verifier"] = verification.to_dict()
    changed = ", ".join(f"{name}={value}" for name, value in overridden.items())
    return Verdict(
        outcome,
        1.0 if outcome == "correct" else 0.0,
        criteria,
        diagnosis,
        details,
        f"{PROTOCOL}({changed})" if changed else PROTOCOL,
    )


def _decided_by(verification: Verification | None, draft: Draft | None) -> str:
    if verification is not None:
        return "verifier"
    return "drafted claims" if draft is not None and draft.decided else "rules"
