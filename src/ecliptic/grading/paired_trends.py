"""Sentences that state how two quantities change, of which one verb has a modifier.

``Density decreases with height while temperature increases`` says two things: what stands behind
the first verb holds for the second one too, unless that has a modifier of its own. Both sides are
read into single trends, so that neither their order nor the conjunction counts, and subjects that
are exchanged do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ecliptic.grading.change_words import LEAD, VERBS
from ecliptic.grading.clause_words import clause_words
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.saying import sentences_of
from ecliptic.grading.wording import DOUBT, NEGATIONS, plain_words
from ecliptic.grading.work_budget import spend

METHOD = "trends of several quantities"
MAX_SENTENCE = 300
_COST = 100
_VERB = re.compile(
    r"\s(?:" + "|".join(f"(?P<v{sign % 3}>{words})" for sign, words in VERBS.items()) + r")(?!\w)",
    re.I,
)
_JOINT = re.compile(
    r"(?:,?\s+(?P<contrast>while|whereas|but|yet)|;|,?\s+(?P<and>and)|,)\s+(?:the\s+)?", re.I
)
_TWO_SIDED = re.compile(r"^\W*(?:while|whereas)\s+(?P<one>[^,]+),\s+(?P<other>[^,]+)$", re.I)
_IN_FRONT = re.compile(
    r"^\W*(?P<modifier>(?:with|in|at|along|towards?)\s[^,]+),\s+(?P<rest>.+)$", re.I
)
_AS = re.compile(r"^\W*(?:as|when)\s+(?P<driver>[^,]+),\s+(?P<rest>.+)$", re.I)
_SHARED = re.compile(
    r"(?:with|along|towards?|in|at|on|inside|outside|across|above|below|near|during|upstream"
    r"|downstream|away|from)\b(?!.*\d)"
)
"""A modifier that may hold for the other verb too: what it changes with, or a place."""
_DRIVER = re.compile(r"with\b(?!.*\d)")
_CONDITION = frozenset({"as", "when", "where", "if", "because", "since", "which", "that", "until"})
_DIRECTIONS = {"v0": 0, "v1": 1, "v2": -1}


@dataclass(frozen=True, slots=True)
class Trend:
    """One quantity, its direction, and what is said behind the verb, in plain words."""

    subject: frozenset[str]
    direction: int
    modifier: tuple[str, ...] = ()


def read_trends(sentence: str) -> tuple[Trend, ...]:
    """The trends of a sentence that states nothing else, else none."""
    text = LEAD.sub("", sentence.strip()).strip(" .;:!")
    if len(text) > MAX_SENTENCE or sentence.rstrip().endswith("?"):
        return ()
    if (DOUBT | NEGATIONS) & set(plain_words(_VERB.sub(" ", text))):
        return ()
    if match := _TWO_SIDED.match(text):
        return _joined([match["one"], match["other"]], backwards=False)
    if (match := _IN_FRONT.match(text)) and not _VERB.search(match["modifier"]):
        inner = read_trends(match["rest"])
        words = tuple(clause_words(match["modifier"]))
        if not inner or any(trend.modifier for trend in inner):
            return ()
        return tuple(replace(trend, modifier=words) for trend in inner)
    if match := _AS.match(text):
        return _driven(match["driver"], match["rest"])
    verbs = list(_VERB.finditer(text))
    if len(verbs) > 4 or not verbs:
        return ()
    parts, start, only_and = [], 0, True
    for first, second in pairwise(verbs):
        joints = list(_JOINT.finditer(text, first.end(), second.start()))
        if not joints:
            return ()
        parts.append(text[start : joints[-1].start()])
        only_and = only_and and bool(joints[-1]["and"])
        start = joints[-1].end()
    return _joined([*parts, text[start:]], backwards=only_and)


def _driven(driver: str, rest: str) -> tuple[Trend, ...]:
    """``With height`` for ``As height increases``; all the other way for ``As height falls``."""
    way, inner = _single(driver), read_trends(rest)
    if way is None or way.modifier or not way.direction or any(one.modifier for one in inner):
        return ()
    modifier = ("with", *clause_words(_VERB.split(f" {driver}", maxsplit=1)[0]))
    return tuple(
        replace(one, modifier=modifier, direction=one.direction * way.direction) for one in inner
    )


def _joined(parts: Sequence[str], *, backwards: bool) -> tuple[Trend, ...]:
    """One trend a part; a modifier of one holds for those without any."""
    found = [_single(part) for part in parts]
    trends = [trend for trend in found if trend is not None]
    if len(trends) < len(found):
        return ()
    first, last = trends[0].modifier, trends[-1].modifier
    shared: tuple[str, ...] = ()
    if first and _SHARED.match(" ".join(first)):
        shared = first
    elif last and (_SHARED if backwards else _DRIVER).match(" ".join(last)):
        shared = last
    return tuple(replace(trend, modifier=trend.modifier or shared) for trend in trends)


def _single(part: str) -> Trend | None:
    text = f" {part.strip(' ,')}"
    verbs = list(_VERB.finditer(text))
    if len(verbs) != 1:
        return None
    subject = clause_words(text[: verbs[0].start()])
    modifier = clause_words(text[verbs[0].end() :])
    if not 0 < len(subject) <= 8 or len(modifier) > 8 or _CONDITION & {*subject, *modifier}:
        return None
    return Trend(frozenset(subject), _DIRECTIONS[verbs[0].lastgroup or "v0"], tuple(modifier))


def compare_trends(gold: str, answer: str) -> Comparison | None:
    """A gold of several trends with a modifier against an answer; ``None`` if it is none."""
    if len(gold) > MAX_SENTENCE or not _VERB.search(gold):
        return None
    wanted = read_trends(gold)
    if len(wanted) < 2 or not any(trend.modifier for trend in wanted):
        return None
    given: list[Trend] = []
    for sentence in sentences_of(answer):
        spend(_COST)
        found = read_trends(sentence)
        if not found:
            return None
        given += found
    by_subject = {trend.subject: trend for trend in wanted}
    if len(by_subject) < len(wanted) or any(one.subject not in by_subject for one in given):
        return None
    turned = [
        one
        for one in given
        if (other := by_subject[one.subject]).modifier == one.modifier
        and other.direction != one.direction
    ]
    if turned:
        code = GradingDiagnosis.SWAPPED if len(turned) > 1 else GradingDiagnosis.CONTRADICTION
        shown = " ".join(sorted(turned[0].subject))
        message = f"'{shown}' changes the other way than in the gold"
        return different(code, message, method=METHOD)
    if set(given) == set(wanted):
        return same("the same trends of the same quantities", method=METHOD)
    message = "the trends have other modifiers, or one is missing"
    return undecided(GradingDiagnosis.UNDECIDED, message, method=METHOD)
