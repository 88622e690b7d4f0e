"""What explains a value behind it, and the sentence in bold that states it at the end.

``15 microns (Wien: $2898/193$)``, ``6563 Å, which is the H-alpha line``: neither changes the value.
"""

from __future__ import annotations

import re

from ecliptic.grading.remarks import TURNED_ROUND

_BRACKET = re.compile(
    r"(?<=[\w%°$})])\s*\((?:from|using|via|by|since|because|recall|applying|[A-Z][\w'’ -]{1,30}:)\s"
    r"(?P<inner>[^()]*(?:\([^()]*\)[^()]*){0,6})\)[\s.]*$"
)
_WHICH = re.compile(
    r"(?<=[\w%°$}),.])(?P<sign>\$*),?\s+which\s+(?P<clause>(?:is|are|lies|corresponds|falls|belongs)\s"
    r"(?:the|an?|in|to|what|within|just|well|consistent)\b[^.;=<>≈\d]{1,120})\.?\s*$"
)
_RESULT = re.compile(
    r"(?:[=≈]|\\(?:approx|simeq|sim)(?![A-Za-z]))\s*[-+]?(?>\d[\d.]*)(?!\s*(?:[/*^]|\\))"
)
_TAKES_BACK = re.compile(
    r"\b(?:would|could|should|if|but|however|actual\w*|correct\w*|not|or|answer|mistake\w*|error"
    r"|too|larger|smaller|colder|hotter|higher|lower|less|more|below|above)\b",
    re.I,
)
_DIGIT = re.compile(r"\d")
_BOLD_LINE = re.compile(
    r"\n[ \t]*\*\*(?P<text>[^*$\n]{0,120}?\b(?:is|are|was|equals?)\s+(?:not\s+)?"
    r"(?:about|approximately|roughly|nearly|around|≈|~)?\s*[-−+]?\d[^*$\n=<>]{0,60}?)\*\*[\s.]*$"
)


def without_explanation(text: str) -> str:
    """The text without a bracket or relative clause at its end that only explains the value."""
    if "(" in text and "$" in text and (match := _BRACKET.search(text)):
        inner = match["inner"]
        derives = "$" in inner and _RESULT.search(inner) is None
        if derives and not _TAKES_BACK.search(inner) and _DIGIT.search(text[: match.start()]):
            text = text[: match.start()]
    if "which" in text and (match := _WHICH.search(text)):
        clause = match["clause"]
        judged = TURNED_ROUND.search(f"{clause} it") or _TAKES_BACK.search(clause)
        if not judged and _DIGIT.search(text[: match.start()]):
            text = text[: match.start()] + match["sign"]
    return text


def bold_conclusion(text: str) -> str:
    """The sentence in bold on the last line behind formulas that states a value, or nothing."""
    if "**" not in text or "$" not in text:
        return ""
    match = _BOLD_LINE.search(text)
    if match is None:
        return ""
    if re.search(r"\bnot\b", match["text"]):  # what is denied must not count
        return match["text"].strip()
    if TURNED_ROUND.search(match["text"]) or _TAKES_BACK.search(match["text"]):
        return ""
    return match["text"].strip()
