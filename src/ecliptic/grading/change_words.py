"""The vocabulary of statements that one quantity changes: verbs, mild adverbs, remarks, reasons."""

from __future__ import annotations

import re

from ecliptic.grading.wording import stem

MILD = (
    r"(?:(?:only|just|even)\s+(?=(?:very\s+)?(?:slight|weak|mild|modest|moderate|margin|a\s))"
    r"|(?:very\s+)?(?:slight|strong|significant|weak|marked|moderate|substantial|considerable"
    r"|considerab|sharp|somewhat|great|dramatic|noticeab|notab|modest|mild|clear|appreciab|gradual"
    r"|steep|large|marginal|correspondingl|accordingl|likewise|exact|therefore|thus|hence"
    r"|consequentl|also|too|again\b(?=,?\s+therefore))(?:ly|al|ally|y)?|as\s+well|a\s+(?:little"
    r"|bit|lot)|as\s+a\s+(?:result|consequence)|in\s+turn|in\s+this\s+case|overall|itself|instead"
    r"|by\s+the\s+same\s+(?:factor|amount|ratio|percentage))"
)
MORE = "larger|higher|greater|bigger|stronger|longer|increased|enhanced|raised"
LESS = "smaller|lower|weaker|shorter|less|reduced|decreased|lowered|diminished|suppressed"
SAME = (
    r"(?:(?:exactly|completely|entirely|totally)\s+)?(?:(?:the|at\s+the)\s+same(?:\s+value)?"
    r"|unchanged|constant|unaffected|unaltered|fixed)"
)
LINK = rf"(?:is|are|becomes?|gets?)\s+(?:(?:also|now|therefore|thus|then|{MILD}|much)\s+)*"
VERBS = {
    1: rf"increases?|rises?|grows?|climbs?|goes?\s+up|doubles|triples|{LINK}(?:{MORE}|doubled)",
    -1: rf"decreases?|falls?|drops?|declines?|diminish(?:es)?|shrinks?|goes?\s+down"
    rf"|{LINK}(?:{LESS}|halved)",
    0: rf"(?:stays?|remains?|is\s+kept)\s+(?:also\s+|therefore\s+|thus\s+)?{SAME}"
    rf"|(?:is|are)\s+(?:also\s+|therefore\s+|thus\s+)?{SAME}"
    r"|(?:(?:do|does|will|would)\s*n[o'’]t|(?:do|does|will)\s+not|won['’]t)\s+(?:change|vary)"
    r"(?:\s+at\s+all)?|(?:is|are)\s*(?:n['’]t|\s+not)\s+(?:changed|affected|altered)(?:\s+at\s+all)?",
}
VERB = re.compile(
    r"\s(?:" + "|".join(f"(?P<v{sign % 3}>{words})" for sign, words in VERBS.items()) + r")(?!\w)",
    re.I,
)
BEHIND_SUBJECT = re.compile(
    rf"(?:\s+|,\s*)(?:both|all|however|meanwhile|(?:in|by)\s+contrast|on\s+the\s+other\s+hand|will|would|must|does|do|has\s+to|then|{MILD})\s*,?$",
    re.I,
)
LEAD = re.compile(
    r"^\W*(?:(?:and|but|while|whereas|so|thus|hence|therefore|consequently|accordingly|as\s+a\s+"
    r"(?:result|consequence)|in\s+this\s+case|then|also|likewise|similarly|meanwhile|at\s+the\s+same"
    r"\s+time|correspondingly|conversely|(?:in|by)\s+contrast|on\s+the\s+other\s+hand|overall"
    r"|finally|in\s+(?:short|summary|conclusion)|(?:first|second|third|next|last)(?:ly)?"
    r"|(?:final\s+|short\s+)?answer\s*:|(?:we|i)\s+(?:find|conclude)\s+that|this\s+means\s+that"
    r"|it\s+follows\s+that|as\s+for)\b[,:]?\s*)+",
    re.I,
)
AT_ITS_VALUE = re.compile(r"^,?\s*at\s", re.I)
LETTER_BEHIND = re.compile(r"\s+(?:[Α-Ωα-ω]'*|[A-Z][a-z]{0,6}')$")
"""A Greek or primed letter behind a name: ``the tearing index Delta'``."""
BRACKET = re.compile(r"\s*\(([^()]*)\)")
SYMBOL = re.compile(r",?\s*\$[^$/+=<>\-]{1,24}\$,?(?=\s|$)|,?\s*\\\([^/+=<>\-]{1,24}\\\),?(?=\s|$)")
REASON = re.compile(
    r"^,\s+as\s+(?!if\b|well\b|long\b)|^[,;:–—-]*\s*(?:because|since|due\s+to|owing\s+to|as\s+a\s+(?:result|consequence)\s+of"
    r"|given\s+that|in\s+proportion\s+to)\b",
    re.I,
)
LEADING_REASON = re.compile(r"^(since|because|from|using)\s([^?]{3,200}),\s+([^,]+)$", re.I)
REASON_INSIDE = re.compile(
    r",?\s+(?:because|since|due\s+to|owing\s+to)\s|,\s+as\s+(?!if\b|well\b|long\b)(?=[a-z]{2})",
    re.I,
)
FIGURE_TAIL = re.compile(
    r"^[,:–—-]*\s*(?:(?:by|from|to|down\s+to|up\s+to|as|like|about|approximately|roughly|≈|~"
    r"|i\.e\.)\s|\\?\$)",
    re.I,
)
PLAIN_TAIL = re.compile(
    rf"^(?:,?\s*(?:{MILD}|than\s+before|than\s+it\s+was|compared\s+(?:to|with)\s+before|then))*"
    r"[\s.,;:!]*$",
    re.I,
)
MILD_LEAD = re.compile(rf"^(?:,?\s*{MILD}(?!\w))+", re.I)
TURNS = frozenset(
    stem(word)
    for word in (
        *("but", "however", "yet", "although", "though", "while", "whereas", "only", "except"),
        *("unless", "until", "before", "later", "then", "again", "first", "initially", "instead"),
        *("sometimes", "net", "magnitude", "inverse", "reciprocal", "or", "if", "when", "either"),
        *("otherwise", "nearly", "almost", "opposite", "contrast", "finally", "eventually"),
        *("afterward", "afterwards", "overall", "cancel", "compensate", "offset", "balance"),
    )
)
"""Words that make more of a remark than a figure or a reason."""
TURNS_OF_A_REASON = TURNS - {"first", "only", "magnitude", "inverse", "before"}
"""These words change nothing in a reason."""
SILENT = frozenset(
    {"of", "in", "at", "on", "be", "that", "this", "its", "their", "our", "so", "both", "now"}
)
HARMLESS = frozenset({"resulting", "new", "corresponding", "value", "predicted"})
PIVOT = frozenset(
    ["to", "over", "per", "relative", "divide", "into", "from", "than", "minus", "times", "by",
     "between"]
)  # fmt: skip
STOKES = re.compile(r"(\bStokes\s+[QUV])\s*/\s*I(?:_?\{?c\}?)?(?!\w)", re.I)
"""A Stokes parameter is as a rule given in units of the continuum."""
DROPPED = re.compile(r"\s+(?:of|at|in|on)\s", re.I)
