r"""The final answer out of a model's prose.

What counts, in this order: JSON with an ``answer``, whatever is boxed or marked as final, and
without such a mark the last line, display or sentence that holds a formula or number. Marks are
all collected; when several disagree the grade is decided by comparing each of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ecliptic.grading.cleaning import clean, letters
from ecliptic.grading.concluding_values import concluding_value
from ecliptic.grading.dismissed_values import without_contrasted, without_dismissed
from ecliptic.grading.failures import behind_contrast, denied_around, gives_up
from ecliptic.grading.formulas import last_formulas
from ecliptic.grading.formulas_in_words import (
    bold_vectors,
    labelled_formulas,
    limiting_value,
    with_definitions,
    with_light_speed,
)
from ecliptic.grading.json_documents import SeveralDocumentsError, read_document
from ecliptic.grading.json_text import RepeatedNameError
from ecliptic.grading.limit_remarks import before_limit_remarks
from ecliptic.grading.marks import Mark, marked, with_unit_behind
from ecliptic.grading.numeric_prose import is_denied, prepared_prose, short_lines
from ecliptic.grading.pieces import strip_delimiters, unwrap_text
from ecliptic.grading.reference_values import without_references
from ecliptic.grading.rival_answers import ANSWER_NAMES, either_or, rival_answers
from ecliptic.grading.rules import DEFAULT_RULES, Rules
from ecliptic.grading.standing import Standing, what_stands

MAX_ANSWER_CHARACTERS = 20_000
_CORRECTION = re.compile(
    r"\b(?:wait|on reflection|reconsider\w*|correct(?:ion|ing|ed)|mistake\w*|actually|instead|"
    r"revis\w+|rather|oops|sorry|should be|let me re\w*|scratch that|error|wrong)\b",
    re.I,
)
_REFUSAL = re.compile(
    r"(?:i\s+)?(?:do\s+not|don'?t|cannot|can'?t|could\s+not|am\s+unable\s+to)\s+"
    r"(?:know|determine|say|tell|answer|solve)\b[^.;\n\d]{0,80}|unknown|n/?a|no\s+answer|none|\?+|-+|"
    r"(?:the\s+)?(?:correct\s+|final\s+|right\s+)?answer",
    re.I | re.S,
)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What the grader takes for the answer.

    Attributes
    ----------
    text
        The answer; empty when there is none.
    how
        Where it was found, such as ``boxed`` or ``last formula``.
    readings
        The same answer cut out less or more tightly, ``text`` first: for a parser to try in turn.
    alternatives
        All different answers that were marked as final, in order; more than one is a hedge unless
        they agree.
    notes
        What was removed or not looked at, for the verdict.
    rules
        Contested rules that chose.
    data
        The value, where the answer is JSON.
    oversized
        The answer cannot be told because too much of the text was not looked at.
    doubt
        Why no answer can be told although there is text, such as one that is only asked or quoted.
    """

    text: str
    how: str
    readings: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    data: Any = None
    oversized: bool = False
    doubt: str = ""
    defined: str = ""
    """The answer with the definitions behind its "where"."""
    together: str = ""
    """All short lines of an unmarked answer as one: the parts may stand on a line each."""
    unremarked: tuple[str, ...] = ()
    """Readings of what stands in front of closing remarks on limits, examples and checks."""


