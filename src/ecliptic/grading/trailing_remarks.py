"""Lines behind an answer that only judge, compare or check it.

``E = 42 keV``, then ``This is above the typical thermal energy of 1-2 keV``: the numbers of the
remark are not the answer. A line that draws a conclusion of its own is no remark.
"""

from __future__ import annotations

import re

_CHECK = re.compile(
    r"[\W_]*(?:sanity[- ]check|(?:quick |units? |dimension\w* "
    r"|order[- ]of[- ]magnitude )?check|note|notes|nb|n\.b\."
    r"|remark|comment|for (?:comparison|reference|context)|compare|in comparison"
    r"|as a (?:sanity )?check"
    r"|by comparison)\b",
    re.I,
)
_JUDGES = re.compile(
    r"[\W_]*(?:this|that|it|the (?:value|result|answer|number|estimate)|these)\s+(?:\w+\s+)?"
    r"(?:is|are|lies?|agrees?|compares?|matches|falls|sits|seems|appears|makes|exceeds)\b"
    r"(?=[^.]*\b(?:above|below|typical\w*|consistent|agree\w*|compar\w+|expected|reasonable|within|larger|smaller|"
    r"higher|lower|greater|faster|slower|less|more|close|similar|plausible|sensible|observed|known|well)\b)",
    re.I,
)
_ELSEWHERE = re.compile(
    r"[\W_]*(?:(?:the|a|an|its|most)\s+)?(?:observed|measured|typical|literature|published|textbook|catalogu?e?d?|accepted"
    r"|nominal|canonical|reference|quoted|reported)\s+(?:[\w-]+\s+){0,3}?(?:is|are|was|were|lies?|ranges?)\b",
    re.I,
)
"""Values of others: ``The observed value is 42 keV``."""
_SENTENCE = re.compile(r"(?<=[\w)%°²³⁻¹$*])\.\**\s+(?=[A-Z(*])")
_CONCLUDES = re.compile(
    r"\b(?:so|thus|hence|therefore|then|giving|gives|yields?|answer|final\w*|instead|correct\w*|wrong|incorrect"
    r"|actual\w*|should|but|however|mistake|error|not|too|must|conclu\w+)\b|=\s*\\?boxed|⇒|→",
    re.I,
)
_EXPLANATION = re.compile(
    r"\n[\W_]*(?:explanation|reasoning|derivation|justification|rationale|details"
    r"|assumptions?)\b[*_ ]*(?::|\n)",
    re.I,
)
_TAKES_BACK = re.compile(
    r"\b(?:answer|final\w*|result|instead|correct\w*|wrong|incorrect|actual\w*|should|mistake|error|wait|sorry|not|but"
    r"|however)\b|boxed",
    re.I,
)
_LONGEST_ANSWER = 200
_DIGIT = re.compile(r"\d")
MOST_LINES = 4


def without_trailing_remarks(text: str) -> str:
    """The text without its last lines, as far as they are remarks on a value in front of them."""
    told = _EXPLANATION.search(text)
    if (
        told
        and told.start() < _LONGEST_ANSWER
        and _DIGIT.search(text[: told.start()])
        and _TAKES_BACK.search(text, told.end()) is None
    ):
        text = text[: told.start()]
    lines = text.rstrip().split("\n")
    for _ in range(MOST_LINES):
        while lines and not lines[-1].strip(" *_-"):
            lines.pop()
        if len(lines) < 2 or not any(map(_DIGIT.search, lines[:-1])):
            break
        last = lines[-1]
        if not _is_remark(last):
            break
        lines.pop()
    if lines:
        lines[-1] = _without_last_sentences(lines[-1])
    return "\n".join(lines)


def _is_remark(line: str) -> bool:
    if _CHECK.match(line):
        return _TAKES_BACK.search(line) is None
    if _CONCLUDES.search(line):
        return False
    return any(pattern.match(line) for pattern in (_CHECK, _JUDGES, _ELSEWHERE))


def _without_last_sentences(line: str) -> str:
    """The line without values of others behind a value of its own."""
    ends = list(_SENTENCE.finditer(line))
    while ends and _DIGIT.search(line[: ends[-1].start()]):
        last = line[ends[-1].end() :]
        if _CONCLUDES.search(last) or not _ELSEWHERE.match(last):
            break
        line = line[: ends.pop().start() + 1]
    return line
