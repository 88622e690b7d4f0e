"""Textual answers: claims with their direction and negation, options, and roles.

The check is deterministic and knows a closed vocabulary. It accepts what says the same in the
same words or in words of that vocabulary, refuses what contradicts, and leaves a paraphrase that
it cannot follow undecided.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ecliptic.grading.claims import Claim, read_claim, read_roles
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.rules import Rules
from ecliptic.grading.wording import DOUBT, FILLER, plain_words, side

MAX_TEXT = 20_000
ROLES = "roles of a comparison"
MAX_SENTENCES = 60
_OPTION = re.compile(r"[*(\[ ]*([A-H])[*)\]. ]*")
_OPTION_ANSWER = re.compile(
    r"(?:.{0,60}\b(?i:answer|option|choice)\s+(?:is\s+)?)?"
    r"[*(\[ ]*([A-H])[*]*(?:[)\].:,]|\s*$|\s+[-–—])",
    re.S,
)
_YES = re.compile(r"[\s*\"']*(yes|true|correct|no|false|incorrect)\b", re.I)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_CONTRAST = re.compile(
    r"(?<=\w)(?:,\s+(?:and\s+|but\s+)?not\s|\s+but\s+not\s|,?\s+(?:rather than|instead of|"
    r"as opposed to)\s)",
    re.I,
)
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
        for check in (_identical, _polarity, _option):
            result = check(gold, answer)
            if result is not None:
                return result
    required = _required(gold, claims)
    results = [(claim, _find(claim, answer)) for claim in required]
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
        doubts = (_doubt(claim, answer, result.method) for claim, result in results)
        doubt = next(filter(None, doubts), None)
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


def _doubt(claim: str, answer: str, method: str) -> str | None:
    """Why the words of a claim need not mean it: words of denial or doubt, or another order.

    Who does what to whom, and which of two things rises, is told by the order of words alone; a
    claim whose words come in another order may say the same, but a closed vocabulary cannot tell.
    Only where roles were read ("is dominated by") the order is known already.
    """
    words = plain_words(answer)
    doubtful = sorted(DOUBT.intersection(words) - set(plain_words(claim)))
    if doubtful:
        return f"the answer makes the claim and says '{doubtful[0]}': it may deny it"
    wanted = [word for word in plain_words(claim) if word not in FILLER and word in words]
    given = [word for word in words if word in wanted]
    if Counter(wanted) - Counter(given):
        return "a word that the claim needs twice comes once in the answer"
    starts = range(len(given) - len(wanted) + 1)
    if method == ROLES or any(given[at : at + len(wanted)] == wanted for at in starts):
        return None
    return "the words of the claim come in another order in the answer"


def _required(gold: str, claims: Sequence[Any] | None) -> list[str]:
    if claims:
        texts = [claim.get("text", "") if isinstance(claim, Mapping) else claim for claim in claims]
        return [str(text) for text in texts if str(text).strip()] or [gold]
    return _sentences(gold) or [gold]


def _sentences(text: str) -> list[str]:
    parts = [part.strip() for part in _SENTENCE.split(text)]
    return [part for part in parts if re.search(r"\w", part)][:MAX_SENTENCES]


def _absent(claim: str, answer: str) -> bool:
    read = read_claim(claim)
    return not read.content & set(plain_words(answer)) and bool(read.content)


def _identical(gold: str, answer: str) -> Comparison | None:
    left, right = plain_words(gold), plain_words(answer)
    if left and left == right:
        return same("the same words", method="same words")
    if not left and gold == answer:
        return same("the same text", method="same text")
    return None


def _polarity(gold: str, answer: str) -> Comparison | None:
    wanted, given = _YES.match(gold), _YES.match(answer)
    if not wanted or len(plain_words(gold)) > 1:
        return None
    if not given:
        return undecided(
            GradingDiagnosis.UNDECIDED,
            f"the answer does not begin with a plain {gold}",
            method="yes or no",
        )
    affirm = {"yes", "true", "correct"}
    if (wanted[1].casefold() in affirm) == (given[1].casefold() in affirm):
        return same("the same polarity", method="yes or no")
    return different(
        GradingDiagnosis.CONTRADICTION,
        f"'{given[1]}' for '{wanted[1]}'",
        method="yes or no",
        answer=given[1],
        gold=wanted[1],
    )


def _option(gold: str, answer: str) -> Comparison | None:
    wanted = _OPTION.fullmatch(gold)
    if not wanted:
        return None
    letters = set(re.findall(r"(?<![A-Za-z])[B-H](?![A-Za-z'])|\bA(?=\s*(?:$|or\b|[).,]))", answer))
    if len(letters) > 1 and re.search(r"\bor\b|/", answer):
        return different(
            GradingDiagnosis.SEVERAL_ANSWERS,
            f"more than one option is named: {', '.join(sorted(letters))}",
            method="option",
        )
    given = _OPTION_ANSWER.match(answer) or _OPTION.fullmatch(answer)
    if not given:
        return undecided(
            GradingDiagnosis.UNDECIDED, "the answer names no option by its letter", method="option"
        )
    if given[1] == wanted[1]:
        return same(f"option {given[1]}", method="option")
    return different(
        GradingDiagnosis.CONTRADICTION,
        f"option {given[1]} for option {wanted[1]}",
        method="option",
        answer=given[1],
        gold=wanted[1],
    )


def _find(claim: str, answer: str) -> Comparison:
    """The claim in the whole answer, or in one of its sentences."""
    results = [_check(claim, sentence) for sentence in _sentences(answer)]
    for outcome in ("different", "same"):
        for result in results:
            if result.outcome == outcome:
                return result
    return results[0] if results else undecided(GradingDiagnosis.UNDECIDED, "nothing is said")


def _check(gold: str, answer: str) -> Comparison:
    answer = _CONTRAST.split(answer)[0]  # ``X, not Y`` says X
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
    if straight and not crossed and given[2] == wanted[2]:
        return same("the same comparison", method=method)
    if crossed and not straight and given[2] == wanted[2]:
        return different(
            GradingDiagnosis.SWAPPED,
            f"the roles in '{gold}' are exchanged",
            method=method,
            greater=sorted(greater),
            lesser=sorted(lesser),
        )
    if straight and not crossed:
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
    if given.negated != wanted.negated:
        return undecided(
            GradingDiagnosis.UNDECIDED, "a denial of the opposite is weaker", method=method
        )
    if wanted.subject <= given.subject and wanted.driver <= given.driver:
        extra = (given.subject | given.driver) - wanted.content
        if len(extra) <= 2 or given.text.startswith(wanted.text[:-1]):
            return same("the same direction of the same claim", method=method)
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
    if contained and wanted.negated != given.negated:
        return different(
            GradingDiagnosis.CONTRADICTION,
            f"'{wanted.text}' is denied" if given.negated else f"'{wanted.text}' is affirmed",
            method=method,
        )
    if contained and not opposite and not _HEDGE.search(answer) and not wanted.negated:
        extra = given.content - wanted.content
        if not extra or _leads(wanted.words, given.words):
            return same("the same terms", method=method)
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


def _leads(gold: Sequence[str], answer: Sequence[str]) -> bool:
    """Whether the answer begins with the gold's own words and then only explains them."""
    wanted = [word for word in gold if word not in FILLER]
    given = [word for word in answer if word not in FILLER]
    if given[: len(wanted)] != wanted:
        return False
    index = [i for i, word in enumerate(answer) if word not in FILLER][len(wanted) - 1]
    return index + 1 >= len(answer) or answer[index + 1] in {"because", "since", "as", "which"}
