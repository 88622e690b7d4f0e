"""Whether a sentence states the value that it holds.

It may only ask for it, suppose, quote, deny or compare it ("someone may think 400", "if one
neglected gravity one would get 200").
"""

from __future__ import annotations

import re

from ecliptic.grading.retractions import LIMITED, VALUE
from ecliptic.grading.sentences import MASK, Sentence, beginnings

_QUOTED = re.compile(
    r"\b(?:some(?:one|body| people)?|people|many|most|students?|others?|they"
    r"|the (?:reader|student))\s+(?:\w+\s+)?"
    r"(?:may|might|could|would|will|often|sometimes|wrongly|usually|naively)?\s*"
    r"(?:be tempted to\s+)?(?:think|thinks|say|says|guess|believe|believes|claim|claims|answer"
    r"|argue|expect|conclude|write|get|give)\b"
    r"|\bone\s+(?:may|might|could|would)\s+(?:be tempted|naively|think|guess|say|believe|expect)\b"
    r"|\b(?:it is|it's)\s+(?:often|sometimes|commonly|widely)\s+(?:said|claimed|believed|thought)\b"
    r"|\b(?:wrong|incorrect|naive|mistaken|false|erroneous|bad|tempting)\s+(?:\w+\s+)?(?:answer"
    r"|value|result|guess|estimate|choice|approach|formula|expression|reasoning|speed|number)s?\b"
    r"|\b(?:common|typical|frequent|usual|classic|standard|easy|popular)\s+(?:\w+\s+)?"
    r"(?:mistake|error|misconception|trap|confusion|pitfall)\b"
    r"|^(?:for|by|in|as a)\s+(?:comparison|contrast|reference)\b|^compare\b"
    r"|\b(?:hint|question|problem|task|exercise|prompt|statement|teacher|textbook|rubric|grader"
    r"|reference(?: (?:answer|solution))?|answer key|solution key|gold(?: answer)?|colleague|friend"
    r"|wikipedia|literature|marking scheme)\s+"
    r"(?:says?|said|states?|stated|gives|gave|mentions|suggests|claims|reads|has|wants|expects)\b"
    r"|\b(?:you|question|problem|task|prompt|exercise|user)\s+"
    r"(?:ask|asks|asked|want|wants|wonder|wonders)(?:\s+\w+){0,2}\s+(?:whether|if)\b"
    r"|\byou\s+(?:say|said|claim|claimed|state|stated|mention|mentioned|suggest|suggested)\b"
    r"|\baccording to (?:you|the (?:hint|question|problem|task|exercise|prompt|statement|text))\b"
    r"|\bi (?:was told|heard|doubt|deny|disagree(?!\s*[:;,—–-]|\s+(?:and|because|since)\b)"
    r"|(?:do not|don'?t) (?:think|believe))\b"
    r"|\b(?:nobody|no one|allegedly|supposedly|rumou?r|myth|misconception|unlikely|denied|denies"
    r"|rejects?|refutes?|disputes?|doubts?)\b"
    rf"|\b(?:cannot|can'?t|could not|couldn'?t|must not|should not|never|not)\s+"
    rf"(?:be|equal|have been)\s+(?:\w+\s+)?(?={VALUE})"
    r"|\b(?:mistake|error|wrong|incorrect|tempting)\s+to\s+(?:write|say|use|take|put|think|give)\b"
    r"|\b(?:is|was|were|been|be)\s+(?:rejected|ruled out|excluded|withdrawn|retracted|refuted)\b"
    r"|\b(?:another|the other|a different|the previous|some other)\s+"
    r"(?:question|model|problem|case|answer|quantity|one|paper|exercise)\b"
    rf"|\b(?:lower|upper)\s+(?:limit|bound)\s*(?:of|is|:|=)?\s*(?={VALUE})"
    rf"|{MASK}\s*(?:would be|is|was)\s+(?:never|simply|just|clearly)?\s*(?:not\s+(?:the|right|true"
    rf"|correct|valid|what|a solution|possible|allowed|applicable)\b"
    rf"|wrong|incorrect|false){LIMITED}"
    rf"|{MASK}\s*(?:does|do|did|can|could|will)(?:\s+not|n'?t|not)\s+(?:be used|apply|hold|work"
    rf"|be (?:right|true|correct)){LIMITED}"
    rf"|{MASK}\s*(?:(?:never|hardly|seldom|no longer)\s+(?:holds?|occurs?|happens?|applies|works?"
    r"|is (?:true|valid|met|satisfied|reached|fulfilled))|fails?(?: to hold)?|breaks? down"
    r"|is (?:\w+ly )?(?:violated|broken|untrue|invalid|impossible))"
    rf"{LIMITED}(?![^{MASK}]*{MASK})"
    rf"|^(?:only not|unless|except(?: for| when| if| where)?)\s+{MASK}+\W*$"
    r"|\b(?:cannot|can'?t|must not|should not|do not|don'?t|never) (?:use|write|take|apply)\b"
    r"|\b(?:never|not|hardly) true\b|\b(?:opposite|reverse|negation|contrary) of\b|\bused to be\b"
    r"|^had (?:i|we|it|the)\b|^would\b|\((?:retracted|withdrawn|obsolete|rejected)\)"
    r"|\bno (?:way|reason)\b|\bcontrary to\b|^were\b|^given\s*:|^what if\b"
    r"|\bwhether\b|\bas if\b"
    rf"|\b(?:e\.g\.|for example|for instance|such as|say),?\s*(?:\w{{1,4}}\s*[=≈]\s*)?[\d{MASK}]"
    r"|\bif\b.*\b(?:neglect|ignor|omitt|forgot|dropp|had|were|used|took)\w*\b.*\bwould\b"
    r"|\b(?:neglecting|ignoring|forgetting|omitting|dropping)\b.*\bwould\b"
    r"|\bwould\b.*\bif\b.*\b(?:neglected|ignored|omitted|forgot|dropped|had|were|used|took)\b",
    re.I,
)
_MANNER = re.compile(
    rf"(^|,)\s*(?:(?:so|thus|hence|then)\s+)?(?:to|in|at|for|with|within|under|on|by)\b"
    rf"[^,\d=≈{MASK}]*?\s+as the (?:hint|question|problem|task|exercise|prompt|statement)\s+"
    rf"(?:says?|states?|stated|suggests|requires|asks)\s*,",
    re.I,
)
"""``to leading order as the problem states,``: how it was done, without a value."""
_OWN = re.compile(
    r"[,;]?\s+(?:but|however,?|yet|whereas|while)\s+(?:my|our|the|this|a)\s+(?:own\s+|direct\s+|full\s+|actual\s+)?"
    r"(?:calculations?|derivation|estimate|computation|analysis|result|working)\s+(?=(?:here\s+)?(?:gives?|yields?"
    r"|shows?|is|leads? to)\b)",
    re.I,
)
"""``The textbook says 5, but my calculation gives 6``: what stands behind is stated."""
_FIRST_LOOK = frozenset(
    ["viol", "brok", "brea", "fail", "untr", "inva", "impo", "seld", "only", "unle", "exce",
     "some", "peop", "many", "most", "stud", "othe", "they", "read", "one", "said", "clai", "beli",
     "thou", "wron", "inco", "naiv", "mist", "fals", "erro", "bad", "temp", "comm", "typi", "freq",
     "usua", "clas", "stan", "easy", "popu", "comp", "cont", "refe", "hint", "ques", "prob", "task",
     "exer", "prom", "stat", "teac", "rubr", "grad", "answ", "solu", "gold", "coll", "frie",
     "wiki", "lite", "mark", "text", "you", "user", "acco", "i", "nobo", "no", "alle",
     "supp", "rumo", "myth", "misc", "unli", "deni", "reje", "refu", "disp", "doub", "not", "neve",
     "cann", "can", "coul", "must", "shou", "whet", "as", "g", "exam", "inst", "such", "say", "if",
     "negl", "igno", "forg", "omit", "drop", "woul", "oppo", "reve", "nega", "used", "had", "retr",
     "with", "obso", "give", "were", "what", "anot", "diff", "prev", "limi", "boun", "rule", "excl",
     "do", "does", "did", "will", "don", "t", "hard"]
)  # fmt: skip
"""Beginnings of words, one of which is in every phrase above."""
_UNKNOWN = re.compile(
    r"^(?:i|we)\s+(?:really\s+)?(?:do not|don'?t|cannot|can'?t|could not)\s+"
    r"(?:really\s+)?(?:know|say|tell|determine)\b",
    re.I,
)
_SUPPOSED = re.compile(r"^(?:let us\s+|let's\s+)?(?:suppose|assume|imagine|pretend)\b", re.I)
_CONCLUDES = re.compile(r"\b(?:then|so|thus|hence|therefore|we (?:get|find|obtain)|gives)\b", re.I)
_IF = re.compile(r"^(?:if|unless|provided|only if)\b([^,]*),(.*)", re.I | re.S)
_OTHERWISE = re.compile(r"\b(?:if|when|unless)\b.*\b(?:otherwise|or else|else)\b", re.I | re.S)
_DENIED = re.compile(
    r"(?:\b(?:not|never|cannot|isn't|rather than|instead of|unlike|anything but|other than"
    r"|nothing like|far from)\s+(?:be\s+|equal(?:s)?\s+(?:to\s+)?|simply\s+|just\s+|equal to\s+)?"
    rf"|≠\s*)(?:\w{{1,3}}\s*=\s*)?{MASK}*$",
    re.I,
)
_WORDS = re.compile(r"(?<![\\A-Za-z{])[A-Za-z]{3,}|\?|≠|\bno\b", re.I)


