"""Remarks behind a value that state its error, or compare it with another quantity.

``400 km/s (uncertainty: 20 km/s)`` is a value with an error bar, and ``400 km/s, twice the sound
speed`` one value with a comparison that holds no number of its own.
"""

from __future__ import annotations

import re

_ERROR = re.compile(
    r"(?<=[\w)%°])\s*(?P<mark>\(|,\s|,?\s(?=with\b))\s*(?:with\s+)?(?:an?\s+|the\s+|its\s+)?"
    r"(?:(?:estimated|statistical|standard|total|1[- ]?(?:σ|sigma))\s+)?"
    r"(?:uncertainty|error(?:\s+bar)?|standard deviation|1\s?-?(?:σ|sigma))"
    r"(?:\s+(?:is|of|about))*\s*[:=≈]?\s*±?\s*(?P<size>\d[^(),;=:]{0,40}?)\s*(?P<close>\)?)\.?$",
    re.I,
)
_COUNT = r"(?:\d+(?:\.\d+)?|two|three|four|five|six|seven|eight|nine|ten|many|several)"
_MULTIPLE = re.compile(
    r"(?<=[\w)%°])\s*(?:,\s+|\(\s*|\s[–—-]\s+)(?:(?:which|that)\s+is\s+|i\.e\.,?\s+|or\s+)?"
    r"(?:(?:about|roughly|nearly|almost|just|some|only|more than|less than)\s+)*"
    rf"(?:twice|half(?:\s+of)?|double|{_COUNT}\s+times|an?\s+(?:third|quarter|fifth|tenth)\s+of)\s+"
    r"(?:as\s+\w+\s+as\s+)?(?:(?:that|those)\s+of\s+)?(?:the|its|their|an?)\s+"
    r"(?!(?:\w+\s+)?(?:values?|results?|answers?|above|previous|numbers?|estimates?|figures?|one)\b)"
    r"(?P<what>[^\W\d_][^\d,;:()=]{2,60}?)\s*\)?\.?$",
    re.I,
)
_OTHER_WORDS = re.compile(
    r"\b(?:not|no|never|but|if|or|wrong|instead|should|this|that|it|too)\b", re.I
)


def with_error_bar(line: str) -> str:
    """The line with an error in words behind its one value as ``± ...``."""
    match = _ERROR.search(line)
    if match is None or (match["mark"] == "(") != bool(match["close"]):
        return line
    if "±" in line[: match.start()] or re.search(
        r"\b(?:uncertainty|error)\b", line[: match.start()]
    ):
        return line
    return f"{line[: match.start()]} (± {match['size']})"


def without_multiple(line: str) -> str:
    """The line without ``, twice the sound speed`` at its end."""
    match = _MULTIPLE.search(line)
    if match is None or _OTHER_WORDS.search(match["what"]):
        return line
    return line[: match.start()]
