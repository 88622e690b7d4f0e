"""Textual answers: claims with their direction and negation, options, and roles.

The check is deterministic and knows a closed vocabulary. It accepts what says the same word for
word or in a turn of phrase that is known (:mod:`ecliptic.grading.paraphrase`), refuses what
contradicts, and leaves a paraphrase that it cannot follow undecided.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ecliptic.grading.changes import plain_change, read_changes
from ecliptic.grading.claims import Claim, is_compound, read_claim, read_roles
from ecliptic.grading.clause_words import clause_words
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.dates import compare_dates
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.item_lists import compare_lists
from ecliptic.grading.paired_trends import compare_trends
from ecliptic.grading.polarity import compare_option, compare_polarity
from ecliptic.grading.rules import Rules
from ecliptic.grading.saying import (
    MAX_CLAUSE,
    PAIR,
    doubt_about,
    says,
    sentences_of,
    without_contrast,
)
from ecliptic.grading.told_changes import Told
from ecliptic.grading.wording import QUALIFIERS, opposites, plain_words, side
from ecliptic.grading.work_budget import spend

MAX_TEXT = 20_000
ROLES = "roles of a comparison"
FACTOR = "claim: factor"
_AND = re.compile(r",?\s+(?:and|but|while|whereas)\s+(?:the\s+)?|;\s+")
_PAIR_OF_SUBJECTS = re.compile(
    r"^(?:both\s+)?(?P<one>[^,;]+?)\s+and\s+(?P<other>[^,;]+?)\s+(?:both\s+)?"
    r"(?P<verb>(?:increas|decreas|ris|fall|drop|grow|declin|stay|remain)\w*(?:\s+constant"
    r"|\s+unchanged|\s+the same)?)\W*$",
    re.I,
)
_STRAY_TAG = re.compile(r"</?(?:answer|final_answer|final|response)>", re.I)
_EMPHASIS = re.compile(r"(?<![\w*_`\\])[*_`]([^\W\d_][^*_`$\n]{1,200})(?<=\w)[*_`](?![\w*_`])")
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
    answer = _EMPHASIS.sub(r"\1", _STRAY_TAG.sub(" ", answer)).strip()
    if not claims:
        for check in _WHOLE_TEXT:
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
        f"no rule can tell whether the answer, in its own words, says: {'; '.join(missing)}",
        method="claims",
        claims=shown,
    )


def _required(gold: str, claims: Sequence[Any] | None) -> list[str]:
    if claims:
        texts = [claim.get("text", "") if isinstance(claim, Mapping) else claim for claim in claims]
        return [str(text) for text in texts if str(text).strip()] or [gold]
    sentences = sentences_of(gold)
    return (_two_changes(gold) if len(sentences) == 1 else None) or sentences or [gold]


def _two_changes(gold: str) -> list[str] | None:
    """``X increases`` and ``Y decreases`` of a sentence that says both."""
    if len(gold) > MAX_CLAUSE:
        return None
    halves = _AND.split(gold.strip().rstrip("."))
    if len(halves) == 2 and all(plain_change(half) is not None for half in halves):
        return halves
    changes = [change for change in read_changes(gold) if not change.text.strip(" .")]
    pair = _PAIR_OF_SUBJECTS.match(gold)
    if pair is None or len(changes) != 1 or len(changes[0].subjects) != 3:
        return None
    halves = [f"{pair[name]} {pair['verb']}" for name in ("one", "other")]
    return halves if all(plain_change(half) is not None for half in halves) else None


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


_WHOLE_TEXT = (
    compare_polarity,
    compare_option,
    _identical,
    compare_lists,
    compare_dates,
    compare_trends,
)
"""Checks of the answer as a whole, in this order; the first that is decided counts."""


def _find(claim: str, told: Told) -> Comparison:
    """The claim in the clause whose subject it is, or else in one of the clauses."""
    found = told.directions(claim)
    if found is not None:
        return found
    parts = told.left_for(claim)
    spend(PAIR * len(parts))
    results = [_check(claim, part) for part in parts]
    made = any(result.outcome == "same" for result in results)
    for part, result in zip(parts, results, strict=True):
        if result.outcome == "different" and told.may_deny(claim, part):
            if made and result.method == FACTOR:
                message = "the answer tells more than one factor"
                return undecided(GradingDiagnosis.UNDECIDED, message, method=FACTOR)
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
    if _turned_round(wanted, given):
        return undecided(GradingDiagnosis.UNDECIDED, "the order is turned round", method=method)
    if wanted.effect != given.effect:
        return different(
            GradingDiagnosis.CONTRADICTION,
            f"'{given.text}' contradicts '{wanted.text}'",
            method=method,
            answer_direction=given.effect,
            gold_direction=wanted.effect,
        )
    return undecided(GradingDiagnosis.UNDECIDED, "the claim is only found in part", method=method)


def _turned_round(wanted: Claim, given: Claim) -> bool:
    """Whether what both name comes in another order: ``A is after B`` for ``B is before A``."""
    shared = wanted.content & given.content
    left, right = (
        [word for word in dict.fromkeys(claim.words) if word in shared] for claim in (wanted, given)
    )
    return left != right


def _at_the_same(gold: Sequence[str], left: str, answer: Sequence[str], right: str) -> bool:
    """Whether two qualifying words stand in front of one word, or both at the end."""
    behind = [
        list(words[list(words).index(word) + 1 :])[:1]
        for words, word in ((gold, left), (answer, right))
    ]
    return behind[0] == behind[1]


def _compare_phrases(wanted: Claim, given: Claim, answer: str) -> Comparison:
    method = "terms"
    opposite = opposites(wanted.words, given.words)
    shared = wanted.content & given.content
    denied = wanted.negated != given.negated  # "not stable" is no contradiction of "unstable"
    if opposite and not denied and not _HEDGE.search(answer) and not _turned_round(wanted, given):
        axis, left, right = opposite
        if axis in QUALIFIERS and not _at_the_same(wanted.words, left, given.words, right):
            return undecided(GradingDiagnosis.UNDECIDED, "other words are used", method=method)
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