def may_hold_a_stance(text: str) -> bool:
    """Whether there are words enough to take a value back or to ask for it."""
    return _WORDS.search(text) is not None


def not_stated(sentence: Sentence, *, cases: bool = False) -> str:
    """Why the sentence does not state the value in it, or nothing.

    ``cases`` allows ``a if x, otherwise b``, which a formula can say.
    """
    words = sentence.words.strip().lstrip("(*_ ")
    if words.rstrip("\"'”’) ").endswith("?"):
        return "it is only asked"
    own = _OWN.search(words)
    said = words[own.end() :] if own else words
    if first_look(words) and _QUOTED.search(_MANNER.sub(r"\1", said)):
        return "it is only quoted, supposed or compared"
    if _UNKNOWN.match(words):
        return "it is not known"
    if _SUPPOSED.match(words) and not _CONCLUDES.search(words):
        return "it is only supposed"
    condition = _IF.match(words)
    if condition and not _has_value(condition[2]) and _has_value(condition[1]):
        return "it is only a condition"
    if not cases and _OTHERWISE.search(words):
        return "it depends on a condition"
    return ""


def first_look(words: str) -> bool:
    """Whether words that quote, suppose or deny may be among ``words``."""
    return not _FIRST_LOOK.isdisjoint(beginnings(words))


def denied_in_front(words: str) -> bool:
    """Whether the words right in front of a value deny it."""
    return _DENIED.search(words) is not None


def _has_value(words: str) -> bool:
    return re.search(rf"[\d{MASK}]", words) is not None
