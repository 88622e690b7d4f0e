r"""Which formula of a running text is its conclusion."""

from __future__ import annotations

import re

from ecliptic.grading.formula_runs import symbolic_readings
from ecliptic.grading.formula_signs import (
    CLAUSE,
    JOINING,
    OPERATOR,
    SIDE,
    formulas_alone,
    is_quantity,
    joined,
    without_comment,
    without_evaluation,
    without_lead,
)
from ecliptic.grading.pieces import Piece, pieces, strip_delimiters
from ecliptic.grading.plain_conclusions import plain_conclusion
from ecliptic.grading.premises import without_premise
from ecliptic.grading.special_cases import begins_a_case, is_special_case

_SENTENCE_END = re.compile(
    r"[;,]\s+(?=(?:and\s+)?(?:so|thus|hence|therefore)\b)|[.!?](?=\s+[A-Z$\\]|\s*$)|\n\s*(?:\n|[-*]\s+|\d+[.)]\s+)?"
)


_SENTENCE = re.compile(
    r"(?<=[.!?])\s+(?=[A-Z])|[;,]\s+(?=(?:and\s+)?(?:so|thus|hence|therefore)\b)"
)
_GIVEN = re.compile(
    r"\s*(?:using|with|given|from|since|because|substituting|taking|assuming|for|putting|setting|equating)\b"
    r"(?:[^,]|,(?=\d)){0,300},\s+(?=[^,]{0,300}[=≈≃])",
    re.I,
)
_STEP = re.compile(
    r"^\s*[*_]{0,2}(?:step|part|case|question|eq(?:n|uation)?\.?)\s*\(?[0-9a-z]{1,3}\)?[*_]{0,2}\s*[:.)]\s*",
    re.I,
)

_PLAIN_END = re.compile(
    r"[;,.]\s+(?:and\s+)?(?:so|thus|hence|therefore|then|finally)\b[^.;$=≈]{0,60}?"
    r"(?:=|≈|\b(?:is|are|becomes?|equals?)\b)\s*(?:about\s|roughly\s|approximately\s)?\s?[-−+]?\d",
    re.I,
)
"""A value in plain characters that is concluded from formulas in dollars."""
_LABEL = re.compile(
    r"\s*(?:[-*•]\s+|\d{1,2}[.)]\s+|#{1,6}\s*)?(?P<mark>\*\*|__|\*|_)(?=\S)"
    r"(?P<words>[^*_$\\\n=<>]{1,80}?)(?P=mark)\s*[:.—–-]?\s*"
)
"""``**Energy levels:**`` in front of a formula."""
_NO_LABEL = re.compile(
    r"\b(?:not|never|no|wrong|incorrect|false|naive|mistake\w*|unlike|instead|question|given|hint"
    r"|half|twice|double|minus|negative|inverse|reciprocal)\b",
    re.I,
)
_PROSE = re.compile(r"[A-Za-zÀ-ž'’]{2,}")
MAX_PIECES = 200
"""Formulas and the words between them that are looked at in one sentence, from its end."""


def last_formulas(text: str, *, numeric: bool) -> tuple[list[str], str]:
    """Readings of the concluding statement of ``text``, tightest first, and what it is."""
    if not numeric and "\\" in text:
        text = without_comment(text)
    parts = pieces(text)
    if not numeric and "**" in text and len(parts) > 1:
        parts = _without_emphasis(parts)
    if all(part.kind == "prose" for part in parts):
        return _plain(text, numeric=numeric)
    if numeric and parts[-1].kind == "prose" and _PLAIN_END.search(parts[-1].text):
        return _plain(text, numeric=True)
    if len(parts) == 1:
        return [parts[0].text if numeric else without_evaluation(parts[0].text)], "formula"
    if not numeric and (plain := plain_conclusion(parts)):
        return [plain], "last statement"
    group = _without_denied(_last_group(parts, numeric=numeric))[-MAX_PIECES:]
    if not any(part.kind != "prose" for part in group):
        return [], "only formulas that are denied"
    if group[0].kind == "prose":
        group = [Piece("prose", _STEP.sub("", group[0].text)), *group[1:]]
    if not numeric and len(group) > 1 and _is_label(group[0]):
        group = group[1:]
    if not numeric:
        group = without_premise(group)
    alone = len(group) == len(parts)
    whole = joined(group)
    if numeric:
        first = next(i for i, part in enumerate(group) if part.kind != "prose")
        readings = [whole, joined(group[first:]), *formulas_alone(group)]
        return readings, "whole text" if alone else "last statement"
    return symbolic_readings(group), "whole text" if alone else "last statement"


def _is_label(part: Piece) -> bool:
    """Whether a piece is a label in bold that only says what the formula behind it is."""
    if part.kind != "prose" or not 2 < len(part.text) < 200:
        return False
    label = _LABEL.fullmatch(part.text)
    return label is not None and _NO_LABEL.search(label["words"]) is None


def _without_emphasis(parts: list[Piece]) -> list[Piece]:
    """Without the marks of bold type that stand right around a formula in dollars."""
    kept = []
    for index, part in enumerate(parts):
        if part.kind == "prose":
            text = part.text
            if index:
                text = re.sub(r"^\s?\*\*(?=\W|$)", "", text)
            if index + 1 < len(parts):
                text = re.sub(r"\*\*$", "", text)
            if not text:
                continue
            part = Piece("prose", text)
        kept.append(part)
    return kept


