"""The part that a number plays in its sentence: the result, what it came from, or a comparison.

The nearest word in front of a number that governs it decides: "gives", "is" and "we find" announce
a result; "with", "for" and "at" an input or a condition; "than", "compared with" and "typical"
another value; "would be" one that does not hold. A subordinate clause ("because ...", "where ...")
governs all of its numbers up to the comma.
"""

from __future__ import annotations

import re
from enum import Enum


class Role(Enum):
    """What a number is to its sentence.

    ``AGAIN`` is the value in front of it once more, ``BOUND`` a limit or a mere possibility,
    ``OUTCOME`` what a relative clause makes of the value in front of it ("which gives 5 nT"),
    ``COUNTERPART`` what goes with it ("which corresponds to a diameter of 6 km"), and ``WOULD_BE``
    a value that "would be".
    """

    RESULT = "result"
    PLAIN = "plain"
    ASIDE = "aside"
    AGAIN = "again"
    BOUND = "bound"
    OUTCOME = "outcome"
    COUNTERPART = "counterpart"
    WOULD_BE = "would be"


_RESULT = (
    r"(?:is|are|be|was|lies?|sits?|moves?|travels?|blows?|flows?|propagates?|located|situated"
    r"|expands?|arrives?|peaks?|stands?|rotates?|streams?|stays?|remains?) at(?=\s*(?:about |"
    r"roughly |around |approximately |nearly |some )?$)"
    r"|gives?|giving|gave|yield(?:s|ed|ing)?|gets?|got|obtain(?:s|ed)?|finds?|found"
    r"|(?:comes?|came|works?|worked|turns?|turned) out(?: to be| as| at| to)?"
    r"|amount(?:s|ed|ing)? to"
    r"|equals?|equal to|becomes?|became|is|are|was|were|be|been|has|have|had|produces?|results? in"
    r"|resulting in|leads? to|leading to|arrives? at|reach(?:es|ed)?|takes?|lasts?|needs?|requires?"
    r"|correspond(?:s|ing)? to|implies|imply|means|(?:given|determined|described|fixed) by"
    r"|(?:drop|fall|rise|grow|increase|decrease|decline|shrink)(?:s|ped)? to|dropped to|fell to"
    r"|rose to|evaluates? to|reduces? to|simplifies to"
    r"|so|thus|hence|therefore|then|conclude|finally|whence|from (?:this|that|it|these)"
)
_INPUT = (
    r"with|using|for|given|from|taking|insert(?:ing)?|substitut(?:e|ing)|putting|plugging(?: in)?"
    r"|setting|assum\w+|suppos\w+|starting|at|in(?! to\b)|on|over|during|after|before|within|under"
    r"|near"
    r"|through|across|between|by|inside|outside|into|beyond|combining|dividing|multiplying"
    r"|equating|balancing|comparing|carrying|containing|of (?:mass|radius|width|length)"
    r"|to (?!be\b)\w+ (?:an?|the)"
)
_COMPARE = (
    r"than|below|above|compared? (?:with|to)|in comparison|comparison|versus|vs\.?|against"
    r"|close to|unlike|rather|instead|not|never|in contrast|half"
    r"|third|quarter|tenth|hundredth|thousandth|twice|times|double|fraction|limit"
    r"|textbook|up to|exceed\w*|relative to|previous(?:ly)?"
    r"|earlier|published|literature|opposed to|far from|both|either|neither|nor|except|minus|plus"
)
_CLAUSE = (
    r"because|since|if|when|while|whereas|where|although|though|which|who|whose|unless|once|until|being"
    r"|typical(?:ly)?|usual(?:ly)?|normal(?:ly)?|for comparison"
    r"|^as(?! (?:far|much|high|low|against|opposed|compared|well))"
)
_UNREAL = (
    r"(?:would|should|can|cannot)(?: \w+){0,2}? (?:be|reach|take|give|yield|have|get"
    r"|need|find|lie|last|amount|exceed|become|move|correspond)"
    r"|(?:may|might|could) (?!be\b|\w+ be\b)\w+"
)
_CUE = re.compile(
    rf"(?<![\w-])(?:(?P<clause>{_CLAUSE})|(?P<compare>{_COMPARE}|{_UNREAL})|(?P<result>{_RESULT})"
    rf"|(?P<input>{_INPUT}))(?![\w-])|(?P<colon>:)(?=\s)",
    re.I,
)
_ABOUT = r"(?:(?:about|roughly|approximately|around|nearly|almost|some|just|only|exactly)\s+|≈\s*)*"
_JOINER = re.compile(
    rf"\s*(?:,\s*)?(?:and\s*|&\s*)?(?:(?:an?|the|its)\s+(?:[\w'′-]+\s+){{1,4}}of\s+)?{_ABOUT}", re.I
)
_AGAIN = re.compile(
    r"\s*,?\s*(?:or(?: equivalently)?|equivalently|equivalent to|i\.e\.,?|that is,?|(?:which|that) "
    rf"(?:is|equals|corresponds to|means|amounts to)|[=≈])\s*{_ABOUT}"
    r"|\s*,\s*(?:about|roughly|approximately|≈)\s*",
    re.I,
)
_INSERTED = re.compile(
    r",\s*(?:for|in|at|with|to|by|under|of course|however|indeed)\b[^,\d]*,", re.I
)
_BOUND = re.compile(
    r"\b(?:is|are|be|was|lies?|stays?|remains?|must be|speed|value)\s+(?:well |far |always |just )?"
    r"(?:below|above|under|over|beyond|at (?:least|most)|up to|between"
    rf"|(?:less|greater|more|larger|smaller|lower|higher) than)\s+{_ABOUT}$|[<>≤≥≲≳≪≫]\s*$"
    rf"|\b(?:exceeds|at least|at most)\s+{_ABOUT}$",
    re.I,
)
_PEAKS = re.compile(
    r"\b(?:peaks|(?:emits?|radiates?|shines?|absorbs?|glows?)\s+(?:most(?:ly| strongly)?|mainly"
    rf"|strongest|brightest))\s+(?:at|near|around)\s+(?:a wavelength of\s+)?{_ABOUT}$",
    re.I,
)
"""``emits most strongly near 15 microns``: the place is what the verb states."""
_POSSIBLE = re.compile(
    rf"\b(?:might|may|could)\s(?:\w+\s){{0,2}}?(?:be|have been)\s+(?:as \w+ as\s+)?{_ABOUT}$", re.I
)
_PARALLEL = re.compile(
    rf"\b(at|to|by|in|of)\s+{_ABOUT}0[^,;0]{{0,20}},\s*(?:and\s+|but\s+)?(?:the|an?|its)\s+[^,]{{1,40}}"
    rf"\s\1\s+{_ABOUT}$",
    re.I,
)
"""``moves at 800 km/s, the slow one at ...``: another subject of the same verb."""
_DENIED = re.compile(rf"\b(?:not|never|n't|n′t)\s+(?:\w+\s+)?{_ABOUT}$", re.I)
_CORRECTED = re.compile(rf"\s*,?\s*but\s+(?:rather\s+)?{_ABOUT}", re.I)


