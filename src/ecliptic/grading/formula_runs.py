r"""The formulas of one sentence that belong together: statements, cases, alternatives."""

from __future__ import annotations

import re
from itertools import pairwise

from ecliptic.grading.formula_signs import (
    CLAUSE,
    JOINING,
    OPERATOR,
    RELATION,
    formulas_alone,
    is_quantity,
    joined,
    unit_alone,
    without_evaluation,
    without_lead,
)
from ecliptic.grading.pieces import Piece

_WITH = re.compile(r"\b(?:with|where|when|for|if|here|in|at)\W*$", re.I)
_DEFINES = re.compile(
    r",?\s+with (?:the |an? )?(?:[\w-]+\s+){1,4}(?<!at )(?<!in )(?<!of )(?<!for )(?<!by )", re.I
)
"""``v = a/S with the Lundquist number $S = ...$``"""
_LIMIT = re.compile(r"\b(?:as|for|when|limit|limit of|at|where)\s*$", re.I)
_TENDS_TO = re.compile(
    r"\\?[A-Za-z]+(?:_\{?\\?\w+\}?)?\s*(?:\\to|\\rightarrow|→)\s*[-+]?(?:\\infty|∞|\d+)"
)
_UNIT_AND_WORDS = re.compile(
    r"(\s*[^\s,(;]+(?:\s[^\s,(;]+){0,2}?)\s*[(,;]?\s*(?:with|where|for|if|when|in which)\b"
)
_IN_UNIT = re.compile(r"\s+(?:is |are |being )?(?:measured |given |expressed )?in\s+[A-Za-z]")
_VALUE = re.compile(r"\s*[=≈]")
_ATTRIBUTE = re.compile(r",\s+(?:with|having|peaking)\s+(?:its|a|an|the)\s+(?:\w+\s+){1,4}at\s*$")
"""``q = ..., with its maximum at $z = 0$``: a place, not the answer."""


def symbolic_readings(group: list[Piece]) -> list[str]:
    """Readings of a concluding sentence as a formula, tightest first."""
    cases = _cases_in_brackets(group)
    if cases:
        return [cases]
    kept = _with_units_apart(group)
    for index, part in enumerate(kept):
        if index and part.kind != "prose" and _names_a_unit(part, kept[index + 1 :]):
            kept = kept[:index]
            break
        if index and part.kind == "prose" and _REASON.match(part.text) and _states(kept[:index]):
            kept = kept[:index]
            break
        if index and part.kind == "prose" and (match := CLAUSE.search(part.text)):
            kept = [*kept[:index], Piece("prose", part.text[: match.start()])]
            break
    runs: list[list[Piece]] = []
    current: list[Piece] = []
    for part in kept:
        if part.kind != "prose" or (
            current and (JOINING.fullmatch(part.text) or _DEFINES.fullmatch(part.text))
        ):
            current.append(part)
        elif current and _VALUE.match(part.text) and is_quantity(part.text.strip(" =≈.,;")):
            continue  # $v = ...$ = 618 km/s
        elif current and (unit := unit_alone(part.text)):
            current.append(Piece("inline", rf"\ \mathrm{{{unit}}}"))
        elif (
            RELATION.search(part.text) or re.search(r"[\^_/*+]", part.text)
        ) and not _is_running_text(part.text, kept, current):
            # Formula signs outside the dollars: ``v = $x$``.
            current.append(Piece("inline", without_lead(part.text.strip(" ,;"))))
        else:
            if current:
                runs.append(current)
            current = []
            if runs and _ATTRIBUTE.search(part.text):
                break
    if current:
        runs.append(current)
    runs = [_without_explained(run) for run in runs]
    telling = [run for run in runs if RELATION.search(_formula_text(run))]
    telling = telling or [run for run in runs if OPERATOR.search(_formula_text(run))]
    telling = telling or [run for run in runs if re.search(r"\d", _formula_text(run))] or runs
    if not telling:
        return [joined(group)]
    run = telling[-1]
    while run and run[-1].kind == "prose":
        run = run[:-1]
    if len(run) == 1:
        run = [Piece(run[0].kind, without_evaluation(run[0].text))]
    readings = [_in_words(run) or _join_formulas(run)]
    if len(kept) < len(group):
        readings.append(_join_formulas([part for part in group if part.kind != "prose"]))
    readings += formulas_alone(run)
    place = _place_of_limit(group)
    if place and not any(place in reading for reading in readings):
        readings = [*(rf"{reading},\quad {place}" for reading in readings), *readings]
    return readings


_REASON = re.compile(
    r"\s*[,;(]?\s*(?:using|(?:which |as |this )?follow(?:s|ing)? from"
    r"|with (?:the )?(?:help|aid|use) of"
    r"|thanks to|recalling|noting|(?:we |where we |making |with )?used?(?: of)?|in view of)\b"
    r"|\s*\(\s*(?:see|cf|compare)\b"
    r"|\s*[,(]\s*(?:from|by|via|through|after|upon|on account of|due to|as)\b",
    re.I,
)
"""``P = a, using b = c``: what a formula was derived with, behind it."""


def _states(group: list[Piece]) -> bool:
    return any(part.kind != "prose" and RELATION.search(part.text) for part in group)


def _with_units_apart(group: list[Piece]) -> list[Piece]:
    """Prose such as ``km with`` behind a formula as the unit and the words."""
    kept: list[Piece] = []
    for part in group:
        match = _UNIT_AND_WORDS.match(part.text) if part.kind == "prose" and kept else None
        if match and kept[-1].kind != "prose" and unit_alone(match[1]):
            kept += [Piece("prose", match[1]), Piece("prose", part.text[match.end(1) :])]
        else:
            kept.append(part)
    return kept