def extract(
    answer: object,
    *,
    kind: str = "symbolic",
    question: str = "",
    hint: str = "",
    rules: Rules = DEFAULT_RULES,
) -> Extraction:
    """The final answer of ``answer`` (text, or an object that JSON can say)."""
    if answer is None:
        return Extraction("", "nothing was handed in")
    if isinstance(answer, bytes):
        answer = answer.decode("utf-8", errors="replace")
    if not isinstance(answer, str):
        return _from_data(answer, kind, "value", ())
    cleaned = clean(answer, known=(question, hint))
    text = cleaned.text
    notes = cleaned.notes
    if not text:
        return Extraction("", "nothing is left", notes=notes)
    try:
        data = read_document(text, whole=kind == "structured", keys=ANSWER_NAMES)
    except RepeatedNameError as error:
        doubt = "" if kind == "structured" else str(error)  # there the check says which field
        return Extraction(text[-MAX_ANSWER_CHARACTERS:], "JSON", (text,), notes=notes, doubt=doubt)
    except SeveralDocumentsError as error:
        shown = text[-MAX_ANSWER_CHARACTERS:]
        return Extraction(shown, "JSON", (shown,), notes=notes, doubt=str(error))
    if data is not None:
        found_data = _from_data(data, kind, "JSON", notes)
        doubt = denied_around(text) if kind == "structured" else ""
        return replace(found_data, doubt=doubt) if doubt else found_data
    if kind == "structured":
        return Extraction(text, "whole text", (text,), notes=notes)
    if _REFUSAL.fullmatch(text.strip(" .!*_\n")):
        return Extraction("", "no answer is given", notes=notes)
    if kind != "textual":
        text = without_dismissed(text)
    if kind in {"numeric", "symbolic"} and gives_up(text, question):
        return Extraction(
            "", "no answer is given: what the question holds and a failure", notes=notes
        )
    if kind == "symbolic":
        text = behind_contrast(text)
    if kind == "numeric":
        text = without_contrasted(text)
    if kind in {"numeric", "symbolic"}:
        text, doubt = without_references(text)
        if doubt:
            shown = text[-MAX_ANSWER_CHARACTERS:]
            return Extraction(shown, "whole text", (shown,), notes=notes, doubt=doubt)
    found = marked(text)
    if cleaned.cut and not found:
        return Extraction("", "no marked answer", notes=notes, oversized=True)
    standing = what_stands(text, found, kind)
    if standing.refused:
        return Extraction("", f"no answer is given: {standing.doubt}", notes=notes)
    if standing.doubt:
        return Extraction(
            text[-MAX_ANSWER_CHARACTERS:], "whole text", notes=notes, doubt=standing.doubt
        )
    if standing.before:
        return _corrected(text, standing, kind, rules, notes)
    if standing.marks:
        return _from_marks(text, standing.marks, kind, rules, notes)
    return _unmarked(standing.text, kind, "", notes)


def _corrected(
    text: str, standing: Standing, kind: str, rules: Rules, notes: tuple[str, ...]
) -> Extraction:
    """The answer behind words of correction; by rule the one in front of them still counts."""
    notes = (*notes, "an answer was taken back")
    if standing.marks:
        if not rules.last_box_counts:
            return _from_marks(text, [*standing.void, *standing.marks], kind, rules, notes)
        found = _from_marks(text, standing.marks, kind, rules, notes)
        used = ("last_box_counts",) if standing.void else ()
        return replace(found, rules=tuple(dict.fromkeys((*used, *found.rules))))
    found = _unmarked(standing.text, kind, "behind words of correction", notes)
    if rules.last_box_counts:
        return replace(found, rules=("last_box_counts",))
    if standing.void:
        first = _from_marks(text, standing.void, kind, rules, notes)
    else:
        first = _unmarked(standing.before, kind, "", notes)
    if not first.text or not found.text:
        return found
    return replace(found, alternatives=(first.text, found.text))


