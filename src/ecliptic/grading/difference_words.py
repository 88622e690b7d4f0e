"""Words in front of a number that make it a change, an error or a difference of the quantity.

``B drops by 5 nT`` and ``the error on B is 5 nT`` hold a number of the right size and unit, and
state no value of B. ``given by`` and the like introduce the value itself, and a noun that names a
quantity with another one (``the potential drop``, ``the phase difference``) may be what was asked
for.
"""

from __future__ import annotations

import re

_ERROR = (
    r"(?:error(?: bars?)?|uncertainty|inaccuracy|deviation|discrepancy|mistake|scatter|misfit|rms"
    r"|error margin|margin of error)"
)
_DIFFERENCE = (
    r"(?:difference|change|increase|decrease|reduction|variation|fluctuation|spread|dispersion"
    r"|offset|residual|bias|noise|excess|deficit)"
)
_STEP = r"(?:drop|fall|rise|jump|dip|gain|loss|decline|growth)"
_OF_WHAT = r"(?: (?:of|on|in|for|between|from) (?!\d)[^,;.:=\d]{1,40}?)?"
_IS = r"(?: (?:is|was|are|amounts to|comes to|equals|of|=|≈)|:)"
DIFFERENCES = (
    rf"{_ERROR}{_OF_WHAT}{_IS}?:?",
    rf"(?:the|an?|its|this|that) (?:(?:total|absolute|mean|net|small) )?{_DIFFERENCE}"
    rf"{_OF_WHAT}{_IS}",
    rf"(?:an?|this|that) (?:(?:total|sudden|net|small) )?{_STEP} of",
)
"""Nouns: an error is one whatever stands in front of it, a difference only by itself."""
CHANGES = (
    r"(?:increas|decreas|ris|rose|fall|fell|drop|grow|grew|declin|diminish|shrink|shrank|climb"
    r"|chang|var(?:y|ies|ied)|fluctuat|oscillat|deviat|differ|reduc|lower|rais|enhanc|jump|dip"
    r"|weaken|strengthen|boost|exceed|uncertain|miss|inaccurate|overestimat|underestimat"
    r"|go(?:es)?|went|gone)\w*(?: (?:up|down|only|further|the \w+|it))? by"
    r"(?: (?:as (?:much|little) as|up to|at (?:most|least)|no more than|only|just))*",
    r"(?:in|de)creas(?:es|ed)|drop(?:s|ped)|declin(?:es|ed)|chang(?:es|ed)|(?:\w+er|more|less) by",
)
"""Verbs with ``by``: what they tell is a difference of two values."""
BEHIND = (
    rf"(?:(?:is|are|as) (?:the|an?|its|my) |of )?(?:{_ERROR})",
    rf"(?:is|are|as) (?:the|an?|its) {_DIFFERENCE}|{_DIFFERENCE}",
    rf"(?:(?:is|as) an? )?{_STEP}(?! time)",
)
"""The same nouns behind the value: ``5 nT is the error``, ``a 5 nT drop``."""
DIFFERENCE_WORD = (
    rf"{_ERROR}|{_DIFFERENCE}|\b{_STEP}\b|uncertain|inaccura|deviat|discrepan|chang|increas|decreas"
    r"|reduc|drop|fall|rise|grow|declin|var(?:y|ies)|delta"
)
_TOLD = re.compile(
    rf"(?:{DIFFERENCE_WORD})|\bby\b|\\delta|[δΔ∆%]|\bhow much\b.*\b(?:more|less|\w+er)\b", re.I
)


def tells_a_change(gold: str, question: str) -> bool:
    """Whether the gold states a change or a share, or the question asks for one."""
    return _TOLD.search(gold) is not None or _TOLD.search(question) is not None


_EVENT = re.compile(
    r"\b(?:during|after|within|across|throughout|between|upon)\s+\w+"
    r"|\bfrom\s.{1,40}?\sto\s+[-−–$~]*\d",
    re.I,
)


def tells_an_event(before: str) -> bool:
    """Whether the words in front place a change in an event or between two values.

    Then the change is what is told: ``During the main phase Dst dropped by 90 nT``.
    """
    return _EVENT.search(before) is not None
