"""Clauses that say the same by rule: one form for what differs only in the turn of the phrase.

Known turns: a leading adverbial ("On the nightside, ..."), the passive ("is heated by"), trends
("falls with increasing x", "as x grows, y falls", "the larger x, the smaller y"), comparisons and
their inversion, order in time, cause, independence. Everything else must agree word for word, so
that another operand, condition, quantifier, modal verb, number or negation is never lost.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ecliptic.grading.clause_words import clause_words, is_participle, verb_base
from ecliptic.grading.orderings import ordering, same_order, turned_order

_PLACE = [
    "in", "on", "at", "during", "near", "inside", "outside", "within", "throughout", "above",
    "below", "across", "along", "upstream", "downstream", "for", "under", "over", "around",
    "between", "beyond", "if", "when", "while", "because", "due", "before", "after", "until", "via",
    "through", "by", "with", "without", "only", "except", "unless",
]  # fmt: skip
"""Words that begin what is said of a whole clause: its place, time, condition or means."""
_PLACES = "|".join(_PLACE)
_MODALS = "can|may|might|must|could|should|would|will|need"
_QUANTIFIERS = frozenset(
    ["all", "some", "no", "each", "most", "many", "few", "any", "only", "none", "both", "several",
     "half", "every", "never", "always", "not"]
)  # fmt: skip
_LEAD_IN = re.compile(
    r"^\W*(?:(?:(?:and\s+)?(?:thus|hence|therefore|so|then|consequently|accordingly|indeed|clearly"
    r"|overall|finally)|in\s+(?:short|summary|conclusion|other words|brief)|to\s+summari[sz]e"
    r"|(?:it\s+follows|(?:we|i)\s+(?:find|conclude|see|infer|deduce)|this\s+(?:means|implies|shows)"
    r"|it\s+turns\s+out|it\s+is\s+(?:true|clear|evident)|(?:the\s+)?(?:final\s+|short\s+|correct\s+)?"
    r"answer\s+is)\s+that|(?:the\s+|my\s+)?(?:final\s+|short\s+|correct\s+)?answer\s*"
    r"(?:is\b\s*:?|:)|that(?=\s+\w+\s+\w+\s))\b[,:]?\s*)+",
    re.I,
)
_NAMING = re.compile(
    r"^\W*(?:(?:it|this|that|they|these|(?:the|this|its|their)\s+(?:\w+\s+)?(?:answer|process"
    r"|mechanism|phenomenon|cause|source|origin|driver|name|solution|region|structure|instability"
    r"|direction|mode|wave|effect|term|layer|boundary|state|regime|shock|type))\s+"
    r"(?:is|are|was|were)\s+(?:(?:called|known as|termed|named|due to|caused by)\s+)?"
    r"|(?:by|at|in|during|via|through|due to|because of)\s+)",
    re.I,
)
_ADVERBIAL = re.compile(rf"^\s*((?:{_PLACES})\b[^,]{{2,80}}),\s+(?!and\b|or\b)(.+)$", re.I | re.S)
_DRIVER_FIRST = re.compile(
    r"^\s*(?:as|when|with|for)\s+([^,]{3,120}),\s+([^,]{3,200})$", re.I | re.S
)
_CORRELATIVE = re.compile(
    r"^\s*the\s+(\w+)\s+(?:the\s+)?([^,]{2,100}),\s+the\s+(\w+)\s+(?:the\s+)?([^,]{2,100})$", re.I
)
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
_BECOMES: dict[str, tuple[str, int]] = {
    **dict.fromkeys(("larger", "higher", "greater", "bigger", "stronger"), ("amount", 1)),
    **dict.fromkeys(("smaller", "lower", "weaker", "less"), ("amount", -1)),
    "harder": ("hardness", 1), "softer": ("hardness", -1), "flatter": ("slope", -1),
    "steeper": ("slope", 1), "thicker": ("thickness", 1), "thinner": ("thickness", -1),
    "wider": ("width", 1), "broader": ("width", 1), "narrower": ("width", -1),
    "faster": ("speed", 1), "slower": ("speed", -1), "cooler": ("heat", -1),
    "colder": ("heat", -1), "hotter": ("heat", 1), "warmer": ("heat", 1), "denser": ("density", 1),
}  # fmt: skip
_TREND_WORD = rf"(?:{'|'.join(_TRENDS)}|become (?:{'|'.join(_BECOMES)}))"
_TREND = re.compile(
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
_GENERIC_FITS = frozenset({"generic", "size", "strength", "importance"})
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
_PASSIVE = re.compile(
    rf"^(?P<p>.+?) (?:(?P<m>{_MODALS}) )?be (?:(?P<n>not) )?(?P<v>\w+)"
    r"(?: (?P<k>(?:into|to|from|in|on|at|through|between|toward|away) .+?))? by (?P<a>.+)$"
)
_VERB = "\0"


@dataclass(frozen=True, slots=True)
class Form:
    """A clause in normal form: the kind of statement and its parts, which must agree one by one.

    For ``words`` the parts are the words; for ``compare``, ``before`` and ``cause`` the first two
    parts are the roles.
    """

    kind: str
    parts: tuple[str, ...]


@lru_cache(maxsize=4096)
def normal_form(clause: str) -> Form:
    """The form of one clause without lead-in ("Thus ...") and with its adverbial at the end."""
    text = _LEAD_IN.sub("", clause.strip()).strip(" .;:!,\"'")
    text = _driver_last(text)
    if match := _ADVERBIAL.match(text):
        text = f"{match[2]} {match[1]}"
    line = " ".join(clause_words(text))
    return _related(line) or Form("words", tuple(_active(line).split()))


def named(answer: str) -> str:
    """``magnetic reconnection`` out of ``The mechanism is magnetic reconnection``."""
    return _NAMING.sub("", _LEAD_IN.sub("", answer.strip()), count=1)


def agree(left: Form, right: Form) -> bool:
    """Whether two forms say the same."""
    if left.kind != right.kind or len(left.parts) != len(right.parts):
        return False
    if left.kind == "order":
        return same_order(left.parts, right.parts)
    if left.kind == "compare" and left.parts[:2] == right.parts[:2]:
        kinds = {left.parts[2], right.parts[2]}
        fits = len(kinds) == 1 or ("generic" in kinds and kinds <= _GENERIC_FITS)
        return fits and left.parts[3:] == right.parts[3:]
    return all(map(_same_word, left.parts, right.parts))


def exchanged(left: Form, right: Form) -> bool:
    """Whether one form is the other with its two roles exchanged."""
    if left.kind == right.kind == "order":
        return turned_order(left.parts, right.parts)
    if left.kind == right.kind and left.kind in {"compare", "before", "cause"}:
        (a, b), (c, d) = left.parts[:2], right.parts[:2]
        return (a, b) == (d, c) and a != b and left.parts[2:] == right.parts[2:]
    if left.kind == right.kind == "words":
        for one, other in ((left, right), (right, left)):
            verbs = [i for i, word in enumerate(one.parts) if word.startswith(_VERB)]
            if len(verbs) == 1 and not any(word.startswith(_VERB) for word in other.parts):
                at = verbs[0]
                turned = (*one.parts[at + 1 :], one.parts[at], *one.parts[:at])
                if agree(Form("words", turned), other) and not agree(one, other):
                    return True
    return False


def other_number(gold: Form, answer: Form) -> tuple[str, str] | None:
    """The one number in which two forms differ, when they differ in nothing else."""
    if gold.kind != answer.kind or len(gold.parts) != len(answer.parts):
        return None
    wanted, given = " ".join(gold.parts).split(), " ".join(answer.parts).split()
    pairs = [pair for pair in zip(wanted, given, strict=False) if pair[0] != pair[1]]
    if len(wanted) != len(given) or len(pairs) != 1:
        return None
    numeric = all(re.fullmatch(r"-?[\d.]+(?:e-?\d+)?%?", word) for word in pairs[0])
    return pairs[0] if numeric else None


def _same_word(left: str, right: str) -> bool:
    if left == right:
        return True
    marked = left.startswith(_VERB) != right.startswith(_VERB)
    if not marked:
        return False
    verb, word = (left, right) if left.startswith(_VERB) else (right, left)
    return not is_participle(word) and verb_base(word) == verb[len(_VERB) :]


def _driver_last(text: str) -> str:
    """``y falls with growing x`` for ``As x grows, y falls`` and for ``The larger x, ...``."""
    if match := _CORRELATIVE.match(text):
        first, second = match[1].casefold(), match[3].casefold()
        if first in _BECOMES and second in _BECOMES:
            return f"{match[4]} becomes {second} as {match[2]} becomes {first}"
    if match := _DRIVER_FIRST.match(text):
        candidate = f"{match[2]} as {match[1]}"
        found = _TREND.match(" ".join(clause_words(candidate)))
        if found is not None and found["x"] and (found["d"] or found["w"]):
            return candidate
    return text


def _related(line: str) -> Form | None:
    """The statement as a relation of two things, if it is one of the known ones."""
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
    if match := _TREND.match(line):
        return _trend(match)
    order_of_two = ordering(line)
    return Form("order", order_of_two) if order_of_two else None


def _roles(kind: str, left: str, right: str, order: int, *rest: str) -> Form | None:
    """Both roles in fixed order; what stands behind a word of place belongs to the whole."""
    words = left.split()
    if words[-1] in _QUANTIFIERS or re.fullmatch(_MODALS, words[-1]):
        return None  # a denial or a modal verb: word for word
    match = re.match(rf"^(.+?) ((?:{_PLACES}) .+)$", right)
    right, behind = (match[1], match[2]) if match else (right, "")
    if order < 0:
        left, right = right, left
    return Form(kind, (left, right, *rest, behind))


def _trend(match: re.Match[str]) -> Form | None:
    subject = match["s"]
    if re.search(rf"\b(?:{_MODALS}|not|no|never|that|which|and|or)$", subject):
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
    return _BECOMES[word.split()[1]] if word.startswith("become ") else _TRENDS[word]


def _active(line: str) -> str:
    """``wave heat ion`` for ``ion be heated by wave``; the verb is marked."""
    match = _PASSIVE.match(line)
    if match is None or not is_participle(match["v"]):
        return line
    agent, _, behind = _split_place(match["a"])
    patient = match["p"].split()
    if {*agent.split(), match["n"] or ""} & _QUANTIFIERS and _QUANTIFIERS.intersection(patient):
        return line  # which of two quantifiers holds over the other is left to the reader
    verb = _VERB + verb_base(match["v"])
    parts = (agent, match["m"], match["n"], verb, match["p"], match["k"], behind)
    return " ".join(part for part in parts if part)


def _split_place(text: str) -> tuple[str, str, str]:
    match = re.match(rf"^(.+?) ((?:{_PLACES}) .+)$", text)
    return (match[1], " ", match[2]) if match else (text, "", "")
