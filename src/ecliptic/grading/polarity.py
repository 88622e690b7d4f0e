"""Answers that are one word of agreement, or the letter of an option."""

from __future__ import annotations

import re

from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.diagnose import GradingDiagnosis

_LEAD = (
    r"[\s*\"'(]*(?:(?:thus|so|hence|therefore)[,:]?\s+)?(?:(?:the|this|that)\s+(?:statement|claim|assertion)\s+is\s+)?(?:(?:the|my)\s+)?(?:(?:final\s+|correct\s+)?answer\s*(?:is\b:?|:)\s*)?"
    r"[\s*\"'(]*"
)
_POLAR = r"(yes|true|correct|no|false|incorrect)"
_GOLD = re.compile(rf"\W*{_POLAR}\W*", re.I)
_YES = re.compile(
    rf"{_LEAD}{_POLAR}\b(?=[\s\"'*)]*(?:$|[.,;:!–—-]|\b(?:because|since|as|it|the|this|that)\b))",
    re.I,
)
_HENCE = re.compile(
    rf"(?:[,;:]\s*|\b)(?:so|hence|thus|therefore)(?:\s+the\s+answer\s+is)?[,:]?\s+{_POLAR}\W*$",
    re.I,
)
_AFFIRMATIVE = frozenset({"yes", "true", "correct"})
_TURN = re.compile(
    r"\?|\b(?:yes|true|no|false|incorrect|wrong|wait|actually|correction|if|unless|otherwise|depends"
    r"|maybe|perhaps|possibly|however|although|mistake|sorry|oops|scratch|opposite|or)\b",
    re.I,
)
_OPTION = re.compile(r"[*(\[ ]*([A-H])[*)\]. ]*")
_OPTION_ANSWER = re.compile(
    r"(?:.{0,60}\b(?i:answer|option|choice|thus[,:]|hence[,:])\s*(?:(?i:is)\b|:)?\s*)?"
    r"[*(\[ ]*([A-H])[*]*(?:[)\].:,]|\s*$|\s+[-–—])",
    re.S,
)
_OTHER = re.compile(
    r"(?<![nN]ot )(?:\(([A-H])\)|\b([A-H])\b(?=\s*(?:[).:,;?!]|$|or\b|and\b))"
    r"|(?:\b(?:or|and|option|choice)|[,/&])\s*\(?([A-H])\b)"
)
_OPTION_TURN = re.compile(
    r"\?|\b(?:wait|actually|correction|no|wrong|incorrect|either|both|maybe|perhaps|possibly|except"
    r"|unless|scratch|sorry|oops|instead|mistake|but|false)\b",
    re.I,
)


def compare_polarity(gold: str, answer: str) -> Comparison | None:
    """A gold of yes or no; ``None`` when it is another one."""
    wanted = _GOLD.fullmatch(gold)
    if not wanted:
        return None
    given = _YES.match(answer) or _concluding(answer)
    if not given:
        return undecided(
            GradingDiagnosis.UNDECIDED,
            f"the answer does not begin with a plain {gold}",
            method="yes or no",
        )
    turn = _TURN.search(answer, given.end())
    if turn:
        return undecided(
            GradingDiagnosis.UNDECIDED,
            f"'{turn[0]}' behind '{given[1]}' may turn it round",
            method="yes or no",
        )
    if (wanted[1].casefold() in _AFFIRMATIVE) == (given[1].casefold() in _AFFIRMATIVE):
        return same("the same polarity", method="yes or no")
    return different(
        GradingDiagnosis.CONTRADICTION,
        f"'{given[1]}' for '{wanted[1]}'",
        method="yes or no",
        answer=given[1],
        gold=wanted[1],
    )


def _concluding(answer: str) -> re.Match[str] | None:
    """``..., hence no.``: the only word of agreement, at the end of one sentence."""
    given = _HENCE.search(answer)
    if given is None or "\n" in answer.strip() or _TURN.search(answer[: given.start()]):
        return None
    return given


def compare_option(gold: str, answer: str) -> Comparison | None:
    """A gold that is the letter of an option; ``None`` when it is another one."""
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
    rest = answer[given.end(1) :]
    front = answer[: given.start(1)]
    named = {next(filter(None, match.groups())) for match in _OTHER.finditer(rest)}
    doubt = _OPTION_TURN.search(rest) or re.search(r"\b(?:not|n't|no|wrong|but)\b", front, re.I)
    if re.search(r"\b[B-H]\b|\bA\b(?=\s*[:).,])", front):
        named.add("")
    if named - {given[1]} or doubt or re.search(r"\bnot\s+\(?" + given[1], answer, re.I):
        return undecided(
            GradingDiagnosis.UNDECIDED,
            f"what stands beside option {given[1]} may turn it round",
            method="option",
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
