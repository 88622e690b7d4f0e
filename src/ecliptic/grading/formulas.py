r"""Which formula of a running text is its conclusion."""

from __future__ import annotations

import re
from functools import lru_cache

from ecliptic.grading.pieces import Piece, pieces, strip_delimiters

_SENTENCE_END = re.compile(
    r"[;,]\s+(?=(?:and\s+)?(?:so|thus|hence|therefore)\b)|[.!?](?=\s+[A-Z$\\]|\s*$)|\n\s*(?:\n|[-*]\s+|\d+[.)]\s+)?"
)
_CLAUSE = re.compile(
    r"\b(?:where|here|in which|with which|assuming|since|because|given|denot\w+|provided|"
    r"in terms of|being|is the|are the)\b",
    re.I,
)
_LEAD = re.compile(
    r"\b(?:is|are|be|becomes?|equals?|gives?|giving|get|obtain|have|find|yields?|therefore|thus|"
    r"hence|so|then|by|as|that|to|about|roughly|approximately|result|answer)\b[,:]?\s+|:\s+",
    re.I,
)
_SENTENCE = re.compile(
    r"(?<=[.!?])\s+(?=[A-Z])|[;,]\s+(?=(?:and\s+)?(?:so|thus|hence|therefore)\b)"
)
_GIVEN = re.compile(
    r"\s*(?:using|with|given|from|since|because|substituting|taking|assuming|for|putting)\b"
    r"(?:[^,]|,(?=\d))*,\s+(?=[^,]*=)",
    re.I,
)
_STEP = re.compile(
    r"^\s*[*_]{0,2}(?:step|part|case|question|eq(?:n|uation)?\.?)\s*\(?[0-9a-z]{1,3}\)?[*_]{0,2}\s*[:.)]\s*",
    re.I,
)
_JOINING = re.compile(
    r"(?:[\s,;.&]|\b(?:and|or|for|if|when|with|while|otherwise|else|as well as|also|then|all|"
    r"either|both|respectively|at|in|on|any|every)\b)*",
    re.I,
)
_PROSE = re.compile(r"[A-Za-zÀ-ž'’]{2,}")
_OPERATOR = re.compile(
    r"[=<>+*/^−≤≥≈∝±×·√∇-]|\\(?:frac|sqrt|le|ge|leq|geq|propto|approx|sim|times|cdot|"
    r"nabla|int|sum|pm|ll|gg|ne|neq|to|in|exp|ln|log|sin|cos|tan|d?frac|tfrac|partial)(?![a-z])"
)
_RELATION = re.compile(
    r"[=<>≤≥≈∝≠≪≫]|\\(?:le|ge|leq|geq|lesssim|gtrsim|propto|approx|sim|simeq|ll|gg|neq?|in|equiv)"
    r"(?![a-zA-Z])"
)


def last_formulas(text: str, *, numeric: bool) -> tuple[list[str], str]:
    """Readings of the concluding statement of ``text``, tightest first, and what it is."""
    parts = pieces(text)
    if all(part.kind == "prose" for part in parts):
        return _plain(text, numeric=numeric)
    if len(parts) == 1:
        return [parts[0].text if numeric else _without_evaluation(parts[0].text)], "formula"
    group = _without_denied(_last_group(parts, numeric=numeric))
    if not any(part.kind != "prose" for part in group):
        return [], "only formulas that are denied"
    if group[0].kind == "prose":
        group = [Piece("prose", _STEP.sub("", group[0].text)), *group[1:]]
    alone = len(group) == len(parts)
    whole = _join(group)
    if numeric:
        first = next(i for i, part in enumerate(group) if part.kind != "prose")
        readings = [whole, _join(group[first:]), *_formulas_alone(group)]
        return readings, "whole text" if alone else "last statement"
    return _symbolic(group), "whole text" if alone else "last statement"


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
    tight = _without_lead(line)
    if numeric:
        return [line, tight], place
    return [_without_clause(tight), tight, line], place


def _without_lead(line: str) -> str:
    """``v = x`` out of ``The speed is v = x``, if only words stand in front."""
    cut = 0
    for match in _LEAD.finditer(line[:400]):
        if _OPERATOR.search(line[: match.start()]) or "\\" in line[: match.start()]:
            break
        cut = match.end()
    return line[cut:].strip() or line


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
        if not evaluated and not _is_explanation(chosen):
            break
        chosen = earlier
    return chosen


_SIDE = re.compile(r"=|≈|≃|\\(?:approx|simeq|sim)(?![A-Za-z])")


def _is_evaluation(group: list[Piece]) -> bool:
    """Whether every formula of the sentence gives a number with a unit."""
    formulas = [part.text for part in group if part.kind != "prose"]
    return all(
        len(sides := _SIDE.split(formula)) > 1 and _is_quantity(sides[-1]) for formula in formulas
    )


