"""What a question asks for: a number, a formula or words, and in which unit."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMERIC = re.compile(
    r"\b(?:calculate|compute|evaluate|how (?:many|much|long|far|large|big|fast|strong|thick|high|"
    r"hot|dense|often|deep|old)|"
    r"numerical(?:ly)?|estimate|what is the (?:numerical )?value|find the value|to what value|"
    r"what (?:fraction|percentage|share)|in units? of|in (?:km|nT|eV|keV|MeV|GeV|AU|Re|days|"
    r"hours|minutes|seconds|kelvin|metres|per cent))\b",
    re.I,
)
_SYMBOLIC = re.compile(
    r"\b(?:derive|deduce|express|show that|prove|an? (?:analytic(?:al)? |closed |"
    r"general )?expression|in terms of|"
    r"(?:an?|the) (?:equation|formula|relation|dispersion relation|condition) (?:for|of|between)|"
    r"as a function of|obtain the|"
    r"write (?:down )?(?:the|an)|solve for|scaling|symbolic(?:ally)?)\b",
    re.I,
)
_TEXTUAL = re.compile(
    r"(?:^|(?<=[.?!]\s))(?:does|do|is|are|will)\s|"
    r"\b(?:explain|describe|discuss|why|comment on|interpret|in words|in one sentence|"
    r"in a sentence|qualitatively|"
    r"state whether|is (?:it|the \w+ \w+) (?:larger|smaller|"
    r"stable|unstable)|which (?:way|direction|of|process|mechanism)|"
    r"in (?:what|which) direction|increase or decrease|how (?:do|does|would|will) |what happens|"
    r"name (?:the|two|three)|give (?:a|one|two) reasons?)",
    re.I,
)
_UNIT = re.compile(
    r"\b(?:in|in units? of)\s+(?:\$(?:\\ |\\,|~|\s)*\\(?:mathrm|text|rm|si|unit)\b[^$]{1,60}\$|"
    r"(?:km|m|cm|nm|Mm|AU|au|Gm|kg|g|s|ms|days?|hours?|minutes?|seconds?|years?|yr|K|MK|kK|eV|"
    r"keV|MeV|GeV|J|W|Pa|nPa|nT|T|G|mT|kG|gauss|"
    r"tesla|kelvin|degrees?|Hz|kHz|MHz|V|kV|mV|A|MA|GV|MV|Wb|Mx)(?:[/ ](?:s|m|cm|km|AU|day|sr|"
    r"kg)(?:\^?\{?-?\d\}?)?)*)(?![A-Za-z])"
)  # fmt: skip
_PURE = re.compile(
    r"\b(?:ratio|factor|fraction|percentage|share|number|how many|exponent|index|beta|mach|"
    r"optical depth|"
    r"dimensionless|power|efficiency|probability|slope|multiple|times)\b|\\beta\b|\bL\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """``types``: those that the wording points to, most likely first; ``unit`` as it is written.

    ``symbols`` stand alone in the request, ``pure`` says that it may ask for a number without unit.
    """

    types: tuple[str, ...]
    unit: str = ""
    symbols: frozenset[str] = frozenset()
    pure: bool = False


def read_asked(question: str) -> Asked:
    """What the wording of a question points to; nothing where it points nowhere."""
    formulas_out = re.sub(r"\$\$[^$]*\$\$", " ", question)
    last = _last_request(formulas_out)
    votes = {
        name: len(pattern.findall(last))
        for name, pattern in (("numeric", _NUMERIC), ("symbolic", _SYMBOLIC), ("textual", _TEXTUAL))
    }
    unit = _UNIT.search(last)
    if unit:
        votes["numeric"] += 1
    types = tuple(sorted((name for name in votes if votes[name]), key=lambda name: -votes[name]))
    spelled = re.sub(r"^in\s+(?:units?\s+of\s+)?", "", unit[0]) if unit else ""
    symbols = frozenset(body.strip() for body in re.findall(r"\$([^$=]{1,60})\$", last))
    return Asked(types, spelled, symbols, _PURE.search(last) is not None)


def _last_request(text: str) -> str:
    """The last sentences that ask: those behind the statement of what is given."""
    sentences = re.split(r"(?<=[.?!])\s+(?=[A-Z$(])", text)
    asking = [
        sentence
        for sentence in sentences
        if sentence.rstrip().endswith("?")
        or _NUMERIC.search(sentence)
        or _SYMBOLIC.search(sentence)
        or _TEXTUAL.search(sentence)
        or re.match(r"(?:Find|Determine|Give|State|Obtain|Verify)\b", sentence)
    ]
    return " ".join(asking[-2:]) if asking else text
