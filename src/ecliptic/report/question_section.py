"""What the page of an attempt on a question shows: question, answer, gold, the grader's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ecliptic.report.criterion_meanings import meanings_of
from ecliptic.report.star_section import criteria_table

if TYPE_CHECKING:
    from ecliptic.analysis.failures import Details
    from ecliptic.verdict import Verdict


def question_section(details: Details) -> dict[str, Any]:
    """Texts of the question and of the answer, and the verdict explained."""
    record: Any = details.task
    verdict = details.verdict or {}
    figures = verdict.get("details") or {}
    found = figures.get("extracted") or {}
    final = "" if record is None else record.final
    return {
        "missing": details.missing,
        "preamble": [] if record is None else list(record.preamble),
        "question": "" if record is None else record.question,
        "hint": "" if record is None else record.hint,
        "steps": [] if record is None else list(record.step),
        "gold": str(figures.get("gold") or final),
        "reply": details.reply,
        "extracted": str(found.get("text") or ""),
        "how": str(found.get("how") or ""),
        "explanation": _explanation(verdict),
        "criteria": _criteria(verdict),
        "criterion_meanings": meanings_of(verdict.get("criteria") or {}),
    }


def _criteria(verdict: Mapping[str, Any]) -> Any:
    criteria = verdict.get("criteria") or {}
    if not criteria:
        return None
    return criteria_table(
        {
            name: (each.get("value"), each.get("comparison", ">="), each.get("threshold"),
                   bool(each.get("passed")))
            for name, each in criteria.items()
        }
    )  # fmt: skip


def _explanation(verdict: Mapping[str, Any]) -> str:
    """The grader's page, from the verdict that the log holds; empty where the log holds none."""
    from ecliptic.grading.explanation import explain

    if not verdict:
        return ""
    try:
        return explain(_verdict(verdict))
    except (KeyError, TypeError, AttributeError):  # of another version of the grader
        diagnosis = verdict.get("diagnosis") or {}
        return f"{verdict.get('outcome', '')} {diagnosis.get('message', '')}".strip()


def _verdict(data: Mapping[str, Any]) -> Verdict:
    from ecliptic.verdict import Criterion, Diagnosis, Verdict

    told = data["diagnosis"]
    return Verdict(
        outcome=data["outcome"],
        score=data["score"],
        criteria={name: Criterion(**each) for name, each in data["criteria"].items()},
        diagnosis=told and Diagnosis(told["code"], told["message"], told["evidence"]),
        details=data["details"],
        protocol=data.get("protocol", ""),
    )
