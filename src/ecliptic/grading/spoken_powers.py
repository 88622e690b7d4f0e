"""Powers of ten in words: ``3.4 times ten to the minus 5``, ``10 to the power of -3``."""

from __future__ import annotations

import re

from ecliptic.grading.number_literals import NUMBER_WORDS

_ORDINALS = {
    "zeroth": 0, "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6,
    "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12,
    "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "seventeenth": 17,
    "eighteenth": 18, "nineteenth": 19, "twentieth": 20,
}  # fmt: skip
_VALUES = {word: int(value) for word, value in NUMBER_WORDS.items()} | _ORDINALS
_TENS = {
    "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70,
    "eighty": 80, "ninety": 90,
}  # fmt: skip
_WORD = "|".join(sorted(_VALUES, key=len, reverse=True))
_POWER = re.compile(
    r"(?P<times>\s*(?:\btimes\b|\bmultiplied by\b|[x×·*]|\\times)\s*)?"
    r"(?<![\w.])(?:10|ten)[ -](?:raised[ -])?to[ -](?:the[ -])?(?:power[ -](?:of[ -])?)?"
    r"(?P<sign>minus[ -]|negative[ -]|[-−])?"
    rf"(?:(?P<ten>{'|'.join(_TENS)})(?:[ -](?P<digit>{_WORD}))?|(?P<word>{_WORD})"
    r"|(?P<number>\d{1,3})(?:st|nd|rd|th)?)\b(?:[ -]power\b)?",
    re.I,
)
_WHOLE = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_DIGIT = "zero|one|two|three|four|five|six|seven|eight|nine"
_POINT = re.compile(rf"\b({_WHOLE}) point ((?:{_DIGIT})(?:[ -](?:{_DIGIT}))*)\b", re.I)
"""``seven point two``."""
_HINT = re.compile(r"\b(?:10|ten)[ -](?:raised[ -])?to[ -](?:the|power|minus|negative)\b", re.I)
_TIMES = re.compile(r"(?<=\d) (?:times|multiplied by) (?=10 ?(?:\^|\*\*))", re.I)
"""``1.5 times 10^8``."""


def with_spoken_powers(text: str) -> str:
    """The text with powers of ten as ``*10^(-5)``; other words are left."""
    text = _TIMES.sub("*", text)
    if " point " in text.lower():
        text = _POINT.sub(_with_point, text)
    return _POWER.sub(_as_power, text) if _HINT.search(text) else text


def _with_point(match: re.Match[str]) -> str:
    digits = "".join(str(_VALUES[word]) for word in re.split(r"[ -]", match[2].lower()))
    return f"{_VALUES[match[1].lower()]}.{digits}"


def _as_power(match: re.Match[str]) -> str:
    if _HINT.search(match[0]) is None:
        return match[0]  # "10 to 20"
    if match["ten"]:
        exponent = _TENS[match["ten"].lower()]
        exponent += _VALUES[match["digit"].lower()] if match["digit"] else 0
    elif match["word"]:
        exponent = _VALUES[match["word"].lower()]
    else:
        exponent = int(match["number"])
    return f"{'*' if match['times'] else ''}10^({'-' if match['sign'] else ''}{exponent})"
