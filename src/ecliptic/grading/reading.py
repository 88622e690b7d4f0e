"""Gold and answer read by type, the type of a gold answer, and both in plain text."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ecliptic.grading.clause_words import clause_words
from ecliptic.grading.dates import read_date
from ecliptic.grading.formulas import last_formulas
from ecliptic.grading.json_text import read_json
from ecliptic.grading.number_literals import NUMBER_WORD
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.pieces import Piece, pieces, strip_delimiters
from ecliptic.grading.rules import DEFAULT_RULES, Rules
from ecliptic.grading.told_factors import told_factor

if TYPE_CHECKING:
    from ecliptic.grading.expression import Expression


MAX_GOLD = 20_000
"""Characters of a gold answer that is read as a formula."""


@lru_cache(maxsize=64)
def answer_expression(
    text: str, *, slash_groups_product: bool = False
) -> Expression | ParseFailure:
    """The tree of one cut-out formula, or why there is none."""
    from ecliptic.grading.latex import parse

    try:
        return parse(text, slash_groups_product=slash_groups_product).expression
    except ParseFailure as failure:
        return failure


@lru_cache(maxsize=4096)
def gold_expression(gold: str, *, slash_groups_product: bool = False) -> Expression | ParseFailure:
    """The gold's concluding statement; the first reading that parses."""
    if len(gold) > MAX_GOLD:
        return ParseFailure("it is too long", MAX_GOLD, limit="length")
    failure: ParseFailure | None = None
    readings, _ = last_formulas(strip_delimiters(gold), numeric=False)
    for reading in readings:
        result = answer_expression(reading, slash_groups_product=slash_groups_product)
        if not isinstance(result, ParseFailure):
            return result
        failure = failure or result
    return failure or ParseFailure("there is no formula", 0)


def symbols_of(text: str) -> frozenset[str]:
    """Names of the symbols of a formula; none if it can't be read."""
    from ecliptic.grading.tree_walk import survey

    tree = answer_expression(text)
    if isinstance(tree, ParseFailure):
        return frozenset()
    return frozenset(symbol.name for symbol in survey(tree).symbols)


def read_as(kind: str, gold: str, answer: str, rules: Rules) -> dict[str, str]:
    """Gold and answer as they were understood, in plain text; what cannot be read is left out."""
    if kind == "numeric":
        shown = {"gold": _quantities(gold, rules), "answer": _quantities(answer, rules)}
    elif kind == "symbolic":
        from ecliptic.grading.spelling import spell

        grouped = rules.slash_groups_product
        trees = {
            "gold": gold_expression(gold, slash_groups_product=grouped),
            "answer": answer_expression(answer, slash_groups_product=grouped),
        }
        shown = {
            who: "" if isinstance(tree, ParseFailure) else spell(tree)
            for who, tree in trees.items()
        }
    else:
        return {}
    return {who: text for who, text in shown.items() if text}


def _quantities(text: str, rules: Rules) -> str:
    from ecliptic.grading.quantities import read_quantities

    try:
        reading = read_quantities(
            text,
            decimal_comma=rules.decimal_comma,
            concise_uncertainty=rules.concise_uncertainty,
        )
    except ParseFailure:
        return ""
    shown = []
    for quantity in reading.quantities[:20]:
        part = f"{quantity.value:.6g}"
        if quantity.upper is not None:
            part += f" to {quantity.upper:.6g}"
        if quantity.uncertainty is not None:
            part += f" +- {quantity.uncertainty:.3g}"
        if quantity.unit is not None:
            part += f" {quantity.unit.spelling}"
        if quantity.label or quantity.relation != "=":
            part = f"{quantity.label} {quantity.relation} {part}".strip()
        shown.append(part)
    return (" or " if reading.alternatives else ", ").join(shown)


@lru_cache(maxsize=4096)
def infer_type(gold: str) -> str:
    """Structured if JSON, numeric if a quantity, symbolic if a formula, else textual."""
    text = gold.strip()
    if text[:1] in "{[" and text[-1:] in "}]":
        try:
            if isinstance(read_json(text), dict | list):
                return "structured"
        except ValueError:
            pass
    if _COUNT.fullmatch(text):
        return "numeric"
    if len(text) > MAX_GOLD or _looks_like_words(text) or _is_sentence(text) or _is_change(text):
        return "textual"
    from ecliptic.grading.numeric import compare_numeric

    itself = compare_numeric(text, text, DEFAULT_RULES)
    readable = itself.outcome == "same" and itself.method != "text"  # "text": it was not read
    if readable and not _looks_like_formula(text):
        return "numeric"
    if not isinstance(gold_expression(gold), ParseFailure):
        return "symbolic"
    prose = re.sub(r"\$[^$]*\$|\\[A-Za-z]+(?:\{[^{}]*\})?", " ", text)
    if len(re.findall(r"[A-Za-z]{2,}", prose)) >= 4:
        return "textual"
    return "symbolic" if re.search(r"[\\$=^]", text) else "textual"