def _plain(text: str, *, numeric: bool) -> tuple[list[str], str]:
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if len(lines) > 1:
        telling = [line for line in lines if re.search(r"\d|[=<>^\\]", line)]
        line = telling[-1] if telling else lines[-1]
        place = "last line"
    else:
        line, place = (lines[0] if lines else ""), "whole text"
    line = re.sub(r"^(?:[-*•]\s+|#+\s*)", "", line).strip()
    sentences = [part for part in _SENTENCE.split(line) if part.strip()]
    if len(sentences) > 1:
        telling = [part for part in sentences if re.search(r"\d|[=<>^\\]", part)]
        line = (telling or sentences)[-1]
        place = "last sentence"
    line = strip_delimiters(_GIVEN.sub("", _STEP.sub("", line)))
    if not numeric:
        line = _EXPLAINED.sub("", line)
    tight = without_lead(line)
    if numeric:
        return [line, tight], place
    required = _REQUIRED.fullmatch(line)
    if required and not _NEGATED.search(required[1]):
        return [_without_clause(tight), tight, line, required[2]], place
    readings = [_without_clause(tight), tight, line]
    remark = _REMARK.search(tight)
    if remark:
        readings.append(tight[: remark.start()])
    return readings, place


_REMARK = re.compile(r"[,;]\s+(?:[A-Za-z]{3,}\s+){2,}[A-Za-z]+[^=<>≤≥≈]*$")
"""``v = x, bold quantities being vectors``: words alone behind the formula."""
_EXPLAINED = re.compile(r"(?<=\S)\s+\((?=[^()]*\b(?:in|where|with|for|being|is)\b)[^()]*\)\s*$")
"""``v = 22 B (B in nT)``"""


_REQUIRED = re.compile(
    r"([A-Z][a-z]*(?: [A-Za-z'’-]+){0,12}? ?\b(?:propagates?|occurs?|exists?|sets in|holds?"
    r"|happens?|possible|works?|operates?|penetrates?|escapes?)\s+(?:only\s+)?"
    r"(?:if|when|where|for|provided(?: that)?|requires?(?: that)?))\s+"
    r"((?![^<>≤≥]*\b[a-z]{4,})[^<>≤≥]+[<>≤≥](?!.*\b[a-z]{4,}).+)"
)
"""``The wave propagates only if a/b < 1``: the condition is the answer."""
_NEGATED = re.compile(
    r"\b(?:not|no|never|cannot|neither|nor|unless|hardly|longer)\b|n['’]t\b", re.I
)


def _without_clause(line: str) -> str:
    match = re.search(r"[,;]?\s+(?:where|with|here|in which)\s+", line)
    return line[: match.start()] if match and match.start() > 0 else line


_DENIAL = re.compile(
    r"\b(?:not|rather than|instead of|unlike|as opposed to|in contrast to|never|nor)\s*$", re.I
)


def _without_denied(group: list[Piece]) -> list[Piece]:
    """Without formulas that a word in front denies: ``$a$, not $b$``."""
    kept: list[Piece] = []
    for part in group:
        if part.kind != "prose" and kept and _DENIAL.search(kept[-1].text):
            kept[-1] = Piece("prose", _DENIAL.sub("", kept[-1].text).rstrip(" ,;") or " ")
            continue
        kept.append(part)
    return kept


def _last_group(parts: list[Piece], *, numeric: bool) -> list[Piece]:
    """The last sentence that holds a formula; a display starts one of its own.

    For a formula, a number that is only put in at the end (``so $r_c = 4 R_\\odot$``) is passed
    over when a formula stands in front of it.
    """
    groups: list[list[Piece]] = [[]]
    for part in parts:
        if part.kind == "display":
            if not (groups[-1] and _is_joining(groups[-1])):
                groups.append([])
            groups[-1].append(part)
            continue
        if part.kind == "inline":
            groups[-1].append(part)
            continue
        if groups[-1] and groups[-1][-1].kind == "display" and begins_a_case(part.text):
            groups.append([])
        start = 0
        for match in _SENTENCE_END.finditer(part.text):
            groups[-1].append(Piece("prose", part.text[start : match.start()]))
            groups.append([])
            start = match.end()
        groups[-1].append(Piece("prose", part.text[start:]))
    groups = [[part for part in group if part.text.strip()] for group in groups]
    telling = [group for group in groups if any(part.kind != "prose" for part in group)]
    chosen = telling[-1]
    for earlier in reversed(telling[:-1]):
        evaluated = not numeric and _is_evaluation(chosen) and not _is_explanation(earlier)
        aside = is_special_case(chosen, earlier)
        if not evaluated and not aside and not _is_explanation(chosen):
            break
        chosen = earlier
    return chosen


def _is_evaluation(group: list[Piece]) -> bool:
    """Whether every formula of the sentence gives a number with a unit, or is one."""
    line = joined(group)
    if re.match(r"\W*(?:for|with|at) (?:typical|these|the|such) \w+", line, re.I):
        return all(
            part.kind == "prose" or not re.search(r"[A-Za-z]", re.sub(r"\\\w+", "", part.text))
            for part in group
        )
    formulas = [part.text for part in group if part.kind != "prose"]
    return all(
        len(sides := SIDE.split(formula)) > 1 and is_quantity(sides[-1]) for formula in formulas
    )


def _is_joining(group: list[Piece]) -> bool:
    """Whether a display goes on with the formula in front of it (``$a$ and $$b$$``)."""
    last = [part for part in group[-6:] if part.text.strip()]
    if len(last) < 2 or last[-1].kind != "prose" or last[-2].kind == "prose":
        return False
    return JOINING.fullmatch(last[-1].text) is not None and "\n\n" not in last[-1].text


def _is_explanation(group: list[Piece]) -> bool:
    """Symbols explained behind the answer: ``where $C$ is a constant``, or bare symbols only."""
    first = group[0]
    if first.kind == "prose" and CLAUSE.match(first.text.strip(" ,;")):
        return True
    formulas = [part.text for part in group if part.kind != "prose"]
    return not any(OPERATOR.search(text) or re.search(r"\d", text) for text in formulas)
