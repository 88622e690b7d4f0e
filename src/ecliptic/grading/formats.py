"""The form that a hint demands, checked apart from what the answer says."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from ecliptic.grading.cleaning import clean
from ecliptic.grading.parse_failure import ParseFailure

_STRICT = re.compile(
    r"\b(?:only|must|strictly|exactly|nothing else|no other text|without any)\b", re.I
)
_DOLLARS = re.compile(r"dollar\s+signs?|\$\s*(?:\.\.\.|…|signs?)|between\s+\$|in\s+\$+", re.I)
_BOXED = re.compile(r"\bbox(?:ed)?\b|\\boxed", re.I)
_JSON = re.compile(r"\bJSON\b", re.I)
_LATEX = re.compile(r"\bLaTeX\b|\bTeX\b", re.I)
_EQUATION = re.compile(r"\bequation\b", re.I)
_NUMBER = r"(one|two|three|four|five|six|\d)"
_FIGURES = re.compile(rf"\b{_NUMBER}[-\s]+(?:significant|sig\.?)[-\s]+(?:figures?|digits?)", re.I)
_DECIMALS = re.compile(rf"\b{_NUMBER}[-\s]+(?:decimal\s+places?|decimals)", re.I)
_UNIT = re.compile(
    r"\bin\s+(?:units?\s+of\s+)?(.{1,40}?)(?=\s*$|[,.;]\s|[.;]$|\s+(?:to|with|and|only|using)\b)",
    re.I,
)
_NUMERAL = re.compile(r"(\d[\d,]*)?(?:\.(\d*))?")
_WORDS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


@dataclass(frozen=True, slots=True)
class FormatCheck:
    """One demand of a hint: its name, whether it was met, and whether it was put as a must."""

    name: str
    passed: bool
    strict: bool
    message: str


def check_formats(hint: str, raw: str, extracted: str) -> tuple[FormatCheck, ...]:
    """Every demand that is understood in ``hint``, checked on the answer.

    ``raw`` is the answer as handed in, ``extracted`` what was taken for its final part. A hint
    that asks for nothing checkable gives no checks.
    """
    if not hint.strip():
        return ()
    strict = _STRICT.search(hint) is not None
    text = clean(raw).text
    checks: list[FormatCheck] = []

    def add(name: str, passed: bool, message: str) -> None:
        checks.append(FormatCheck(name, passed, strict, message))

    if _DOLLARS.search(hint):
        alone = re.fullmatch(r"\$\$?[^$]+\$\$?", text) is not None
        some = re.search(r"\$[^$]+\$", text) is not None
        if strict:
            add("dollar signs only", alone, "the answer is one formula in dollar signs")
        else:
            add("dollar signs", some, "the answer has a formula in dollar signs")
    elif _LATEX.search(hint):
        add("LaTeX", re.search(r"[\\$^_]", text) is not None, "the answer is written in LaTeX")
    if _EQUATION.search(hint):
        add("equation", re.search(r"=|\\equiv", extracted) is not None, "the answer is an equation")
    if _BOXED.search(hint):
        add("boxed", r"\boxed{" in raw, "the answer is boxed")
    if _JSON.search(hint):
        add("JSON", _is_json(text), "the answer is JSON")
    if match := _FIGURES.search(hint):
        wanted = _count(match[1])
        low, high = _figures(extracted)
        add(f"{wanted} significant figures", low <= wanted <= high, f"{low} figures are given")
    if match := _DECIMALS.search(hint):
        wanted = _count(match[1])
        given = _decimals(extracted)
        add(f"{wanted} decimal places", given == wanted, f"{given} decimal places are given")
    if match := _UNIT.search(hint):
        met = _has_unit(match[1].strip(" $"), extracted)
        if met is not None:
            add(f"in {match[1].strip()}", met, f"the answer is in {match[1].strip()}")
    return tuple(checks)


def _count(text: str) -> int:
    return _WORDS.get(text.lower()) or int(text)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _mantissa(text: str) -> re.Match[str] | None:
    match = re.search(r"\d[\d,]*(?:\.\d*)?|\.\d+", text)
    return re.fullmatch(r"([\d,]*)(?:\.(\d*))?", match[0]) if match else None


def _figures(text: str) -> tuple[int, int]:
    """Least and greatest number of significant figures: trailing zeros of 400 may count or not."""
    match = _mantissa(text)
    if match is None:
        return 0, 0
    whole, fraction = match[1].replace(",", ""), match[2]
    digits = (whole + (fraction or "")).lstrip("0")
    if fraction is not None:
        return len(digits), len(digits)
    return max(len(digits.rstrip("0")), 1), max(len(digits), 1)


def _decimals(text: str) -> int:
    match = _mantissa(text)
    return len(match[2] or "") if match else 0


def _has_unit(unit: str, extracted: str) -> bool | None:
    """Whether the answer stands in ``unit``; ``None`` when ``unit`` is no unit."""
    from ecliptic.grading.notation import plain
    from ecliptic.grading.units import leading_unit, parse_unit

    try:
        wanted = parse_unit(unit)
        line = plain(extracted)
    except ParseFailure:
        return None
    if wanted.is_bare:
        return None
    for match in re.finditer(r"\d\)?", line):
        try:
            given, end = leading_unit(line[match.end() :])
        except ParseFailure:
            continue
        if end and given.exponents == wanted.exponents:
            return abs(given.factor / wanted.factor - 1.0) < 1e-9
    return False