@lru_cache(maxsize=512)
def _is_quantity(text: str) -> bool:
    from ecliptic.grading.parse_failure import ParseFailure
    from ecliptic.grading.quantities import read_quantities

    if len(text) > 200 or not re.search(r"\d", text):
        return False
    try:
        reading = read_quantities(text)
    except ParseFailure:
        return False
    # A label is a formula; a number alone may be the answer (``x = 0``).
    return all(not item.label and item.unit is not None for item in reading.quantities)


def _without_evaluation(formula: str) -> str:
    """``r = a/b`` out of ``r = a/b \\approx 4\\,R_\\odot``."""
    matches = list(_SIDE.finditer(formula))
    if len(matches) > 1 and _is_quantity(formula[matches[-1].end() :]):
        return formula[: matches[-1].start()].rstrip()
    return formula


def _is_joining(group: list[Piece]) -> bool:
    """Whether a display goes on with the formula in front of it (``$a$ and $$b$$``)."""
    last = [part for part in group if part.text.strip()]
    if len(last) < 2 or last[-1].kind != "prose" or last[-2].kind == "prose":
        return False
    return _JOINING.fullmatch(last[-1].text) is not None and "\n\n" not in last[-1].text


def _is_explanation(group: list[Piece]) -> bool:
    """Symbols explained behind the answer: ``where $C$ is a constant``, or bare symbols only."""
    first = group[0]
    if first.kind == "prose" and _CLAUSE.match(first.text.strip(" ,;")):
        return True
    formulas = [part.text for part in group if part.kind != "prose"]
    return not any(_OPERATOR.search(text) or re.search(r"\d", text) for text in formulas)


def _symbolic(group: list[Piece]) -> list[str]:
    kept = list(group)
    for index, part in enumerate(kept):
        if index and part.kind == "prose" and (match := _CLAUSE.search(part.text)):
            kept = [*kept[:index], Piece("prose", part.text[: match.start()])]
            break
    runs: list[list[Piece]] = []
    current: list[Piece] = []
    for part in kept:
        if part.kind != "prose" or (current and _JOINING.fullmatch(part.text)):
            current.append(part)
        elif current and (unit := _unit(part.text)):
            current.append(Piece("inline", rf"\ \mathrm{{{unit}}}"))
        elif _RELATION.search(part.text) or re.search(r"[\^_/*+]", part.text):
            # Formula signs outside the dollars: ``v = $x$``.
            current.append(Piece("inline", _without_lead(part.text.strip(" ,;"))))
        else:
            if current:
                runs.append(current)
            current = []
    if current:
        runs.append(current)
    telling = [run for run in runs if _RELATION.search(_formula_text(run))]
    telling = telling or [run for run in runs if _OPERATOR.search(_formula_text(run))] or runs
    if not telling:
        return [_join(group)]
    run = telling[-1]
    while run and run[-1].kind == "prose":
        run = run[:-1]
    if len(run) == 1:
        run = [Piece(run[0].kind, _without_evaluation(run[0].text))]
    readings = [_in_words(run) or _join_formulas(run)]
    if len(kept) < len(group):
        readings.append(_join_formulas([part for part in group if part.kind != "prose"]))
    readings += _formulas_alone(run)
    return readings


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
        elif pending.strip() or (_RELATION.search(text) and _RELATION.search(part.text)):
            text = text.rstrip(" ,;.") + r",\quad " + part.text
        elif text.strip() != part.text.strip():
            text += " " + part.text
        pending = ""
    return text


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
    left = {value.partition("=")[0].strip() for value in values if "=" in value}
    if len(left) > 1:
        return ""
    bodies = [value.partition("=")[2] if "=" in value else value for value in values]
    rows = r"\\ ".join(f"{a} & {b}" for a, b in zip(bodies, conditions, strict=True))
    name = f"{left.pop()} = " if left else ""
    return rf"{name}\begin{{cases}} {rows}\end{{cases}}"


def _formulas_alone(group: list[Piece]) -> list[str]:
    formulas = [part.text for part in group if part.kind != "prose"]
    return [formulas[-1]] if len(formulas) == 1 else []


def _join(group: list[Piece]) -> str:
    return "".join(
        part.text if part.kind == "prose" else f"${part.text}$" for part in group
    ).strip()


@lru_cache(maxsize=512)
def _unit(text: str) -> str:
    """``text`` when it is nothing but a unit, perhaps with a full stop."""
    from ecliptic.grading.parse_failure import ParseFailure
    from ecliptic.grading.units import parse_unit

    unit = text.strip(" ,;.\n")
    if not unit or len(unit) > 40 or " is " in unit:
        return ""
    try:
        return "" if parse_unit(unit).is_bare else unit
    except ParseFailure:
        return ""