_COUNT = re.compile(rf"\W*(?:{NUMBER_WORD.pattern})\W*", re.I)
"""A number in a word."""
_STAR = re.compile(r"\^\s*(?:\{\s*)?(?:\*|\\ast|\\star|\\dagger|\\prime)(?:\s*\})?")
"""``L^*``: a name."""
_FORMULA_LABEL = re.compile(
    r"\\(?:nabla|cdot|times|frac|dfrac|partial|sqrt|int|sum|d?dot|mathbf|vec)(?![A-Za-z])|[+*/^]|"
    r"[\w}]\s*-"
)
_FUNCTION = re.compile(r"\\(?:Gamma|zeta|erf|operatorname\s*\{(?:erf|Li|Ei))(?![A-Za-z])")
_SYMBOL = re.compile(
    r"\\(?:(?:arc)?(?:sin|cos|tan)h?|cot|sec|csc|ln|log|exp|(?:var)?(?:alpha|beta|gamma|delta|epsilon|zeta"
    r"|eta|theta|iota|kappa|lambda|nu|xi|rho|sigma|tau|upsilon|phi|chi|psi|omega)"
    r"|Gamma|Delta|Theta|Lambda|Xi|Sigma|Upsilon|Phi|Psi)(?![A-Za-z])(?!\s*(?:\(\s*)?[-\d.]+\s*(?:\)|$))"
)
"""What no unit is spelled with: a function of more than a number, a Greek letter."""
_SIGMAS = re.compile(r"[\s\d.\\,]*\\sigma[\s.]*")
_RATE = re.compile(r"\s*\\dot\s*(?:[A-Za-z]|\{\s*[A-Za-z]\s*\})(?:_\{?\w+\}?)?\s*")
"""``\\dot M``: a name, where a unit tells a rate from the quantity itself."""
_ABOUT = re.compile(r"\\(?:approx|simeq)(?![A-Za-z])|≈|≃")
_UPRIGHT = re.compile(
    r"\\(?:mathrm|text|textrm|operatorname|mathsf|si|SI|unit|qty|num)\s*\{(?:[^{}]|\{[^{}]*\})*\}|"
    r"\{\s*\\rm\b(?:[^{}]|\{[^{}]*\})*\}|[RMLrm]_\{?(?:\\odot|\\oplus|\\rm|sun|E|J|s)\b\}?|"
    r"[RML]_\{?\s*\\(?:mathrm|text|rm)\s*\{\w+\}\s*\}?|"
    r"\\mu(?=\s*(?:\\(?:mathrm|text|rm)|[mTsAGgKWVJN]\b))|\\circ|\\AA|\\%"
)
_FIGURE = re.compile(
    r"(?:\s|\\[,;! ]|[\d.{}()+*/^·×√-]|\\(?:[dt]?frac|sqrt|pi|times|cdot|left|right)(?![A-Za-z])|π"
    r"|e\s*\^)+"
)
"""A left side without a symbol: ``\\sqrt{2} \\approx 1.414`` is a number in two forms."""
_LOGARITHM = re.compile(
    r"\s*\\?(?:log|lg|ln)(?![a-z])(?:\s*_\s*(?:\{\s*10\s*\}|10))?(?:[^+=]|\{[^{}]*\})*"
)
_ORDER_SIGN = re.compile(
    r"(?:\\mathcal\s*\{?\s*O\s*\}?|(?<![A-Za-z\\])O)\s*(?:\\left)?(?=\s*\(\s*(?:\d|\\times))"
)
"""``O(10^{-3})``: an order of magnitude."""
_UNIT_LETTERS = frozenset("KTGJNWVCAHsc")


