r"""Which formula, number or sentence of a solution is its final answer, and how sure that is.

In this order: the last ``\boxed``, a line that says "Answer:", then, by what the question asks,
the last display, the last number with its unit in the last sentence, or the last words. Every
other candidate that says something else lowers the confidence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.helio.ingest.asked import Asked
from ecliptic.helio.ingest.conclusions import (
    BOX,
    RELATION,
    conclusion,
    one_quantity,
    sides_of,
    trimmed,
)
from ecliptic.helio.ingest.formulas import find_formulas, masked
from ecliptic.helio.ingest.groups import read_group
from ecliptic.helio.ingest.steps import Step, split_steps
from ecliptic.helio.ingest.tidy import finished

_NUMBER = (
    r"[-+\u2212]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d{1,3})?"
    r"(?:\s*(?:x|×|\*|\\times)\s*10\s*\^?\s*\{?\s*[-+]?\d{1,3}\}?)?"
)
_PLAIN_NUMBER = re.compile(rf"(?<![\w.\\^{{])({_NUMBER})(?![\w^}}])")
_CONCLUDES = re.compile(r"(?i)\b(?:so|thus|hence|therefore|in conclusion|overall|consequently)\b")
LONGEST_TEXT_FINAL = 3
"""Sentences that a textual final may have when nothing marks it."""


@dataclass(frozen=True, slots=True)
class Final:
    """The answer found: ``how`` says by which rule, ``others`` the candidates that disagree."""

    text: str
    how: str
    confidence: float
    line: int
    others: tuple[str, ...] = ()


def find_final(solution: str, answers: list[str], asked: Asked) -> Final:
    """The final answer of a tidied solution (empty if there is none).

    ``answers`` are the passages behind marks such as "Answer:", which are part of ``solution``.
    """
    steps = split_steps(solution)
    boxes = _boxes(solution)
    wants_text = asked.types[:1] == ("textual",)
    found: list[Final] = []
    if boxes:
        line, body = boxes[-1]
        found.append(Final(conclusion(body, asked), "boxed", 0.95, line))
        found += [
            Final(conclusion(body, asked), "an earlier box", 0, line) for line, body in boxes[:-1]
        ]
    for passage in answers[-1:]:
        text = _answer_line(passage, asked)
        if text:
            line = _line_of(solution, passage)
            found.append(Final(text, "answer line", 0.95, line))
    if not found:
        if not wants_text or (steps and steps[-1].display):
            found += _unmarked(steps, asked)
        if not found and (words := _words(steps)) is not None:
            found.append(words)
    found = [item for item in found if item.text]
    if not found:
        return Final("", "nothing", 0.0, 0)
    best = found[0]
    others = tuple(
        dict.fromkeys(item.text for item in found[1:] if not same_answer(item.text, best.text))
    )
    confidence = best.confidence * (0.75 if others else 1.0)
    return Final(best.text, best.how, confidence, best.line, others)


def same_answer(first: str, second: str) -> bool:
    """Whether two finals say the same: the same letters, or one number inside the other's form."""
    if _bare(first) == _bare(second):
        return True
    values = one_quantity(first), one_quantity(second)
    if None not in values:
        (one, unit_one), (two, unit_two) = values  # type: ignore[misc]
        if unit_one and unit_two and unit_one[1] != unit_two[1]:
            return False
        factor = unit_one[0] / unit_two[0] if unit_one and unit_two else 1.0
        return abs(float(one) * factor - float(two)) <= 0.03 * abs(float(two))
    return False


def _bare(text: str) -> str:
    text = re.sub(r"\\(?:left|right|,|;|:|!| |mathrm|text|rm|displaystyle|quad)", "", text)
    return re.sub(r"[\s${}~.,]", "", text).casefold()


