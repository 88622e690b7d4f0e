"""One answer against one gold answer: extract, check by type, verify."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ecliptic.grading.chat_models import ChatModel
from ecliptic.grading.check import check
from ecliptic.grading.claim_drafts import Draft
from ecliptic.grading.claims_with_values import claim_differs
from ecliptic.grading.cleaning import with_short_gaps
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.conclusions import conclusion, draws_a_conclusion
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.extraction import Extraction, extract
from ecliptic.grading.formats import check_formats
from ecliptic.grading.formulas_in_words import paired_definitions
from ecliptic.grading.handed_in import Unreadable, raw, readable
from ecliptic.grading.hedges import hedged_in_brackets
from ecliptic.grading.labels_in_words import given_to_another, paired_otherwise, paired_rightly
from ecliptic.grading.numeric_prose import without_words_of_symbols
from ecliptic.grading.operator_words import changed_by_words
from ecliptic.grading.positive_roots import squares_stated
from ecliptic.grading.problem import GradedRecord, Problem, read_problem
from ecliptic.grading.reading import symbols_of
from ecliptic.grading.rules import Rules
from ecliptic.grading.value_labels import function_of_the_value
from ecliptic.grading.value_words import contradicted_beside
from ecliptic.grading.verdicts import make_verdict
from ecliptic.grading.verifier import Verification, Verifier
from ecliptic.grading.work_budget import WorkLimitError
from ecliptic.grading.worker import allowance
from ecliptic.verdict import Verdict

_UNPAIRED = frozenset({
    *(GradingDiagnosis.SWAPPED, GradingDiagnosis.INCOMPLETE, GradingDiagnosis.MAGNITUDE),
    *(GradingDiagnosis.PARSE, GradingDiagnosis.FACTOR, GradingDiagnosis.UNDECIDED),
})  # fmt: skip
"""What is told of several values that are compared in the order in which they stand."""


# Values of formulas run over and are undefined at some points; the checks look at what comes out.
@np.errstate(all="ignore")
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
    judgement is kept apart in ``details["verifier"]``. The claims of a textual gold that names none
    are drafted by its parser (:mod:`ecliptic.grading.claim_drafts`) and tried by the deterministic
    check before the judge is asked; they stand in ``details["drafted_claims"]``.

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
    problem = read_problem(record, gold, type, hint, rules)
    answer = readable(answer)
    if isinstance(answer, Unreadable):
        extraction = Extraction("", answer.reason)
        code = GradingDiagnosis.RESOURCE_LIMIT if answer.oversized else GradingDiagnosis.PARSE
        comparison = undecided(code, answer.reason, method="extraction")
        return make_verdict(problem, extraction, comparison, ())
    extraction = extract(
        answer,
        kind=problem.kind,
        question=problem.question,
        hint=problem.hint,
        rules=problem.rules,
    )
    comparison = _safely(problem, extraction)
    if problem.kind == "symbolic" and comparison.outcome == "same" and isinstance(answer, str):
        comparison = _in_told_units(problem.gold, answer) or comparison
    whole = answer if isinstance(answer, str) else ""
    if problem.kind == "symbolic" and comparison.code == GradingDiagnosis.INCOMPLETE:
        comparison = _square_stated(problem, whole) or comparison
    named = None
    if problem.kind == "numeric" and (comparison.outcome == "same" or comparison.code in _UNPAIRED):
        named = paired_rightly(problem.gold, whole, problem.rules)
        comparison = named or comparison
        if comparison.outcome == "undecided" and extraction.text:
            sides = (problem.gold, whole, extraction.text, problem.rules)
            comparison = paired_otherwise(*sides) or comparison
    if named is None and comparison.outcome == "same" and problem.kind in {"numeric", "symbolic"}:
        comparison = (
            contradicted_beside(problem.gold, whole, extraction.text)
            or changed_by_words(
                problem.kind, problem.gold, whole, extraction.text, problem.question
            )
            or hedged_in_brackets(whole)
            or _given_to_others(problem, whole, extraction.text)
            or comparison
        )
    if comparison.outcome != "same" and _is_gold_itself(problem.gold, answer):
        fault = {"data_error": f"only its own text equals this gold: {comparison.message}"}
        comparison = Comparison("same", None, "the same text", fault, "same text")
    formats = check_formats(problem.hint, raw(answer), extraction.text)
    verification: Verification | None = None
    draft: Draft | None = None
    if verifier is not None and comparison.outcome == "undecided" and extraction.text:
        agent = verifier if isinstance(verifier, Verifier) else Verifier(verifier)
        if problem.kind == "textual" and not problem.meta.get("claims"):
            draft = agent.draft(problem.gold)
            comparison, draft = _with_claims(problem, extraction, comparison, draft)
        if comparison.outcome == "undecided":
            verification = _verified(agent, problem, extraction, draft)
    return make_verdict(problem, extraction, comparison, formats, verification, draft)


def _given_to_others(problem: Problem, answer: str, taken: str) -> Comparison | None:
    if problem.kind != "numeric":
        return None
    sides = (problem.gold, answer, taken, problem.rules)
    return (
        paired_otherwise(*sides)
        or given_to_another(*sides)
        or claim_differs(problem.gold, answer, taken)
    )


def _square_stated(problem: Problem, answer: str) -> Comparison | None:
    """The gold's square itself, which the answer states in front of its positive root."""
    for formula in squares_stated(problem.gold, answer):
        result = check("symbolic", problem.gold, formula, problem.rules)
        if result.outcome == "same":
            return result
    return None


