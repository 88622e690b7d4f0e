"""Words of an answer that take back what stands in front of them, or refuse to answer.

"Wait, that is wrong", "correction:", "I forgot the factor 2": the answer in front no longer counts.
Words that limit it ("this is wrong for cold plasma") or speak of others ("a common mistake is ...")
leave it as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ecliptic.grading.sentences import MASK, Sentence, beginnings

VALUE = rf"[-+~≈=]?\s*[\d{MASK}.]"
_LEAD = (
    r"^(?:(?:oh|ah|a+h+|hm+|um+|well|but|and|however|ok(?:ay)?|yet|now|sorry|no|so|then)\b"
    r"[,.:!… ]+)*"
)
_FAULTY = (
    r"(?:(?:quite |simply |just |clearly |completely |obviously |plainly )?"
    r"(?:wrong|incorrect|false|mistaken|erroneous|in error|an error|a mistake|off by|invalid"
    r"|not (?:quite |actually )?(?:right|correct|true"
    r"|the (?:right |correct )?(?:answer|one|result)"
    r"|(?:yet |quite )?(?:what|the (?:quantity|value|number|one))(?: (?:that|which))?"
    r"(?: (?:is|was|we(?:re|['’]re| are| were)?|you(?:r question)?|the (?:question|problem)))?"
    r" (?:asked|asks|wanted|want|wants|sought|seek|needed|need|required|requested|after|looking))"
    r"|too (?:large|small|high|low|big)(?! to\b)"
    r"|(?:just |only |merely )?(?:a |an )?(?:pure |wild )?"
    r"(?:placeholder|dummy|guess|joke|nonsense|made[- ]up|invented|unreliable|meaningless"
    r"|unphysical|impossible|no longer \w+|not (?:reliable|to be trusted)|untrustworthy"
    r"|test|my (?:first|initial|earlier) (?:guess|attempt|try|thought|idea))))"
)
LIMITED = (
    r"(?!\s+(?:only\s+|too\s+)?(?:for|if|when|whenever|in|unless|where|near|at|close|outside|beyond"
    r"|under|by (?:about|less|at most|only|up)|far|within|above|below|once|as soon as)\b)"
)
_IT = (
    r"(?:that|this|it|which|what i (?:wrote|said|gave)|(?:the|my|our|this|that)\s+(?:\w+\s+)?"
    r"(?:above|previous|answer|exponent|sign|factor|units?|prefactor|coefficient|value"
    r"|result|number|box|formula|expression|estimate|speed|figure)"
    rf"|[\d.]+[^.,;:]{{0,20}}|{MASK}+[^.,;:]{{0,20}})"
)
_TAKEN_BACK = tuple(
    re.compile(pattern, re.I)
    for pattern in (
        rf"{_LEAD}(?:wait|hold on|hang on|oops|whoops|my (?:mistake|bad|error)|apologies|no|nope"
        r"|scratch (?:that|this)|strike (?:that|this)|correction|corrigendum|erratum|edit|update"
        r"|on (?:second thoughts?|reflection|reconsideration|closer (?:inspection|look))"
        r"|i stand corrected|sorry|not really|hm+|never mind|just (?:kidding|joking))"
        r"(?=\s*(?:[,.:;!…\u2014\u2013-]|$)|\s+a (?:minute|second|moment)\b"
        r"|\s+(?:i|that|this|it)\b)",
        rf"{_LEAD}(?:hm+|correct(?:ion|ed|ing)|revis(?:ion|ed))\b[^:=]{{0,40}}(?=[:=]?\s*{VALUE})",
        r"\bthere\s+(?:is|was|must be)\s+(?:an?|some|one)\s+(?:\w+\s+)?"
        r"(?:error|mistake|slip|bug|typo)"
        r"\b(?=\s+(?:above|here|in (?:my|the|this)|somewhere)\b|\s*[.:,!]|$)",
        rf"(?:^|[,;:]\s+){_IT}\s+(?:has|contains|had)\s+(?:an?|the|some)\s+(?:\w+\s+)?"
        r"(?:error|mistake|slip|wrong \w+)\b(?! of\b| bar)",
        r"\bi\s+(?:was|have been|am)\s+(?:too\s+)?(?:quick|hasty|careless|sloppy|hurried|fast)\b",
        r"\bi\s+(?:think i\s+)?(?:messed|screwed|slipped)\s+up\b",
        rf"\(\s*(?:this is\s+|but\s+|that is\s+)?{_FAULTY}{LIMITED}",
        r"\b(?:it|that|this|\w{1,3}|the (?:\w+\s+)?(?:answer|value|result|speed|field|number))\s+"
        r"(?:should|must|has to|have to|needs to|ought to)\s+(?:actually\s+|instead\s+|rather\s+)*"
        rf"(?:have been|be|read)\s+(?=(?:about\s+|approximately\s+)?{VALUE})",
        rf"(?:^|[,;:]\s+)(?:so\s+|thus\s+|hence\s+|then\s+)?the\s+(?:new\s+|final\s+)?"
        rf"(?:value|answer|result)\s+(?:is|becomes|equals)\s+(?=(?:about\s+)?{VALUE})",
        rf"{_LEAD}on (?:closer inspection|second thoughts?|reflection)\b(?=.{{0,60}}?{VALUE})",
        r"\bi (?:no longer|don'?t|do not) (?:think|believe|trust|stand by)\b"
        r"(?=\s+(?:so|this|that|it|my)\b|\s*[.!]?$)",
        r"\bplease (?:grade|use|take|count|accept|mark|consider)\b",
        r"(?:^|[,;:.]\s+)(?:please\s+)?(?:do not|don'?t|never) (?:use|trust|take|count)\s+"
        r"(?:this|that|it|the|my)\b",
        rf"(?:^|[,;:.]\s+)(?:please\s+)?(?:replace|change|correct)\s+(?:this|that|it|the|my"
        rf"|[\d{MASK}.]+)(?!\w)(?!\s+me\b).{0, 30}?\b(?:by|with|to)\b",
        r"\b(?:have to|need to|must|should|want to) (?:correct|change|revise|retract|withdraw)\s+"
        r"(?:this|that|it|my)\b",
        rf"{_LEAD}actually[,:]?\s+(?:no\b|i\s+(?:made|forgot|meant|mis\w+|was wrong)\b"
        rf"|(?:it|that|this|the \w+|\w+)(?:\s+(?:is|was|equals|should be|must be)|\s*=|'s)"
        rf"(?=\s+(?:{VALUE}|not\b|wrong|only|about|twice|half))|(?={VALUE}))",
        r"\bi\s+(?:have\s+|had\s+|just\s+|also\s+|now\s+)*"
        r"(?:made|see|spotted|found|notice\w*|reali[sz]\w*|did make)"
        r"\s+(?:an?|my|the|that|one)\b.{0,30}?\b(?:mistake|error|slip|typo|wrong)\b",
        r"\bi\s+(?:have\s+|had\s+|seem to have\s+|must have\s+|just\s+)*"
        r"(?:forgot(?:ten)?|misread|misunderstood|miscalculated|misapplied|misused|mixed up"
        r"|confused|overlooked|mistyped|miscounted|botched|omitted|missed"
        r"|(?:used|took|put in|inserted) the wrong)\b",
        r"(?<!if )(?<!unless )(?<!whether )\bi\s+(?:was|am)\s+"
        r"(?:wrong|mistaken|incorrect|not right)\b",
        r"\bi\s+(?:meant|mean|retract|withdraw|should have|take (?:it|that|this) back|take back"
        r"|correct myself|revise|do not (?:trust|believe) (?:this|that|it))\b",
        r"\blet me\s+(?:re-?(?:compute|calculate|do|consider|think|evaluate|derive|vise)|correct"
        r"|fix|try again|start (?:over|again))\b",
        rf"(?:^|[,;:]\s+)(?:but\s+|and\s+|note that\s+|clearly\s+)*{_IT}\s+"
        r"(?:is|was|are|were|isn't|seems|looks|must be|turns out to be)\s+"
        rf"(?:obviously\s+|of course\s+)?{_FAULTY}{LIMITED}",
        rf"(?:^|[,;:]\s+)(?:but\s+|and\s+|in fact\s+|indeed\s+)*{_IT}\s+"
        rf"(?:cannot|can't|can not|can hardly|does not|doesn't|could not)\s+(?:be|look|seem)\s+"
        rf"(?:right|correct|true){LIMITED}",
        r"(?:^|[,;:]\s+)(?:but\s+|and\s+|so\s+)*(?:it|that|this|\w{1,3}|the (?:\w+\s+)?"
        r"(?:answer|value|result|speed|number))\s+(?:should|must|ought to)\s+"
        r"(?:actually\s+|instead\s+|rather\s+|really\s+)*(?:have been|be|read)\s+"
        rf"(?:instead\s+|rather\s+)?(?={VALUE}|about|approximately|twice|half|double|multiplied"
        r"|divided)",
        r"(?:^|[,;:]\s+)(?:but\s+|and\s+|so\s+)*(?:should|must)\s+(?:be|read|have been)\s+"
        rf"(?={VALUE})",
        r"\bthe\s+(?:correct|right|true|actual|proper|revised|corrected|real)\s+\w+\s+"
        rf"(?:is|should be|reads|was|=|:)\s*(?=(?:about\s+|approximately\s+)?{VALUE}|twice|half"
        r"|double|\w+ times)",
        r"(?:^|[,;:.]\s+)(?:so\s+)?(?:please\s+)?(?:disregard|ignore|forget|discard|delete)\s+"
        r"(?:that|this|it|the above|my|the (?:previous|first|last|boxed|box))\b",
        rf"\b(?:make (?:that|it)|or rather|{MASK} no)\b[,:]?\s*(?={VALUE})",
        rf"^(?:instead|rather)\b[,:]?\s+(?=.{{0,40}}?{VALUE})",
    )
)
_REFUSED = re.compile(
    rf"{_LEAD}(?:honestly,?\s+|unfortunately,?\s+)?(?:(?:i|we)\s+)?(?:really\s+)?"
    r"(?:(?:do not|don'?t|cannot|can'?t|could not|couldn'?t|am unable to|am not able to)\s+"
    r"(?:really\s+)?(?:know|determine|say|tell|answer|solve|decide)"
    r"(?:\s+(?:it|this|that|so|for sure|exactly|which|yet|how|the \w+|from .{0,40}|whether .{0,80}"
    r"|if .{0,80}))?|(?:am|'m)\s+not\s+(?:sure|certain)|have no idea|no idea)\s*[.!;]*",
    re.I,
)
_NEW_VALUE = re.compile(
    r"(?:^|\b(?:is|be|was|been|so|thus|hence|therefore|gives?|giving|get|got|obtain|find|meant|mean"
    r"|that|it|read|reads|equals?|to|rather|actually|no|wait|oops|then|answer|yields?|correction"
    r"|correctly)\b|[=≈:!—–]|(?<!\d)[,.-])"
    r"[\s(]*(?:(?:about|approximately|roughly|around|(?:of|on|in) the order of)\s+)?"
    rf"(?:[A-Za-z]\w{{0,7}}\s*[=≈]\s*)?(?:[-+−~≈]?\s*[\d.]|{MASK})",
    re.I,
)


_FIRST_LOOK = frozenset(
    ["inco",
     "wait", "hold", "hang", "oops", "whoo", "mist", "apol", "no", "nope", "scra", "stri", "corr",
     "erra", "edit", "upda", "on", "i", "sorr", "not", "t", "hm", "hmm", "hmmm", "neve", "kidd",
     "joki", "joke", "revi", "erro", "slip", "bug", "typo", "wron", "fals", "off", "inva", "too",
     "plac", "dumm", "gues", "nons", "made", "inve", "unre", "mean", "unph", "impo", "test", "firs",
     "init", "earl", "untr", "shou", "must", "has", "have", "need", "ough", "valu", "answ", "resu",
     "use", "repl", "chan", "plea", "actu", "let", "righ", "true", "prop", "real", "disr", "igno",
     "forg", "disc", "dele", "make", "rath", "inst", "bad", "idea", "unab", "cann", "can", "coul"]
)  # fmt: skip
"""Beginnings of words, one of which is in every phrase above."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that take back what stands in front of them: their place in the text."""

    start: int
    end: int
    words: str


