"""Answers that say of a thing what the gold names alone: ``The drift is eastward``.

Only a word with an opposite in the closed vocabulary is taken as such a state, and only where the
subject is a plain name: one with a side of its own (``the ions``), a negation or a quantifier may
be another thing than the one that was asked for.
"""

from __future__ import annotations

import re

from ecliptic.grading.clause_relations import QUANTIFIERS
from ecliptic.grading.wording import DOUBT, MOVING, NEGATIONS, plain_words, side

MOST_WORDS = 5
"""Words of a subject."""
_WAYS = frozenset(["radial", "north", "east", "tail", "pole", "rotation", "sense", "way"])
"""Axes of directions, in which something can move."""
_STATED = re.compile(
    r"^\W*(?:(?:yes|no)\s*[,;:–—-]+\s*)?(?P<subject>it|this|that|they"
    r"|(?:the|this|its|their|these)\s+[A-Za-z'’ -]+?)\s+(?:(?:is|are)\s+(?P<be>(?:directed"
    r"|oriented)\s+)?|(?P<go>drifts?|moves?|flows?|points?|propagates?|travels?|streams?|rotates?"
    r"|spins?)\s+)(?:(?:therefore|thus|hence|then|indeed|clearly)\s+)?(?P<state>[A-Za-z-]+)[\s.!]*$",
    re.I,
)
_OTHERS = frozenset(
    ["other", "opposite", "second", "former", "latter", "rest", "remaining", "original", "initial"]
)


def state_of_something(claim: str, sentence: str) -> str:
    """The word that the sentence says of its subject, where the claim is one such word."""
    wanted = plain_words(claim)
    axis = side(wanted[0]) if len(wanted) == 1 else None
    match = _STATED.match(sentence) if axis is not None else None
    if axis is None or match is None:
        return ""
    if axis[0] in MOVING - {"stability"} or axis[0] == "polarity":
        return ""  # "larger" says of what only together with its subject
    if (match["go"] or match["be"]) and axis[0] not in _WAYS:
        return ""
    subject = plain_words(match["subject"])
    strange = QUANTIFIERS | NEGATIONS | DOUBT | _OTHERS
    if len(subject) > MOST_WORDS or strange.intersection(subject) or any(map(side, subject)):
        return ""
    return match["state"]