def _boxes(text: str) -> list[tuple[int, str]]:
    found = []
    for match in BOX.finditer(text):
        group = read_group(text, match.end())
        if group is None:
            continue
        body, end = group
        body = finished(body)
        in_formula = any(span.start < match.start() < span.end for span in find_formulas(text))
        if in_formula:
            body = f"${body.strip('$ ')}$"
            if unit := re.match(
                r"(?:\\[ ,;]|~|\s)*(\\(?:mathrm|text)\{[^{}]*\}(?:\^\{?-?\d\}?)?)",
                text[end : end + 80],
            ):
                body = f"{body[:-1]}\\ {unit[1]}$"
        found.append(
            (text.count("\n", 0, match.start()) + text.count("\x1f", 0, match.start()), body)
        )
    return found


def _line_of(text: str, passage: str) -> int:
    at = text.rfind(passage)
    before = text[: max(at, 0)] + passage[: len(passage) - len(passage.lstrip())]
    return before.count("\n") + before.count("\x1f")


def _answer_line(passage: str, asked: Asked) -> str:
    paragraph = re.split(r"\n[ \t\x1f]*\n", passage.strip(), maxsplit=1)[0]
    text = finished(paragraph)
    if asked.types[:1] == ("textual",) or (not asked.types and is_prose(text)):
        return text
    steps = split_steps(paragraph)
    candidates = _unmarked(steps[:1], asked) if steps else []
    if candidates and len(steps) <= 2:
        return candidates[0].text
    return text.rstrip(".") if not is_prose(text) else text


def is_prose(text: str) -> bool:
    """Whether a text is a sentence, whatever numbers it holds."""
    return len(re.findall(r"[A-Za-z]{3,}", masked(text))) >= 6


def _words(steps: list[Step]) -> Final | None:
    """The last words of a solution: all of a short one, else its conclusion."""
    if not steps:
        return None
    first = steps[0]
    if len(steps) <= LONGEST_TEXT_FINAL and not any(step.display for step in steps):
        return Final(" ".join(step.text for step in steps), "whole solution", 0.8, first.line)
    for index in range(len(steps) - 1, max(len(steps) - 4, -1), -1):
        if _CONCLUDES.match(steps[index].text):
            tail = steps[index:]
            return Final(" ".join(s.text for s in tail), "concluding words", 0.6, tail[0].line)
    last = next((step for step in reversed(steps) if not step.display), None)
    return Final(last.text, "last sentence", 0.5, last.line) if last else None


def _unmarked(steps: list[Step], asked: Asked) -> list[Final]:
    """The last display and the last formula or number in words behind it, the better one first."""
    found: list[Final] = []
    numeric = asked.types[:1] == ("numeric",)
    display = next((i for i in range(len(steps) - 1, -1, -1) if steps[i].display), None)
    behind = steps[0 if display is None else display + 1 :]
    for step in reversed(behind):
        text, certainty = _from_sentence(step.text, asked)
        if text:
            last = step is steps[-1]
            found.append(
                Final(text, "last sentence", certainty if last else certainty - 0.2, step.line)
            )
            break
    if display is not None:
        step = steps[display]
        text = conclusion(step.text, asked)
        is_number = one_quantity(text) is not None
        certainty = 0.85 if display == len(steps) - 1 else 0.7
        if (
            asked.types
            and numeric != is_number
            and not (not numeric and is_number and "numeric" in asked.types)
        ):
            certainty -= 0.15
        shown = Final(text, "last display", certainty, step.line)
        prefer_sentence = bool(found) and (
            one_quantity(found[0].text) is not None
            if numeric
            else not numeric and "=" in found[0].text
        )
        found = [*found, shown] if prefer_sentence else [shown, *found]
        if (
            not prefer_sentence
            and len(found) > 1
            and not numeric
            and one_quantity(found[1].text) is None
            and "=" not in found[1].text
        ):
            del found[1]
    return found


