"""Values of others beside the answer's own: ``My result: 3 km. Literature: 4 km.``

A value of the literature behind the answer's own is a comparison and left out. Beside a value that
the answer calls its own, one that it calls the correct one leaves open which of them it states.
"""

from __future__ import annotations

import re

_NOUN = (
    r"(?:\s+(?:value|result|answer|solution|number|figure|estimate|formula|expression|equation"
    r"|data|speed|field|height|radius|mass|temperature|density|energy|frequency|period|time"
    r"|distance|ratio|rate|model))?"
)
_IS = r"\**\s*(?::|=|\bis\b|\bare\b|\bgives?\b|\bsays?\b|\bstates?\b|\bhas\b)"
_OTHERS = re.compile(
    r"[\W_]*(?:the\s+)?(?:literature|reference|textbook|text\s*book|book|published|accepted"
    r"|nominal|canonical|tabulated|handbook|catalogu?e|wikipedia|nist|codata|official|standard"
    r"|quoted|reported|cited|known|answer key|key|solution key|model answer|marking scheme)"
    rf"{_NOUN}(?:\s*\([^()\n]{{0,40}}\))?{_IS}",
    re.I,
)
"""The value is that of others, whatever stands in front of it."""
_MEASURED = re.compile(
    r"[\W_]*(?:the\s+)?(?:observed|measured|expected|observations?|measurements?|experiments?"
    rf"|experimental|simulated|predicted){_NOUN}{_IS}",
    re.I,
)
_CORRECT = re.compile(
    r"[\W_]*(?:the\s+)?(?:correct|true|right|actual|exact|real|gold|target|ground[- ]truth)"
    rf"{_NOUN}{_IS}",
    re.I,
)
_OWN = re.compile(
    r"\b(?:my|our|mine|ours|(?:i|we)\s+(?:get|got|find|found|obtain(?:ed)?|have|compute[ds]?"
    r"|calculate[ds]?|derive[ds]?|estimate[ds]?))\b"
    r"|(?:^|[.;\n]\W{0,6})(?:the\s+)?(?:result|answer|computed|calculated|calculation|computation"
    r"|obtained|derived|estimated?|found|theory|theoretical)\b",
    re.I,
)
_TAKEN_BACK = re.compile(
    r"\b(?:mistakes?|mistaken|wrong|incorrect|errors?|forgot|wait|oops|sorry|correct(?:ion|ed)"
    r"|however|but|actually|attempt|instead)\b",
    re.I,
)
_VALUE = re.compile(r"[\d=$\\]")
_END = re.compile(r"(?<=[\w)%°$*}\]])[.;]\**\s+(?=\W{0,4}[A-Za-z])|\n+")
_BRACKET = re.compile(
    r"\s*\((?:the\s+)?(?:expected|true|correct|actual|reference|literature|textbook|published"
    r"|accepted|observed|measured|known)\b[^()\d]{0,40}[^()]{1,60}\)",
    re.I,
)
_LONGEST = 4000
MOST_PARTS = 6


def without_references(text: str) -> tuple[str, str]:
    """The text without values of others at its end, and why none can be told where that is so."""
    if len(text) > _LONGEST or not _VALUE.search(text):
        return text, ""
    ends = [match.span() for match in _END.finditer(text)][-MOST_PARTS:]
    own = _OWN.search(text) is not None
    if own and (bracket := _BRACKET.search(text)) and _VALUE.search(text, 0, bracket.start()):
        text = text[: bracket.start()] + text[bracket.end() :]
        ends = [span for span in ends if span[1] <= bracket.start()]
    for start, end in reversed(ends):
        front = text[:start]
        if not _VALUE.search(front):
            break
        if not _VALUE.search(text, end):
            continue
        if _CORRECT.match(text, end):
            if _OWN.search(front) and not _TAKEN_BACK.search(front):
                return text, "the answer's own value stands beside one that it calls correct"
            break
        if not (_OTHERS.match(text, end) or (own and _MEASURED.match(text, end))):
            break
        text = front
    return text, ""