def role(before: str, gap: str, previous: Role | None, *, denied: bool) -> Role:
    """The role of a number with ``before`` in front of it, ``gap`` of it since the last number.

    Earlier numbers stand as ``0`` in ``before``; ``previous`` is the role of the last of them and
    ``denied`` whether it was denied ("not 9 nT but 9 uT").
    """
    gap = _INSERTED.sub(" ", gap)
    if previous is not None:
        if denied and _CORRECTED.fullmatch(gap):
            return Role.RESULT
        if _AGAIN.fullmatch(gap):
            return Role.AGAIN
        if is_joiner(gap):
            return previous
    cues = list(_CUE.finditer(gap))
    if _POSSIBLE.search(before):
        return Role.BOUND
    if _PARALLEL.search(before):
        return Role.PLAIN
    opened = _open_clause(_INSERTED.sub(" ", before))
    if opened is not None:
        return _in_relative_clause(opened)
    if _BOUND.search(before):
        return Role.BOUND
    if not cues or _PEAKS.search(before):
        return Role.PLAIN
    cue = cues[-1]
    if cue["result"] or cue["colon"]:
        return Role.RESULT
    if cue["compare"] and cue["compare"].lower().startswith("would"):
        return Role.WOULD_BE
    return Role.PLAIN if _ends(gap[cue.end() :]) else Role.ASIDE


