"""The words of one clause, so that clauses can be compared word for word.

Case, accents, articles, endings of number and spellings of one word do not count; every other word
does, also numbers with their sign, relation signs, quantifiers, modal verbs and negations.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_GREEK = [
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda",
    "mu", "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi",
    "omega",
]  # fmt: skip
_GREEK_LETTERS = {
    **dict(zip("αβγδεζηθικλμνξοπρστυφχψω", _GREEK, strict=True)),
    "ς": "sigma", "ϵ": "epsilon", "ϕ": "phi", "ϑ": "theta", "ϱ": "rho", "ϖ": "pi", "∇": "nabla",
}  # fmt: skip
_SIGNS = {
    r"\leq": "≤", r"\geq": "≥", r"\le": "≤", r"\ge": "≥", r"\lt": "<", r"\gt": ">",
    r"\approx": "≈", r"\sim": "~", r"\ll": "≪", r"\gg": "≫", r"\neq": "≠", r"\ne": "≠",
    r"\propto": "∝", r"\pm": "±", r"\times": "×", r"\cdot": "·", "<=": "≤", ">=": "≥", "!=": "≠",
    "<<": "≪", ">>": "≫",
}  # fmt: skip
_SIGN = re.compile(rf"(?:{'|'.join(map(re.escape, _SIGNS))})(?![a-z])")
_RELATION = re.compile("[<>!]")
_GREEK_COMMAND = re.compile(rf"\\({'|'.join(_GREEK)})(?![a-z])")
_LETTERS_AS_NAMES = str.maketrans({letter: f" {name} " for letter, name in _GREEK_LETTERS.items()})
_DASHES = re.compile("[\u2212\u2013\u2010\u2011]")
_LONE_DASH = re.compile(r"\s-\s")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}\b)")
_SILENT = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|rm|bf|it|left|right|quad|qquad|displaystyle"
    r"|mbox|emph|operatorname)(?![A-Za-z])|\\[,;:! ]"
)
_NUMBERS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
]  # fmt: skip
_NUMBER_WORDS = {word: str(number) for number, word in enumerate(_NUMBERS)}
_PHRASES = tuple(
    (re.compile(pattern), put)
    for pattern, put in (
        (r"(?<=[a-z]{3})iz(?=e[ds]?\b|ing\b|ations?\b|ers?\b)", "is"),
        (r"(?<=colo|avio|vapo|favo|ghbo)ur", "r"),
        (r"\bcent(?:er|re)", "centre"),
        (r"\bcan(?:not|'t|’t)\b", "can not"),
        (r"\bwon['’]t\b", "will not"),
        (r"n['’]t\b", " not"),
        (r"['’]s\b|s['’](?=\s)", " "),
        (r"\b(?:is|are) able to\b", "can"),
        (r"\b(?:is|are) (?:not able|unable) to\b", "can not"),
        (r"\b(?:owing to|because of|on account of|as a result of)\b", "due to"),
        (r"\b(quasi|super|sub|non|anti|counter|left|right)[-\s](?=[a-z]{4})", r"\1"),
        (r"\btowards?\s+(?:the\s+)?sun\b", "sunward"),
        (r"\baway\s+from\s+(?:the\s+)?sun\b", "antisunward"),
        (r"\bgo(?:es)?\s+up\b", "increases"),
        (r"\bgo(?:es)?\s+down\b", "decreases"),
        (r"\bcmes?\b", "coronal mass ejection"),
        (r"\bseps?\b", "solar energetic particle"),
        (r"\bicmes?\b", "interplanetary coronal mass ejection"),
        (r"\bmhd\b", "magnetohydrodynamic"),
    )
)
_SAME = {
    "every": "all", "anticlockwise": "counterclockwise", "orthogonal": "perpendicular",
    "max": "maximum", "maximal": "maximum", "min": "minimum", "minimal": "minimum",
    "rise": "increase", "grow": "increase", "climb": "increase", "drop": "decrease",
    "fall": "decrease", "decline": "decrease", "diminish": "decrease", "rising": "increasing",
    "growing": "increasing", "falling": "decreasing", "dropping": "decreasing",
    "declining": "decreasing", "get": "become", "happen": "occur", "has": "have",
    **dict.fromkeys(("is", "are", "was", "were", "been", "being"), "be"),
}  # fmt: skip
_LETTER_A = re.compile(r"(?<=[a-z,] )A\b")
"""A name, not an article: ``star A``."""
_SILENT_WORDS = frozenset({"a", "an", "the", "do", "does", "did"})
_TOKEN = re.compile(
    r"(?<![\w.])[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?%?|\d+(?:\.\d+)?|\.\d+|\\[a-z]+|[^\W\d_]+"
    r"|[☉⊙⊕<>=≤≥≈~≪≫≠∝±×·+*/^%°]"
)


def clause_words(text: str) -> list[str]:
    """The words that count, in order."""
    return list(_clause_words(text))


@lru_cache(maxsize=512)
def _clause_words(text: str) -> tuple[str, ...]:
    text = _LETTER_A.sub("letter-a", text)
    if text.isascii():
        text = text.lower()
    else:
        text = unicodedata.normalize("NFKD", text).casefold()
        text = "".join(character for character in text if not unicodedata.combining(character))
        text = _DASHES.sub("-", text)
    latex = "\\" in text
    if latex:
        text = _SILENT.sub(" ", text)
    text = _THOUSANDS.sub("", _LONE_DASH.sub(" ", text))
    for pattern, put in _PHRASES:
        text = pattern.sub(put, text)
    if latex or _RELATION.search(text):
        text = _SIGN.sub(lambda match: f" {_SIGNS[match[0]]} ", text)
    if latex:
        text = _GREEK_COMMAND.sub(r" \1 ", text)
    if not text.isascii():
        text = text.translate(_LETTERS_AS_NAMES)
    kept = []
    for word in _TOKEN.findall(text):
        word = _NUMBER_WORDS.get(word, word)
        base = _SAME.get(word) or singular(word)
        base = _SAME.get(base, base)
        if word not in _SILENT_WORDS:
            kept.append(base.removeprefix("+") if base[1:2].isdigit() else base)
    return tuple(kept)


def singular(word: str) -> str:
    """A noun without its plural ending, a verb without that of the third person."""
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1]


_IRREGULAR = {
    "driven": "drive", "given": "give", "broken": "break", "led": "lead", "made": "make",
    "held": "hold", "sent": "send", "shown": "show", "bent": "bend", "bound": "bind",
    "caught": "catch", "built": "build", "fed": "feed", "kept": "keep", "lost": "lose",
    "overcome": "overcome", "torn": "tear", "thrown": "throw", "wound": "wind", "seen": "see",
    "taken": "take", "swept": "sweep", "spun": "spin", "borne": "bear", "cut": "cut", "set": "set",
    "hit": "hit", "split": "split", "shed": "shed", "frozen": "freeze", "grown": "grow",
}  # fmt: skip


def verb_base(word: str) -> str:
    """One form for ``heat``, ``heats``, ``heated`` and ``heating``."""
    word = singular(_IRREGULAR.get(word, word))
    for ending in ("ied", "ed", "ing"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)] + ("y" if ending == "ied" else "")
            break
    word = word.removesuffix("e")
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def is_participle(word: str) -> bool:
    """Whether the word can be the verb of a passive."""
    return word in _IRREGULAR or (word.endswith("ed") and len(word) > 4)
