r"""Remarks at the end of an answer that look at its formula in a limit, an example or a check.

``For $c_s \ll v_A$ this reduces to $v_A$``, ``As a check, for the Sun this gives 1361 W/m^2``,
``(for $x > 0$)``. What stands in front is the answer where the gold is no such limit itself.
"""

from __future__ import annotations

import re

from ecliptic.grading.formula_signs import RELATION

_VERB = (
    r"(?:reduc(?:es?|ing)|becom(?:es?|ing)|tend(?:s|ing)?|approach(?:es|ing)?|simplif(?:y|ies|ying)"
    r"|giv(?:es?|ing)|yield(?:s|ing)?|recover(?:s|ed|ing)?|return(?:s|ing)?|goes|turns|equals"
    r"|is|are|has|evaluates|amounts|obtains?|finds?|gets?|reproduces?|agrees)\b"
)
_LIMIT = (
    r"(?:\\(?:ll|gg|to|rightarrow|lesssim|gtrsim|approx|sim)(?![A-Za-z])|≪|≫|→|≈|<<|>>|->|="
    r"|\b(?:limits?|limiting|small|large|strong|weak|slow|fast|cold|hot|typical|earth|sun|mars"
    r"|moon|jupiter|saturn|venus|mercury|neptune|uranus|solar|proton|electron|vacuum)\b)"
)
_NAME = r"(?:the\s+)?(?-i:[A-Z][a-z]+)(?:[’']s)?"
_CHECK = re.compile(
    r"(?:as|for|by way of)\s+(?:an?\s+)?"
    r"(?:(?:quick|sanity|simple|numerical|consistency)\s+){0,3}"
    r"(?:check|example|illustration|instance|comparison|orientation)\b"
    r"|(?:e\.g\.|i\.e\. for\b|(?:sanity |limit |limiting |quick )?checks?:|example:|limits?:)",
    re.I,
)
_CASE = re.compile(
    rf"(?:note that\s+)?(?:for|in|when|if|at|as|with|taking|putting in|inserting|where)\b"
    rf"(?=[^.;]{{0,200}}{_LIMIT}|\s+{_NAME}).{{0,300}}?\b{_VERB}",
    re.I | re.S,
)
_THIS = re.compile(
    rf"(?:this|it|the\s+(?:expression|formula|result|equation))\s+(?:correctly\s+|then\s+)?{_VERB}"
    rf".{{0,300}}?\b(?:for|in|when|if|at|as|with)\b[^.;]{{0,200}}{_LIMIT}",
    re.I | re.S,
)
_CLAUSE = re.compile(
    r"[,;]?\s+which\s+(?:correctly\s+)?"
    rf"(?:(?:for|in|when|if|at|as)\b[^.;]{{0,200}}{_LIMIT}.{{0,300}}?\b{_VERB}"
    rf"|(?:reduces|tends|simplifies|becomes|goes)\b.{{0,300}}?\b(?:for|in|when|if|at|as)\b[^.;]{{0,200}}"
    rf"{_LIMIT})",
    re.I | re.S,
)
_BRACKET = re.compile(
    rf"\s*\((?:for|in|at|with|e\.g\.)\b[^()]{{0,100}}{_LIMIT}.{{0,200}}?\b{_VERB}.{{0,200}}\)[\s.]*",
    re.I | re.S,
)
_DOMAIN = re.compile(
    r"\s*\((?:for|with|valid for|assuming)\s+(?:all\s+)?"
    r"\$[^$<>]{1,20}(?:>|\\neq?(?![A-Za-z])|≠)\s*0\$\)[\s.]*",
    re.I,
)
"""``(for $x > 0$)``"""
_JOINS = re.compile(
    r"(?:(?:both|the)\s+)?(?:two\s+)?(?:branches|expressions|pieces|parts|fields?|functions?|solutions?)"
    r"\s+(?:agrees?|match(?:es)?|coincides?|join|meet|(?:is|are)\s+continuous)\b[^.;]{0,60}",
    re.I,
)
_AS_IT_MUST = re.compile(r",?\s*as\s+(?:they|it|we|one)\s+(?:must|should|expect\w*)\b", re.I)
_CONCLUDES = re.compile(
    r"\b(?:so|thus|hence|therefore|final\w*|answer|must|should|correct(?!ly)|wrong|incorrect|instead"
    r"|actual\w*|mistake|error|not|but|however|desired|required|asked|wanted|sought|our|we want"
    r"|here|present|problem|question|given|case at hand|in fact|really|needed|conclude\w*)\b"
    r"|\\boxed|⇒|\\Rightarrow|\\implies|\*\*",
    re.I,
)
_TENDS = re.compile(
    r"\\(?:ll|gg|to|rightarrow)(?![A-Za-z])|≪|≫|→|<<|>>|->|\blimit(?:s|ing)?\b", re.I
)
_FORMULA = re.compile(r"\$\$?([^$]+)\$|\\[(\[](.+?)\\[)\]]", re.S)
_NAME_ALONE = re.compile(r"\s*\\?[A-Za-z]+(?:_\{?\w{1,8}\}?)?\s*")
_UPRIGHT = re.compile(r"\\(?:mathrm|text|rm|mathsf)\s*\{[^{}]*\}|\{\\rm[^{}]*\}|\\[A-Za-z]+|\\.")
_VALUE = re.compile(r"\s*[-+]?[\d.][^A-Za-z=<>]*(?:[RML](?:_\{?\s*\w?\}?)?)?[^A-Za-z=<>]*")
_CHECKS = re.compile(r"as an?\b[\w ]{0,30}\bcheck\b|(?:[a-z]+ )?checks?:", re.I)
_BRANCH = re.compile(
    r"(?<!<)<(?!<)|(?<![->])>(?!>)|[≤≥]|\\(?:leq?|geq?|lt|gt|leqslant|geqslant)(?![A-Za-z])"
)
"""``For $x < 0$ this becomes $-x$``: a branch of the answer and no limit of it."""
_START = re.compile(r"(?<=[.$\])}])\s+(?=[A-Z(])|\n\s*|(?<=\$)\s*(?=\()|(?<=\$),?\s+(?=which\b)")
MOST_CHARACTERS = 600
MOST_STARTS = 8


