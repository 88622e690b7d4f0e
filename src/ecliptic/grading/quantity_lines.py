"""A plain line made ready for reading: words of comparison as signs, intervals as ranges."""

from __future__ import annotations

import re

from ecliptic.grading.number_phrases import with_digits
from ecliptic.grading.remarks import TRAILING
from ecliptic.grading.value_remarks import with_error_bar, without_multiple

_FOR_VALUE = re.compile(
    r"(?<=[\w)%°])\s+(?=(?:for|at|with|when|assuming|using|given) [A-Za-zΑ-ω][\w()]* ?= ?[-+\d.])"
)
REACHED = re.compile(
    r"\b(?:reach(?:es|ed|ing)?|attain(?:s|ed|ing)?|hits?"
    r"|(?:drop|fall|rise|climb)(?:s|ed)? to|fell to|rose to)"
    r"\s+(?:a|an|its|the)\s+(?:\w+ )?(minimum|maximum)(?: value)? of\b",
    re.I,
)
"""An extremum that a quantity has, which is no bound on it."""
_MEMBER = re.compile(r"[,;.]?\s+\((?:ii|iii|iv|v|b|c|d|2|3|4)\)\s+(?=[^\d\s][^=≈:;]{0,60}[=≈:])")
NAMED_TUPLE = re.compile(
    r"^\(([^()]*)\)\s*[=≈]\s*\(((?:[^()]|\([^()]*\))*)\)(\s*[A-Za-zμ°%][^=≈;,]*)?$"
)
"""``(p, E) = (3.5, 20 keV)``."""
_MILD = re.compile(
    r"(?<!or)(?:,?\s*(?:\(\s*)?(?:(?:al)?though|but|however,?)\s+(?:the|this|its|it"
    r"|these)\b[A-Za-z '′-]{0,40}?"
    r"\b(?:depends?|varies|vary|may (?:vary|differ))\b[A-Za-z ,'′-]*\)?"
    r"|,?\s*\(?(?<=[\s(])(?:slightly |weakly |somewhat )?depending\b[A-Za-z ,'′-]*\)?)$"
)
"""``2.3 GV, though the exact value depends on the model``: nothing is turned round."""
HEMISPHERIC = "hemispheric"
"""Marks an angle that came with N, S, E or W."""
_HEMISPHERE = re.compile(
    r"(?P<label>[^;,=:\d]*[=:]\s*|(?:(?:helio|geo)\w*\s+)?(?:lat|lon)\w*\s+(?:of\s+|is\s+)?)?(?P<angle>\d+(?:\.\d+)?\s*(?:°|deg(?:rees?)?\b))"
    r"\s*(?P<side>[NSEW](?![\w°])|(?:north|south|east|west)(?:ern)?\b(?: latitude| longitude)?)",
    re.I,
)
_THRESHOLD = re.compile(
    r"(?<=\bthe )[<>≥≤≳≲]=?\s?\d[\d.]*\s?[A-Za-zμ°]{1,4}\s+(?=[a-z]{3,}\b[^\d]*?(?:\bis\b"
    r"|\bof\b|\bwas\b|=|:))",
    re.I,
)
"""``The >10 MeV proton flux is 8 pfu``."""
_P_VALUE = re.compile(
    r"(?<=\d)\s*[,;(]\s*(?:with\s+)?p(?:[- ]value)?\s*[<≤≲]\s*(?:0?\.\d+|10\^\(?-\d+\)?"
    r"|\d[\d.]*\s*[*·]\s*10\^\(?-\d+\)?|[\d.]+e-?\d+)\)?$"
)
"""``r = 0.97, p < 0.001``: how sure it is."""
_TIME = r"(?:days?|d|hours?|h|hrs?|minutes?|min|degrees?|deg|°|arcmin(?:ute)?s?|years?|yr)"
_SMALLER = (
    r"(?:days?|d|hours?|h|hrs?|minutes?|min|seconds?|sec|s|arcmin(?:ute)?s?|arcsec(?:ond)?s?"
    r"|months?)"
)
_MIXED_AND = re.compile(rf"(?P<first>\d\s*{_TIME})\s*,?\s+and\s+(?=\d[\d.]*\s*{_SMALLER}\b)")
"""``3 days and 5 hours``."""
_ASYMMETRIC = re.compile(r"(?<![\d.])([-+]?\d[\d.]*)\s+\+(\d[\d.]*)\s*[/,]?\s*-(\d[\d.]*)(?![\d.])")
"""``8.0 +0.6/-0.5``."""
_OF_LIGHT = re.compile(
    r"(?:(?P<half>\bhalf)(?: of)?|(?P<tenth>\b(?:a|one) tenth of)|(?P<of>\s+(?:times|of|·"
    r"|\*)))\s+the speed of light",
    re.I,
)
_WITHIN = re.compile(r"\s*∈\s*(?=[\[(\d-])()")
_FIGURES = re.compile(
    r"\s*\((?:(?:rounded |given |correct )?to )?(?:\d|one|two|three|four|five) ?(?:s\. ?f\."
    r"|sig(?:nificant|\.)? ?(?:figures?|figs?\.?|digits?))\)",
    re.I,
)
_TO_ONE = re.compile(r"(?<!from )(?<![\d.])(\d{1,9}(?:\.\d+)?)(?: to |-to-)(?:1|one)(?=\W*$)")
"""``4 to 1``: a ratio."""
_MULTIPLE_HINT = re.compile(r"\b(?:twice|half|double|times|third|quarter|fifth|tenth)\b", re.I)
_ERROR_HINT = re.compile(r"uncertainty|\berror\b|deviation|σ|\bsigma\b", re.I)
_BETWEEN = re.compile(r"\bbetween\b([^;]*?)\band\b", re.I)

