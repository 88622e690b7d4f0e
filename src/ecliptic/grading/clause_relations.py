"""Relations of two things that a clause states: trends, comparisons, order in time, causes.

A clause in plain words (:func:`ecliptic.grading.clause_words.clause_words`) is read as one of the
known relations, with both roles and the side, or as none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ecliptic.grading.orderings import ordering
from ecliptic.grading.told_factors import told_factor

_PLACE = [
    "in", "on", "at", "during", "near", "inside", "outside", "within", "throughout", "above",
    "below", "across", "along", "upstream", "downstream", "for", "under", "over", "around",
    "between", "beyond", "if", "when", "while", "because", "due", "before", "after", "until", "via",
    "through", "by", "with", "without", "only", "except", "unless",
]  # fmt: skip
"""Words that begin what is said of a whole clause: its place, time, condition or means."""
PLACES = "|".join(_PLACE)
MODALS = "can|may|might|must|could|should|would|will|need"
QUANTIFIERS = frozenset(
    ["all", "some", "no", "each", "most", "many", "few", "any", "only", "none", "both", "several",
     "half", "every", "never", "always", "not"]
)  # fmt: skip
_UP = "increasing|larger|higher|greater|bigger|stronger|more|rising"
_DOWN = "decreasing|smaller|lower|less|weaker|fewer|reduced"
_TRENDS: dict[str, tuple[str, int]] = {
    "increase": ("amount", 1), "decrease": ("amount", -1), "strengthen": ("amount", 1),
    "weaken": ("amount", -1), "intensify": ("amount", 1),
    "harden": ("hardness", 1), "soften": ("hardness", -1),
    "flatten": ("slope", -1), "steepen": ("slope", 1),
    "thicken": ("thickness", 1), "thin": ("thickness", -1),
    "widen": ("width", 1), "broaden": ("width", 1), "narrow": ("width", -1),
    "accelerate": ("speed", 1), "decelerate": ("speed", -1), "cool": ("heat", -1),
}  # fmt: skip
BECOMES: dict[str, tuple[str, int]] = {
    **dict.fromkeys(("larger", "higher", "greater", "bigger", "stronger"), ("amount", 1)),
    **dict.fromkeys(("smaller", "lower", "weaker", "less"), ("amount", -1)),
    "harder": ("hardness", 1), "softer": ("hardness", -1), "flatter": ("slope", -1),
    "steeper": ("slope", 1), "thicker": ("thickness", 1), "thinner": ("thickness", -1),
    "wider": ("width", 1), "broader": ("width", 1), "narrower": ("width", -1),
    "faster": ("speed", 1), "slower": ("speed", -1), "cooler": ("heat", -1),
    "colder": ("heat", -1), "hotter": ("heat", 1), "warmer": ("heat", 1), "denser": ("density", 1),
}  # fmt: skip
_TREND_WORD = rf"(?:{'|'.join(_TRENDS)}|become (?:{'|'.join(BECOMES)}))"
TREND = re.compile(
    rf"^(?P<s>.+?) (?P<v>{_TREND_WORD})(?: (?:with|as|when) (?:(?P<d>{_UP}|{_DOWN}) )?"
    rf"(?P<x>.+?)(?: (?P<w>{_TREND_WORD}))?)?$"
)
_GENERIC = "dominate|outweigh|overcome|overwhelm|exceed|surpass"
_COMPARATIVES: dict[str, tuple[str, int]] = {
    **dict.fromkeys(("larger", "greater", "bigger"), ("size", 1)), "smaller": ("size", -1),
    "stronger": ("strength", 1), "weaker": ("strength", -1),
    "higher": ("height", 1), "lower": ("height", -1),
    "faster": ("speed", 1), "slower": ("speed", -1),
    "more important": ("importance", 1), "less important": ("importance", -1),
    "hotter": ("heat", 1), "colder": ("heat", -1), "cooler": ("heat", -1),
    "denser": ("density", 1), "heavier": ("mass", 1), "lighter": ("mass", -1),
    "longer": ("length", 1), "shorter": ("length", -1), "older": ("age", 1), "younger": ("age", -1),
}  # fmt: skip
GENERIC_FITS = frozenset({"generic", "size", "strength", "importance"})
_COMPARED = re.compile(
    rf"^(?P<a>.+?) be (?:(?P<g>much|far|slightly|somewhat|always|usually|often) )?"
    rf"(?P<c>{'|'.join(_COMPARATIVES)}) than (?P<b>.+)$"
)
_EXCEEDS = re.compile(rf"^(?P<a>.+?) (?:{_GENERIC})(?: over)? (?P<b>.+)$")
_EXCEEDED = re.compile(rf"^(?P<a>.+?) be (?:{_GENERIC})e?d by (?P<b>.+)$")
_INDEPENDENT = re.compile(
    r"^(?P<a>.+?) (?:be independent of|not depend on|not (?:vary|change) with|be unaffected by"
    r"|be not (?:affected|influenced) by|not dependent on|be not dependent on) (?P<b>.+)$"
)
_BEFORE = re.compile(
    r"^(?P<a>.+?) (?:precede|(?:be|occur|come|take place) (?:before|earlier than)|be followed by)"
    r" (?P<b>.+)$"
)
_AFTER = re.compile(
    r"^(?P<a>.+?) (?:follow|(?:be|occur|come|take place) (?:after|later than)|be preceded by)"
    r" (?P<b>.+)$"
)
_CAUSED = re.compile(
    r"^(?P<a>.+?) (?:be caused by|be due to|result from|arise from|be (?:result|consequence) of"
    r"|be brought about by) (?P<b>.+)$"
)
_CAUSES = re.compile(
    r"^(?P<a>.+?) (?:cause|lead to|result in|give rise to|bring about|be cause of) (?P<b>.+)$"
)


@dataclass(frozen=True, slots=True)
class Form:
    """A clause in normal form: the kind of statement and its parts, which must agree one by one.

    For ``words`` the parts are the words; for ``compare``, ``before`` and ``cause`` the first two
    parts are the roles.
    """

    kind: str
    parts: tuple[str, ...]


def related(line: str) -> Form | None:
    """The statement as a relation of two things, if it is one of the known ones."""
    if told := told_factor(line):
        return Form("factor", (" ".join(told.subject), f"{told.factor:.6g}", told.behind))
    if match := _INDEPENDENT.match(line):
        return Form("independent", (match["a"], match["b"]))
    if match := _COMPARED.match(line):
        kind, order = _COMPARATIVES[match["c"]]
        return _roles("compare", match["a"], match["b"], order, kind, match["g"] or "")
    if match := _EXCEEDED.match(line):
        return _roles("compare", match["a"], match["b"], -1, "generic", "")
    if match := _EXCEEDS.match(line):
        return _roles("compare", match["a"], match["b"], 1, "generic", "")
    for pattern, kind, order in (
        (_BEFORE, "before", 1),
        (_AFTER, "before", -1),
        (_CAUSED, "cause", -1),
        (_CAUSES, "cause", 1),
    ):
        if match := pattern.match(line):
            return _roles(kind, match["a"], match["b"], order)
    if match := TREND.match(line):
        return _trend(match)
    order_of_two = ordering(line)
    return Form("order", order_of_two) if order_of_two else None


def _roles(kind: str, left: str, right: str, order: int, *rest: str) -> Form | None:
    """Both roles in fixed order; what stands behind a word of place belongs to the whole."""
    words = left.split()
    if words[-1] in QUANTIFIERS or re.fullmatch(MODALS, words[-1]):
        return None  # a denial or a modal verb: word for word
    match = re.match(rf"^(.+?) ((?:{PLACES}) .+)$", right)
    right, behind = (match[1], match[2]) if match else (right, "")
    if order < 0:
        left, right = right, left
    return Form(kind, (left, right, *rest, behind))


def _trend(match: re.Match[str]) -> Form | None:
    subject = match["s"]
    if re.search(rf"\b(?:{MODALS}|not|no|never|that|which|and|or)$", subject):
        return None
    if re.search(rf"\b{_TREND_WORD}\b", subject):
        return None
    axis, sign = _trend_word(match["v"])
    driver = match["x"] or ""
    if re.search(rf"\b(?:and|but|then|while|whereas)\b.*\b{_TREND_WORD}\b", match[0]):
        return None
    if match["d"] and re.fullmatch(_DOWN, match["d"]):
        sign = -sign
    if match["w"]:
        other, direction = _trend_word(match["w"])
        if other != "amount" or match["d"]:
            return None
        sign *= direction
    return Form("trend", (subject, axis, str(sign), driver))


def _trend_word(word: str) -> tuple[str, int]:
    return BECOMES[word.split()[1]] if word.startswith("become ") else _TRENDS[word]
