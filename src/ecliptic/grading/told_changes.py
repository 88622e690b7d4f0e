"""Which clause of an answer speaks of which required claim.

A claim that one quantity changes is looked for in the clause with its subject: all its words, or
else the name without its place or owner (``the height`` for ``the height of the arch``) where no
other claim has that name. Only then is a contradiction told.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ecliptic.grading.answer_clauses import clauses, plain_sentences
from ecliptic.grading.changes import Change, Subject, plain_change, read_changes, without_asides
from ecliptic.grading.claims import read_claim
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.saying import MAX_CLAUSE, MAX_SENTENCES, PAIR, says, sentences_of
from ecliptic.grading.wording import MOVING, NEGATIONS, UNCHANGED, plain_words, side
from ecliptic.grading.work_budget import spend

METHOD = "claim: change of a quantity"
_TURNED = re.compile(
    r"\b(?:swap|exchang|interchang|revers|opposite|other way|invert|contrary|turn(?:s|ed)? round)",
    re.I,
)
_PRONOUN = re.compile(
    r"\b(?:it|they|both|the (?:former|latter))\s+(?:\w+\s+)?(?:increas|decreas|ris|grow|fall|drop"
    r"|declin|stay|remain|go|becom|shrink|diminish)",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Told:
    """The clauses of an answer, and what each says of the quantities in the claims.

    ``plain`` has subject and direction of every claim of that kind; ``about`` the readings of
    each clause by the claim that they speak of. ``again`` may speak of one too, beside a clause
    that does; ``others`` are the claims of other kinds.
    """

    parts: tuple[str, ...]
    plain: dict[str, tuple[Subject, int]]
    about: dict[str, list[tuple[str, Change]]]
    again: tuple[tuple[str, Change], ...] = ()
    others: tuple[str, ...] = ()

    @classmethod
    def of(cls, claims: Sequence[str], answer: str) -> Told:
        """Read ``answer`` for the claims."""
        plain = {claim: found for claim in claims if (found := plain_change(claim)) is not None}
        if not plain and len(claims) < 2:
            return cls(tuple(sentences_of(answer)), {}, {})
        subjects = tuple(subject for subject, _ in plain.values())
        strange = frozenset(word for subject in subjects for word in subject.words)
        parts: list[str] = []
        for sentence in plain_sentences(answer)[:MAX_SENTENCES]:
            spend(PAIR * max(len(plain), 1))
            whole = not plain or len(sentence) > MAX_CLAUSE
            parts += [sentence] if whole else clauses(sentence, subjects, strange)
        about: dict[str, list[tuple[str, Change]]] = {claim: [] for claim in plain}
        loose: list[tuple[str, Change, list[str]]] = []
        again: list[tuple[str, Change]] = []
        for part in parts:
            if len(part) > MAX_CLAUSE:
                continue
            for change in read_changes(part, strange):
                named = _named(change, plain)
                if change.is_both and len(plain) == len(claims) == 2:
                    named = list(plain)
                for claim in named:
                    about[claim].append((part, change))
                if not named:
                    near = [
                        claim
                        for claim, (subject, _) in plain.items()
                        if subject.may_be(change.subjects[0])
                    ]
                    loose.append((part, change, near))
        for part, change, near in loose:
            if len(near) == 1 and not about[near[0]]:
                about[near[0]] = [
                    (other, again_) for other, again_, claims_ in loose if claims_ == near
                ]
            elif near:
                again.append((part, change))
        others = tuple(claim for claim in claims if claim not in plain)
        if others:
            read = {part for found in about.values() for part, _ in found}
            parts = [part if part in read else without_asides(part) for part in parts]
        return cls(tuple(parts), plain, about, tuple(again), others)

    @property
    def settled(self) -> frozenset[str]:
        """The clauses that speak of a claim's subject."""
        return frozenset(part for found in self.about.values() for part, _ in found)

    def directions(self, claim: str) -> Comparison | None:
        """What the clauses about this claim say of it; ``None`` when there is none."""
        if not self.about.get(claim):
            return None
        wanted = self.plain[claim][1]
        given = {change.direction for _, change in self.about[claim]}
        if len(given) > 1:
            message = "the answer gives it more than one direction"
            return undecided(GradingDiagnosis.UNDECIDED, message, method=METHOD)
        if given == {wanted}:
            return same("the same change", method=METHOD)
        part = self.about[claim][0][0]
        return different(
            GradingDiagnosis.CONTRADICTION,
            f"'{part}' contradicts '{claim}'",
            method=METHOD,
            answer_direction=given.pop(),
            gold_direction=wanted,
        )

    def left_for(self, claim: str) -> list[str]:
        """The clauses that speak of no other claim's subject."""
        taken = {part for other, found in self.about.items() if other != claim for part, _ in found}
        return [part for part in self.parts if part not in taken]

    def may_deny(self, claim: str, part: str) -> bool:
        """Whether ``part`` holds the whole name of the quantity that the claim is about."""
        if claim not in self.plain:
            return True
        changes = sum(
            bool((found := side(word)) and found[0] in MOVING) for word in plain_words(part)
        )
        return changes <= 1 and read_claim(claim).subject <= read_claim(part).content

    def doubt(self) -> str | None:
        """A clause that is not read and speaks of a claim's quantity and of a change."""
        if not self.plain:
            return None
        if self.again:
            return f"'{self.again[0][0][:60]}' may speak of a claim's quantity"
        settled = self.settled
        for found in self.about.values():
            for part, change in found:
                if self._denied(change.text):
                    return f"'{part[:60]}' may take back a claim with its reason"
        for part in self.parts:
            if part in settled or any(says(claim, part) for claim in self.others):
                continue
            if _TURNED.search(part) or self._denied(part):
                return f"'{part[:60]}' may say something else of a claim's quantity"
        return None

    def _denied(self, text: str) -> bool:
        """Whether a text holds the name of a claim's quantity and a change that is not its own."""
        words = plain_words(text)
        moving = any((found := side(word)) and found[0] in MOVING for word in words)
        if not moving and not (UNCHANGED | NEGATIONS).intersection(words):
            return False
        if _PRONOUN.search(text):
            return True
        return any(
            read_claim(claim).subject <= set(words) and not _goes_along(text, direction)
            for claim, (_, direction) in self.plain.items()
        )


def _goes_along(part: str, direction: int) -> bool:
    """Whether every word of change in a clause points the claim's way."""
    words = plain_words(part)
    if (UNCHANGED | NEGATIONS).intersection(words) and direction:
        return False
    ways = [found[1] for word in words if (found := side(word)) and found[0] in MOVING]
    return all(way == direction for way in ways)


def _named(change: Change, plain: dict[str, tuple[Subject, int]]) -> list[str]:
    """The claims whose subject is that of the change."""
    meant = change.meant(tuple(subject for subject, _ in plain.values()))
    return [claim for claim, (subject, _) in plain.items() if subject in meant]
