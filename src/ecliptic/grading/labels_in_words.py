"""Values and the names that words beside them give: ``1 MK (protons), 2 MK (electrons)``.

A list of right values answers nothing when its words exchange the names of the gold, and a right
number is no answer when the same text gives the sought symbol another value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.measures import Options, number_and_unit
from ecliptic.grading.notation import plain
from ecliptic.grading.numbers import find_number
from ecliptic.grading.numeric_quantity import compare_quantities
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.quantities import read_quantities
from ecliptic.grading.quantity import Quantity
from ecliptic.grading.rules import Rules
from ecliptic.grading.sentences import without_bold
from ecliptic.grading.unicode_maths import GREEK

METHOD = "names beside the values"
_MAX_TEXT = 2000
_OPTIONS = Options(False, True)
_GROUPS = (
    # word of each name, subscripts of each
    (
        ("electrons?", "e el ele electron"),
        ("protons?", "p proton H"),
        ("ions?", "i ion"),
        ("alphas?|helium", "alpha α He"),
    ),
    (("slow(?:er)?", "slow s sl"), ("fast(?:er)?", "fast f")),
    (
        ("first|1st", "1"),
        ("second|2nd", "2"),
        ("third|3rd", "3"),
        ("fourth|4th", "4"),
        ("fifth|5th", "5"),
    ),
    (("inner(?:most)?|inside|interior", "in inner i"), ("outer(?:most)?|outside", "out outer o")),
    (("min(?:imum|imal)?|smallest|lowest", "min"), ("max(?:imum|imal)?|largest|highest", "max")),
    (("upstream", "u up upstream 1"), ("downstream", "d down downstream 2")),
    (("parallel", "∥ parallel par || ‖"), ("perpendicular|transverse", "⊥ perp perpendicular")),
    (("north(?:ern)?", "N north"), ("south(?:ern)?", "S south")),
    (("hot(?:ter)?", "hot h"), ("cold(?:er)?|cool(?:er)?", "cold cool c")),
    (("day(?:side)?", "day d"), ("night(?:side)?", "night n")),
    (("left", "left l L"), ("right", "right r R")),
    (("before|initial(?:ly)?", "before i 0 initial"), ("after|final(?:ly)?", "after f final")),
)
_NAMES = tuple(
    tuple((re.compile(rf"\b(?:{word})\b", re.I), frozenset(marks.split())) for word, marks in group)
    for group in _GROUPS
)
_Names = tuple[tuple[re.Pattern[str], frozenset[str]], ...]
_TURNED = re.compile(
    r"\b(?:not|no|never|or|if|maybe|perhaps|possibly|wrong|instead|swap\w*|other way|vice versa"
    r"|than|twice|half|error|uncertainty|may|might|could|wait|actually)\b|n['’]t\b|\?|[<>≤≥~±]",
    re.I,
)
_SUBSCRIPT = re.compile(r"_\(?([^\s()_^=,;:]+)\)?")
_CLAUSE = re.compile(r"\n|[;!?]|,(?!\d)|\.(?=\s|$)|\b(?:and|while|whereas|but|or)\b")
_SAYS = r"(?:=|≈|:|\b(?:is|was|equals|comes to|becomes)\b)\s*(?:about |roughly |only |then )*"
_STATEMENT_ENDS = re.compile(r"[,;](?!\d)|\.(?=\s|$)|\b(?:and|while|whereas|but|for|with|at|so)\b")
_SYMBOL = re.compile(r"[A-Za-zΑ-ω]+(?:_\w+)?")


def paired_otherwise(gold: str, answer: str, taken: str, rules: Rules) -> Comparison | None:
    """A fault where words give the values of a gold of several to other names than it does."""
    text = answer if answer and len(answer) <= _MAX_TEXT else taken
    for names, by_key in _wanted(gold):
        if fault := _fault(by_key, _pairs(text, names), rules):
            return fault
    return None


_SEVERAL = re.compile(r"(?<!\\),|[;&\n|]|\\\\|\band\b|\bto\b")
"""What stands between two values; a first look."""


def paired_rightly(gold: str, answer: str, rules: Rules) -> Comparison | None:
    """``same`` where words give each value of the gold to its name, in whatever order."""
    if len(answer) > _MAX_TEXT or _TURNED.search(answer):
        return None
    for names, by_key in _wanted(gold):
        pairs = _pairs(answer, names)
        if len(pairs) != len(by_key) or {key for key, _ in pairs} != set(by_key):
            continue
        if all(compare_quantities(_bare(by_key[key]), _bare(one), rules).outcome == "same"
               for key, one in pairs):  # fmt: skip
            return same("each value with its name", method=METHOD)
    return None


def _wanted(gold: str) -> Iterator[tuple[_Names, dict[int, Quantity]]]:
    """The values of a gold by the place of their names, for every group that names them all."""
    if len(gold) > _MAX_TEXT or not _SEVERAL.search(gold):
        return
    wanted = _quantities(gold)
    if len(wanted) < 2:
        return
    for names in _NAMES:
        keys = [_key_of_label(one.label, names) for one in wanted]
        pairs = [(key, one) for key, one in zip(keys, wanted, strict=True) if key is not None]
        if not pairs:
            pairs = _pairs(gold, names)
        by_key = dict(pairs)
        if len(by_key) == len(pairs) == len(wanted):
            yield names, by_key


def _fault(
    wanted: dict[int, Quantity], pairs: list[tuple[int, Quantity]], rules: Rules
) -> Comparison | None:
    for key, value in pairs:
        holders = [name for name, one in wanted.items() if _equal(one, value, rules)]
        if not holders or key in holders:
            continue
        if key in wanted:
            message = f"the value of {wanted[holders[0]].label} is given to {wanted[key].label}"
            return different(GradingDiagnosis.SWAPPED, message, method=METHOD)
        message = f"the value of {wanted[holders[0]].label} is given to a name the gold has not"
        return undecided(GradingDiagnosis.UNDECIDED, message, method=METHOD)
    return None


def _quantities(text: str) -> tuple[Quantity, ...]:
    try:
        return read_quantities(text).quantities
    except ParseFailure:
        return ()


def _read_line(text: str) -> str:
    """The line in plain characters; as it stands where its brackets do not close."""
    try:
        return plain(without_bold(text))
    except ParseFailure:
        return text


def _key_of_label(label: str, names: _Names) -> int | None:
    match = _SUBSCRIPT.search(label)
    return next((at for at, (_, marks) in enumerate(names) if match and match[1] in marks), None)


def _pairs(text: str, names: _Names) -> list[tuple[int, Quantity]]:
    """Names and values that stand in one clause each; none where a name or value is left over."""
    found: list[tuple[list[int], list[Quantity]]] = []
    for raw in text.split("\n"):
        line = _read_line(raw)
        found += [(_keys_in(part, names), _values_in(part)) for part in _CLAUSE.split(line)]
    if "respectively" in text.casefold():
        keys = [key for clause, _ in found for key in clause]
        values = [value for _, clause in found for value in clause]
        return list(zip(keys, _shared(values), strict=True)) if len(keys) == len(values) else []
    pairs: list[tuple[int, Quantity]] = []
    waiting: list[int] = []
    for keys, values in found:
        if len(keys) > 1 or len(values) > 1 or (keys and waiting):
            return []
        if values and (keys or waiting):
            pairs.append(((keys or waiting)[0], values[0]))
            waiting = []
        elif values and pairs:
            return []
        elif keys:
            waiting = keys
    values = _shared([value for _, value in pairs])
    return [(key, value) for (key, _), value in zip(pairs, values, strict=True)]


def _keys_in(clause: str, names: _Names) -> list[int]:
    marks = _SUBSCRIPT.findall(clause)
    places = {
        at: match.start() if match else 0
        for at, (word, subscripts) in enumerate(names)
        if (match := word.search(clause)) or subscripts.intersection(marks)
    }
    return sorted(places, key=lambda at: places[at])


def _values_in(clause: str) -> list[Quantity]:
    found: list[Quantity] = []
    at = last = 0
    while (start := find_number(clause, at)) >= 0 and len(found) < 4:
        try:
            value, at = number_and_unit(clause, start, _OPTIONS)
        except ParseFailure:
            return []
        if found and re.fullmatch(r"[^=≈]*[=≈(]\s*", clause[last:start]):
            found.pop()  # a restatement
        found.append(value)
        last = at
    return found


def _shared(values: list[Quantity]) -> list[Quantity]:
    units = [value.unit for value in values if value.unit is not None]
    return [replace(one, unit=one.unit or (units[-1] if units else None)) for one in values]


def _equal(one: Quantity, other: Quantity, rules: Rules) -> bool:
    return compare_quantities(_bare(one), _bare(other), rules).outcome == "same"


def _bare(quantity: Quantity) -> Quantity:
    return replace(quantity, label="", words="", restated=(), log_base="", relation="=")


def given_to_another(gold: str, answer: str, taken: str, rules: Rules) -> Comparison | None:
    """``undecided`` where the answer gives the gold's symbol another value, or a change of it."""
    wanted = _quantities(gold)
    if len(wanted) != 1 or not _SYMBOL.fullmatch(wanted[0].label) or wanted[0].log_base:
        return None
    text = answer if answer and len(answer) <= _MAX_TEXT else taken
    symbol = re.escape(wanted[0].label)
    line = " \n".join(_spelled(_read_line(part)) for part in text.split("\n"))
    change = re.compile(rf"(?<![A-Za-z])(?:Delta|delta|Δ|δ|∆)\s*{symbol}\s*{_SAYS}")
    says = re.compile(rf"(?<![\w^_/*·+-])(?<!elta )(?<![Δδ∆]){symbol}(?:\s*{_SAYS})")
    others = []
    for value in _stated(line, says):
        result = compare_quantities(_bare(wanted[0]), _bare(value), rules)
        if result.outcome == "same":
            return None
        if (value.unit is None) == (wanted[0].unit is None) and result.code not in {
            GradingDiagnosis.UNIT_INCOMPATIBLE,
            GradingDiagnosis.UNIT_MISSING,
        }:
            others.append(value)
    if others:
        message = f"the answer gives {wanted[0].label} another value"
        return undecided(GradingDiagnosis.UNDECIDED, message, method=METHOD)
    if change.search(line) and not re.search(r"(?i)delta|[Δδ∆]", gold):
        message = f"the value is given for a change of {wanted[0].label}"
        return undecided(GradingDiagnosis.UNDECIDED, message, method=METHOD)
    return None


def _spelled(line: str) -> str:
    return re.sub(rf"[{''.join(GREEK)}]", lambda match: GREEK[match[0]], line)


def _stated(line: str, says: re.Pattern[str]) -> Iterator[Quantity]:
    """The last value of each chain of equalities that begins with the symbol."""
    for match in says.finditer(line):
        last = re.split(r"[=≈]", _STATEMENT_ENDS.split(line[match.end() :], maxsplit=1)[0])[-1]
        last = last.strip(" .()")
        if find_number(last) != 0:
            continue
        try:
            value, end = number_and_unit(last, 0, _OPTIONS)
        except ParseFailure:
            continue
        if value.upper is None and re.fullmatch(r"[\s.)]*(?:\(.*|[a-z ]{3,40})?", last[end:]):
            yield value
