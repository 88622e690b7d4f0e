"""Textual answers: claims with their direction and negation, options, and roles.

The check is deterministic and knows a closed vocabulary. It accepts what says the same word for
word or in a turn of phrase that is known (:mod:`ecliptic.grading.paraphrase`), refuses what
contradicts, and leaves a paraphrase that it cannot follow undecided.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ecliptic.grading.claims import Claim, is_compound, read_claim, read_roles
from ecliptic.grading.clause_words import clause_words
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.polarity import compare_option, compare_polarity
from ecliptic.grading.rules import Rules
from ecliptic.grading.saying import PAIR, doubt_about, says, sentences_of, without_contrast
from ecliptic.grading.told_changes import Told
from ecliptic.grading.wording import plain_words, side
from ecliptic.grading.work_budget import spend

MAX_TEXT = 20_000
ROLES = "roles of a comparison"
_HEDGE = re.compile(r"\b(?:or|either|maybe|perhaps|possibly)\b", re.I)


def compare_textual(
    gold: str, answer: str, rules: Rules, claims: Sequence[Any] | None = None
) -> Comparison:
    """Whether ``answer`` makes the claims of ``gold``.

    ``claims`` (from the record) replace those that are read from the gold's sentences: each a
    sentence, or a mapping with ``text``.
    """
    del rules  # no convention of a textual answer is contested yet
    gold, answer = gold.strip()[:MAX_TEXT], answer.strip()[:MAX_TEXT]
    if not claims:
        for check in (compare_polarity, compare_option, _identical):
            result = check(gold, answer)
            if result is not None:
                return result
    required = _required(gold, claims)
    told = Told.of(required, answer)
    results = [(claim, _find(claim, told)) for claim in required]
    shown = {claim: result.outcome for claim, result in results}
    contradicted = [(claim, r) for claim, r in results if r.outcome == "different"]
    if contradicted:
        claim, result = contradicted[0]
        return different(
            result.code or GradingDiagnosis.CONTRADICTION,
            result.message,
            method=result.method,
            claims=shown,
            claim=claim,
            **result.evidence,
        )
    missing = [claim for claim, result in results if result.outcome == "undecided"]
    if not missing:
        doubt = doubt_about(required, answer, told.parts, told.settled, told.plain) or told.doubt()
        if doubt:
            return undecided(GradingDiagnosis.UNDECIDED, doubt, method="claims", claims=shown)
        return same("every claim is made", method=results[0][1].method, claims=shown)
    if len(missing) < len(results) and all(_absent(claim, answer) for claim in missing):
        return different(
            GradingDiagnosis.INCOMPLETE,
            f"the answer does not speak of: {'; '.join(missing)}",
            method="claims",
            claims=shown,
            missing=missing,
        )
    return undecided(
        GradingDiagnosis.UNDECIDED,
        f"the deterministic check cannot tell whether the answer says: {'; '.join(missing)}",
        method="claims",
        claims=shown,
    )


def _required(gold: str, claims: Sequence[Any] | None) -> list[str]:
    if claims:
        texts = [claim.get("text", "") if isinstance(claim, Mapping) else claim for claim in claims]
        return [str(text) for text in texts if str(text).strip()] or [gold]
    return sentences_of(gold) or [gold]


def _absent(claim: str, answer: str) -> bool:
    read = read_claim(claim)
    return not read.content & set(plain_words(answer)) and bool(read.content)


def _identical(gold: str, answer: str) -> Comparison | None:
    left, right = clause_words(gold), clause_words(answer)
    if left and left == right and answer.count("?") <= gold.count("?"):
        return same("the same words", method="same words")
    if not left and gold == answer:
        return same("the same text", method="same text")
    return None


def _find(claim: str, told: Told) -> Comparison:
    """The claim in the clause whose subject it is, or else in one of the clauses."""
    found = told.directions(claim)
    if found is not None:
        return found
    parts = told.left_for(claim)
    spend(PAIR * len(parts))
    results = [_check(claim, part) for part in parts]
    for part, result in zip(parts, results, strict=True):
        if result.outcome == "different" and told.may_deny(claim, part):
            return result
    for result in results:
        if result.outcome == "same":
            return result
    return next(
        (result for result in results if result.outcome == "undecided"),
        undecided(GradingDiagnosis.UNDECIDED, "nothing is said"),
    )


def _check(gold: str, answer: str) -> Comparison:
    said = says(gold, answer)
    if said is not None:
        return said
    answer = without_contrast(answer)
    if is_compound(gold) or is_compound(answer):
        return undecided(GradingDiagnosis.UNDECIDED, "two things change in one sentence")
    roles = read_roles(gold)
    if roles is not None:
        return _compare_roles(gold, roles, answer)
    wanted, given = read_claim(gold), read_claim(answer)
    adjective = len(wanted.words) <= 4 and side(wanted.words[0] if wanted.words else "")
    if wanted.effect is not None and not adjective:
        return _compare_effects(wanted, given)
    return _compare_phrases(wanted, given, answer)


def _compare_roles(
    gold: str, wanted: tuple[frozenset[str], frozenset[str], bool], answer: str
) -> Comparison:
    given = read_roles(answer)
    method = ROLES
    if given is None:
        return undecided(GradingDiagnosis.UNDECIDED, "no comparison is made", method=method)
    greater, lesser = wanted[0] - wanted[1], wanted[1] - wanted[0]
    if not greater or not lesser:
        return undecided(GradingDiagnosis.UNDECIDED, "the roles share their words", method=method)
    straight = greater <= given[0] and lesser <= given[1]
    crossed = greater <= given[1] and lesser <= given[0]
    if crossed and not straight and given[2] == wanted[2]:
        return different(
            GradingDiagnosis.SWAPPED,
            f"the roles in '{gold}' are exchanged",
            method=method,
            greater=sorted(greater),
            lesser=sorted(lesser),
        )
    if straight and not crossed and given[2] != wanted[2]:
        return different(
            GradingDiagnosis.CONTRADICTION, f"'{gold}' is denied", method=method, sentence=answer
        )
    return undecided(GradingDiagnosis.UNDECIDED, "other things are compared", method=method)


def _compare_effects(wanted: Claim, given: Claim) -> Comparison:
    method = "direction of a claim"
    about_same = bool(wanted.subject & given.content) and (
        not wanted.driver or bool(wanted.driver & given.content) or not given.driver
    )
    if given.effect is None or not about_same:
        return undecided(GradingDiagnosis.UNDECIDED, "the claim is not found", method=method)
    aligned = bool(wanted.subject & given.subject) or not given.subject
    moved = wanted.effect and given.effect
    if moved and (wanted.axis != given.axis or not aligned):
        return undecided(
            GradingDiagnosis.UNDECIDED, "the claim is put in other terms", method=method
        )
    if wanted.effect != given.effect:
        return different(
            GradingDiagnosis.CONTRADICTION,
            f"'{given.text}' contradicts '{wanted.text}'",
            method=method,
            answer_direction=given.effect,
            gold_direction=wanted.effect,
        )
    return undecided(GradingDiagnosis.UNDECIDED, "the claim is only found in part", method=method)


def _compare_phrases(wanted: Claim, given: Claim, answer: str) -> Comparison:
    method = "terms"
    opposite = _opposites(wanted.words, given.words)
    shared = wanted.content & given.content
    if opposite and not _HEDGE.search(answer):
        axis, left, right = opposite
        if shared or len(wanted.content) <= 2 or axis in {"quasi", "sense", "rotation"}:
            return different(
                GradingDiagnosis.CONTRADICTION,
                f"'{right}' where the gold says '{left}'",
                method=method,
                gold=left,
                answer=right,
            )
    contained = wanted.content <= given.content and bool(wanted.content)
    judged = any((found := side(word)) and found[0] == "polarity" for word in given.words)
    if contained and wanted.negated != given.negated and not judged:
        return different(
            GradingDiagnosis.CONTRADICTION,
            f"'{wanted.text}' is denied" if given.negated else f"'{wanted.text}' is affirmed",
            method=method,
        )
    return undecided(GradingDiagnosis.UNDECIDED, "other words are used", method=method)


def _opposites(gold: Sequence[str], answer: Sequence[str]) -> tuple[str, str, str] | None:
    """An axis on which the two stand on different sides, with the words."""
    left = {found[0]: (found[1], word) for word in gold if (found := side(word)) is not None}
    right: dict[str, set[int]] = {}
    shown: dict[str, str] = {}
    for word in answer:
        if (found := side(word)) is not None:
            right.setdefault(found[0], set()).add(found[1])
            shown[found[0]] = word
    for axis, (value, word) in left.items():
        if right.get(axis) == {-value}:
            return axis, word, shown[axis]
    return None
