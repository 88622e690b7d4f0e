"""Values that the words beside them dismiss: another root in brackets, ``7 MK, not 9 MK``."""

from __future__ import annotations

import re

_DISMISSED = re.compile(
    r"\s*\((?:the |an )?(?:other|second|first|negative|positive|larger|smaller|lower|upper)\s+"
    r"(?:root|solution|value|branch|one)\b(?![^()]*(?:\b(?:not|never|equally|also)\b|n[\'’′]t\b|boxed))"
    r"[^()]*\b(?:is|are|being|was|can be)\s+(?:\w+ly )?(?:unphysical|rejected|discarded|excluded"
    r"|spurious|extraneous|ruled out|dropped|meaningless|inadmissible|dismissed|outside)\b[^()]*\)",
    re.I,
)
"""A root that words in brackets dismiss."""
_CONCLUDED = re.compile(r"\s*\(((?:the |my )?final answer\s*(?:is\b|[:=])[^()]{1,80})\)", re.I)
"""The final answer, in brackets behind another value."""
_CONTRASTED = re.compile(
    r"^([^,()]{0,60}\d[^,()]{0,30}?)(?:,\s+(?:and\s+|but\s+)?not\s+[-+−~≈]?\d[^,;()]{0,30}"
    r"|\s*\(\s*(?:and\s+|but\s+)?not\s+[-+−~≈]?\d[^,;()]{0,30}\))(?=[.\s]*$)",
    re.I,
)
"""``7 MK, not 9 MK``: the value in front of one that is denied."""


def without_dismissed(text: str) -> str:
    """The text without dismissed roots, and a final answer out of its brackets."""
    return _CONCLUDED.sub(r". \1", _DISMISSED.sub("", text)) if "(" in text else text


def without_contrasted(text: str) -> str:
    """A line without the value that is denied behind its own."""
    if "not " not in text or "\n" in text:
        return text
    return _CONTRASTED.sub(r"\1", text)