def _from_data(data: Any, kind: str, how: str, notes: tuple[str, ...]) -> Extraction:
    if isinstance(data, Mapping):
        if kind != "structured":
            rivals = rival_answers(
                data, kind, lambda value: _from_data(value, kind, how, notes).text.strip()
            )
            if rivals:
                return replace(_from_data(rivals[0], kind, how, notes), alternatives=rivals)
        for key in ANSWER_NAMES:
            if key in data and (kind != "structured" or len(data) == 1):
                inner = _from_data(data[key], kind, f"{how} field '{key}'", notes)
                unit = data.get("unit") or data.get("units")
                if kind != "structured" and isinstance(unit, str) and unit not in inner.text:
                    text = f"{inner.text} {unit}"
                    return Extraction(text, inner.how, (text,), notes=notes, data=inner.data)
                return inner
        if kind != "structured" and "value" in data:
            text = f"{_plain(data['value'])} {_plain(data.get('unit') or data.get('units') or '')}"
            return Extraction(text.strip(), how, (text.strip(),), notes=notes, data=data)
    text = _plain(data)
    if isinstance(data, str) and kind != "structured":
        inner = extract(data, kind=kind)
        return replace(inner, how=how, notes=(*notes, *inner.notes))
    return Extraction(text, how, (text,), notes=notes, data=data)


def _plain(value: Any) -> str:
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return ""


def _from_marks(
    text: str, found: list[Mark], kind: str, rules: Rules, notes: tuple[str, ...]
) -> Extraction:
    used: tuple[str, ...] = ()
    last = found[-1]
    distinct: dict[str, Mark] = {}
    for item in found:
        distinct.setdefault(letters(strip_delimiters(item.text)), item)
    if len(distinct) > 1 and rules.last_box_counts:
        for index in range(len(found) - 1, 0, -1):
            if _CORRECTION.search(text[found[index - 1].end : found[index].start]):
                kept = found[index:]
                distinct = {letters(strip_delimiters(item.text)): item for item in kept}
                used = ("last_box_counts",)
                break
    if not last.text.strip():
        return Extraction("", f"{last.how}, but empty", notes=notes)
    inner = _unmarked(with_unit_behind(text, last, kind), kind, last.how, notes)
    alternatives = tuple(item.text for item in distinct.values()) if len(distinct) > 1 else ()
    alternatives = alternatives or inner.alternatives
    readings = inner.readings
    bare = strip_delimiters(last.text)
    if bare not in readings:
        readings = (*readings, bare)
    return Extraction(
        inner.text,
        last.how,
        readings,
        alternatives,
        notes,
        used,
        oversized=inner.oversized,
        defined=inner.defined,
    )


def _unmarked(text: str, kind: str, how: str, notes: tuple[str, ...]) -> Extraction:
    text = text.strip()
    if kind == "textual":
        bare = unwrap_text(strip_delimiters(text))
        return Extraction(bare, how or "whole text", (bare,), notes=notes)
    concluded = ""
    if kind == "symbolic":
        text = bold_vectors(text)
    text = limiting_value(text, numeric=kind == "numeric")
    if kind == "numeric":
        text = prepared_prose(text)
        concluded = concluding_value(text)
    readings, place = last_formulas(text, numeric=kind == "numeric")
    if kind == "numeric" and len(readings) > 1:
        readings = [readings[0], *(part for part in readings[1:] if not is_denied(text, part))]
    if concluded:
        readings, place = [concluded, *readings], "value that the text concludes with"
    kept = tuple(dict.fromkeys(part[:MAX_ANSWER_CHARACTERS] for part in readings if part.strip()))
    if not kept:
        return Extraction("", how or "no formula or number", notes=notes)
    oversized = len(readings[0]) > MAX_ANSWER_CHARACTERS
    together = (labelled_formulas(text) if kind == "symbolic" else "") or short_lines(text)
    return Extraction(
        kept[0],
        how or place,
        kept,
        notes=notes,
        oversized=oversized,
        alternatives=either_or(text) if kind == "numeric" else (),
        together=together,
        defined=(with_definitions(text) or with_light_speed(text)) if kind == "symbolic" else "",
        unremarked=_unremarked(text) if kind == "symbolic" else (),
    )


def _unremarked(text: str) -> tuple[str, ...]:
    front = before_limit_remarks(text)
    return tuple(last_formulas(front, numeric=False)[0]) if front else ()
