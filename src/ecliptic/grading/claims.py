"""What one sentence claims, in terms of the closed vocabulary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ecliptic.grading.wording import (
    CONTRASTS,
    DEPENDENCE,
    DOMINATION,
    FILLER,
    MOVING,
    NEGATIONS,
    UNCHANGED,
    plain_words,
    side,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence or phrase in terms of the vocabulary.

    ``subject`` and ``driver`` are content words in front of and behind the word that gives the
    direction; ``effect`` is +1, -1 or 0 (unchanged) with the driver's own direction and negations
    multiplied in, or ``None`` when nothing moves.
    """

    text: str
    words: tuple[str, ...]
    subject: frozenset[str]
    driver: frozenset[str]
    axis: str = ""
    effect: int | None = None
    negated: bool = False

    @property
    def content(self) -> frozenset[str]:
        """All content words that are no direction."""
        return self.subject | self.driver


_AS = re.compile(r"^\s*(?:as|when|if|with)\s+([^,]{3,200}),\s+([^,]{3,300}?)\.?\s*$", re.I)


def read_claim(text: str) -> Claim:
    """The claim that a sentence makes."""
    text = _AS.sub(r"\2 with \1", text)
    words = plain_words(text)
    lowered = text.casefold()
    negated = any(word in NEGATIONS for word in words) or any(
        contrast in lowered for contrast in CONTRASTS
    )
    moving = [
        (index, *found)
        for index, word in enumerate(words)
        if (found := side(word)) is not None and found[0] in MOVING
    ]
    still = [index for index, word in enumerate(words) if word in UNCHANGED]
    depends = [index for index, word in enumerate(words) if word in DEPENDENCE]
    content = [
        word
        for word in words
        if word not in FILLER and word not in NEGATIONS and word not in UNCHANGED
    ]
    if still or (depends and negated):
        place = (still or depends)[0]
        return Claim(
            text,
            tuple(words),
            _content(words[:place]),
            _content(words[place + 1 :]),
            effect=None if still and negated else 0,
        )
    if moving:
        place, axis, effect = moving[0]
        if any(word in NEGATIONS for word in words[place:]) or (
            negated and not any(word in NEGATIONS for word in words)
        ):
            # "decreases, not increases": which of the two is denied is beyond this reading.
            return Claim(text, tuple(words), frozenset(content), frozenset(), negated=negated)
        rest = words[place + 1 :]
        for _, other_axis, other in moving[1:]:
            if other_axis in {"amount", axis}:
                effect *= other
        return Claim(
            text,
            tuple(words),
            _content(words[:place]),
            _content(rest),
            axis,
            -effect if negated else effect,
            negated,
        )
    return Claim(text, tuple(words), frozenset(content), frozenset(), negated=negated)


_JOINED = re.compile(r"\b(?:and|but|while|whereas|then)\b|;", re.I)


def is_compound(text: str) -> bool:
    """Whether something changes on both sides of a conjunction (``x rises and y falls``).

    Then the directions of the two cannot be taken together.
    """
    parts = _JOINED.split(text)
    moving = [
        any((found := side(word)) and found[0] in MOVING for word in plain_words(part))
        for part in parts
    ]
    return sum(moving) > 1


def _content(words: Sequence[str]) -> frozenset[str]:
    return frozenset(
        word
        for word in words
        if word not in FILLER
        and word not in NEGATIONS
        and word not in DEPENDENCE
        and not ((found := side(word)) is not None and found[0] in MOVING)
    )


def read_roles(text: str) -> tuple[frozenset[str], frozenset[str], bool] | None:
    """(the greater, the lesser, negated) of a comparison such as ``A dominates over B``."""
    for pattern, order in DOMINATION:
        match = re.search(pattern, text, re.I)
        if match:
            left, right = text[: match.start()], text[match.end() :]
            negated = any(word in NEGATIONS for word in plain_words(left)[-2:])
            pair = (_content(plain_words(left)), _content(plain_words(right)))
            if pair[0] and pair[1]:
                return (*(pair if order > 0 else pair[::-1]), negated)
    return None