_FROM = re.compile(r"\b(?:from|in the range(?: of)?|ranging from|ranges from)\s+(?=[-+\d.(])", re.I)

_BRACKETS = re.compile(r"\[([^\[\],;]*),([^\[\],;]*)\]")

_COMPARE_WORDS = (
    (re.compile(r"\b(?:is )?(?:less|smaller|lower|fewer) than or equal to\b", re.I), "≤"),
    (re.compile(r"\b(?:is )?(?:greater|more|larger|higher) than or equal to\b", re.I), "≥"),
    (re.compile(r"\b(?:is )?(?:less|smaller|lower|fewer) than\b|\bbelow\b|\bunder\b", re.I), "≲"),
    (
        re.compile(
            r"\b(?:is )?(?:greater|more|larger|higher) than\b|\babove\b|\bexceed(?:s|ing)?\b"
            r"|\bin excess of\b|\bover(?= [\d.])",
            re.I,
        ),
        "≳",
    ),
    (re.compile(r"\bat least\b|\bno less than\b|\bminimum of\b", re.I), "≳"),
    (re.compile(r"\bat most\b|\bno more than\b|\bup to\b|\bmaximum of\b", re.I), "≲"),
)

_COMPARE_HINT = re.compile(
    r"\bthan\b|\bbelow\b|\bunder\b|\babove\b|\bexceed|\bexcess\b|\bover\b|\bat (?:least|most)\b"
    r"|\bup to\b|\b(?:min|max)imum of\b",
    re.I,
)


def prepared(line: str) -> str:
    """The line with words of comparison as signs and intervals as ranges."""
    line = with_digits(line.lstrip(" ,;\n").rstrip(TRAILING + "\n"))
    if _MULTIPLE_HINT.search(line):
        line = without_multiple(line)
    if _ERROR_HINT.search(line):
        line = with_error_bar(line)
    if ") " in line:
        line = _MEMBER.sub("; ", line)
        line = NAMED_TUPLE.sub(_parted, line)
    if "epend" in line or "var" in line or "differ" in line:
        line = _MILD.sub("", line)
    if "fig" in line or "f.)" in line or "digit" in line:
        line = _FIGURES.sub("", line)
    if "to 1" in line or "to one" in line or "to-1" in line:
        line = _TO_ONE.sub(r"\1:1", line)
    if "between" in line.lower():
        line = _BETWEEN.sub(r"\1 – ", line)
    if "rom" in line or "rang" in line:
        line = _FROM.sub(" ", line)
    if "(=" in line or "(≈" in line:
        line = line.replace("(=", "(").replace("(≈", "(")
    if any(sign in line for sign in "<>≤≥≲≳"):
        line = _THRESHOLD.sub("", _P_VALUE.sub("", line))
    if " and " in line:
        line = _MIXED_AND.sub(r"\g<first> ", line)
    if "+" in line and "-" in line:
        line = _ASYMMETRIC.sub(_symmetric, line)
    if "speed of light" in line:
        line = _OF_LIGHT.sub(_in_c, line)
    if "°" in line or "deg" in line:
        line = _HEMISPHERE.sub(_signed_angle, line)
    if "∈" in line:
        line = _WITHIN.sub(r" = \1", line)
    if "[" in line:
        if line[0] == "[" and line[-1] == "]" and not re.search(r"[,;\[]", line[1:]):
            line = line[1:-1].strip()
        line = _BRACKETS.sub(_interval_as_range, line)
    line = REACHED.sub("reaches", line)
    behind = list(_FOR_VALUE.finditer(line))
    if len(behind) == 1 and any(map(str.isdecimal, line[: behind[0].start()])):
        line = _FOR_VALUE.sub(", ", line)
    if _COMPARE_HINT.search(line):
        for pattern, sign in _COMPARE_WORDS:
            line = pattern.sub(f" {sign} ", line)
    return line


def _symmetric(match: re.Match[str]) -> str:
    """The larger of two errors for both."""
    return f"{match[1]} ± {max(match[2], match[3], key=float)}"


def _in_c(match: re.Match[str]) -> str:
    if match["of"]:
        return " c"
    return "0.5 c" if match["half"] else "0.1 c"


def _signed_angle(match: re.Match[str]) -> str:
    """``30° S`` as ``latitude = -30°``: south and west count negative."""
    side = match["side"][0].upper()
    sign = "-" if side in "SW" else ""
    name = f"{HEMISPHERIC} {'latitude' if side in 'NS' else 'longitude'}"
    label = match["label"]
    if label and not label.lower().strip().startswith(("helio", "geo", "lat", "lon")):
        return f"{label}{sign}{match['angle']}"
    return f"{name} = {sign}{match['angle']}"


def _parted(match: re.Match[str]) -> str:
    names, values = match[1].split(","), re.split(r",\s*(?!\d{3}(?!\d))|;", match[2])
    if len(names) != len(values) or len(names) < 2:
        return match[0]
    return "; ".join(
        f"{name.strip()} = {value.strip()}{match[3] or ''}"
        for name, value in zip(names, values, strict=True)
    )


def _interval_as_range(match: re.Match[str]) -> str:
    if any(character.isdecimal() for character in match[1]):
        return f"{match[1].strip()} ‥ {match[2].strip()}"
    return match[0]
