"""Structured answers: JSON against the gold, field by field, each by its own type."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from ecliptic.grading.comparison import Comparison, different, same, undecided
from ecliptic.grading.diagnose import GradingDiagnosis
from ecliptic.grading.rules import Rules

MAX_FIELDS = 500
MAX_DEPTH = 20
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
    fault = _schema_fault(answer, schema)
    if fault is not None:
        return fault
    results: dict[str, Comparison] = {}
    _compare_value("", gold, answer, rules, compare, schema or {}, results)
    return _summary(results)


def _schema_fault(answer: Any, schema: Mapping[str, Any] | None) -> Comparison | None:
    if not schema:
        return None
    import jsonschema
    import referencing

    try:
        # An empty registry: a schema never makes the grader fetch anything.
        checker = jsonschema.Draft202012Validator(schema, registry=referencing.Registry())
        checker.check_schema(schema)
        faults = sorted(checker.iter_errors(answer), key=lambda fault: list(map(str, fault.path)))
    except (jsonschema.SchemaError, referencing.exceptions.Unresolvable) as error:
        return undecided(
            GradingDiagnosis.UNREADABLE_GOLD,
            f"the record's schema is faulty: {str(error).splitlines()[0][:200]}",
            method="schema",
        )
    if not faults:
        return None
    named = [f"{_place(fault.path)}: {fault.message[:200]}" for fault in faults[:10]]
    code = GradingDiagnosis.SCHEMA
    if all(fault.validator == "required" for fault in faults):
        code = GradingDiagnosis.INCOMPLETE
    return different(
        code, f"the answer breaks its schema at {named[0]}", method="schema", faults=named
    )


def _place(path: Any) -> str:
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path) or "top"


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
    results[name] = _compare_scalar(gold, answer, rules, compare, str(schema.get("grading", "")))


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
    for key, value in gold.items():
        where = f"{place}.{key}" if place else key
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
