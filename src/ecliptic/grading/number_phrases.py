"""Numbers in several words: ``half a million``, ``a dozen``, ``two and a half thousand``."""

from __future__ import annotations

import re
from decimal import Decimal

from ecliptic.grading.number_literals import NUMBER_WORDS

_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = NUMBER_WORDS | {word: Decimal(20 + 10 * place) for place, word in enumerate(_TENS)}
_SCALES = {"dozen": 12, "hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}
_PARTS = {
    "half": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
    "eighth": 8, "ninth": 9, "tenth": 10, "hundredth": 100, "thousandth": 1000,
    "millionth": 10**6, "billionth": 10**9,
}  # fmt: skip
_NUMBER = r"(?:" + "|".join(sorted(_VALUES, key=len, reverse=True)) + r")"
_UNITS_DIGIT = r"(?:" + "|".join(list(NUMBER_WORDS)[1:10]) + r")"
_SCALE = r"(?:" + "|".join(_SCALES) + r")\b"
_PART = (
    r"(?:thirds?|quarters?|fourths?|fifths?|sixths?|sevenths?|eighths?|ninths?|tenths?"
    r"|hundredths?|thousandths?|millionths?|billionths?|half|halves)\b"
)
_TIMES = (
    r"(?:second|minute|hour|day|week|month|year|degree|astronomical|solar|nano|micro|milli|kilo"
    r"|mega|giga)"
)
_HINT = re.compile(rf"\b(?:half|{_SCALE}|{_PART}|(?:{'|'.join(_TENS)}))", re.I)
_PATTERNS = (
    re.compile(rf"\bhalf[ -]an?[ -](?P<scale>{_SCALE})(?! of\b(?! (?:the|all)\b))", re.I),
    re.compile(
        r"\bhalf[ -]an? (?=(?:hour|day|year|minute|second|degree|week|astronomical)\b)", re.I
    ),
    re.compile(
        rf"\b(?P<whole>{_NUMBER}|\d+) and (?:a |one )?(?P<part>half|quarter|third)\b"
        rf"(?: (?P<scale>{_SCALE}))?",
        re.I,
    ),
    re.compile(rf"\b(?P<count>{_NUMBER})[ -](?P<part>{_PART}) of an? (?={_TIMES}\b)", re.I),
    re.compile(rf"\b(?P<count>{_NUMBER})[ -](?P<part>{_PART})(?! of (?:\d|an?\b))", re.I),
    re.compile(
        r"\ba (?P<part>third|quarter|fifth|tenth|hundredth|thousandth)(?= of (?!an?\b)|$)", re.I
    ),
    re.compile(
        r"(?<![\d.,])(?P<count>\d{1,3}) (?P<part>(?:tenths|hundredths|thousandths|millionths"
        r"|billionths)\b)"
    ),
    re.compile(rf"\b(?P<ten>{'|'.join(_TENS)})(?:[ -](?P<digit>{_UNITS_DIGIT}))?\b", re.I),
    re.compile(rf"\ban? (?P<scale>{_SCALE})", re.I),
    re.compile(rf"\b(?P<count>{_NUMBER}) (?P<scale>dozen)\b", re.I),
)


_ONE_IN = re.compile(
    r"(?<![\w.])(?:1|one) (?:part )?in (?:a )?(\d[,\d]*\d(?:\^\(?\d+\)?)?|hundred|thousand"
    r"|million|billion)"
    r"(?=\W*$)",
    re.I,
)
"""``1 in 400``."""
_ROOT = re.compile(
    r"\b(?:the )?(?P<kind>square|cube|fourth) root of (?P<number>\d+(?:\.\d+)?|two|three|five|ten)"
    r"(?:/(?P<below>\d+))?(?![\w/])",
    re.I,
)


_FOLD = re.compile(
    rf"\b(?P<count>{_NUMBER}|\d+(?:\.\d+)?)[ -]?fold\b(?: (?:increase|enhancement|rise|growth))?",
    re.I,
)


def _folded(match: re.Match[str]) -> str:
    count = match["count"].lower()
    return count if count[0].isdecimal() else str(_VALUES[count])


def _root(match: re.Match[str]) -> str:
    number = match["number"].lower()
    number = number if number[0].isdecimal() else str(_VALUES[number])
    if match["below"]:
        number = f"{number}/{match['below']}"
    kind = match["kind"].lower()
    return f"sqrt({number})" if kind == "square" else f"({number})^(1/{3 if kind == 'cube' else 4})"


def with_digits(line: str) -> str:
    """A plain line with numbers in several words as digits; single words are left."""
    if " in " in line or "root" in line:
        line = _ONE_IN.sub(r"1/\1", _ROOT.sub(_root, line))
    if "fold" in line:
        line = _FOLD.sub(_folded, line)
    if _HINT.search(line) is None:
        return line
    for pattern in _PATTERNS:
        line = pattern.sub(_digits, line)
    return line


def _digits(match: re.Match[str]) -> str:
    words = {name: word.lower() for name, word in match.groupdict().items() if word}
    scale = _SCALES[words["scale"]] if "scale" in words else 1
    if "ten" in words:
        return str(_VALUES[words["ten"]] + _VALUES.get(words.get("digit", "zero"), Decimal(0)))
    whole = words.get("whole", "")
    if whole:
        number = Decimal(whole) if whole.isdecimal() else _VALUES[whole]
        if words["part"] == "third":
            return f"{3 * number + 1}/3" if scale == 1 else f"{(3 * number + 1) * scale}/3"
        number += Decimal(1) / _PARTS[words["part"]]
        return f"{number * scale:f}"
    if "part" in words:
        name = words["part"]
        name = "half" if name == "halves" else name.removesuffix("s")
        count = Decimal(1)
        if "count" in words:
            count = (
                Decimal(words["count"]) if words["count"].isdecimal() else _VALUES[words["count"]]
            )
        return f"{count}/{_PARTS[name]}{' ' if match[0].endswith(' ') else ''}"
    if "count" in words:
        return f"{_VALUES[words['count']] * scale}"
    if match[0].lower().startswith("half"):
        half = f"{Decimal(scale) / 2:f}"
        return half if "scale" in words else f"{half} "
    return str(scale)
