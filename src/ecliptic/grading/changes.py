"""Statements that one quantity increases, decreases or stays the same.

``The transit time decreases slightly (from 61 to 58 h)`` has a subject, a direction and a remark. A
remark is left aside only where it holds figures, a reason or a mild adverb and no word that could
turn the statement round; otherwise nothing is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ecliptic.grading.change_figures import figures_agree
from ecliptic.grading.change_words import (
    AT_ITS_VALUE,
    BEHIND_SUBJECT,
    BRACKET,
    DROPPED,
    FIGURE_TAIL,
    HARMLESS,
    LEAD,
    LEADING_REASON,
    LETTER_BEHIND,
    MILD,
    MILD_LEAD,
    PIVOT,
    PLAIN_TAIL,
    REASON,
    REASON_INSIDE,
    SILENT,
    STOKES,
    SYMBOL,
    TURNS,
    TURNS_OF_A_REASON,
    VERB,
)
from ecliptic.grading.clause_words import clause_words
from ecliptic.grading.told_factors import told_factor
from ecliptic.grading.wording import DOUBT, MOVING, NEGATIONS, UNCHANGED, plain_words, side

MAX_SUBJECT = 160
_JOINED = re.compile(r"\b(?:while|whereas|and|but|yet)\b|[;,]", re.I)


@dataclass(frozen=True, slots=True)
class Subject:
    """Content words of the name of a quantity; ``behind`` those behind ``to``, ``per`` ...

    ``head`` holds the words in front of ``of``, ``at``, ``in`` or ``on``.
    """

    front: frozenset[str]
    behind: tuple[str, ...] = ()
    head: frozenset[str] = frozenset()
    both: bool = False

    @property
    def words(self) -> frozenset[str]:
        """All words of the name."""
        return self.front | set(self.behind)

    def names(self, given: Subject) -> bool:
        """Whether ``given`` is this quantity with all its words and no word that matters."""
        extra = given.front - self.front
        return self.front <= given.front and extra <= HARMLESS and self.behind == given.behind

    def may_be(self, given: Subject) -> bool:
        """Whether ``given`` is this quantity with its place or its owner left out."""
        if self.behind or given.behind:
            return False
        return bool(self.head) and self.head <= given.front - HARMLESS <= self.front


@dataclass(frozen=True, slots=True)
class Change:
    """One statement: subjects (``A and B`` has the whole and both), direction and the sentence."""

    subjects: tuple[Subject, ...]
    direction: int
    text: str

    @property
    def is_both(self) -> bool:
        """Whether the subject is the word ``both`` alone."""
        return self.subjects[0].both

    def meant(self, known: tuple[Subject, ...]) -> tuple[Subject, ...]:
        """Which of the known quantities changes: the whole subject, or both of ``A and B``."""
        whole = tuple(subject for subject in known if subject.names(self.subjects[0]))
        if whole or len(self.subjects) == 1:
            return whole
        halves = [
            tuple(subject for subject in known if subject.names(half)) for half in self.subjects[1:]
        ]
        return tuple(subject for half in halves for subject in half) if all(halves) else ()


def read_subject(text: str) -> Subject:
    """The name of a quantity in content words."""
    head = DROPPED.split(text, maxsplit=1)[0] if DROPPED.search(text) else ""
    words = [word for word in _words(text) if word not in SILENT]
    at = next((index for index, word in enumerate(words) if word in PIVOT), len(words))
    return Subject(
        frozenset(words[:at]),
        tuple(words[at:]),
        frozenset(word for word in _words(head) if word not in SILENT),
        text.strip().casefold() == "both",
    )


def _words(text: str) -> list[str]:
    text = re.sub(r"(?i)iz(?=e|ing|ation)", "is", text.replace("enter", "entre"))
    text = STOKES.sub(r"\1", text.replace("$", ""))
    return clause_words(re.sub(r"(?<=\w)-(?=\w)", " ", text))


@lru_cache(maxsize=1024)
def plain_change(claim: str) -> tuple[Subject, int] | None:
    """Subject and direction of a claim without driver, condition, factor or remark."""
    if len(claim) > MAX_SUBJECT or told_factor(" ".join(clause_words(claim))) is not None:
        return None
    found = [change for change in read_changes(claim) if not change.text.strip(" .")]
    if len(found) != 1:
        return None
    subject = found[0].subjects[0]
    return (subject, found[0].direction) if subject.front else None


@lru_cache(maxsize=4096)
def read_changes(sentence: str, strange: frozenset[str] = frozenset()) -> tuple[Change, ...]:
    """What the sentence can state, one reading for each verb of change in it.

    ``strange`` are words of other quantities: a remark that holds one is no mere remark.
    ``Change.text`` is what stands behind the verb.
    """
    if sentence.rstrip("\"')* ").endswith("?"):
        return ()
    text = LEAD.sub("", sentence.strip())
    brackets = BRACKET.findall(text)
    text = SYMBOL.sub(" ", BRACKET.sub("", text))
    if "(" in text.replace("\\(", "") or len(brackets) > 4:
        return ()
    found = []
    for match in VERB.finditer(text):
        name = match.lastgroup or "v0"
        direction = {"v0": 0, "v1": 1, "v2": -1}[name]
        subject = _without_adverbs(_behind_reason(text[: match.start()]))
        tail = text[match.end() :]
        if not 1 < len(subject) <= MAX_SUBJECT or _holds_a_clause(subject):
            continue
        own = read_subject(subject).words
        if not _is_remark(tail, direction, strange - own):
            continue
        if all(_is_aside(inner, direction, strange - own) for inner in brackets):
            found.append(Change(_subjects(subject), direction, tail))
    return tuple(found)


def _holds_a_clause(subject: str) -> bool:
    """Whether a name holds another change beside it: ``Density falls with height while T``."""
    return _JOINED.search(subject) is not None and VERB.search(subject) is not None


def without_asides(sentence: str) -> str:
    """The sentence without brackets in which nothing changes, is denied or is placed."""

    def kept(match: re.Match[str]) -> str:
        words = plain_words(match[1])
        bad = set(words) & (NEGATIONS | UNCHANGED | DOUBT | TURNS) or any(map(side, words))
        return match[0] if bad or "?" in match[1] else ""

    return BRACKET.sub(kept, sentence)


def _behind_reason(text: str) -> str:
    """``X`` of ``Since the flux is fixed, X``, where the reason turns nothing round."""
    match = LEADING_REASON.match(text)
    if match is None:
        return text
    words = set(plain_words(match[2]))
    if words & (TURNS_OF_A_REASON | DOUBT):
        return text
    causal = match[1].casefold() in {"since", "because"}
    if not causal and (words & NEGATIONS or any(map(side, words))):
        return text
    return match[3]


def _without_adverbs(subject: str) -> str:
    while match := BEHIND_SUBJECT.search(subject):
        subject = subject[: match.start()]
    return LETTER_BEHIND.sub("", subject.strip(" ,"))


def _subjects(text: str) -> tuple[Subject, ...]:
    whole = read_subject(text)
    parts = re.split(r",?\s+and\s+", text)
    if len(parts) != 2:
        return (whole,)
    return (whole, *(read_subject(re.sub(r"^both\s+", "", part, flags=re.I)) for part in parts))


def _is_remark(tail: str, direction: int, strange: frozenset[str]) -> bool:
    """Whether what stands behind the verb leaves the statement as it is."""
    if PLAIN_TAIL.match(tail):
        return True
    tail = MILD_LEAD.sub("", tail)
    if REASON.match(tail):
        return _is_reason(tail)
    reason = REASON_INSIDE.search(tail)
    if reason:
        if not _is_reason(tail[reason.start() :]):
            return False
        tail = tail[: reason.start()]
    told = FIGURE_TAIL.match(tail) or (direction == 0 and AT_ITS_VALUE.match(tail))
    return bool(told) and _is_aside(tail, direction, strange)


def _is_reason(text: str) -> bool:
    words = set(plain_words(text))
    return not words & (TURNS_OF_A_REASON | NEGATIONS | DOUBT) and "?" not in text


def _is_aside(text: str, direction: int, strange: frozenset[str]) -> bool:
    """Figures, a formula or adverbs, and no other direction, denial or quantity."""
    if PLAIN_TAIL.match(text):
        return True
    text = re.sub(rf"\b{MILD}(?!\w)", " ", text, flags=re.I)
    words = plain_words(text)
    if "?" in text or set(words) & (NEGATIONS | DOUBT | TURNS):
        return False
    if direction and UNCHANGED.intersection(words):
        return False
    sides = [found for word in words if (found := side(word)) is not None]
    if any(axis == "polarity" or (axis in MOVING and way != direction) for axis, way in sides):
        return False
    if strange.intersection(_words(text)):
        return False
    short = len(words) <= 2 and all(len(word) <= 3 for word in words)
    if not (short or re.search(r"\d|\\|∝", text)):
        return False
    return figures_agree(text, direction)