def _from_sentence(sentence: str, asked: Asked) -> tuple[str, float]:
    """Last number with its unit, or last formula that states something, of a sentence."""
    spans = [span for span in find_formulas(sentence) if not span.display]
    symbolic = asked.types[:1] == ("symbolic",)
    numbers: list[tuple[int, str, float]] = []
    formulas: list[tuple[int, str]] = []
    named: set[int] = set()
    pure = 0.8 if asked.pure and not asked.unit else 0.65
    for span in spans:
        body = sentence[span.inner_start : span.inner_end]
        text = conclusion(sentence[span.start : span.end], asked)
        inner = text.strip("$")
        if sides_of(trimmed(body))[0] in asked.symbols and len(sides_of(body)) > 1:
            named.add(span.start)
        if one_quantity(text) is not None:
            tail = re.split(r"[,;]\s|\$|\.(?:\s|$)", sentence[span.end :])[0]
            unit = ""
            if not re.search(r"[A-Za-z%°]", re.sub(r"\\times", "", inner)):
                unit = _unit_in_front(tail)
            if unit:
                numbers.append((span.start, f"{text} {unit}", 0.85))
            else:
                has_unit = re.search(
                    r"\\(?:mathrm|text|rm|circ|odot|SI|qty|unit|%)|[A-Za-z%°]",
                    re.sub(r"\\times", "", inner),
                )
                numbers.append((span.start, text, 0.85 if has_unit else pure))
        elif RELATION.search(body) or (symbolic and re.search(r"[\\^/]", body)):
            formulas.append((span.start, text))
    hidden = masked(sentence, find_formulas(sentence))
    for match in _PLAIN_NUMBER.finditer(hidden):
        unit = _unit_in_front(hidden[match.end() :])
        if unit:
            numbers.append((match.start(), f"{match[1]} {unit}", 0.8))
    numbers.sort(key=lambda item: item[0])
    if symbolic and formulas:
        return formulas[-1][1], 0.8 if len(formulas) == 1 else 0.7
    last_is_number = bool(numbers) and (not formulas or numbers[-1][0] > formulas[-1][0])
    if numbers and (asked.types[:1] == ("numeric",) or last_is_number):
        fitting = [item for item in numbers if item[0] in named]
        fitting = fitting or [item for item in numbers if _has_unit(item[1], asked.unit)]
        _, text, certainty = (fitting or numbers)[-1]
        return text, certainty - (0.15 if len(numbers) > 1 else 0)
    if formulas:
        return formulas[-1][1], 0.75 if len(formulas) == 1 else 0.65
    return "", 0.0


def _has_unit(text: str, wanted: str) -> bool:
    """Whether a quantity is in the unit that a question names."""
    from ecliptic.grading.quantities import read_quantities
    from ecliptic.grading.units import parse_unit

    if not wanted:
        return False
    try:
        unit, other = read_quantities(text).quantities[-1].unit, parse_unit(wanted.strip("$"))
    except ParseFailure:
        return False
    return unit is not None and (unit.factor, unit.exponents) == (other.factor, other.exponents)


def _unit_in_front(tail: str) -> str:
    """The unit that a text starts with, as it is written."""
    from ecliptic.grading.notation import plain
    from ecliptic.grading.units import leading_unit

    tail = tail[:60]
    if not re.match(r"[\s~]*[A-Za-zµ%°]", tail):
        return ""
    match = re.match(
        r"[\s~]*((?:[A-Za-zµ°%]+(?:\^?\{?-?\d\}?)?)(?:[ /·](?:[A-Za-z]+(?:\^?\{?-?\d\}?)?))*)", tail
    )
    if match is None:
        return ""
    words = re.split(r"(?<=\S)(?=[ /·])", match[1])
    for count in range(min(len(words), 5), 0, -1):
        candidate = "".join(words[:count]).strip()
        try:
            _, end = leading_unit(plain(candidate))
        except ParseFailure:
            continue
        if (
            end
            and end >= len(plain(candidate).rstrip())
            and candidate not in ("a", "as", "at", "in", "A")
        ):
            return candidate
    return ""
