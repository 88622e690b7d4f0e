"""Words around an answer that make it none: denied documents, failures, contrasts.

``Not this: {"v": 400}``, ``I could not derive $p = nkT$``, ``usually $E = mc^2$, but here
$E = pc$``.
"""

from __future__ import annotations

import re
from itertools import pairwise

from ecliptic.grading.cleaning import letters
from ecliptic.grading.retractions import taken_back
from ecliptic.grading.sentences import MASK, masked, sentences
from ecliptic.grading.stances import may_hold_a_stance, not_stated

_LONGEST_FRONT = 200
_ANSWER = r"(?:answers?|values?|results?|json|output|solutions?|numbers?|documents?|objects?|ones?)"
_WRONG = r"(?:wrong|incorrect|false|mistaken|erroneous|naive|bad|invalid)"
_DENIED_FRONT = re.compile(
    rf"(?:\b(?:not|never)(?:\s+(?:this|that|these|the following"
    rf"|the (?:right |correct |final )?{_ANSWER}))?"
    r"|\b(?:do not|don['’]?t|never|must not|should not)\s+(?:use|answer|write|take|give|accept|say)"
    r"(?:\s+(?:this|that|the following))?"
    rf"|\b{_WRONG}\s+(?:\w+\s+)?{_ANSWER}\b[^.;\n]{{0,30}}"
    rf"|(?:^|[.\n]\s*){_WRONG}"
    rf"|\b(?:{_WRONG}|mistake|error)\s+to\s+(?:say|answer|write|give)\b[^.;\n]{{0,20}}"
    r"|\b(?:instead of|rather than))[\s:=(`*]*$",
    re.I,
)
"""Words in front of a document that deny it."""
_FAILURE = re.compile(
    r"\b(?:i|we)\s+(?:was|were|am|are|have been)\s+(?:not able|unable|stuck|unsuccessful)\b"
    r"|\b(?:could|can|did|do)(?:\s*not|n['’]?t)\s+(?:\w+ly\s+|manage to\s+|know how to\s+)?"
    r"(?:obtain|derive|show|prove|reproduce|get|find|verify|confirm|do (?:it|this|that)|complete"
    r"|finish|establish|recover|arrive|reach|solve|manage|succeed|justify)\b"
    r"|\b(?:i|we|attempts?)\s+(?:have\s+)?fail(?:ed)?\b|\bfail(?:ed)? to (?:obtain|derive|show"
    r"|prove|reproduce|get|find|verify|confirm)\b|\b(?:i|we)\s+(?:gave|give) up\b"
    r"|\b(?:unable|not able) to (?:obtain|derive|show|prove|reproduce|get|find|verify|confirm)\b"
    r"|\b(?:twice|half|double|three times|four times|a factor\s+\S+\s+(?:times|off|from|of|more"
    r"|less)(?:\s+than)?)\s+(?:of\s+)?(?:the\s+)?(?:stated|given|quoted|claimed|expected|required)\b",
    re.I,
)
_GOES_ON = re.compile(
    r"(?:\b(?:but|however|nevertheless|still|yet|then|so|thus|hence|therefore|gives?|yields?|unless"
    r"|until|without|by|before)\b|[.;!\n]).*?(?:[\d=\\$])",
    re.I | re.S,
)
_HERE = re.compile(
    r"(?:here|now|in this case|in our case|in the present case|the (?:correct |right |actual )?"
    r"(?:answer|result|formula|expression)(?: is)?)\b",
    re.I,
)
_CONTRAST = re.compile(r"\b(?:but|however|yet|whereas|while|though|although)\b|[;.]", re.I)
_FORMULA = re.compile(r"\$\$?([^$]{1,400}?)\$\$?")


def denied_around(text: str) -> str:
    """Why the document in ``text`` is no answer by the words around it, or nothing."""
    start = min((place for place in map(text.find, "{[") if place >= 0), default=-1)
    end = max(map(text.rfind, "}]"))
    if start < 0 or end < start:
        return ""
    front, behind = text[max(0, start - _LONGEST_FRONT) : start], text[end + 1 :]
    if not may_hold_a_stance(front + behind):
        return ""
    if _DENIED_FRONT.search(front.removesuffix("\\boxed")):
        return "the document is denied"
    for index, part in enumerate(sentences(MASK * 4 + behind)):
        if index == 0 and (reason := not_stated(part)):
            return f"the document is not stated: {reason}"
        cue = taken_back(part, first=index == 0)
        if cue is not None:
            return f"'{cue.words[:80]}' takes back the document in front of it"
    return ""


def gives_up(text: str, question: str) -> bool:
    """Whether ``text`` holds only formulas of the question and says that nothing was derived."""
    if not question or len(text) > 2000:
        return False
    failures = list(_FAILURE.finditer(text))
    if not failures or _GOES_ON.search(text, failures[-1].end()):
        return False
    asked = letters(question)
    formulas = [letters(match[1]) for match in _FORMULA.finditer(text)]
    return bool(formulas) and all(_held(formula, asked) for formula in formulas)


def _held(formula: str, question: str) -> bool:
    """Whether a formula, or its right-hand side, stands in the question."""
    return formula in question or formula.rpartition("=")[2] in question


def behind_contrast(text: str) -> str:
    """``text`` from the second of two formulas for one quantity that are contrasted.

    ``Usually $E = a$, but here $E = b$`` answers b.
    """
    if text.count("$") < 4 or len(text) > 2000 or not _HERE.search(masked(text)):
        return text
    found = [match for match in _FORMULA.finditer(text) if "=" in match[1]]
    for first, last in pairwise(found):
        between = text[first.end() : last.start()]
        here = list(_HERE.finditer(between))
        if (
            here
            and _CONTRAST.search(between)
            and len(between[here[-1].end() :].split()) <= 4
            and letters(first[1].partition("=")[0]) == letters(last[1].partition("=")[0])
        ):
            return text[last.start() :]
    return text