def _names_a_unit(part: Piece, behind: list[Piece]) -> bool:
    """Whether a bare symbol stands there to say its unit: ``$B$ in G``."""
    bare = not OPERATOR.search(part.text) and not re.search(r"\d", part.text)
    return bare and bool(behind) and _IN_UNIT.match(behind[0].text) is not None


def _place_of_limit(group: list[Piece]) -> str:
    r"""``M \to 0`` where the sentence says that its formula holds in that limit."""
    for before, part in pairwise(group):
        place = part.text.strip(" ,.")
        introduced = before.kind == "prose" and _LIMIT.search(before.text)
        if part.kind == "inline" and introduced and _TENDS_TO.fullmatch(place):
            return place
    return ""


_GOES_ON = re.compile(r"(?!and\b|or\b|with\b|where\b|for\b|if\b|plus\b|times\b)[a-z]{2,}\s")


def _is_running_text(text: str, group: list[Piece], current: list[Piece]) -> bool:
    """Whether formula signs outside the dollars belong to a sentence beside a formula proper."""
    if RELATION.search(_formula_text(current)) and _GOES_ON.match(text.lstrip()):
        return True
    if not any(part.kind != "prose" and RELATION.search(part.text) for part in group):
        return False
    words = re.findall(r"(?<![A-Za-z\\_^])[a-z]{3,}(?![A-Za-z_^])", text)
    return len(words) > 2 or sum(len(word) > 3 for word in words) > 1


def _without_explained(run: list[Piece]) -> list[Piece]:
    """``v = a B`` out of ``v = a B, with $B$ in nT``: no bare symbols behind the statement."""
    kept = list(run)
    while len(kept) > 2 and kept[-1].kind != "prose" and kept[-2].kind == "prose":
        bare = not OPERATOR.search(kept[-1].text) and not re.search(r"\d", kept[-1].text)
        if not (bare and _WITH.search(kept[-2].text) and RELATION.search(_formula_text(kept[:-2]))):
            break
        kept = kept[:-2]
    return kept


def _formula_text(run: list[Piece]) -> str:
    return " ".join(part.text for part in run if part.kind != "prose")


def _join_formulas(run: list[Piece]) -> str:
    """Statements in one text: those with prose between them separated, others side by side."""
    text = ""
    pending = ""
    for part in run:
        if part.kind == "prose":
            pending = part.text
            continue
        if not text:
            text = part.text
        elif part.text.startswith(r"\ \mathrm"):
            text += part.text
        elif re.search(r"\bor\b", pending):
            text += r"\quad\text{or}\quad " + part.text
        elif pending.strip() or (RELATION.search(text) and RELATION.search(part.text)):
            text = text.rstrip(" ,;.") + r",\quad " + part.text
        elif text.strip() != part.text.strip():
            text += " " + part.text
        pending = ""
    return text


_OPENS = re.compile(r"\s*(?:[a-z]+\s+){0,3}\(\s*(?:for\s+|if\s+|when\s+)?")
_CLOSES = re.compile(r"\s*\)\s*[,;]?\s*(?:and|while|but|or)?\s*")


def _cases_in_brackets(group: list[Piece]) -> str:
    """``a inside (x < 1) and b outside (x > 1)`` as cases, or nothing."""
    start = next((i for i, part in enumerate(group) if part.kind != "prose"), 0)
    parts = group[start:]
    if parts and parts[-1].kind == "prose" and re.fullmatch(r"\s*\)\s*[.,;]?\s*", parts[-1].text):
        parts = parts[:-1]
    if len(parts) < 7 or len(parts) % 4 != 3:
        return ""
    for index, part in enumerate(parts):
        wanted = {1: _OPENS, 3: _CLOSES}.get(index % 4)
        if (wanted is None) == (part.kind == "prose"):
            return ""
        if wanted is not None and wanted.fullmatch(part.text) is None:
            return ""
    values = [part.text for part in parts[::4]]
    conditions = [part.text for part in parts[2::4]]
    if not all(_ORDER.search(condition) for condition in conditions):
        return ""
    return _as_cases(values, conditions)


_ORDER = re.compile(r"[<>≤≥]|\\(?:le|ge|leq|geq|lt|gt|ll|gg|leqslant|geqslant)(?![A-Za-z])")


def _in_words(run: list[Piece]) -> str:
    """``a for x<0 and b for x>=0`` as cases, or nothing."""
    values: list[str] = []
    conditions: list[str] = []
    pending = ""
    for part in run:
        if part.kind == "prose":
            pending = part.text
        elif re.search(r"\b(?:for|if|when)\b", pending) and len(values) == len(conditions) + 1:
            conditions.append(part.text)
            pending = ""
        elif len(values) == len(conditions):
            values.append(part.text)
            pending = ""
        else:
            return ""
    if re.search(r"\b(?:otherwise|else)\b", pending) or len(values) == len(conditions) + 1:
        conditions.append(r"\text{otherwise}")
    if len(values) < 2 or len(values) != len(conditions):
        return ""
    return _as_cases(values, conditions)


def _as_cases(values: list[str], conditions: list[str]) -> str:
    """Cases of one quantity; nothing where the values have different names."""
    left = {value.partition("=")[0].strip() for value in values if "=" in value}
    if len(left) > 1:
        return ""
    bodies = [value.partition("=")[2] if "=" in value else value for value in values]
    rows = r"\\ ".join(f"{a} & {b}" for a, b in zip(bodies, conditions, strict=True))
    name = f"{left.pop()} = " if left else ""
    return rf"{name}\begin{{cases}} {rows}\end{{cases}}"
