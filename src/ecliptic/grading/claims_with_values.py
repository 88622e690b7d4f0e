"""Golds that say more than a value: ``The 5 keV electrons are trapped``.

A right number is no answer to such a gold when the words beside it say something else. The words
of both sides are compared one by one; where the answer leaves out a word of the gold and has others
in its place, no rule can tell whether it says the same.
"""

from __future__ import annotations

import re

from ecliptic.grading.clause_words import clause_words, singular, verb_base
from ecliptic.grading.comparison import Comparison, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.unit_symbols import unit_symbol
from ecliptic.grading.wording import FILLER, NEGATIONS, side

METHOD = "claim beside the value"
_MAX_TEXT = 2000
_SIGNS = re.compile(r"[=<>≤≥≈≲≳∝{}\\]")
_ABOUT = r"(?:(?:about|around|roughly|approximately|nearly|almost|only|some|up to|ca\.)\s+)*"
_INTRODUCED = re.compile(
    r"\b(?:is|are|was|were|be|been|equals?|approach(?:es)?|tends? to|reach(?:es|ed)?|lasts?"
    rf"|measures?|amounts? to|comes? to|has|have|had|of|at|to|index|value)\s+{_ABOUT}[-−+$]?\d",
    re.I,
)
"""The value itself is what the sentence states."""
_NUMBER = re.compile(r"\d")
_AFTER_NUMBER = re.compile(
    r"(?:the|an?|its|these|those)?\s*\d[\d.,]*(?:[eE×·^*\d\s-]*\d)?\s*", re.I
)
_COPULAS = frozenset({"is", "are", "was", "were"})
_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]+")
_LEAST_WORDS = 3
_QUIET = FILLER | {
    *("be", "have", "answer", "find", "get", "obtain", "give", "final", "result", "that", "and"),
    *("thus", "hence", "therefore", "so", "then", "about", "approximately", "roughly", "each"),
    *("every", "all", "per", "by", "with", "for", "to", "at", "in", "on", "of", "from", "we"),
    *("its", "it"),
}


def claim_differs(gold: str, answer: str, taken: str) -> Comparison | None:
    """``undecided`` where the words of a gold's claim are missing beside the right value."""
    if max(len(gold), len(answer)) > _MAX_TEXT or not _makes_a_claim(gold):
        return None
    wanted, given = _content(gold), _content(answer or taken)
    denied = [bool(NEGATIONS.intersection(clause_words(text))) for text in (gold, answer or taken)]
    missing = {word for word in wanted - given if not _same_side(word, given)}
    extra = {word for word in given - wanted if not _same_side(word, wanted)}
    needed = _content(gold[match.end() :]) if (match := _AFTER_NUMBER.match(gold)) else set()
    if denied[0] == denied[1] and not (missing and (extra or missing & needed)):
        return None
    if not denied[1] and not extra and not missing & needed:
        return None
    message = "no rule can tell whether the words beside the value say what the gold says"
    return undecided(
        GradingDiagnosis.UNDECIDED, message, method=METHOD, missing=sorted(missing)[:5]
    )


def _makes_a_claim(gold: str) -> bool:
    """Whether a gold is a sentence whose verb does not just introduce its value."""
    if _SIGNS.search(gold) or not _NUMBER.search(gold) or _INTRODUCED.search(gold):
        return False
    words = _WORD.findall(gold)
    if len([word for word in words if not _is_unit(word)]) < _LEAST_WORDS:
        return False
    if not gold.lstrip()[:1].isupper():
        return False
    return any(
        word.lower() in _COPULAS or (singular(word.lower()) != word.lower() and not _is_unit(word))
        for word in words[1:]
    )


def _content(text: str) -> set[str]:
    words = [word for word in clause_words(text) if word.isalpha() and len(word) > 2]
    kept = (word for word in words if word not in _QUIET | NEGATIONS and not _is_unit(word))
    return {verb_base(word) for word in kept}


def _is_unit(word: str) -> bool:
    return unit_symbol(word) is not None or unit_symbol(singular(word)) is not None


def _same_side(word: str, others: set[str]) -> bool:
    found = side(word)
    return found is not None and any(side(other) == found for other in others)
