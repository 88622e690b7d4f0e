"""The quantity that a few words state, and which words may stand around it."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal

from ecliptic.grading.decimals import CONTEXT
from ecliptic.grading.formula_terms import is_one_term
from ecliptic.grading.label_units import label_and_unit
from ecliptic.grading.measures import Options, number_and_unit, with_second_end
from ecliptic.grading.numbers import find_number, number_word
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.quantity import Quantity
from ecliptic.grading.unicode_maths import GREEK
from ecliptic.grading.unit_symbols import unit_symbol

TURNED_ROUND = re.compile(
    r"\b(?:not|no|never|n't|isn't|isn′t|neither|nor|cannot|rather|instead|except|unless|without"
    r"|half|twice|double|triple|thrice|quarter|times|either|infinite|infinity|inf|nan|unknown"
    r"|undefined|wrong|incorrect|false|impossible|unlikely|else|otherwise|maybe|perhaps|possibly"
    r"|depend(?:s|ing)|anything but|nothing but|all but|far from|far$|differs?|different|differing"
    r"|other than|unlike|excluding|opposite|hardly|retracted|withdrawn|ruled out"
    r"|square root|cube root|reciprocal|inverse|(?<!coulomb )logarithm)\b|∞|n′t\b|≠|∝"
    r"|\b(?:option|choice|eqs?|eqn|equation|step|fig|figure|table|section|refs?|reference|question"
    r"|problem|page|chapter|item|line)\.?\s*\(?$",
    re.I,
)

_MINUS_WORD = re.compile(r"\b(?:minus|negative)\s+(?=[\d.])", re.I)

_SIGN_WORD = re.compile(r"(?:(?<!\w)(?:minus|negative)\s+|(?<![\w-])[-−])$", re.I)

_ABOUT = re.compile(
    r"\b(?:about|approx(?:imately|\.)?|roughly|around|nearly|almost|circa|ca\.|some|order)(?=\W|$)",
    re.I,
)

CLAUSE = re.compile(
    r"(?:at|for|near|when|where|if|in|on|over|during|with|assuming|given|using|because|since|"
    r"after|before|above|below|beyond|within|from|relative|compared|around)\b",
    re.I,
)

_WORD = r"(?:[^\W\d_](?:[^\W\d_]|[′'-])+|[aI])"

PROSE = re.compile(rf"\s*\(?{_WORD}(?:[ ,.:!()]+{_WORD})*[ .,:!)]*|[ .!]*")

_DASH = re.compile(r"(?:–|- )\s*(?=[A-Za-z]{2})")
_TIMES_AS = re.compile(
    r"times\s+(?:larger|bigger|stronger|higher|greater|faster|longer|hotter|denser|brighter)"
    r"(?:\s+than\b[A-Za-z ,'′-]*)?",
    re.I,
)
"""``4 times stronger``: a factor."""

_LONGEST_REMARK = 160

_COMPARED_WITH = re.compile(
    r"\s*([<>≪≫≲≳])\s*(\d+(?:\.\d+)?)(?=\s*(?:$|[,;]\s*[A-Za-z][^\d=<>≪≫]*$))"
)
"""``(≪ 1, so the plasma is magnetically dominated)``."""
_AGAIN = re.compile(r"(?<=\S)\s*(?:[=≈]|;|,?\s*\bi\.e\.,?|,?\s*\bor\b|,\s+)\s*(?=[^=≈;]*\d)")
"""Between restatements in one bracket: ``(≈ 7 h = 0.29 d)``."""
_PARENTHESIS = re.compile(r"\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*")

TRAILING = " .,;"


def stated(text: str, options: Options, *, quiet: bool = False) -> Quantity | None:
    """The quantity of a text without a relation; ``None`` when it holds no number."""
    try:
        return _quantity(text, options)
    except ParseFailure:
        if quiet:
            return None
        raise


def _quantity(text: str, options: Options) -> Quantity | None:
    text = _MINUS_WORD.sub("-", text) if "us " in text or "ive " in text else text
    start = 0 if text[:1].isdecimal() else find_number(text)
    if start < 0 and text.startswith("±"):
        start = find_number(text, 1)
    if text[:1] == "e" and (text == "e" or text[1:2] == "^"):
        start = 0
    signed, prefix_end = None, start
    if start < 0:
        word = number_word(text)
        if word is None:
            if TURNED_ROUND.search(text):
                raise ParseFailure(f"'{text[:40]}' has no value", 0, limit="value")
            return None
        start = word.start()
        signed = _SIGN_WORD.search(text, 0, start)
        prefix_end = signed.start() if signed else start
    prefix = text[:prefix_end].strip()
    both_signs = prefix.endswith("±")
    prefix = prefix.rstrip("± ")
    if prefix and (not _plain_words(prefix) or is_one_term(text, start)):
        raise ParseFailure(f"'{prefix[:40]}' in front of the number", 0)
    quantity, end = number_and_unit(text, start, options)
    if signed:
        quantity = replace(quantity, value=-quantity.value)
    if quantity.upper is None:
        quantity, end = with_second_end(text, quantity, end, options)
    if prefix:
        quantity = replace(quantity, words=prefix)
    if both_signs:
        quantity = replace(quantity, both_signs=True)
    if prefix and (_ABOUT.search(prefix) or prefix.endswith("≈")):
        quantity = replace(quantity, about=True)
    rest = text[end:].strip(TRAILING)
    if not rest and prefix and quantity.unit is None:
        quantity = replace(quantity, unit=label_and_unit(prefix)[1])
    if rest and quantity.unit is None and _COUNTED.search(prefix) and _is_counted(rest):
        return quantity
    return _suffixed(quantity, rest, options) if rest else quantity


_COUNTED = re.compile(r"\bthere (?:are|is|were|exist)(?: (?:exactly|just|in total|only))?$", re.I)
_NO_COUNT = re.compile(
    r"\b(?:dozens?|pairs?|couples?|hundreds?|thousands?|[mb]illions?|percent|per|orders?|more|fewer"
    r"|less|other|others|another|further|extra|additional|remaining|too|than|each|every|if|but|sets?"
    r"|groups?)\b",
    re.I,
)


def _is_counted(rest: str) -> bool:
    """Whether plain words behind a count only name what is counted."""
    if TURNED_ROUND.search(rest) or _NO_COUNT.search(rest) or find_number(rest) >= 0:
        return False
    return number_word(rest) is None and PROSE.fullmatch(rest) is not None


def _plain_words(prefix: str) -> bool:
    """Words that only introduce the value."""
    if TURNED_ROUND.search(prefix) or _FUNCTION.match(prefix):
        return False
    return all(
        re.fullmatch(r"[^\W\d_][^\W_]*(?:[_′'^()-][^\W_]*)*[:.,]?|≈|\(|-|–|\*|#", word) is not None
        for word in prefix.split()
    )


_FUNCTION = re.compile(
    r"(?:arc)?(?:sin|cos|tan)h?\b|(?:cot|sec|csc|ln|exp|sqrt)\b(?! [=≈])"
    r"|(?:log(?:_?\(?10\)?)?|lg|[dD]elta|partial|nabla)$"
)
_NOTE = re.compile(
    r"(?:note|n\.?b\.?|remark|recall|remember)[:,]?(?: that)? (?:the )?"
    r"(?:unit|symbol|prefix|(?P<unit>[A-Za-z]+))s?\b(?! ?of\b)",
    re.I,
)
_JUDGES = re.compile(
    r"\b(?:this|it|value|answer|result|above|wrong|incorrect|false|should|correct\w*|actual\w*"
    r"|instead|mistak\w+|error|here)\b",
    re.I,
)


def _is_of_units(text: str) -> bool:
    """Whether a remark speaks of a unit and not of the value: ``Note that the kelvin ...``."""
    match = _NOTE.match(text)
    if match is None or _JUDGES.search(text) or find_number(text) >= 0:
        return False
    name = match["unit"]
    return name is None or (len(name) > 2 and unit_symbol(name) is not None)


def _with_error(quantity: Quantity, error: Quantity) -> Quantity:
    """``4.0 nT (±5%)``, ``4.0 nT (±0.2 nT)``."""
    unit = quantity.measure
    if error.unit is None:
        return replace(quantity, uncertainty=error.value)
    scale = Decimal(error.unit.factor)
    if error.unit.exponents == unit.exponents:
        share = CONTEXT.multiply(error.value, scale / Decimal(unit.factor))
        return replace(quantity, uncertainty=share)
    if not any(error.unit.exponents):
        share = CONTEXT.multiply(error.value, scale)
        return replace(quantity, uncertainty=abs(CONTEXT.multiply(share, quantity.value)))
    raise ParseFailure("an uncertainty in another unit", 0)


def _suffixed(quantity: Quantity, rest: str, options: Options) -> Quantity:
    """What stands behind the unit: a restatement in brackets, a condition, or prose."""
    if _FORMULA_GOES_ON.match(rest):
        raise ParseFailure(f"'{rest[:40]}' belongs to the formula", 0)
    match = _PARENTHESIS.match(rest)
    if match:
        inner = match[1]
        if inner.startswith("±") and quantity.uncertainty is None:
            error = _quantity(inner[1:].strip(), options)
            if error is not None:
                quantity = _with_error(quantity, error)
                inner = ""
        compared = _COMPARED_WITH.match(inner)
        if compared is not None and quantity.unit is None:
            bound = Decimal(compared[2])
            if (quantity.value < bound) != (compared[1] in "<≪≲"):
                raise ParseFailure(f"'{inner[:40]}' is false of the value", 0)
        elif label_and_unit(inner)[1] is not None:
            pass  # (n_e in cm^-3): the units that names stand for
        elif find_number(inner) >= 0 and not CLAUSE.match(inner):
            for part in _AGAIN.split(inner):
                again = _quantity(part.removeprefix("i.e.").strip(" =≈,"), options)
                if again is not None:
                    quantity = replace(quantity, restated=(*quantity.restated, again))
        elif TURNED_ROUND.search(inner) and not _is_of_units(inner):
            raise ParseFailure(f"'{inner[:40]}' turns the statement round", 0)
        rest = rest[match.end() :].strip(TRAILING)
        if not rest:
            return quantity
    if quantity.unit is None and _TIMES_AS.fullmatch(rest):
        return quantity
    if TURNED_ROUND.search(rest):
        raise ParseFailure(f"'{rest[:40]}' behind the value", 0)
    dash = _DASH.match(rest)
    if dash and find_number(rest) < 0 and PROSE.fullmatch(rest[dash.end() :]):
        return quantity
    ratio = re.match(r":\s*(\d+(?:\.\d+)?)$", rest)
    if ratio and quantity.unit is None and Decimal(ratio[1]):
        return replace(quantity, value=CONTEXT.divide(quantity.value, Decimal(ratio[1])))
    if quantity.unit is None and re.match(r"[a-z]+\s+(?:every\s+)?[\d.]", rest):
        raise ParseFailure(f"'{rest[:40]}' behind a bare number", 0)
    if len(rest) > _LONGEST_REMARK:
        raise ParseFailure(f"'{rest[:40]}' and more behind the value", 0)
    if re.match(r"(?:per|/|an?|each)\b|/", rest, re.I):
        raise ParseFailure(f"'{rest[:40]}' is not a unit that is known", 0)
    if CLAUSE.match(rest):
        if quantity.unit is None and re.match(r"if\b", rest):
            raise ParseFailure(f"'{rest[:40]}' behind a bare number", 0)
        return quantity
    if PROSE.fullmatch(rest) and find_number(rest) < 0:
        first = rest.split()[0].lower().strip(".,!")
        if first in _PROSE_STARTS or quantity.unit is not None:
            return quantity
    raise ParseFailure(f"'{rest[:40]}' behind the value is neither a unit nor a remark", 0)


_LETTERS = "|".join(sorted(set(GREEK.values())))
_PART = r"\((?:[^()]|\([^()]*\))*\)"
_FORMULA_GOES_ON = re.compile(
    r"(?:(?:arc|a)?(?:sin|cos|tan|cot|sec|csc)h?|ln|log|lg|exp|sqrt|erfc?|det|arg|sgn)\b"
    rf"|(?:var)?(?:{_LETTERS})\b(?! *[=≈<>]|[ -]+(?!(?:{_LETTERS})\b)[A-Za-z]{{3}})"
    rf"|\( *(?:[A-Za-z]|{_LETTERS}) *\)"
    rf"|\(?(?={_PART} */ *{_PART})(?=[\W\d_]*[^\W\d_])[^=≈<>]*",
    re.I,
)
"""A function, letter or quotient of letters: ``2\\Omega\\sin\\lambda`` has no remark."""
_FIRST_WORDS = (
    "is are was were as which so and of approximately approx respectively total overall (as"
)

_PROSE_STARTS = frozenset(_FIRST_WORDS.split())