def first_look(words: str) -> bool:
    """Whether any word of correction or refusal may be among ``words``."""
    return not _FIRST_LOOK.isdisjoint(beginnings(words))


def taken_back(sentence: Sentence, *, first: bool) -> Cue | None:
    """The words in ``sentence`` that take back what was said before them, if there are any.

    ``first`` says that no sentence stands in front: then "No, ..." opens an answer.
    """
    if not first_look(sentence.words):
        return None
    earliest: re.Match[str] | None = None
    for pattern in _TAKEN_BACK:
        for match in pattern.finditer(sentence.words):
            if first and match.start() == 0 and not re.match(rf"[\d{MASK}]", match[0]):
                continue
            if earliest is None or match.start() < earliest.start():
                earliest = match
            break
    if earliest is None and _REFUSED.fullmatch(sentence.words.strip()) and not first:
        return Cue(sentence.start, sentence.end, sentence.words)
    if earliest is None:
        return None
    lead = len(earliest[0]) - len(earliest[0].lstrip(" ,;:"))
    start = sentence.start + earliest.start() + lead
    return Cue(start, sentence.start + earliest.end(), earliest[0].strip(" ,;:"))


def is_refusal(cue: Cue) -> bool:
    """Whether the words refuse to answer at all."""
    return _REFUSED.fullmatch(cue.words.strip()) is not None


def states_a_new_value(words: str) -> bool:
    """Whether a sentence behind words of correction gives a value in place of the old one."""
    return _NEW_VALUE.search(words) is not None
