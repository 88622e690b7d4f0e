"""Clauses that say the same by rule: one form for what differs only in the turn of the phrase.

Known turns: a leading adverbial ("On the nightside, ..."), the passive ("is heated by"), trends
("falls with increasing x", "as x grows, y falls", "the larger x, the smaller y"), comparisons and
their inversion, order in time, cause, independence. Everything else must agree word for word, so
that another operand, condition, quantifier, modal verb, number or negation is never lost.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ecliptic.grading.clause_relations import (
    BECOMES,
    GENERIC_FITS,
    MODALS,
    PLACES,
    QUANTIFIERS,
    TREND,
    Form,
    related,
)
from ecliptic.grading.clause_words import clause_words, is_participle, verb_base
from ecliptic.grading.orderings import same_order, turned_order
from ecliptic.grading.told_factors import same_factor

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
    r"(?:is|are|was|were)\s+(?:(?:called|known as|termed|named|due to|caused by|identified as"
    r"|classified as)\s+)?|(?:the|this)\s+\w+(?:\s\w+)?\s+(?:is|are|was|were)\s+(?:called|known as"
    r"|termed|named|identified as|classified as)\s+"
    r"|(?:by|at|in|during|via|through|due to|because of)\s+)",
    re.I,
)
_CONTRACTED = re.compile(r"\b(it|this|that)['’]s\b", re.I)
_AGREEING = re.compile(r"^\W*(?:yes|no)\s*[,;:–—-]+\s*(?=(?:it|this|that|the|they|these)\b)", re.I)
"""A word of agreement in front of a whole statement."""
_ADVERBIAL = re.compile(rf"^\s*((?:{PLACES})\b[^,]{{2,80}}),\s+(?!and\b|or\b)(.+)$", re.I | re.S)
_DRIVER_FIRST = re.compile(
    r"^\s*(?:as|when|with|for)\s+([^,]{3,120}),\s+([^,]{3,200})$", re.I | re.S
)
_CORRELATIVE = re.compile(
    r"^\s*the\s+(\w+)\s+(?:the\s+)?([^,]{2,100}),\s+the\s+(\w+)\s+(?:the\s+)?([^,]{2,100})$", re.I
)
_PASSIVE = re.compile(
    rf"^(?P<p>.+?) (?:(?P<m>{MODALS}) )?be (?:(?P<n>not) )?(?P<v>\w+)"
    r"(?: (?P<k>(?:into|to|from|in|on|at|through|between|toward|away) .+?))? by (?P<a>.+)$"
)
_VERB = "\0"
ROMAN = frozenset(
    [
        "i",
        "ii",
        "iii",
        "iv",
        "v",
        "vi",
        "vii",
        "viii",
        "ix",
        "x",
        "xi",
        "xii",
        "xiii",
        "xiv",
        "xv",
        "xvi",
    ]
)
_CLASS = re.compile(r"\b(?:type|class|stage|population|region|fe|ca|si|mg|he|ne|al|ni)\b")
_FROM_TO = re.compile(r"\b(from) (\w+(?: \w+)?) (to|toward|into) (\w+(?: \w+)?)$")


@lru_cache(maxsize=4096)
def normal_form(clause: str) -> Form:
    """The form of one clause without lead-in ("Thus ...") and with its adverbial at the end."""
    text = _LEAD_IN.sub("", clause.strip()).strip(" .;:!,\"'")
    text = _driver_last(text)
    if match := _ADVERBIAL.match(text):
        text = f"{match[2]} {match[1]}"
    line = " ".join(clause_words(text))
    return related(line) or Form("words", tuple(_active(line).split()))


def named(answer: str) -> str:
    """``magnetic reconnection`` out of ``The mechanism is magnetic reconnection``."""
    text = _CONTRACTED.sub(r"\1 is", _AGREEING.sub("", _LEAD_IN.sub("", answer.strip())))
    return _NAMING.sub("", text, count=1)


def agree(left: Form, right: Form) -> bool:
    """Whether two forms say the same."""
    if left.kind != right.kind or len(left.parts) != len(right.parts):
        return False
    if left.kind == "factor":
        return _same_subject(left, right) and _same_factors(left, right)
    if left.kind == "order":
        return same_order(left.parts, right.parts)
    if left.kind == "compare" and left.parts[:2] == right.parts[:2]:
        kinds = {left.parts[2], right.parts[2]}
        fits = len(kinds) == 1 or ("generic" in kinds and kinds <= GENERIC_FITS)
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
        if _turned_way(" ".join(left.parts)) == " ".join(right.parts):
            return True
        for one, other in ((left, right), (right, left)):
            verbs = [i for i, word in enumerate(one.parts) if word.startswith(_VERB)]
            if len(verbs) == 1 and not any(word.startswith(_VERB) for word in other.parts):
                at = verbs[0]
                turned = (*one.parts[at + 1 :], one.parts[at], *one.parts[:at])
                if agree(Form("words", turned), other) and not agree(one, other):
                    return True
    return False


def _turned_way(line: str) -> str:
    """``from b to a`` for ``from a to b``."""
    match = _FROM_TO.search(line)
    if match is None or match[2] == match[4]:
        return ""
    return f"{line[: match.start()]}from {match[4]} {match[3]} {match[2]}"


def other_number(gold: Form, answer: Form) -> tuple[str, str] | None:
    """The one number in which two forms differ, when they differ in nothing else."""
    if gold.kind != answer.kind or len(gold.parts) != len(answer.parts):
        return None
    if gold.kind == "factor":
        alike = not _same_subject(gold, answer) or _same_factors(gold, answer)
        return (
            None
            if alike
            else (f"multiplied by {gold.parts[1]}", f"multiplied by {answer.parts[1]}")
        )
    wanted, given = " ".join(gold.parts).split(), " ".join(answer.parts).split()
    pairs = [pair for pair in zip(wanted, given, strict=False) if pair[0] != pair[1]]
    if len(wanted) != len(given) or len(pairs) != 1:
        return None
    if {pairs[0][0], pairs[0][1]} <= ROMAN and _CLASS.search(" ".join(wanted)):
        return pairs[0]
    numeric = all(re.fullmatch(r"-?[\d.]+(?:e-?\d+)?%?", word) for word in pairs[0])
    return pairs[0] if numeric else None


def _same_subject(gold: Form, answer: Form) -> bool:
    """Whether a factor is told of one quantity; a pronoun stands for the one asked for."""
    named = not gold.parts[0] or not answer.parts[0] or gold.parts[0] == answer.parts[0]
    return named and (gold.parts[2] == answer.parts[2] or not (gold.parts[2] and answer.parts[2]))


def _same_factors(left: Form, right: Form) -> bool:
    return same_factor(float(left.parts[1]), float(right.parts[1]))


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
        if first in BECOMES and second in BECOMES:
            return f"{match[4]} becomes {second} as {match[2]} becomes {first}"
    if match := _DRIVER_FIRST.match(text):
        candidate = f"{match[2]} as {match[1]}"
        found = TREND.match(" ".join(clause_words(candidate)))
        if found is not None and found["x"] and (found["d"] or found["w"]):
            return candidate
    return text


def _active(line: str) -> str:
    """``wave heat ion`` for ``ion be heated by wave``; the verb is marked."""
    match = _PASSIVE.match(line)
    if match is None or not is_participle(match["v"]):
        return line
    agent, _, behind = _split_place(match["a"])
    patient = match["p"].split()
    if {*agent.split(), match["n"] or ""} & QUANTIFIERS and QUANTIFIERS.intersection(patient):
        return line  # which of two quantifiers holds over the other is left to the reader
    verb = _VERB + verb_base(match["v"])
    parts = (agent, match["m"], match["n"], verb, match["p"], match["k"], behind)
    return " ".join(part for part in parts if part)


def _split_place(text: str) -> tuple[str, str, str]:
    match = re.match(rf"^(.+?) ((?:{PLACES}) .+)$", text)
    return (match[1], " ", match[2]) if match else (text, "", "")