def before_limit_remarks(text: str) -> str:
    """The text in front of closing remarks on limits and examples; empty where there are none."""
    text = text.rstrip()
    starts = [m for m in _START.finditer(text) if len(text) - m.start() < MOST_CHARACTERS]
    end = len(text)
    for start in reversed(starts[-MOST_STARTS:]):
        if text[start.start() : end].strip() and _is_remark(text[start.start() : end]):
            end = start.start()
    front = text[:end].rstrip()
    if end == len(text) or RELATION.search(front) is None:
        return ""
    return front


def _is_remark(text: str) -> bool:
    text = _AS_IT_MUST.sub("", text)
    if _CONCLUDES.search(text):
        return False
    if _DOMAIN.fullmatch(text):
        return True
    if _BRANCH.search(text):
        return False
    body = text.strip(" \n*_-(")
    if _CHECKS.match(body) or _JOINS.match(body):
        return True
    if _TENDS.search(text) is None and not _only_values(text):
        return False  # "for a = 2 b this gives ...": it may be what was asked
    if _BRACKET.fullmatch(text) or _CLAUSE.match(text):
        return True
    return any(pattern.match(body) for pattern in (_CHECK, _CASE, _THIS))


def _only_values(text: str) -> bool:
    """Whether the formulas of a remark give numbers and no other formula."""
    formulas = [match[1] or match[2] for match in _FORMULA.finditer(text)]
    if not formulas:
        return re.search(r"\d", text) is not None
    for formula in formulas:
        side = RELATION.split(formula)[-1]
        if _VALUE.fullmatch(_UPRIGHT.sub(" ", side)) is None and not _NAME_ALONE.fullmatch(formula):
            return False
    return True