def _looks_like_formula(text: str) -> bool:
    """Whether what can be read as a quantity is meant as a formula.

    Italic single letters are symbols (``T^{1/2}`` is no tesla), a relation with more than a name
    on its left is an equation, and a bound on a symbol without a unit is an inequality.
    """
    if _FUNCTION.search(text):
        return True
    parts = pieces(text)
    formulas = " , ".join(part.text for part in parts if part.kind != "prose")
    if not formulas:
        formulas = text if "\\" in text else ""
    formulas = _ORDER_SIGN.sub("", _ABOUT.sub("=", formulas))
    statements = re.split(r",(?=[\s\\])|\\q?quad|;|\band\b", formulas)
    sides = [part.partition("=") for part in statements]
    if any(
        equals
        and _FORMULA_LABEL.search(_STAR.sub("", left))
        and not (_RATE.fullmatch(left) and _UPRIGHT.search(right))
        and not _FIGURE.fullmatch(left)
        and not _LOGARITHM.fullmatch(left)
        for left, equals, right in sides
    ):
        return True
    body = _UPRIGHT.sub(" ", " , ".join(right if equals else left for left, equals, right in sides))
    bound = re.search(r"[<>≤≥≪≫≲≳]|\\(?:leq?|geq?|lesssim|gtrsim|ll|gg|lt|gt|in)(?![A-Za-z])", body)
    if bound and body[: bound.start()].strip():
        # A symbol in front: with a unit behind it is a bound on a quantity.
        return _UPRIGHT.search(formulas) is None and not _has_unit_behind(
            parts, body[bound.end() :]
        )
    if _SYMBOL.search(body) and not _SIGMAS.fullmatch(body):
        return True
    words = re.sub(r"\\[A-Za-z]+", " ", body)
    if re.search(r"[A-Za-z]{2,}", words):
        return False
    letters = re.findall(r"(?<![A-Za-z\\])[A-Za-z]", words)
    letters = [letter for letter in letters if letter not in "e"]
    if (
        len(letters) == 1
        and letters[0] in _UNIT_LETTERS
        and "^" not in words.rsplit(letters[0])[-1]
    ):
        return False
    return bool(letters)


def _has_unit_behind(parts: list[Piece], bound: str) -> bool:
    """Whether a bound in a formula is a number whose unit stands behind the formula."""
    from ecliptic.grading.units import parse_unit

    if _FIGURE.fullmatch(bound) is None or len(parts) < 2 or parts[-1].kind != "prose":
        return False
    try:
        return bool(parts[-1].text.strip(" .")) and not parse_unit(parts[-1].text).is_bare
    except ParseFailure:
        return False


_VERDICT = re.compile(r"(?:yes|no|true|false)\b\s*[,;:–—-]\s*[A-Za-z]", re.I)
"""``No, the Mach number is 0.8``: the number stands beside what is asked."""
_LABEL = re.compile(
    r"(?:the\s+)?(?:\w+\s+){0,2}(?:cycle|rotation|region|AR|NOAA|mission|satellite|spacecraft|class"
    r"|orbit|encounter|perihelion|Voyager|Pioneer|Helios|Mariner|Explorer|Apollo|Wind|Luna|Venera"
    r"|Ariel|Skylab|Cluster|IMP|ISEE|OGO|OSO|STEREO|SOHO|GOES|NOAA|SDO|Hinode|Yohkoh|Proba|Cassini"
    r"|HD|HR|NGC|GJ|Kepler|TRAPPIST|AB)[\s-]?(?:no\.?\s*)?\d{1,6}"
    r"|(?-i:(?:an?\s+|the\s+)?(?:[ABCMX][1-9]\d?(?:\.\d+)?|[OBAFGKM]\d(?:\.5)?(?:I{1,3}|IV|V)))"
    r"(?:[\s-]class)?(?:\s+(?:flare|star|dwarf|giant))?",
    re.I,
)
"""A number that is part of a name: ``solar cycle 24``, ``Voyager 1``, ``X5.4 flare``."""


def _is_sentence(text: str) -> bool:
    """A comparison or an order of things in words, whatever number it holds in passing."""
    if _VERDICT.match(text) or _LABEL.fullmatch(text) or read_date(text) is not None:
        return True
    if re.search(r"[\\$=<>^_{}+*]", text) or not re.search(r"\b(?:before|after|than)\b", text):
        return False
    behind = re.split(r"\b(?:before|after|than)\b", text)[-1]
    return len(re.findall(r"[A-Za-z]{3,}", text)) > 4 and not re.search(r"\d", behind)


def _is_change(text: str) -> bool:
    """Whether a factor of change is told with its direction: ``falls by a factor of 4``."""
    return told_factor(" ".join(clause_words(text.rstrip(" .")))) is not None


def _looks_like_words(text: str) -> bool:
    """Words without any sign of a formula or number: ``solar minimum``, ``Yes``, option ``B``."""
    if re.search(r"[\\$=<>^_{}\d+*/]", text):
        return False
    return re.fullmatch(r"[A-H][.)]?", text) is not None or (
        re.search(r"[^\W\d_]{2,}", text) is not None
    )
