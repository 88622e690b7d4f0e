"""The deterministic check of one cut-out answer by its type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ecliptic.grading.clause_words import clause_words
from ecliptic.grading.cleaning import with_short_gaps
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.json_text import RepeatedNameError, read_json
from ecliptic.grading.parse_failure import ParseFailure
from ecliptic.grading.pieces import strip_delimiters, unwrap_text
from ecliptic.grading.reading import answer_expression, gold_expression, infer_type
from ecliptic.grading.rules import Rules
from ecliptic.grading.structured import compare_structured
from ecliptic.grading.textual import compare_textual
from ecliptic.grading.told_factors import told_factor
from ecliptic.grading.wording import DOUBT, plain_words, side
from ecliptic.grading.work_budget import WorkLimitError, spend

if TYPE_CHECKING:
    from ecliptic.grading.expression import Expression

TYPES = ("numeric", "symbolic", "textual", "structured")
_READ, _CHARACTER, _MAX_CHARACTERS = 100, 2, 20_000
"""Units of work to read one side, and for each of its characters, of which no more are read."""
_DENIED = re.compile(
    r"\b(?:not|never|cannot|impossible|wrong|incorrect|false|unlikely|neither|nor)\b|n['’′]t\b",
    re.I,
)
"""Words of an answer that a formula cut out of it does not show."""
_WRAPPINGS = ("answer", "final_answer", "final answer", "final", "result", "solution")
_EMPTY: Mapping[str, Any] = {}


def check(
    kind: str,
    gold: str,
    answer: str,
    rules: Rules,
    *,
    meta: Mapping[str, Any] = _EMPTY,
    data: Any = None,
) -> Comparison:
    """Compare by type; ``data`` is the value of an answer that was read as JSON already."""
    gold, answer = with_short_gaps(gold), with_short_gaps(answer)
    spend(_READ + _CHARACTER * sum(min(len(side), _MAX_CHARACTERS) for side in (gold, answer)))
    if kind in {"numeric", "symbolic"}:
        return (_numeric if kind == "numeric" else _symbolic)(gold, answer, rules)
    if kind == "textual":
        gold = unwrap_text(strip_delimiters(gold))
        result = compare_textual(gold, answer, rules, meta.get("claims"))
        return (result.outcome == "undecided" and _bare_factor(gold, answer, rules)) or result
    return _structured(gold, answer, rules, meta, data)


def _bare_factor(gold: str, answer: str, rules: Rules) -> Comparison | None:
    """A gold that tells a factor of change, for an answer that is the number alone."""
    if told_factor(" ".join(clause_words(gold))) is None:
        return None
    if any(map(side, plain_words(answer))) or DOUBT.intersection(plain_words(answer)):
        return None
    result = _numeric(gold, answer, rules)
    return result if result.outcome == "same" else None


def _numeric(gold: str, answer: str, rules: Rules) -> Comparison:
    from ecliptic.grading.numeric import compare_numeric

    result = compare_numeric(gold, answer, rules)
    if result.method == "text":
        fault = "the gold answer is not a quantity"
        return replace(result, evidence={"data_error": fault})
    if result.code == GradingDiagnosis.UNREADABLE_GOLD:
        return _with_unreadable_gold(gold, answer, result)
    if result.code in {GradingDiagnosis.PARSE, GradingDiagnosis.NO_ANSWER}:
        # A formula for a number, such as a sum or an integral.
        formula = _symbolic(gold, answer, rules)
        denied = formula.outcome == "same" and _DENIED.search(answer) is not None
        if formula.outcome != "undecided" and not denied:
            return formula
    return result


def _symbolic(gold: str, answer: str, rules: Rules) -> Comparison:
    from ecliptic.grading import worker
    from ecliptic.grading.equivalence import compare
    from ecliptic.grading.other_readings import other_readings

    worker.prepare("ecliptic.grading.simplify_worker")
    grouped = rules.slash_groups_product
    wanted = gold_expression(gold, slash_groups_product=grouped)
    if isinstance(wanted, ParseFailure):
        fault = undecided(
            GradingDiagnosis.UNREADABLE_GOLD,
            f"the gold answer cannot be read as a formula: {wanted}",
            method="parse",
        )
        return _with_unreadable_gold(gold, answer, fault)
    given = answer_expression(answer, slash_groups_product=grouped)
    if isinstance(given, ParseFailure) and not given.limit:
        for pair in other_readings(gold, answer, (wanted, None)):
            result = compare(*pair, rules)
            if result.outcome == "same":
                return result
    if isinstance(given, ParseFailure):
        if given.limit:
            return undecided(
                GradingDiagnosis.RESOURCE_LIMIT,
                f"the answer is too large to be read: {given.message}",
                method="parse",
                limit=given.limit,
            )
        return undecided(
            GradingDiagnosis.PARSE,
            f"the answer cannot be read as a formula: {given.message}",
            method="parse",
            position=given.position,
        )
    result = compare(wanted, given, rules)
    if result.outcome == "same":
        return _as_meant(gold, answer, (wanted, given), rules) or result
    found = _in_chain(wanted, given, rules)
    if found is not None:
        return found
    for pair in other_readings(gold, answer, (wanted, given)):
        other = compare(*pair, rules)
        if other.outcome == "same":
            return other
    return result


def _as_meant(
    gold: str, answer: str, trees: tuple[Expression, Expression], rules: Rules
) -> Comparison | None:
    """Against a gold that says ``e^{-E/kT}``, an answer that has T above is wrong."""
    from ecliptic.grading.equivalence import compare
    from ecliptic.grading.other_readings import meant_readings

    results = [compare(*pair, rules) for pair in meant_readings(gold, answer, trees)]
    if not results or any(result.outcome == "same" for result in results):
        return None
    return results[0]


def _in_chain(gold: Expression, answer: Expression, rules: Rules) -> Comparison | None:
    """``a = b = c`` says ``a = b`` and ``a = c``: for a gold ``a = b`` one of them must hold.

    The other may only go on in further symbols; one that contradicts in the gold's own symbols
    leaves the answer refused.
    """
    from ecliptic.grading.equivalence import compare
    from ecliptic.grading.expression import Relation, Symbol, System, walk
    from ecliptic.grading.statements import EQUALITIES

    if not (isinstance(gold, Relation) and gold.operator == "=" and isinstance(answer, System)):
        return None
    links = answer.statements
    if len(links) > 6 or not all(
        isinstance(link, Relation) and link.operator in EQUALITIES for link in links
    ):
        return None
    chain = [link for link in links if isinstance(link, Relation)]
    if any(left.right != right.left for left, right in pairwise(chain)):
        return None
    sides = [chain[0].left, *(link.right for link in chain)]
    subject = gold.left if gold.left in sides[:-1] else chain[0].left
    rights = [side for side in sides if side is not None and side != subject]
    statements = [Relation("=", subject, side) for side in rights]
    results = [compare(gold, statement, rules) for statement in statements]
    if not any(result.outcome == "same" for result in results):
        return None
    known = {node for node in walk(gold) if isinstance(node, Symbol)}
    for statement, result in zip(statements, results, strict=True):
        symbols = {node for node in walk(statement) if isinstance(node, Symbol)}
        if result.outcome != "same" and symbols <= known:
            return None
        if result.outcome != "same" and not {
            node for node in walk(statement.right) if isinstance(node, Symbol)
        }:
            return None  # a number that was not asked for
    return same("one link of a chain of equalities", method="chain")


def _with_unreadable_gold(gold: str, answer: str, fault: Comparison) -> Comparison:
    """A gold that cannot be read still equals its own text."""
    if strip_delimiters(gold) == strip_delimiters(answer):
        return Comparison("same", None, "the same text", {"data_error": fault.message}, "same text")
    return fault


def _no_json(answer: str, error: ValueError) -> str:
    if not re.search(r"[{\[]", answer):
        return "the answer holds no JSON document"
    return f"the answer is not JSON: {error}"


def _structured(
    gold: str, answer: str, rules: Rules, meta: Mapping[str, Any], data: Any
) -> Comparison:
    try:
        wanted = read_json(gold)
    except ValueError as error:
        fault = undecided(
            GradingDiagnosis.UNREADABLE_GOLD, f"the gold is not JSON: {error}", method="JSON"
        )
        return _with_unreadable_gold(gold, answer, fault)
    if data is None:
        try:
            data = read_json(answer)
        except RepeatedNameError as error:
            return different(
                GradingDiagnosis.SEVERAL_ANSWERS, str(error), method="JSON", field=error.name
            )
        except ValueError as error:
            return different(GradingDiagnosis.SCHEMA, _no_json(answer, error), method="JSON")
    if isinstance(wanted, Mapping) and len(wanted) == 1:
        (key,) = wanted  # the extraction takes a lone field with such a name for a wrapping
        if key in _WRAPPINGS and not (isinstance(data, Mapping) and key in data):
            data = {key: data}
    schema = meta.get("schema")
    return compare_structured(
        wanted, data, rules, _field, schema if isinstance(schema, Mapping) else None
    )


def _field(kind: str, gold: str, answer: str, rules: Rules) -> Comparison:
    """One field of a structured answer; text that is equal is equal whatever it means."""
    if gold == answer:
        return same(method="same text")
    try:
        return check(kind or infer_type(gold), gold, answer, rules)
    except WorkLimitError as limit:  # a wrong field that was found already still counts
        return undecided(GradingDiagnosis.RESOURCE_LIMIT, str(limit), method="fields")
