"""Running text around a numeric answer: tables, remarks, restatements, labelled lines."""

from __future__ import annotations

import re

from ecliptic.grading.conclusions import with_concluded_values
from ecliptic.grading.sentences import without_bold
from ecliptic.grading.tables import with_tables_as_lines
from ecliptic.grading.trailing_remarks import without_trailing_remarks
from ecliptic.grading.value_explanations import bold_conclusion, without_explanation

MAX_PARTS = 6
"""Lines of an answer that may be the parts of one."""
_RESTATED = re.compile(
    r",?\s*(?:i\.\s?e\.|that is(?=,)|or,? equivalently|equivalently|in other words),?\s+"
    r"(?=[^.;\n]{0,60}\d)(?![A-Za-zΑ-ω][\w{}\\]{0,12}\s*(?:[=≈]|\\approx))",
    re.I,
)
_DENIED_THAT = re.compile(
    r"(?:\b(?:not|never|hardly|impossible|unlikely|false|wrong|incorrect|untrue|doubt\w*)\b|n['’′]t\b)"
    r"(?:\s+[A-Za-z]+){0,4}\s+that\s+[^.;]{0,30}$",
    re.I,
)
_LABELLED_SENTENCE = re.compile(r"(?<=\w)\.\s+(?=[A-Z])")
_LABELLED = re.compile(r"[A-Z][\w' ()-]{0,40}\s*[:=≈]\s*[^\s]")
_HEADING = re.compile(r"[A-Za-z][^\d=<>≈$\\]*:")
"""``From the line ratio:`` in front of a list."""
_REFERRED = re.compile(
    r"\s?\((?:see|cf\.?|as (?:shown |given )?in)\s[^()=$\d]{0,40}"
    r"(?:table|eqs?|equation|fig|figure|section"
    r"|appendix|above|below)\b[^()=$]{0,20}\)",
    re.I,
)
"""``(see the table above)``."""
_COMPARISON = re.compile(
    r"(\(\s*(?:[<>≪≫≲≳]|\\(?:ll|gg|lesssim|gtrsim)(?![a-z]))\s*\d+(?:\.\d+)?\$?),[^()\d=]{0,80}\)"
)
"""``(≪ 1, so the plasma is magnetic)``."""


def prepared_prose(text: str) -> str:
    """The text without remarks behind its value, with tables and restatements as statements."""
    text = with_concluded_values(bold_conclusion(text) or text)
    text = without_explanation(_REFERRED.sub("", without_trailing_remarks(text)))
    text = _COMPARISON.sub(r"\1)", with_tables_as_lines(text))
    return _RESTATED.sub(" = ", without_bold(text))


def is_denied(text: str, part: str) -> bool:
    """Whether words right in front of a formula deny it: ``it is not possible that R = 2``."""
    place = text.rfind(part)
    return place > 0 and _DENIED_THAT.search(text[max(0, place - 120) : place]) is not None


def short_lines(text: str) -> str:
    """All lines as one, where they are few and short: the parts of an answer; else nothing."""
    lines = [
        re.sub(r"^(?:[-*•]|\(?\d{1,2}[.)](?!\d))\s+|[.,;]\s*$", "", line.strip())
        for line in text.split("\n")
    ]
    lines = [line for line in lines if line]
    if len(lines) > 2 and _HEADING.fullmatch(lines[0]):
        lines = lines[1:]
    if len(lines) == 1:
        parts = _LABELLED_SENTENCE.split(lines[0])
        lines = parts if all(_LABELLED.match(part) for part in parts) else lines
    few = 0 < len(lines) <= MAX_PARTS and max(map(len, lines)) <= 200
    return ", ".join(lines) if few else ""


_WORDS_LABEL = re.compile(
    r"(?:^|(?<=, ))[A-Z][A-Za-z' -]{1,40}:\s+(?=\$\s*\\?[A-Za-z][^$=]{0,20}=)"
)


def without_words_of_symbols(text: str) -> str:
    """``Density: $n = 5$`` as ``$n = 5$``: the symbol tells which value is meant."""
    return _WORDS_LABEL.sub("", text)
