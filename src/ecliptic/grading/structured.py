"""Structured answers: JSON against the gold, field by field, each by its own type."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from ecliptic.grading.clause_words import clause_words, verb_base
from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.rival_answers import ANSWER_NAMES, RIVAL_NAMES
from ecliptic.grading.rules import Rules
from ecliptic.grading.schema_faults import schema_fault

MAX_FIELDS = 500
MAX_DEPTH = 20
_UNIT_ENDS = ("_unit", "_units", "Unit", " unit")
_UNIT_NAME = re.compile(r"(?:^|[._ ])units?$", re.I)
_COUNTED = re.compile(r"(?:^|[._])(?:year|month|day|cycle|noaa|ar|id)(?:_(?:number|no))?$", re.I)
"""Fields whose whole number is a name or a date, to which no tolerance applies."""
CompareTexts = Callable[[str, str, str, Rules], Comparison]
"""(type or "" to infer it, gold, answer, rules): how one field is compared."""


def compare_structured(
    gold: Any,
    answer: Any,
    rules: Rules,
    compare: CompareTexts,
    schema: Mapping[str, Any] | None = None,
) -> Comparison:
    """Whether every field of ``gold`` is in ``answer`` with the same value.

    A ``schema`` (JSON Schema, from the record) is checked first; its properties may name a type
    for the comparison in ``"grading"``: numeric, symbolic, textual or exact. An object with
    ``value`` and ``unit`` is one quantity.
    """
    fault = schema_fault(answer, schema)
    if fault is not None:
        return fault
    results: dict[str, Comparison] = {}
    _compare_value("", gold, answer, rules, compare, schema or {}, results)
    found = _summary(results)
    rival = _rival(gold, answer, rules, compare, schema or {}) if found.outcome == "same" else None
    return rival or found


def _rival(
    gold: Any, answer: Any, rules: Rules, compare: CompareTexts, schema: Mapping[str, Any]
) -> Comparison | None:
    """A second answer beside the right one, in a field such as "answer" or "correction"."""
    if not isinstance(gold, Mapping) or not isinstance(answer, Mapping):
        return None
    for name in (*ANSWER_NAMES, *RIVAL_NAMES):
        other = answer.get(name)
        if name in gold or other is None:
            continue
        if len(gold) == 1 and isinstance(other, int | float) and not isinstance(other, bool):
            other = dict.fromkeys(gold, other)
        if not isinstance(other, Mapping):
            continue
        part = {key: value for key, value in gold.items() if key in other}
        results: dict[str, Comparison] = {}
        if part:
            _compare_value("", part, other, rules, compare, schema, results)
        if any(result.outcome == "different" for result in results.values()):
            return different(
                GradingDiagnosis.SEVERAL_ANSWERS,
                f"the field '{name}' gives another answer",
                method="fields",
                field=name,
            )
    return None


def _compare_value(
    place: str,
    gold: Any,
    answer: Any,
    rules: Rules,
    compare: CompareTexts,
    schema: Mapping[str, Any],
    results: dict[str, Comparison],
    depth: int = 0,
) -> None:
    name = place or "answer"
    if len(results) >= MAX_FIELDS or depth > MAX_DEPTH:
        results[name] = undecided(
            GradingDiagnosis.RESOURCE_LIMIT, "too many fields or levels", method="fields"
        )
        return
    if isinstance(gold, Mapping):
        if not isinstance(answer, Mapping):
            results[name] = _other_shape("an object with named fields", answer)
        elif _is_quantity(gold):
            results[name] = _compare_quantity(gold, answer, rules, compare)
        else:
            _compare_objects(place, gold, answer, rules, compare, schema, results, depth)
        return
    if isinstance(gold, list):
        if not isinstance(answer, list):
            results[name] = _other_shape("a list", answer)
        elif len(gold) != len(answer):
            code = (
                GradingDiagnosis.INCOMPLETE
                if len(answer) < len(gold)
                else GradingDiagnosis.EXTRA_SOLUTION
            )
            text = f"{len(answer)} entries where {len(gold)} are wanted"
            results[name] = different(code, text, method="fields")
        else:
            inner = schema.get("items")
            for index, (left, right) in enumerate(zip(gold, answer, strict=True)):
                _compare_value(
                    f"{place}[{index}]",
                    left,
                    right,
                    rules,
                    compare,
                    inner if isinstance(inner, Mapping) else {},
                    results,
                    depth + 1,
                )
        return
    kind = str(schema.get("grading", ""))
    if not kind and isinstance(gold, str) and isinstance(answer, str) and _UNIT_NAME.search(place):
        gold, answer, kind = f"1 {gold}", f"1 {answer}", "numeric"
    if not kind and isinstance(gold, int) and isinstance(answer, int) and _COUNTED.search(place):
        kind = "exact"
    result = _compare_scalar(gold, answer, rules, compare, kind)
    if result.outcome == "undecided" and isinstance(gold, str) and isinstance(answer, str):
        key = frozenset(clause_words(re.sub(r"_|(?<=[a-z])(?=[A-Z])", " ", place.split(".")[-1])))
        left, right = _without(key, gold), _without(key, answer)
        if left and left == right:
            result = same("the same words beside the field's own name", method="same words")
    results[name] = result


def _without(key: frozenset[str], text: str) -> list[str]:
    """What a value says beside the name of its field: ``fast`` of ``fast wind`` for ``wind``."""
    return [verb_base(word) for word in clause_words(text) if word not in key]


def _compare_objects(
    place: str,
    gold: Mapping[str, Any],
    answer: Mapping[str, Any],
    rules: Rules,
    compare: CompareTexts,
    schema: Mapping[str, Any],
    results: dict[str, Comparison],
    depth: int,
) -> None:
    properties = schema.get("properties")
    properties = properties if isinstance(properties, Mapping) else {}
    units = {f"{key}{end}": key for key in gold for end in _UNIT_ENDS if f"{key}{end}" in gold}
    if "value" in gold:
        units.update({name: "value" for name in ("unit", "units") if name in gold})
    else:
        units |= _lone_unit(gold)
    paired = {key: name for name, key in units.items() if isinstance(gold[key], int | float)}
    for key, value in gold.items():
        where = f"{place}.{key}" if place else key
        if key in paired and key in answer and paired[key] in answer:
            wanted, given = (
                {"value": side[key], "unit": side[paired[key]]} for side in (gold, answer)
            )
            results[where] = _compare_quantity(wanted, given, rules, compare)
            continue
        if units.get(key) in paired and paired[units[key]] == key and key in answer:
            continue  # compared with its value
        if key not in answer:
            results[where] = different(
                GradingDiagnosis.INCOMPLETE, f"field '{where}' is missing", method="fields"
            )
            continue
        inner = properties.get(key)
        _compare_value(
            where,
            value,
            answer[key],
            rules,
            compare,
            inner if isinstance(inner, Mapping) else {},
            results,
            depth + 1,
        )
    extra = [key for key in answer if key not in gold]
    if extra and not rules.extra_fields:
        results[place or "answer"] = different(
            GradingDiagnosis.EXTRA_SOLUTION,
            f"fields that were not asked for: {', '.join(extra[:10])}",
            method="fields",
            rules=("extra_fields",),
        )


def _lone_unit(gold: Mapping[str, Any]) -> dict[str, str]:
    """``{"B": 5.2, "unit": "nT"}``: the unit belongs to the one number beside it."""
    names = [name for name in ("unit", "units") if isinstance(gold.get(name), str)]
    numbers = [
        key for key, value in gold.items() if isinstance(value, int | float) and value is not True
    ]
    return {names[0]: numbers[0]} if len(names) == len(numbers) == 1 else {}


def _is_quantity(value: Mapping[str, Any]) -> bool:
    return "value" in value and set(value) <= {"value", "unit", "units", "uncertainty"}


def _compare_quantity(
    gold: Mapping[str, Any], answer: Mapping[str, Any], rules: Rules, compare: CompareTexts
) -> Comparison:
    if "value" not in answer:
        return different(
            GradingDiagnosis.INCOMPLETE, "field 'value' is missing", method="fields", field="value"
        )
    wanted_unit = _text(gold.get("unit", gold.get("units", "")))
    given_unit = _text(answer.get("unit", answer.get("units", "")))
    value = answer["value"]
    if wanted_unit and not given_unit and isinstance(value, int | float):
        return different(
            GradingDiagnosis.INCOMPLETE, "field 'unit' is missing", method="fields", field="unit"
        )
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return _other_shape("a number", value)
    if isinstance(value, str) and not rules.number_as_text and not isinstance(gold["value"], str):
        return different(
            GradingDiagnosis.FORMAT,
            "field 'value' is text, not a number",
            method="fields",
            rules=("number_as_text",),
        )
    left = f"{_text(gold['value'])} {wanted_unit}".strip()
    return compare("numeric", left, f"{_text(value)} {given_unit}".strip(), rules)


def _compare_scalar(
    gold: Any, answer: Any, rules: Rules, compare: CompareTexts, kind: str
) -> Comparison:
    if isinstance(answer, Mapping | list):
        return _other_shape("a single value", answer)
    if isinstance(gold, bool) or gold is None or kind == "exact":
        alike = type(gold) is type(answer) and gold == answer
        if alike:
            return same(method="exact")
        return different(
            GradingDiagnosis.CONTRADICTION
            if isinstance(gold, bool) and isinstance(answer, bool)
            else GradingDiagnosis.NOT_EQUIVALENT,
            f"{_text(answer)[:60]} for {_text(gold)[:60]}",
            method="exact",
        )
    if isinstance(answer, bool) or answer is None:
        return _other_shape("a value", answer)
    if isinstance(gold, int | float):
        if isinstance(answer, str) and not rules.number_as_text:
            return different(
                GradingDiagnosis.FORMAT,
                "the field is text, not a number",
                method="fields",
                rules=("number_as_text",),
            )
        return compare(kind or "numeric", _text(gold), _text(answer), rules)
    return compare(kind, _text(gold), _text(answer), rules)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str)


def _other_shape(wanted: str, answer: Any) -> Comparison:
    return different(
        GradingDiagnosis.SCHEMA,
        f"{wanted} is wanted, not {_text(answer)[:60]}",
        method="fields",
    )


def _summary(results: Mapping[str, Comparison]) -> Comparison:
    shown = {name: result.outcome for name, result in results.items()}
    rules = tuple(dict.fromkeys(rule for result in results.values() for rule in result.rules))
    for outcome in ("different", "undecided"):
        for name, result in results.items():
            if result.outcome != outcome:
                continue
            return Comparison(
                result.outcome,
                result.code,
                result.message if len(results) == 1 else f"field '{name}': {result.message}",
                {**result.evidence, "fields": shown, "field": name},
                f"fields: {result.method}",
                rules,
            )
    return same("every field agrees", method="fields", rules=rules, fields=shown)