def is_denied(before: str) -> bool:
    """Whether the words right in front of a number deny it."""
    return _DENIED.search(before) is not None


def is_joiner(gap: str) -> bool:
    """Whether a number goes on with the list of the one in front of it."""
    return bool(gap.strip()) and _JOINER.fullmatch(_INSERTED.sub(" ", gap)) is not None


def opens_with_inputs(line: str) -> bool:
    """Whether a sentence begins with what is given: ``With a = 1``, ``For b = 2``."""
    return re.match(rf"\s*(?:{_INPUT})\b", line, re.I) is not None


def announced(gap: str) -> str:
    """The words between the last cue and the number."""
    cues = list(_CUE.finditer(gap))
    return gap[cues[-1].end() :] if cues else gap


def first_cue(text: str) -> int:
    """Where the first word that opens another part of the sentence stands, else the end."""
    cue = _CUE.search(text)
    return cue.start() if cue else len(text)


def _ends(text: str) -> bool:
    return "," in text


def _open_clause(before: str) -> str | None:
    """The last subordinate clause in ``before`` from its first word, if it is still open."""
    opened = [cue for cue in _CUE.finditer(before) if cue["clause"]]
    if not opened:
        return None
    rest = re.sub(r",\s*(?=(?:and\s+)?\S{1,12}\s*[=≈])", " ", before[opened[-1].end() :])
    if _ends(rest):
        return None
    origin = _ORIGIN.search(before, 0, opened[-1].start())
    return f"{origin[0] if origin else ''}{opened[-1][0]}{rest}"


_ORIGIN = re.compile(r"\bfrom\s+$", re.I)
_RELATIVE = re.compile(r"(?P<origin>from\s+)?which\b", re.I)
_MAKES = re.compile(
    r"\b(?:gives?|gave|giving|yield(?:s|ed)?|impl(?:ies|y|ied)|means|meant|leads? to|led to"
    r"|result(?:s|ed)? in|makes?|made|produces?|produced|becomes?|became|sets|adds? up to|sums? to"
    r"|translates? (?:in)?to|evaluates? to|comes? (?:out )?(?:to|as|at)|works? out (?:to|as|at)"
    r"|(?:we|one|i) (?:get|find|obtain|have|conclude|compute)"
    r"|(?:is|are|was) (?:therefore|thus|hence)"
    r"|(?:lower|reduc|rais|br[io]|cut|increas|decreas|chang|shift|correct|drop|boost|scal|tak|turn"
    r"|push|pull|slow|heat|cool|speed|limit|adjust|revis|convert|doubl|halv|shrink|stretch)\w*"
    r"(?:\s+[\w'′-]+){0,5}?\s+(?:in)?to)(?![\w-])",
    re.I,
)
_GOES_WITH = re.compile(
    r"\b(?:correspond(?:s|ed)? to|(?:is|are) equivalent to|belongs? to|goes with|relates? to)\b",
    re.I,
)


_PLACE = re.compile(r"\s+(?:the|an?|its|this|that)\s+(?:(?!of\b)[\w-]+\s*){1,3}", re.I)


def _governs(cue: re.Match[str], clause: str) -> bool:
    """Whether a word of comparison or input has the number behind it, not a place alone."""
    if cue["compare"]:
        return True
    return bool(cue["input"]) and _PLACE.fullmatch(clause, cue.end()) is None


def _in_relative_clause(clause: str) -> Role:
    """The part of a number in an open subordinate clause: ``which together with 0 makes``."""
    relative = _RELATIVE.match(clause)
    if relative is None:
        return Role.ASIDE
    made = [*_MAKES.finditer(clause), *_GOES_WITH.finditer(clause)]
    end = max((match.end() for match in made), default=relative.end() if relative["origin"] else 0)
    if not end or any(_governs(cue, clause) for cue in _CUE.finditer(clause, end)):
        return Role.ASIDE
    last = max(made, key=lambda match: match.end(), default=None)
    return Role.COUNTERPART if last and last.re is _GOES_WITH else Role.OUTCOME
