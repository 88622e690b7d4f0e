"""Comparison of numbers with units: dimension first, then relation, then value.

The gold answer sets the unit. A comparison is ``same`` only when every stated value has its
partner within the tolerance; otherwise the ratio ``answer / gold`` says why: a sign, a power of
ten, a known factor, a prefix, a rounding. An answer that cannot be read is ``undecided``.
"""

from __future__ import annotations

import re

from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.diagnose import GradingDiagnosis as Code
from ecliptic.grading.numeric_lists import (
    compare_all,
    compare_alternatives,
    compare_in_order,
    compare_one_of_many,
)
from ecliptic.grading.numeric_quantity import compare_quantities
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.quantities import Reading, read_quantities
from ecliptic.grading.relation_chains import DOWN, UP
from ecliptic.grading.rules import DEFAULT_RULES, Rules
from ecliptic.grading.shown_quantities import METHOD


def compare_numeric(gold_text: str, answer_text: str, rules: Rules = DEFAULT_RULES) -> Comparison:
    """Whether a short final answer states the quantities of the gold answer."""
    try:
        gold = _read(gold_text, rules)
    except ParseFailure as failure:
        if gold_text.strip() == answer_text.strip() and gold_text.strip():
            return same("the same text", method="text")
        return undecided(
            Code.UNREADABLE_GOLD,
            f"the gold answer is not a quantity: {failure.message}",
            method=METHOD,
        )
    try:
        answer = _read(answer_text, rules)
    except ParseFailure as failure:
        return _unread(failure)
    result = _compare(gold, answer, rules)
    if result.outcome != "same" and gold_text.strip() == answer_text.strip():
        return same("the same text", method="text")
    if result.outcome == "same":
        used = _rules_used(gold, answer)
        return result.decided_by(*used) if used else result
    if answer.commas_unread:
        return _with_decimal_comma(gold_text, answer_text, rules, result)
    return result


def _read(text: str, rules: Rules) -> Reading:
    return read_quantities(
        text,
        decimal_comma=rules.decimal_comma,
        concise_uncertainty=rules.concise_uncertainty,
    )


def _unread(failure: ParseFailure) -> Comparison:
    if failure.limit == "value":
        return different(Code.NOT_FINITE, f"no finite value: {failure.message}", method=METHOD)
    if failure.limit:
        return undecided(Code.RESOURCE_LIMIT, f"{failure.message} ({failure.limit})", method=METHOD)
    return undecided(Code.PARSE, f"the answer is not a quantity: {failure.message}", method=METHOD)


def _rules_used(gold: Reading, answer: Reading) -> tuple[str, ...]:
    """Names of the reading rules that the answer leans on."""
    used = []
    if any(quantity.decimal_comma for quantity in answer.quantities):
        used.append("decimal_comma")
    if any(quantity.concise for quantity in answer.quantities):
        used.append("concise_uncertainty")
    if any(q.arithmetic for q in answer.quantities) and not any(
        q.arithmetic for q in gold.quantities
    ):
        used.append("allow_unevaluated")
    return tuple(used)


def _with_decimal_comma(
    gold_text: str, answer_text: str, rules: Rules, result: Comparison
) -> Comparison:
    try:
        comma = rules.model_copy(update={"decimal_comma": True})
        again = _compare(_read(gold_text, comma), _read(answer_text, comma), comma)
    except ParseFailure:
        return result
    if again.outcome != "same":
        return result
    return different(
        Code.FORMAT,
        "the value is right if the comma is a decimal sign",
        method=METHOD,
        rules=("decimal_comma",),
    )


_ROOT = re.compile(r"_\(?[\d+-]\)?$")
"""Behind the name of one of several roots."""


def _bounds(reading: Reading) -> int:
    """How many inequalities or values of different symbols a text states.

    "And" and "or" between these change their meaning; two roots of one symbol have either.
    """
    labels = {_ROOT.sub("", one.label) for one in reading.quantities}
    bounds = sum(one.relation in DOWN | UP for one in reading.quantities)
    return max(bounds, 0 if "" in labels else len(labels))


def _joined_otherwise(gold: Reading, answer: Reading) -> Comparison:
    if not (gold if answer.alternatives else answer).conjunction:
        message = "a comma between the inequalities may mean 'and' or 'or'"
        return undecided(Code.UNDECIDED, message, method=METHOD)
    return different(Code.RELATION, "'or' and 'and' are exchanged", method=METHOD)


def _compare(gold: Reading, answer: Reading, rules: Rules) -> Comparison:
    wanted, given = gold.quantities, answer.quantities
    if not any(quantity.is_condition for quantity in given) and len(given) < len(wanted):
        wanted = tuple(quantity for quantity in wanted if not quantity.is_condition) or wanted
    if len(wanted) == 1:
        given = tuple(quantity for quantity in given if not quantity.is_condition) or given
    titles, names = [q.label for q in wanted], [q.label for q in given]
    moved = titles != names and sorted(titles) == sorted(names)
    tuples = gold.tuple_of_values and answer.tuple_of_values and not moved
    if tuples and len(wanted) == len(given) > 1:
        return compare_in_order(wanted, given, rules)
    unevaluated = any(q.arithmetic for q in given) and not any(q.arithmetic for q in wanted)
    if unevaluated and not rules.allow_unevaluated:
        return different(
            Code.FORMAT,
            "the answer is an arithmetic expression that was not evaluated",
            method=METHOD,
            rules=("allow_unevaluated",),
        )
    if len(wanted) == 1 and len(given) == 1:
        return compare_quantities(wanted[0], given[0], rules)
    if gold.alternatives != answer.alternatives and _bounds(gold) > 1 < _bounds(answer):
        return _joined_otherwise(gold, answer)
    if answer.alternatives and not gold.alternatives:
        return compare_alternatives(wanted, given, rules)
    if len(wanted) == 1:
        return compare_one_of_many(wanted[0], given, rules)
    return compare_all(wanted, given, rules)
