"""Factors told in words: ``drops to one quarter of its value``, ``fourfold decrease``, ``halves``.

Read from the words of a clause (:func:`ecliptic.grading.clause_words.clause_words`). A change *by*
a factor or a share and one *to* a share are told apart, and so are the directions: a decrease by a
factor of 4, to a quarter and by 75 % are one statement, an increase by a factor of 4 another.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

SAME_FACTOR = 0.01
"""Relative difference below which two factors in words are one."""
_SHARES = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "sixteenth": 16, "hundredth": 100, "thousandth": 1000,
}  # fmt: skip
_MULTIPLES = {
    "double": 2.0, "triple": 3.0, "treble": 3.0, "quadruple": 4.0, "quintuple": 5.0, "halve": 0.5,
    "half": 0.5,
}  # fmt: skip
_FOLDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "hundred": 100, "thousand": 1000,
}  # fmt: skip
_MILD = (
    r"(?:(?:also|now|then|therefore|thus|hence|exactly|about|approximately|roughly|only|just|nearly"
    r"|almost|simply|precisely|~|≈) )*"
)
_DIGITS = r"\d+(?:\.\d+)?(?:e[-+]?\d+)?"
_SHARE = (
    rf"(?:(?:\d+ )?(?:{'|'.join(_SHARES)})s?|{_DIGITS} / (?:{_DIGITS}|e)|{_DIGITS} ?%"
    r"|\d+ percent|0?\.\d+)"
)
_NUMBER = rf"(?:\\?sqrt {_DIGITS}|√ {_DIGITS}|square root of {_DIGITS}|{_SHARE}|{_DIGITS})"
_FOLD = rf"(?:{_DIGITS} fold|(?:{'|'.join(_FOLDS)})fold)"
_UP = (
    r"increase|strengthen|grow|expand|be (?:increased|enhanced|raised|amplified|boosted|multiplied)"
)
_DOWN = (
    r"decrease|weaken|shrink|be (?:reduced|decreased|lowered|suppressed|weakened|diminished|cut"
    r"|divided)|reduce"
)
_MORE = "larger|higher|greater|bigger|stronger|longer|faster|more|wider|denser|hotter|brighter"
_LESS = "smaller|lower|weaker|shorter|slower|less|narrower|cooler|fainter"
_SIZE = "large|big|high|strong|long|fast|great|much|wide|dense|hot|bright"
_OLD_WORD = (
    "original|initial|former|previous|old|starting|unperturbed|first|upstream|ambient|present"
    "|current|nominal|undisturbed"
)
_NOUN_WORD = "value|level|size|strength|amount|speed|rate"
_OLD = (
    rf"(?: of)?(?:(?: its| their)(?: (?:{_OLD_WORD}))?(?: (?:{_NOUN_WORD}))?"
    rf"| (?:{_OLD_WORD})(?: (?:{_NOUN_WORD}))?| what it be(?: before)?| that before)"
)
_BE = r"(?:be|become)"
_CHANGES = (
    rf"(?P<by>{_UP}|{_DOWN}) {_MILD}by {_MILD}(?:factor (?:of )?{_MILD}(?P<n1>{_NUMBER})"
    rf"|(?P<n2>{_DIGITS}) time|(?P<n3>(?:{_DIGITS} )?order of magnitude)|(?P<n4>{_SHARE})"
    rf"(?:{_OLD})?)",
    rf"(?P<fold>{_UP}|{_DOWN}) {_MILD}(?:by )?(?:(?P<n5>{_FOLD})|(?P<n6>{_DIGITS}) time)",
    rf"(?:{_UP}|{_DOWN}|{_BE}) {_MILD}(?:down )?to {_MILD}(?:(?P<n7>{_SHARE})(?:{_OLD})?"
    rf"|(?P<n8>{_DIGITS}) time{_OLD}|(?P<n9>twice){_OLD})",
    rf"{_BE} {_MILD}(?:(?P<n10>{_SHARE})|(?P<n11>{_DIGITS}) time|(?P<n12>twice)){_OLD}",
    rf"(?:{_BE} )?{_MILD}(?:(?P<n13>{_SHARE}|twice|{_DIGITS} time) as (?:{_SIZE})"
    rf"(?: as(?: before|{_OLD}))?|(?:by )?(?:factor of (?P<n14>{_NUMBER})"
    rf"|(?P<n15>{_DIGITS}) time|(?P<n16>{_DIGITS} ?%)) (?P<than>{_MORE}|{_LESS}))",
    rf"(?:{_BE} )?{_MILD}(?P<multiple>double|triple|treble|quadruple|quintuple|halve)d?",
)
_TAIL = (
    r"(?P<tail>(?: (?:overall|in total|compared (?:to|with) (?:before|original value|initial value)"
    r"|than before|well|too))*)(?P<behind>(?: (?:when|if|as|because|since|due|for|under|with|in|at"
    r"|while|during|after|from) .+)?)$"
)
_CHANGE = tuple(
    re.compile(rf"^(?:(?P<subject>.+?) )?(?:(?:will|must|would) )?{_MILD}{change}{_TAIL}")
    for change in _CHANGES
)
_NOUN = re.compile(
    rf"^(?:(?:there be|this be|it be|be) )?{_MILD}(?:by )?"
    rf"(?:(?:factor of )?(?P<n>{_NUMBER})|(?P<f>{_FOLD})|(?P<t>{_DIGITS}) time) "
    rf"(?P<way>increase|enhancement|decrease|reduction|{_MORE}|{_LESS})"
    r"(?: (?:in|of) (?P<subject>.+))?$"
)
_ACTIVE = re.compile(
    r"^(?!be )[^,]+? (?:(?P<up>increase|raise|enhance|boost|amplify)|reduce|decrease|lower"
    rf"|suppress) (?P<subject>(?!by |to )[^,]+?) (?P<rest>(?:by|to) .+|{_FOLD}.*)$"
)
_TURNED = re.compile(r"\b(?:not|no|never|than|or|neither|either|but|unless|can|may|might|could)\b")
_PRONOUNS = frozenset(
    [
        "be",
        "become",
        "it",
        "this",
        "that",
        "they",
        "its",
        "their",
        "value",
        "of",
        "new",
        "resulting",
        "result",
    ]
)


@dataclass(frozen=True, slots=True)
class ToldFactor:
    """The words of what changes (none for a pronoun), the factor, and what stands behind."""

    subject: tuple[str, ...]
    factor: float
    behind: str = ""


def told_factor(line: str) -> ToldFactor | None:
    """The factor of change that a clause in plain words tells, or ``None``."""
    if len(line) > 400 or not _HINT.search(line):
        return None
    for pattern in _CHANGE:
        match = pattern.match(line)
        if match is None:
            continue
        factor = _factor(match)
        subject = match["subject"] or ""
        if factor is None or not factor > 0 or _TURNED.search(subject):
            return None
        return ToldFactor(_named(subject), factor, match["behind"].strip())
    active = _ACTIVE.match(line)
    if active is not None:
        done = "be increased" if active["up"] else "be decreased"
        return told_factor(f"{active['subject']} {done} {active['rest']}")
    match = _NOUN.match(line)
    if match is None:
        return None
    number = _fold(match["f"]) if match["f"] else _number(match["n"] or match["t"])
    up = re.fullmatch(rf"increase|enhancement|{_MORE}", match["way"]) is not None
    if match["n"] and match["n"].endswith(("%", "percent")):
        number = 1 + number if up else 1 - number
        return ToldFactor(_named(match["subject"] or ""), number) if number > 0 else None
    if number <= 1:
        return None
    return ToldFactor(_named(match["subject"] or ""), number if up else 1 / number)


def same_factor(left: float, right: float) -> bool:
    """Whether two factors are one."""
    return abs(left - right) <= SAME_FACTOR * max(left, right)


_HINT = re.compile(
    r"factor|fold|\btime\b|order of magnitude|twice|double|triple|treble|quadruple|quintuple|halve"
    rf"|%|percent|/ |0?\.\d|\b(?:{'|'.join(_SHARES)})"
)


def _named(subject: str) -> tuple[str, ...]:
    return tuple(word for word in subject.split() if word not in _PRONOUNS)


def _factor(match: re.Match[str]) -> float | None:
    found = {name: text for name, text in match.groupdict().items() if text}
    if "multiple" in found:
        return _MULTIPLES[found["multiple"]]
    verb = found.get("by") or found.get("fold") or found.get("than")
    up = verb is not None and re.fullmatch(rf"{_UP}|{_MORE}", verb) is not None
    for name in ("n1", "n2", "n5", "n6", "n14", "n15"):
        if name not in found:
            continue
        number = _fold(found[name]) if name == "n5" else _number(found[name])
        if up:
            multiplied = verb == "be multiplied"
            return number if number >= 1 or multiplied else None
        return 1 / number if number > 1 else number
    if "n3" in found:
        orders = _number(found["n3"].removesuffix("order of magnitude").strip() or "1")
        return float(10 ** (orders if up else -orders)) if orders < 100 else None
    for name in ("n4", "n16"):
        if name in found:
            share = _number(found[name])
            return 1 + share if up else 1 - share
    for name in ("n7", "n8", "n9", "n10", "n11", "n12", "n13"):
        if name in found:
            return _number(found[name].removesuffix(" time"))
    return None


def _fold(text: str) -> float:
    word = text.removesuffix("fold").strip()
    return float(_FOLDS[word]) if word in _FOLDS else _number(word)


def _number(text: str) -> float:
    text = text.strip()
    if text in {"twice", "e"}:
        return 2.0 if text == "twice" else math.e
    root = re.fullmatch(r"(?:\\?sqrt|√|square root of) (.+)", text)
    if root:
        return math.sqrt(_number(root[1]))
    if text.endswith(("%", "percent")):
        return _number(text.removesuffix("%").removesuffix("percent")) / 100
    above, slash, below = text.partition("/")
    if slash:
        divisor = _number(below)
        return _number(above) / divisor if divisor else math.nan
    count, _, share = text.rpartition(" ")
    share = share if share in _SHARES else share.removesuffix("s")
    if share in _SHARES:
        return (float(count) if count else 1.0) / _SHARES[share]
    try:
        return float(text)
    except ValueError:
        return math.nan
