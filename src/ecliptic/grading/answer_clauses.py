"""An answer in plain clauses: without numbers of a list, headings and marks of style."""

from __future__ import annotations

import re

from ecliptic.grading.changes import Subject, read_changes
from ecliptic.grading.saying import PAIR
from ecliptic.grading.work_budget import spend

_LIST = re.compile(
    r"(?:^|(?<=\n)|(?<=[.;:!,]\s)|(?<=\band\s))[^\S\n]*(?:[-*•–]\s+|(?:\(\s*(?:\d{1,2}|[a-h]|i{1,3}|iv|v)"
    r"\s*\)|(?:\d{1,2}|[a-h]|i{1,3}|iv|v)[.)])\s+(?=[*_\"'A-Za-z]))",
    re.I,
)
_LETTER_SENTENCE = re.compile(r"(?:^|(?<=[.;:!,]\s))[A-H]\s", re.I)
_STYLE = re.compile(r"\*\*|__|^#+\s*", re.M)
_LABEL = re.compile(
    r"^(?P<name>[^:→–—]{3,90}?)\s*(?::|→|–|—)\s+(?:it\s+)?(?P<rest>(?P<verb>increas|decreas|ris|fall|drop"
    r"|grow|stay|remain|does\s+not|is\b)|(?P<state>unchanged|the\s+same|constant|larger|smaller"
    r"|higher|lower|longer|shorter|stronger|weaker)\b)",
    re.I,
)
_JOINT = re.compile(
    r";\s+|,?\s+(?:and|but|while|whereas)\s+(?:so\s+|thus\s+|hence\s+|therefore\s+)?"
    r"|,\s+(?:so|thus|hence|therefore)\s+(?:that\s+)?",
    re.I,
)
_TWO_SIDED = re.compile(r"\W*(?:while|whereas)\s", re.I)
_JOINT_OF_TWO = re.compile(rf"{_JOINT.pattern}|,\s+", re.I)
_END = re.compile(
    r"(?<=[.!?;])(?<!\bi\.e\.)(?<!\be\.g\.)(?<!\bca\.)(?<!\bapprox\.)(?<!\bcf\.)\s+|\n+"
)
_LISTED = re.compile(r",\s+(?=the\s)", re.I)
_NEITHER = re.compile(r"(?:^|(?<=\.\s))Neither(?:\s+of\s+them|\s+quantity)?\s+changes(?=\s*[.:;])")
_BOTH_FIRST = re.compile(r"((?:^|(?<=\.\s))Both\s+\w+(?:\s+the\s+same)?):(?=\s)")
MAX_JOINTS = 12


def plain_text(answer: str) -> str:
    """``answer`` without numbers of a list, bullets and marks of style."""
    return _LIST.sub("", _STYLE.sub("", answer))


def plain_sentences(answer: str) -> list[str]:
    """The sentences that hold a word, with ``X: increases`` put as ``X increases``."""
    text = _BOTH_FIRST.sub(r"\1.", _NEITHER.sub("Both stay the same", plain_text(answer)))
    parts = (part.strip() for part in _END.split(text))
    return [_unlabelled(part) for part in parts if re.search(r"\w", part)]


def clauses(sentence: str, subjects: tuple[Subject, ...], strange: frozenset[str]) -> list[str]:
    """The sentence, cut at conjunctions beside which one of the subjects is said to change."""
    if len(_JOINT.findall(sentence)) > MAX_JOINTS or _states(sentence, subjects, strange):
        return [sentence]
    joints = _JOINT_OF_TWO if _TWO_SIDED.match(sentence) else _JOINT
    for joint in joints.finditer(sentence):
        left, right = sentence[: joint.start()], sentence[joint.end() :]
        if _states(left, subjects, strange):
            return [left, *clauses(right, subjects, strange)]
        if _states(right, subjects, strange):
            return [*clauses(left, subjects, strange), right]
    for joint in _LISTED.finditer(sentence):
        left, right = sentence[: joint.start()], sentence[joint.end() :]
        if _states(left, subjects, strange):
            rest = clauses(right, subjects, strange)
            if _states(rest[0], subjects, strange):
                return [left, *rest]
    return [sentence]


def _states(text: str, subjects: tuple[Subject, ...], strange: frozenset[str]) -> bool:
    spend(PAIR)
    return any(
        change.meant(subjects) or any(subject.may_be(change.subjects[0]) for subject in subjects)
        for change in read_changes(text, strange)
    )


def _unlabelled(sentence: str) -> str:
    match = _LABEL.match(sentence)
    if match is None:
        return sentence
    link = " is " if match["state"] else " "
    return match["name"] + link + sentence[match.start("rest") :]
