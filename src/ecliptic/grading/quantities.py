"""What a short final answer states: values with unit, uncertainty, range and label.

``read_quantities`` takes the text of a final answer, not a whole solution. Words around the
numbers are allowed as long as they hold no other number and turn nothing round; what cannot be
read as a quantity is a :class:`ParseFailure`, never skipped.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from ecliptic.grading.label_units import label_and_unit
from ecliptic.grading.logarithms import without_logarithms
from ecliptic.grading.measures import Options
from ecliptic.grading.notation import plain
from ecliptic.grading.numbers import find_number
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.quantity import Quantity, joined_range
from ecliptic.grading.quantity_items import items_of
from ecliptic.grading.quantity_lines import NAMED_TUPLE, REACHED, prepared
from ecliptic.grading.relation_chains import DOWN, UP, parts_of, under, without_comparison
from ecliptic.grading.remarks import CLAUSE, PROSE, TRAILING, TURNED_ROUND, stated
from ecliptic.grading.unicode_maths import GREEK as GREEK_NAMES

__all__ = ["MOST_QUANTITIES", "Quantity", "Reading", "read_quantities"]

MOST_QUANTITIES = 40


@dataclass(frozen=True, slots=True)
class Reading:
    """The quantities of a text; ``alternatives`` when they are offered with "or"."""

    quantities: tuple[Quantity, ...]
    alternatives: bool = False
    commas_unread: bool = False
    """A comma between digits that may have been a decimal comma."""
    conjunction: bool = False
    """Whether all items are joined by "and", not by commas alone."""
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
    if "\\" in text and _TIMES_VALUE.match(text):
        raise ParseFailure("a symbol multiplies the number", 0)
    flat = plain(text)
    line = prepared(_with_both_roots(flat) if "±" in flat else flat)
    if not line:
        raise ParseFailure("no number", 0)
    reached = REACHED.search(flat)
    extremum = reached[1][:3].lower() if reached else ""
    options = Options(decimal_comma, concise_uncertainty)
    alternatives = False
    quantities: list[Quantity] = []
    commas = _SUSPICIOUS_COMMA.search(line) is not None and not decimal_comma
    for separator, item in items_of(line, decimal_comma):
        alternatives = alternatives or separator == "or"
        read = _item(item, options)
        if read:
            for found in read:
                quantity = found
                if separator and extremum:
                    extremum = ""
                opens = not separator and not quantities and _GIVEN.match(item) and item != line
                if opens or (separator and quantity.label and _CONDITION.match(item)):
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
    quantities = without_logarithms(quantities)
    in_order = _SET.search(text) is None and (
        (_TUPLE.fullmatch(line) is not None and not any(q.label for q in quantities))
        or NAMED_TUPLE.match(flat) is not None
    )
    conjunction = not alternatives and _AND.search(line) is not None
    return Reading(tuple(_share_units(quantities)), alternatives, commas, conjunction, in_order)


_ROOT = re.compile(r"±\s*(?:\d[\d.]*\s*\*?\s*)?(?:sqrt|√)")


def _with_both_roots(line: str) -> str:
    """``1 ± sqrt(19)`` as its two values: a root is no uncertainty."""
    if line.count("±") != 1 or _ROOT.search(line) is None:
        return line
    return f"{line.replace('±', '+')} ; {line.replace('±', '-')}"


_TIMES_VALUE = re.compile(
    rf"\s*\$?\s*(?:[A-Za-z]|\\(?:var)?(?:{'|'.join(sorted(set(GREEK_NAMES.values())))}))"
    r"(?:_(?:\w|\{\w+\}))?\s*(?:\\[,;:! ]\s*)+\d"
)
"""``v_A\\,5\\ \\mathrm{nT}``: a symbol and a thin space in front of the number."""
_TUPLE = re.compile(r"(?:(?:[^(),]*[=:]|\([A-Za-z_\d, ]*\)\s*=)\s*)?\([^()]*,[^()]*\)")
_SET = re.compile(r"\\\{|\\lbrace|^[\s$]*\{")
"""``\\{-1, 0, 1\\}`` has no order."""
_AND = re.compile(r"\band\b|&", re.I)
_GIVEN = re.compile(r"(?:at|for|with|given|using|assuming|taking|if|when)\s", re.I)
_CONDITION = re.compile(r"(?:for|when|if|assuming|given|at|with|using)\s", re.I)
_SUSPICIOUS_COMMA = re.compile(
    r"(?<![\d,.])(?:0|\d+),(?:\d{1,2}|\d{4,})(?![\d,])|(?<![\d,])0,\d{3}"
)

_ORDER = re.compile(
    r"\(?(?:to )?with(?:in)? an order of magnitude\)?|\(?to an order of magnitude\)?"
    r"|\(?order[- ]of[- ]magnitude(?: estimate)?\)?|\bof (?:the )?order(?: of)?\b"
    r"|\bon the order of\b|\bO\s*(?=\(10)", re.I
)  # fmt: skip


_LOG_LABEL = re.compile(r"(?:^|[^A-Za-z])(log_?\(?10\)?|log|lg|ln)(?=[^A-Za-z]|$)")


def _item(text: str, options: Options) -> list[Quantity]:
    """The quantity of one item; ``a = b = 5 nT`` restates, ``a < x < b`` is a range."""
    text = _PART.sub("", text)
    order = ("order" in text or "O" in text) and _ORDER.search(text) is not None
    if order:
        text = _ORDER.sub(" ", text).strip(TRAILING)
    parts = parts_of(text)
    label = parts[0].strip()
    if len(parts) == 1:
        found = stated(label, options)
        if found and order:
            found = replace(found, order_of_magnitude=order)
        return [found] if found else []
    if len(parts) == 5 and parts[1] in DOWN and parts[3] in DOWN:
        ends = _END[parts[1]] + _END[parts[3]]
        return [replace(_interval(parts[0], parts[2], parts[4], options), ends=ends)]
    if len(parts) == 5 and parts[1] in UP and parts[3] in UP:
        ends = _END[parts[3]] + _END[parts[1]]
        return [replace(_interval(parts[4], parts[2], parts[0], options), ends=ends)]
    first = stated(label, options, quiet=True) if find_number(label) >= 0 else None
    if first is not None and len(parts) == 3 and find_number(parts[2]) < 0:
        # "400 km/s = v", "10^6 K < T"
        if not _NAME.fullmatch(parts[2].strip()):
            raise ParseFailure(f"'{parts[2][:40]}' is not a quantity", 0)
        relation = _MIRRORED.get(parts[1], parts[1])
        return [_labelled(replace(first, order_of_magnitude=order), relation, parts[2])]
    if _NEGATED.match(label):
        raise ParseFailure(f"'{label[:40]}' has a sign of its own", 0)
    if TURNED_ROUND.search(label):
        raise ParseFailure(f"'{label[:40]}' turns the statement round", 0)
    parts = without_comparison(parts, options)
    segments = [stated(part, options, quiet=True) for part in parts[2::2]]
    last = segments[-1]
    if last is not None and last.unit is not None and not last.unit.is_bare:
        segments = [under(part, one, last) for part, one in zip(parts[2::2], segments, strict=True)]
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
    if last.unit is None and first is None:
        label, unit = label_and_unit(label)
        last = replace(last, unit=unit) if unit is not None else last
    return [_labelled(last, relation, label if first is None else "")]


_END = {"<": "<", ">": "<", "≤": "≤", "≥": "≤", "<=": "≤", ">=": "≤"} | dict.fromkeys("≲≳≪≫", "?")
_MIRRORED = {
    "<": ">", ">": "<", "≤": "≥", "≥": "≤", "<=": ">=", ">=": "<=", "≲": "≳", "≳": "≲",
    "≪": "≫", "≫": "≪",
}  # fmt: skip

_NEGATED = re.compile(r"[-−](?=[^\W\d_])")
"""``-x = 5`` is a statement about x; behind the mark of a list, ``- x = 5``, there is a space."""
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
    symbol = _symbol_of(label)
    rate = _RATE.fullmatch(symbol) if quantity.unit is not None else None
    symbol = rate[1] if rate else symbol  # dM/dt is the M with a dot
    words = label if len(label.split()) > 1 else ""
    return replace(quantity, relation=relation, label=symbol, words=words, log_base=base)


_PART = re.compile(
    r"^(?:\([a-hivx]{1,3}\)|\b[a-hivx]{1,3}\)|(?:step|part) \w{1,3}:)\s*(?=\S)", re.I
)
_RATE = re.compile(r"d([A-Za-z]\w*)/dt")
_LEAD = re.compile(r"^(?:i\.\s?e\.,?|so|thus|hence|therefore|then|giving|and)\s+", re.I)
_AROUND_OPERATOR = re.compile(r"\s*([-+*·/^])\s*")


def _symbol_of(label: str) -> str:
    """The symbol that a label ends in: ``The index is therefore q`` is about ``q``."""
    label = _AROUND_OPERATOR.sub(r"\1", _LEAD.sub("", label.strip().rstrip(":")))
    words = label.split()
    if len(words) > 1 and re.fullmatch(r"[A-Za-z]{2,}", words[0]) and not label.startswith("log"):
        label = words[-1]
    symbol = re.sub(r"[\s{}()\\]", "", label)
    if not symbol.isascii():
        symbol = _GREEK.sub(lambda match: GREEK_NAMES[match[0]], symbol)
    return _STARRED.sub("⋆", symbol)


_GREEK = re.compile(rf"[{''.join(GREEK_NAMES)}](?![a-zα-ω])")


_STARRED = re.compile(r"\^?[*★⋆]$|\^ast$|(?<!_[a-z])(?<![A-Za-z]{2})ast$")
"""``L*`` and ``L^*`` are one name."""


def _interval(low: str, label: str, high: str, options: Options) -> Quantity:
    lower, upper = stated(low, options), stated(high, options)
    if lower is None or upper is None or lower.upper or upper.upper:
        raise ParseFailure("the limits of the range are not numbers", 0)
    return _labelled(joined_range(lower, upper), "=", label)


def _share_units(quantities: list[Quantity]) -> list[Quantity]:
    """In a list without labels (``5, 6 and 7 nT``) the last unit holds for all."""
    if len(quantities) < 2 or quantities[-1].unit is None:
        return quantities
    if any(q.unit is not None for q in quantities[:-1]):
        return quantities
    bases = {q.label.partition("_")[0] for q in quantities}
    one_symbol = bases != {""} and len(bases) == 1 and all("_" in q.label for q in quantities)
    if not one_symbol and any(q.label and q.label != quantities[0].label for q in quantities[:-1]):
        return quantities
    if not one_symbol and any(q.label for q in quantities[1:]):
        return quantities
    return [replace(q, unit=quantities[-1].unit) for q in quantities]