def _in_told_units(gold: str, answer: str) -> Comparison | None:
    """A fault where the words give a symbol of the right formula another unit."""
    if " in " not in gold or " in " not in answer:
        return None
    from ecliptic.grading.told_units import differing_unit

    name = differing_unit(gold, answer)
    if not name:
        return None
    message = f"the words give another unit to {name}"
    return different(GradingDiagnosis.UNIT_PREFIX, message, method="units in words")


def _is_gold_itself(gold: str, answer: object) -> bool:
    return isinstance(answer, str) and with_short_gaps(answer).strip() == gold.strip()


def _with_claims(
    problem: Problem, extraction: Extraction, comparison: Comparison, draft: Draft
) -> tuple[Comparison, Draft]:
    """The deterministic check once more, claim by claim, where the draft can be trusted."""
    if not draft.cuts(problem.gold):
        return comparison, draft
    meta = {**problem.meta, "claims": draft.claims}
    again = _safely(replace(problem, meta=meta), extraction)
    if again.outcome == "undecided":
        return comparison, draft
    return again, replace(draft, decided=True)


def _verified(
    agent: Verifier, problem: Problem, extraction: Extraction, draft: Draft | None
) -> Verification:
    found = agent.verify(
        problem.kind,
        problem.gold,
        extraction.text,
        question=problem.question,
        tolerance=problem.rules.relative_tolerance,
    )
    if draft is None:
        return found
    return replace(
        found,
        calls=found.calls + draft.calls,
        unreadable=found.unreadable + draft.unreadable,
    )


def _safely(problem: Problem, extraction: Extraction) -> Comparison:
    """The check; what the interpreter itself refuses is a resource limit, never an exception."""
    try:
        with allowance():
            return _decide(problem, extraction)
    except (WorkLimitError, RecursionError, MemoryError, OverflowError) as error:
        return undecided(
            GradingDiagnosis.RESOURCE_LIMIT,
            "the answer is too large to be compared",
            method=str(error)[:80],
        )


def _decide(problem: Problem, extraction: Extraction) -> Comparison:
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
    if extraction.doubt:
        return undecided(GradingDiagnosis.UNDECIDED, extraction.doubt, method="extraction")
    if len(extraction.alternatives) > 1:
        return _several(problem, extraction)
    result = _readings(problem, extraction.readings or (extraction.text,), extraction.data)
    if problem.kind == "numeric" and result.outcome == "same":
        result = function_of_the_value(problem.gold, extraction.text) or result
    if problem.kind == "symbolic" and result.outcome == "different":
        result = _with_grouped_product(problem, extraction) or result
    if problem.kind == "symbolic" and result.outcome == "different" and extraction.defined:
        whole = _readings(problem, (extraction.defined,))
        if whole.outcome == "same":
            result = whole
    if problem.kind == "symbolic" and result.outcome != "same" and extraction.unremarked:
        whole = _readings(problem, extraction.unremarked)
        if whole.outcome == "same":
            result = whole
    if result.code == GradingDiagnosis.INCOMPLETE and extraction.together:
        whole = _readings(problem, (extraction.together,))
        symbols = without_words_of_symbols(extraction.together)
        if whole.outcome == "same" and symbols != extraction.together:
            named = _readings(problem, (symbols,))
            whole = named if named.code == GradingDiagnosis.SWAPPED else whole
        if whole.outcome == "same":
            result = whole
    if problem.kind == "symbolic" and result.outcome == "same" and extraction.defined:
        result = _definitions_differ(problem, extraction) or result
    return result.decided_by(*extraction.rules)


def _definitions_differ(problem: Problem, extraction: Extraction) -> Comparison | None:
    """The right statement about another quantity: ``x > x_c`` with another definition of x_c."""
    for wanted, given in paired_definitions(problem.gold, extraction.defined):
        result = check("symbolic", wanted, given, problem.rules)
        if result.outcome == "different" and symbols_of(wanted) == symbols_of(given):
            return result
    return None


def _readings(problem: Problem, readings: tuple[str, ...], data: Any = None) -> Comparison:
    """The first reading that can be understood decides."""
    first: Comparison | None = None
    if problem.kind == "symbolic" and not draws_a_conclusion(problem.gold):
        readings = tuple(map(conclusion, readings))
    for reading in readings:
        result = check(
            problem.kind, problem.gold, reading, problem.rules, meta=problem.meta, data=data
        )
        if result.code not in {GradingDiagnosis.PARSE, GradingDiagnosis.NO_ANSWER}:
            return result
        first = first or result
    assert first is not None  # there is always one reading
    return first


_SLASH = re.compile(r"(?:[A-Za-z}]|\^\{?\w\}?)\s*/\s*\d+\s*\\?[A-Za-zΑ-ωµ]")
"""``B^2/2\\mu_0``, where an author means ``B^2/(2\\mu_0)``; not ``1/2 m``."""


def _with_grouped_product(problem: Problem, extraction: Extraction) -> Comparison | None:
    """Equality with the other reading of ``a/2b``, where one of both sides is written so."""
    if problem.rules.slash_groups_product:
        return None
    if bool(_SLASH.search(problem.gold)) == bool(_SLASH.search(extraction.text)):
        return None
    rules = problem.rules.updated({"slash_groups_product": True})
    result = _readings(replace(problem, rules=rules), extraction.readings)
    return result.decided_by("slash_groups_product") if result.outcome == "same" else None


def _several(problem: Problem, extraction: Extraction) -> Comparison:
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
    if "different" not in outcomes:
        return next(result for result in reversed(results) if result.outcome == "undecided")
    return different(
        GradingDiagnosis.SEVERAL_ANSWERS,
        f"{len(results)} different final answers are given",
        method="several answers",
        rules=("last_box_counts",),
        answers=[text[:200] for text in extraction.alternatives],
        outcomes=[result.outcome for result in results],
    )
