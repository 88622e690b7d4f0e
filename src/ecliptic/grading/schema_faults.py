"""Where an answer breaks the JSON schema of its record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ecliptic.grading.comparison import Comparison, different, undecided
from ecliptic.grading.diagnose import GradingDiagnosis


def schema_fault(answer: Any, schema: Mapping[str, Any] | None) -> Comparison | None:
    """What in ``answer`` breaks the ``schema``; ``None`` where nothing does or there is none."""
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
