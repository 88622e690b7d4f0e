"""Words directly in front of or behind a value or formula that make another one of it.

``half of $x$``, ``faster than 400 km/s`` and ``$x$ divided by 2`` hold the right formula or number
and state another one. Only words of closed lists decide, only where they touch the value that was
taken from the answer, and never where the gold uses the same word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ecliptic.grading.comparison import Comparison, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.difference_words import (
    BEHIND,
    CHANGES,
    DIFFERENCE_WORD,
    DIFFERENCES,
    tells_a_change,
    tells_an_event,
)
from ecliptic.grading.marks import marked

METHOD = "words that touch the value"
_MAX_TEXT = 4000
_NEAR = 80
_COUNT = r"(?:\d+(?:\.\d+)?|two|three|four|five|six|seven|eight|nine|ten|several|many|a few)"
_PART = (
    r"(?:half|(?:one[- ]|an? |the |two[- ]|three[- ])?(?:thirds?|quarters?|fifths?|sixths?|eighths?"
    r"|tenths?|hundredths?))"
)
_DEGREE = (
    r"(?:as|high|low|great|larg|small|fast|slow|strong|weak|hot|cold|cool|long|short|bigg|heavi"
    r"|light|dens|bright|faint|earli|lat|old|young|thick|thin|wid|deep|steep|few)"
)
_BEFORE_BOTH = (
    rf"{_PART} of|{_PART} the|half|twice|thrice|double|triple|quadruple",
    r"(?:negative|opposite|square|cube|inverse|reciprocal|(?<!coulomb )logarithm) of",
    r"(?:fraction|portion|multiple|percentage)s? of|per ?cent of|(?<=%) ?of|(?<=\d)\}?\$? of",
    rf"(?:less|more|{_DEGREE}e?r) than",
    rf"(?:more|less) \w+ than|(?:twice|half|{_COUNT} times) as \w+ as",
    r"(?:everything|anything|all|anywhere) (?:but|except|outside|beyond|save)(?: of| for)?",
    r"outside(?: of)?|beyond|except(?: for)?|excluding|apart from",
    r"other than|different from|far from",
    r"short of|differs? (?:from [^,;.:\d]{1,40} )?by|(?:off|wrong|mistaken|in error|too \w+) by",
    r"(?:ai|is|was|are|were|does|do|ca|wo)n['’′]t(?: be)?",
)
_BEFORE_FORMULA = (
    rf"{_COUNT}[- ](?:times|fold)",
    r"minus|negative",
    r"(?:(?:square |cube )?root|derivative|gradient|divergence|curl|laplacian|integral|log"
    r"|exponential|sine|cosine|tangent|conjugate|real part|imaginary part) of",
    r"at (?:most|least)|proportional to",
)
_BEFORE_NUMBER = (*DIFFERENCES, *CHANGES)
_BEHIND_BOTH = (
    r",? ?(?:divided|multiplied) by|up to (?:a|some) (?:constant|factor)",
    r"times(?! 10 ?(?:\^|\*\*))(?= (?:\$|\\\(|\d|the\b|two\b|three\b|half\b|[a-z]\b))",
    r"plus(?! or\b)|(?<!of )(?<!or )minus|cubed",
    r"too (?:low|high|small|large|great|big|much|little|fast|slow|short|long|weak|strong|hot|cold)",
    r"short(?= of|\s*[.!]?$)|off(?=\s*[.!]?$)|in error|wide of the mark",
)
_BEHIND_NUMBER = (
    r",? ?(?:doubled|tripled|halved)(?=\s*[.!]?$)",
    rf"(?<!times )(?!later|earlier)(?:less|more|{_DEGREE}e?r)(?=\s*[.!]?$|\s+than)",
)
_BEHIND_FORMULA = (r"squared|raised to|to the (?:\w+ )?power|over (?=[\d$]|two\b|the\b)",)
_QUESTIONED = re.compile(rf"than|by$|er$|less|more|{DIFFERENCE_WORD}")
"""Words that a question may ask with, so that the answer repeats them."""
_GAP = (
    r"[\s(*_]*(?:(?:the|an?|its|about|around|approximately|roughly|nearly|some|value|quantity"
    r"|expression|of|≈|~)[\s*]+)*[$(*]*$"
)
_SIGNS = (
    (
        re.compile(r"[<>≤≥≲≳]|\\[lg]e?q?\b|\\l?g?tr?sim|\b(?:below|above|under|over)\b"),
        re.compile(r"than|at (?:most|least)|beyond|outs"),
    ),
    (re.compile(r"∝|\\propto"), re.compile(r"proportional")),
    (re.compile(r"delta|[Δδ∆]"), re.compile(r"\w+er$|less$|more$")),
)
"""What says the same as a word in a gold of signs."""


def _before(*groups: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(word for group in groups for word in group)
    return re.compile(rf"(?:(?<![\w-])|(?<=\d))(?P<word>{words}){_GAP}", re.I)


def _behind(*groups: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join(word for group in groups for word in group)
    return re.compile(rf"[\s$)*_]*(?:(?<!\w)|(?=,))(?P<word>{words})(?![\w-])", re.I)


_FRONT = {
    "symbolic": _before(_BEFORE_BOTH, _BEFORE_FORMULA),
    "numeric": _before(_BEFORE_BOTH, _BEFORE_NUMBER),
}
_BACK = {
    "symbolic": _behind(_BEHIND_BOTH, _BEHIND_FORMULA),
    "numeric": _behind(_BEHIND_BOTH, _BEHIND_NUMBER),
}
_NOUN_BEHIND = _behind(BEHIND)
_NOUN = re.compile(
    r"err|unc|inac|dev|dis|mis|scat|rms|marg|dif|cha|inc|dec|red|var|flu|spre|off|resid|bias|noi"
    r"|exc|def|drop|fall|rise|jump|dip|gain|loss|grow",
    re.I,
)
"""A first look."""
_FORMULA = re.compile(r"\$\$?([^$]{1,400})\$\$?|\\\((.{1,400}?)\\\)|\\\[(.{1,400}?)\\\]", re.S)
_WORDS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_LITERAL = re.compile(
    rf"(?<![\w.^_{{])[-+−]?\d[\d.,]*(?:[eE][-+]?\d+)?(?:\s*(?:–|-|to)\s*\d[\d.,]*)?|\b(?:{_WORDS})\b"
)
_DIGITS = re.compile(r"\d+(?:\.\d+)?")


def changed_by_words(
    kind: str, gold: str, answer: str, taken: str, question: str = ""
) -> Comparison | None:
    """``undecided`` where a word that touches the equal value makes another one of it."""
    if not taken or max(len(gold), len(answer)) > _MAX_TEXT:
        return None
    plain_gold = gold.casefold()
    places = _formulas(answer, taken) if kind == "symbolic" else _numbers(gold, answer, taken)
    marks = marked(answer) if places or "boxed" in answer else []
    final = [one for one in places if marks and marks[-1].start <= one[0] < marks[-1].end]
    if not final and marks and marks[-1].how == "boxed":  # a number in a brace is no literal
        final = [(marks[-1].start, len(answer))]
    told = bool(final) and marks[-1].how != "boxed"
    for start, end in final or places:
        word = _touching(kind, answer, start, end)
        if "difference" in word and _is_subtracted(gold, answer[start:], word, final=told):
            continue
        if word and not _said(word, plain_gold, question.casefold()):
            if re.search(r"\bby\b", word) and tells_an_event(answer[:start]):
                continue
            message = f"'{word}' beside the value that equals the gold makes another one of it"
            return undecided(GradingDiagnosis.UNDECIDED, message, method=METHOD, word=word)
    return None


_SUBTRACTED = re.compile(r"[-−]?\d[\d.]*[^\d=\n]{0,20}[-−–][^\d=\n]{0,6}\d[^=\n]{0,40}=")
_BARE = re.compile(r"\$?\s*[-−]?\d+(?:\.\d+)?\s*\$?\.?")


def _is_subtracted(gold: str, value: str, word: str, *, final: bool) -> bool:
    """Whether a difference is the answer: it is worked out, marked as final, or a mere count."""
    if _SUBTRACTED.match(value):
        return True
    return word == "the difference is" and (final or _BARE.fullmatch(gold) is not None)


def _touching(kind: str, answer: str, start: int, end: int) -> str:
    front = _FRONT[kind].search(answer[max(0, start - _NEAR) : start])
    if front:
        return front["word"].casefold()
    rest = answer[end : end + _NEAR]
    if kind == "symbolic":
        back = _BACK[kind].match(rest)
        return back["word"].casefold() if back else ""
    noun = _NOUN.search(rest) is not None
    for unit in _ends(rest):
        near = noun and len(rest[:unit].split()) < 2  # further on a noun begins something else
        if near and (back := _NOUN_BEHIND.match(rest, unit)):
            return back["word"].casefold()
        if back := _BACK[kind].match(rest, unit):
            return back["word"].casefold()
    return ""


def _ends(rest: str) -> Iterator[int]:
    """The places where a unit of at most three words behind a number may end."""
    yield 0
    unit = re.match(r"[^\s,;:.()]*", rest)
    at = unit.end() if unit else 0
    for _ in range(4):
        if rest[at : at + 1] in {",", ";", ":", ".", "(", ""}:
            yield at
            return
        yield at
        step = re.compile(r"\s+[^\s,;:.()]+").match(rest, at)
        if step is None:
            return
        at = step.end()


def _said(word: str, gold: str, question: str) -> bool:
    """Whether the gold says the same, or the question asks with the word."""
    content = [part for part in re.findall(r"[a-z]{3,}", word) if part not in {"the", "than"}]
    if any(re.search(rf"\b{part}", gold) for part in content):
        return True
    if any(sign.search(gold) and words.search(word) for sign, words in _SIGNS):
        return True
    if re.search(rf"\bby\b|{DIFFERENCE_WORD}", word) and tells_a_change(gold, question):
        return True
    if _QUESTIONED.search(word):
        return any(re.search(rf"\b{part}", question) for part in content)
    return False


def _squeezed(text: str) -> str:
    return re.sub(r"[\s$]|\\[,;:! ]|\.$", "", text)


def _formulas(answer: str, taken: str) -> list[tuple[int, int]]:
    """The last place of the answer that holds the formula which was taken."""
    wanted = _squeezed(taken)
    spans = [(match.span(), _squeezed(match[1] or match[2] or match[3] or ""))
             for match in _FORMULA.finditer(answer)]  # fmt: skip
    found = [span for span, content in spans if content == wanted]
    if found:
        return found[-1:]
    if not spans:
        start = answer.rfind(taken.strip())
        return [(start, start + len(taken.strip()))] if start >= 0 else []
    return []


def _numbers(gold: str, answer: str, taken: str) -> list[tuple[int, int]]:
    """The numbers of the answer that were taken: all alone, or of the gold's digits."""
    kept = set(_DIGITS.findall(taken)) or set(re.findall(rf"\b(?:{_WORDS})\b", taken.casefold()))
    wanted = {_mantissa(digits) for digits in _DIGITS.findall(gold)}
    spans = [match for match in _LITERAL.finditer(answer) if kept.intersection(_parts(match[0]))]
    if len(spans) > 1:
        spans = [span for span in spans if wanted.intersection(map(_mantissa, _parts(span[0])))]
    return [span.span() for span in spans]


def _parts(literal: str) -> list[str]:
    return _DIGITS.findall(literal) or [literal.casefold()]


def _mantissa(digits: str) -> str:
    return digits.replace(".", "").strip("0")[:2]
