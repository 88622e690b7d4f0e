"""What a short final answer states: values with unit, uncertainty, range and label.

``read_quantities`` takes the text of a final answer, not a whole solution. Words around the
numbers are allowed as long as they hold no other number and turn nothing round; what cannot be
read as a quantity is a :class:`ParseFailure`, never skipped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from ecliptic.grading.measures import Options
from ecliptic.grading.notation import plain
from ecliptic.grading.number_phrases import with_digits
from ecliptic.grading.numbers import find_number
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.quantity import Quantity, joined_range
from ecliptic.grading.remarks import CLAUSE, PROSE, TRAILING, TURNED_ROUND, stated

__all__ = ["MOST_QUANTITIES", "Quantity", "Reading", "read_quantities"]

MOST_QUANTITIES = 40


@dataclass(frozen=True, slots=True)
class Reading:
    """The quantities of a text; ``alternatives`` when they are offered with "or"."""

    quantities: tuple[Quantity, ...]
    alternatives: bool = False
    commas_unread: bool = False
    """A comma between digits that may have been a decimal comma."""
    tuple_of_values: bool = False
    """Values without names in one pair of round brackets, whose order counts."""


@lru_cache(maxsize=4096)
def read_quantities(
    text: str,
    *,
    decimal_comma: bool = False,
    concise_uncertainty: bool = True,
) -> Reading:
    """All quantities of a final answer, in order."""
    line = _prepared(plain(text))
    if not line:
        raise ParseFailure("no number", 0)
    reached = _REACHED.search(plain(text))
    extremum = reached[1][:3].lower() if reached else ""
    options = Options(decimal_comma, concise_uncertainty)
    alternatives = False
    quantities: list[Quantity] = []
    commas = _SUSPICIOUS_COMMA.search(line) is not None and not decimal_comma
    for separator, item in _items(line, decimal_comma):
        alternatives = alternatives or separator == "or"
        read = _item(item, options)
        if read:
            for found in read:
                quantity = found
                if separator and extremum:
                    extremum = ""
                if separator and quantity.label and _CONDITION.match(item):
                    quantity = replace(quantity, is_condition=True)
                if extremum:
                    quantity = replace(quantity, extremum=extremum)
                quantities.append(quantity)
                if quantity.both_signs:
                    quantities.append(replace(quantity, value=-quantity.value))
        elif separator == "or" or not (CLAUSE.match(item) or PROSE.fullmatch(item)):
            raise ParseFailure(f"'{item[:40]}' is not a quantity", 0)
        if len(quantities) > MOST_QUANTITIES:
            raise ParseFailure("too many quantities", 0, limit="quantities")
    if not quantities:
        raise ParseFailure("no number", 0)
    in_order = _TUPLE.fullmatch(line) is not None and not any(q.label for q in quantities)
    return Reading(tuple(_share_units(quantities)), alternatives, commas, in_order)


_TUPLE = re.compile(r"(?:(?:[^(),]*[=:]|\([A-Za-z_\d, ]*\)\s*=)\s*)?\([^()]*,[^()]*\)")
_CONDITION = re.compile(r"(?:for|when|if|assuming|given)\s", re.I)
_FOR_VALUE = re.compile(r"(?<=[\w)%°])\s+(?=for [A-Za-zΑ-ω][\w()]* ?= ?[-+\d.])")
_REACHED = re.compile(
    r"\b(?:reach(?:es|ed|ing)?|attain(?:s|ed|ing)?|hits?"
    r"|(?:drop|fall|rise|climb)(?:s|ed)? to|fell to|rose to)"
    r"\s+(?:a|an|its|the)\s+(?:\w+ )?(minimum|maximum)(?: value)? of\b",
    re.I,
)
"""An extremum that a quantity has, which is no bound on it."""
_SUSPICIOUS_COMMA = re.compile(
    r"(?<![\d,.])(?:0|\d+),(?:\d{1,2}|\d{4,})(?![\d,])|(?<![\d,])0,\d{3}"
)

_BETWEEN = re.compile(r"\bbetween\b([^;]*?)\band\b", re.I)

_FROM = re.compile(r"\b(?:from|in the range(?: of)?|ranging from|ranges from)\s+(?=[-+\d.(])", re.I)

_BRACKETS = re.compile(r"\[([^\[\],;]*),([^\[\],;]*)\]")

_COMPARE_WORDS = (
    (re.compile(r"\b(?:is )?(?:less|smaller|lower|fewer) than or equal to\b", re.I), "≤"),
    (re.compile(r"\b(?:is )?(?:greater|more|larger|higher) than or equal to\b", re.I), "≥"),
    (re.compile(r"\b(?:is )?(?:less|smaller|lower|fewer) than\b|\bbelow\b|\bunder\b", re.I), "≲"),
    (
        re.compile(
            r"\b(?:is )?(?:greater|more|larger|higher) than\b|\babove\b|\bexceed(?:s|ing)?\b"
            r"|\bin excess of\b|\bover(?= [\d.])",
            re.I,
        ),
        "≳",
    ),
    (re.compile(r"\bat least\b|\bno less than\b|\bminimum of\b", re.I), "≳"),
    (re.compile(r"\bat most\b|\bno more than\b|\bup to\b|\bmaximum of\b", re.I), "≲"),
)

_COMPARE_HINT = re.compile(
    r"\bthan\b|\bbelow\b|\bunder\b|\babove\b|\bexceed|\bexcess\b|\bover\b|\bat (?:least|most)\b"
    r"|\bup to\b|\b(?:min|max)imum of\b",
    re.I,
)

_ORDER = re.compile(
    r"\(?(?:to )?with(?:in)? an order of magnitude\)?|\(?to an order of magnitude\)?"
    r"|\(?order[- ]of[- ]magnitude(?: estimate)?\)?|\bof (?:the )?order(?: of)?\b"
    r"|\bon the order of\b|\bO\s*(?=\(10)", re.I
)  # fmt: skip

_SEPARATORS = re.compile(
    r"\s*(?:;|\n)\s*(?:and\s+|or\s+)?|,\s+(?:and\s+|or\s+|&\s*)?|,(?=\s*[A-Za-zΑ-ω])"
    r"|\s+(?:and|or|respectively)\b\s*|,(?=[-+]?\d)"
)

_SEPARATING = (",", ";", "\n", " and ", " or ", " respectively")

_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")

_RELATION = re.compile(r"\s*(=|≈|<=|>=|<|>|≤|≥|≲|≳|≪|≫|∝|:(?!\d))\s*")

_LOG_LABEL = re.compile(r"(?:^|[^A-Za-z])(log_?\(?10\)?|log|lg|ln)(?=[^A-Za-z]|$)")


def _prepared(line: str) -> str:
    """The line with words of comparison as signs and intervals as ranges."""
    line = with_digits(line.lstrip(" ,;\n").rstrip(TRAILING + "\n"))
    if "between" in line.lower():
        line = _BETWEEN.sub(r"\1 – ", line)
    if "rom" in line or "rang" in line:
        line = _FROM.sub(" ", line)
    if "(=" in line or "(≈" in line:
        line = line.replace("(=", "(").replace("(≈", "(")
    if "[" in line:
        if line[0] == "[" and line[-1] == "]" and not re.search(r"[,;\[]", line[1:]):
            line = line[1:-1].strip()
        line = _BRACKETS.sub(_interval_as_range, line)
    line = _REACHED.sub("reaches", line)
    if len(_FOR_VALUE.findall(line)) == 1:
        line = _FOR_VALUE.sub(", ", line)
    if _COMPARE_HINT.search(line):
        for pattern, sign in _COMPARE_WORDS:
            line = pattern.sub(f" {sign} ", line)
    return line


def _interval_as_range(match: re.Match[str]) -> str:
    if any(character.isdecimal() for character in match[1]):
        return f"{match[1].strip()} ‥ {match[2].strip()}"
    return match[0]


def _items(line: str, decimal_comma: bool) -> list[tuple[str, str]]:
    """(separator, text) of each item; brackets, number groups and decimal commas hold together."""
    if not any(mark in line for mark in _SEPARATING):
        return [("", line)]
    items: list[tuple[str, str]] = []
    start, kind = 0, ""
    depth, counted = 0, 0
    if line.startswith("(") and line.find(")") in (len(line) - 1, -1) and "," in line:
        line = line[1:-1]
    for match in _SEPARATORS.finditer(line):
        depth += line.count("(", counted, match.start()) - line.count(")", counted, match.start())
        counted = match.start()
        if depth > 0:
            continue
        text = match[0]
        if text == "," and line[match.end() : match.end() + 1].isdecimal():
            before = line[match.start() - 1 : match.start()]
            if before.isdecimal() and (decimal_comma or _GROUPED.match(line, match.start())):
                continue
        items.append((kind, line[start : match.start()].strip()))
        kind = "or" if re.search(r"\bor\b", text) else ","
        start = match.end()
    items.append((kind, line[start:].strip()))
    return [(separator, item) for separator, item in items if item]


def _item(text: str, options: Options) -> list[Quantity]:
    """The quantity of one item; ``a = b = 5 nT`` restates, ``a < x < b`` is a range."""
    text = _PART.sub("", text)
    order = ("order" in text or "O" in text) and _ORDER.search(text) is not None
    if order:
        text = _ORDER.sub(" ", text).strip(TRAILING)
    parts = _RELATION.split(text)
    label = parts[0].strip()
    if len(parts) == 1:
        found = stated(label, options)
        if found and order:
            found = replace(found, order_of_magnitude=order)
        return [found] if found else []
    if len(parts) == 5 and parts[1] in _DOWN and parts[3] in _DOWN:
        ends = _END[parts[1]] + _END[parts[3]]
        return [replace(_interval(parts[0], parts[2], parts[4], options), ends=ends)]
    if len(parts) == 5 and parts[1] in _UP and parts[3] in _UP:
        ends = _END[parts[3]] + _END[parts[1]]
        return [replace(_interval(parts[4], parts[2], parts[0], options), ends=ends)]
    first = stated(label, options, quiet=True) if find_number(label) >= 0 else None
    if first is not None and len(parts) == 3 and find_number(parts[2]) < 0:
        # "400 km/s = v", "10^6 K < T"
        if not _NAME.fullmatch(parts[2].strip()):
            raise ParseFailure(f"'{parts[2][:40]}' is not a quantity", 0)
        relation = _MIRRORED.get(parts[1], parts[1])
        return [_labelled(replace(first, order_of_magnitude=order), relation, parts[2])]
    if TURNED_ROUND.search(label):
        raise ParseFailure(f"'{label[:40]}' turns the statement round", 0)
    segments = [stated(part, options, quiet=True) for part in parts[2::2]]
    last = segments[-1]
    if last is None:
        stated(parts[-1], options)
        if not parts[-1].strip():
            raise ParseFailure("nothing behind the equals sign", len(text))
        raise ParseFailure(f"'{parts[-1][:40]}' is not a quantity", 0)
    earlier = [first, *segments[:-1]] if first else segments[:-1]
    relation = next((sign for sign in parts[1::2] if sign not in "=≈:"), "=")
    about = last.about or "≈" in parts[1::2]
    restated = tuple(segment for segment in earlier if segment is not None)
    if about or order or restated:
        last = replace(
            last, about=about, order_of_magnitude=order, restated=(*restated, *last.restated)
        )
    return [_labelled(last, relation, label if first is None else "")]


_DOWN = frozenset({"<", "≤", "<=", "≲", "≪"})

_UP = frozenset({">", "≥", ">=", "≳", "≫"})

_END = {"<": "<", ">": "<", "≤": "≤", "≥": "≤", "<=": "≤", ">=": "≤"} | dict.fromkeys("≲≳≪≫", "?")
_MIRRORED = {
    "<": ">", ">": "<", "≤": "≥", "≥": "≤", "<=": ">=", ">=": "<=", "≲": "≳", "≳": "≲",
    "≪": "≫", "≫": "≪",
}  # fmt: skip

_NAME = re.compile(r"[A-Za-zΑ-ωΩ|_()^*,.\d ]{0,40}")


def _labelled(quantity: Quantity, relation: str, label: str) -> Quantity:
    relation = {"<=": "≤", ">=": "≥", "≈": "=", ":": "="}.get(relation, relation)
    if quantity.relation != "=":
        relation = quantity.relation
    base = ""
    log = _LOG_LABEL.search(label) if "l" in label else None
    if log:
        base = "e" if log[1] == "ln" else "10"
    elif re.search(r"\bcoulomb logarithm$", label, re.I):
        base = "e"
    return replace(quantity, relation=relation, label=_symbol_of(label), log_base=base)


_PART = re.compile(
    r"^(?:\([a-hivx]{1,3}\)|\b[a-hivx]{1,3}\)|(?:step|part) \w{1,3}:)\s*(?=\S)", re.I
)
_AROUND_OPERATOR = re.compile(r"\s*([-+*·/^])\s*")


def _symbol_of(label: str) -> str:
    """The symbol that a label ends in: ``The index is therefore q`` is about ``q``."""
    label = _AROUND_OPERATOR.sub(r"\1", label.strip().rstrip(":"))
    words = label.split()
    if len(words) > 1 and re.fullmatch(r"[A-Za-z]{2,}", words[0]) and not label.startswith("log"):
        label = words[-1]
    return re.sub(r"[\s{}()\\]", "", label)


def _interval(low: str, label: str, high: str, options: Options) -> Quantity:
    lower, upper = stated(low, options), stated(high, options)
    if lower is None or upper is None or lower.upper or upper.upper:
        raise ParseFailure("the limits of the range are not numbers", 0)
    return _labelled(joined_range(lower, upper), "=", label)


def _share_units(quantities: list[Quantity]) -> list[Quantity]:
    """In a list without labels (``5, 6 and 7 nT``) the last unit holds for all."""
    if len(quantities) < 2 or quantities[-1].unit is None:
        return quantities
    if any(
        q.unit is not None or (q.label and q.label != quantities[0].label) for q in quantities[:-1]
    ):
        return quantities
    if any(q.label for q in quantities[1:]):
        return quantities
    return [replace(q, unit=quantities[-1].unit) for q in quantities]
