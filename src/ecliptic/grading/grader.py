"""One answer against one gold answer: extract, check by type, verify."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from ecliptic.errors import UsageError
from ecliptic.grading.check import TYPES, check
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.extraction import Extraction, extract
from ecliptic.grading.formats import FormatCheck, check_formats
from ecliptic.grading.reading import infer_type, read_as
from ecliptic.grading.rules import DEFAULT_RULES, Rules
from ecliptic.grading.verifier import ChatModel, Verification, Verifier
from ecliptic.grading.worker import allowance
from ecliptic.model import short
from ecliptic.verdict import Criterion, Diagnosis, Outcome, Verdict

PROTOCOL = "answer"
MAX_OBJECT_CHARACTERS = 1_000_000
"""A longer object is taken as the text of its JSON."""
SHOWN = 2_000
"""Characters of an answer that a verdict repeats."""


class GradedRecord(Protocol):
    """What the grader needs of a question record (see ``ecliptic.helio.records``)."""

    @property
    def final(self) -> str:
        """The gold answer."""
        ...

    @property
    def type(self) -> str:
        """The type of answer."""
        ...

    @property
    def question(self) -> str:
        """The question, to know an echo of it."""
        ...

    @property
    def hint(self) -> str:
        """The form that is asked for."""
        ...

    @property
    def meta(self) -> Mapping[str, Any]:
        """Options: ``rules``, ``claims``, ``schema``."""
        ...


@dataclass(frozen=True, slots=True)
class _Problem:
    """What one grade is about."""

    gold: str
    kind: str
    inferred: bool
    question: str
    hint: str
    meta: Mapping[str, Any]
    rules: Rules


def grade(
    record: GradedRecord | Mapping[str, Any] | None = None,
    answer: object = None,
    *,
    gold: object = None,
    type: str | None = None,  # noqa: A002  the name of the record's field
    hint: str = "",
    rules: Rules | Mapping[str, Any] | None = None,
    verifier: Verifier | ChatModel | None = None,
) -> Verdict:
    """Grade ``answer`` against a record, or against ``gold``.

    The answer may be a model's whole reply; its final answer is looked for (see
    :mod:`ecliptic.grading.extraction`). Without a ``verifier`` the verdict is a pure function of
    its arguments. With one, only answers that the checks leave undecided are given to it, and its
    judgement is kept apart in ``details["verifier"]``.

    Parameters
    ----------
    record
        A record with ``final``, ``type``, ``hint``, ``question`` and ``meta``. ``gold``, ``type``,
        ``hint`` and ``rules`` override it.
    type
        numeric, symbolic, textual or structured; inferred from the gold when not given.
    rules
        Conventions, or those that differ from the default; ``meta["rules"]`` of the record is
        applied on top.

    Raises
    ------
    UsageError
        There is no gold answer, or a rule or type is not known. Nothing that an answer holds
        raises.
    """
    problem = _problem(record, gold, type, hint, rules)
    answer = _readable(answer)
    extraction = extract(
        answer,
        kind=problem.kind,
        question=problem.question,
        hint=problem.hint,
        rules=problem.rules,
    )
    comparison = _safely(problem, extraction)
    if comparison.outcome != "same" and _is_gold_itself(problem.gold, answer):
        fault = {"data_error": f"only its own text equals this gold: {comparison.message}"}
        comparison = Comparison("same", None, "the same text", fault, "same text")
    formats = check_formats(problem.hint, _raw(answer), extraction.text)
    verification: Verification | None = None
    if verifier is not None and comparison.outcome == "undecided" and extraction.text:
        agent = verifier if isinstance(verifier, Verifier) else Verifier(verifier)
        verification = agent.verify(
            problem.kind,
            problem.gold,
            extraction.text,
            question=problem.question,
            tolerance=problem.rules.relative_tolerance,
        )
    return _verdict(problem, extraction, comparison, formats, verification)


def _is_gold_itself(gold: str, answer: object) -> bool:
    return isinstance(answer, str) and answer.strip() == gold.strip()


def _problem(
    record: GradedRecord | Mapping[str, Any] | None,
    gold: object,
    kind: str | None,
    hint: str,
    rules: Rules | Mapping[str, Any] | None,
) -> _Problem:
    def field(name: str) -> Any:
        if isinstance(record, Mapping):
            return record.get(name)
        return getattr(record, name, None)

    gold = field("final") if gold is None else gold
    if gold is None:
        raise UsageError("no gold answer: give a record with 'final', or gold=...")
    text = gold if isinstance(gold, str) else json.dumps(gold, default=str)
    if not text.strip():
        raise UsageError("the gold answer is empty")
    meta = field("meta")
    meta = meta if isinstance(meta, Mapping) else {}
    chosen = rules if isinstance(rules, Rules) else DEFAULT_RULES.updated(rules or {})
    extra = meta.get("rules")
    if extra is not None and not isinstance(extra, Mapping):
        raise UsageError("the record's meta['rules'] must be an object with named rules")
    chosen = chosen.updated(extra or {})
    named = kind or field("type")
    named = {"text": "textual", "json": "structured"}.get(named, named)
    if named is not None and named not in TYPES:
        raise UsageError(f"no answer type {short(named)}; known: {', '.join(TYPES)}")
    return _Problem(
        text,
        named or infer_type(text),
        named is None,
        str(field("question") or ""),
        hint or str(field("hint") or ""),
        meta,
        chosen,
    )


def _readable(answer: object) -> object:
    """Text as it is; any other object as plain JSON data, or as nothing where JSON cannot hold it.

    An object of an agent's own making may raise anything while it is read.
    """
    if answer is None or isinstance(answer, str | bytes):
        return answer
    try:
        text = json.dumps(answer, default=_simpler)
        return json.loads(text) if len(text) <= MAX_OBJECT_CHARACTERS else text
    except Exception:  # noqa: BLE001  (told as "no answer": nothing of it can be read)
        return None


def _simpler(value: object) -> object:
    if hasattr(value, "tolist"):  # numbers and arrays of numpy
        return value.tolist()
    return str(value)


def _raw(answer: object) -> str:
    if isinstance(answer, str):
        return answer
    if isinstance(answer, bytes):
        return answer.decode("utf-8", errors="replace")
    return json.dumps(answer, default=str)


def _safely(problem: _Problem, extraction: Extraction) -> Comparison:
    """The check; what the interpreter itself refuses is a resource limit, never an exception."""
    try:
        with allowance():
            return _decide(problem, extraction)
    except (RecursionError, MemoryError, OverflowError) as error:
        return undecided(
            GradingDiagnosis.RESOURCE_LIMIT,
            "the answer is too large to be compared",
            method=str(error)[:80],
        )


def _decide(problem: _Problem, extraction: Extraction) -> Comparison:
    if extraction.oversized:
        return undecided(
            GradingDiagnosis.RESOURCE_LIMIT,
            "the answer is too long, and no final answer is marked in it",
            method="extraction",
        )
    if not extraction.text.strip():
        return different(
            GradingDiagnosis.NO_ANSWER, f"no answer: {extraction.how}", method="extraction"
        )
    if len(extraction.alternatives) > 1:
        return _several(problem, extraction)
    result = _readings(problem, extraction.readings or (extraction.text,), extraction.data)
    if result.code == GradingDiagnosis.INCOMPLETE and extraction.together:
        whole = _readings(problem, (extraction.together,))
        if whole.outcome == "same":
            result = whole
    return result.decided_by(*extraction.rules)


def _readings(problem: _Problem, readings: tuple[str, ...], data: Any = None) -> Comparison:
    """The first reading that can be understood decides."""
    first: Comparison | None = None
    for reading in readings:
        result = check(
            problem.kind, problem.gold, reading, problem.rules, meta=problem.meta, data=data
        )
        if result.code not in {GradingDiagnosis.PARSE, GradingDiagnosis.NO_ANSWER}:
            return result
        first = first or result
    assert first is not None  # there is always one reading
    return first


def _several(problem: _Problem, extraction: Extraction) -> Comparison:
    """Several marked answers: together they may be the parts of one, else all must agree."""
    together = _readings(problem, (", ".join(extraction.alternatives),))
    if together.outcome == "same":
        return together
    results = [
        _readings(
            problem,
            extract(text, kind=problem.kind, rules=problem.rules).readings or (text,),
        )
        for text in extraction.alternatives
    ]
    outcomes = {result.outcome for result in results}
    if outcomes == {"same"}:
        return same("all marked answers agree", method=results[-1].method)
    if outcomes == {"undecided"}:
        return results[-1]
    return different(
        GradingDiagnosis.SEVERAL_ANSWERS,
        f"{len(results)} different final answers are given",
        method="several answers",
        rules=("last_box_counts",),
        answers=[text[:200] for text in extraction.alternatives],
        outcomes=[result.outcome for result in results],
    )


def _verdict(
    problem: _Problem,
    extraction: Extraction,
    comparison: Comparison,
    formats: tuple[FormatCheck, ...],
    verification: Verification | None,
) -> Verdict:
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
        "parsed": read_as(problem.kind, problem.gold, extraction.text, problem.rules),
        "comparison": {
            "outcome": comparison.outcome,
            "method": comparison.method,
            "message": comparison.message,
        },
        "decided_by": "rules" if verification is None else "verifier",
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
