"""The final by itself: it is read by its type, and has the unit and form that are asked for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ecliptic.errors import UsageError
from ecliptic.grading import grade
from ecliptic.grading.formats import check_formats
from ecliptic.grading.reading import infer_type
from ecliptic.helio.gold_audit.findings import Check, Finding
from ecliptic.helio.gold_audit.mathematics import (
    free_symbols,
    read_final,
    solutions_of,
    symbols_mentioned,
)
from ecliptic.helio.gold_audit.quantities_stated import (
    holds_quantities,
)
from ecliptic.helio.gold_audit.unit_asked import check_unit
from ecliptic.helio.records import Record

_WORD = re.compile(r"\b[A-Za-z]{2,}\b")
_WORDS_OF_A_SENTENCE = 3


def check_answer(record: Record) -> Iterator[Finding]:
    """Parse, type, unit and form of the final."""
    if not record.final.strip():
        return
    readable = True
    for finding in _readable(record):
        readable = readable and finding.severity != "error"
        yield finding
    if record.type == "numeric" and readable:
        yield from check_unit(record)
    if record.type != "structured":
        yield from _form(record)


def _readable(record: Record) -> Iterator[Finding]:
    try:
        # Without the question: "show that ..." holds the final, which would be taken for an echo.
        alone = {"final": record.final, "type": record.type, "meta": record.meta}
        verdict = grade(alone, record.final)
    except UsageError as error:
        yield Finding(
            record.id,
            Check.PARSE,
            "error",
            f"The final cannot be graded: {error}.",
            "Mend the final or the options in meta.",
        )
        return
    fault = verdict.details.get("data_error")
    if fault is None and verdict.details["comparison"]["outcome"] != "same":
        fault = verdict.details["comparison"]["message"]
    if fault is not None:
        yield Finding(
            record.id,
            Check.PARSE,
            "error",
            f"The final is not read as {record.type}: {fault}.",
            "Write it so that a grader can read it, or give it another type.",
            {"final": record.final},
        )
        return
    inferred = infer_type(record.final)
    if inferred == record.type or {record.type, inferred} == {"structured", "textual"}:
        return
    if record.type == "textual" and len(_WORD.findall(record.final)) >= _WORDS_OF_A_SENTENCE:
        return  # a sentence that holds a number or formula
    if record.type == "numeric" and holds_quantities(record.final):
        return  # ``9.6 R_E``: a quantity, although it has letters
    if record.type == "symbolic" and _holds_symbols(record):
        return  # ``v = V/2``: V is no volt
    yield Finding(
        record.id,
        Check.TYPE,
        "warning",
        f"The type is {record.type}, but the final looks {inferred}.",
        f"Set the type to {inferred}, or rewrite the final.",
        {"type": record.type, "inferred": inferred},
    )


def _holds_symbols(record: Record) -> bool:
    """Whether the right side of a formula holds a symbol that the question names."""
    tree = read_final(record.final)
    if isinstance(tree, str):
        return False
    named = symbols_mentioned((*record.preamble, record.question))
    return any(set(free_symbols(found.value)) & named for found in solutions_of(tree))


def _form(record: Record) -> Iterator[Finding]:
    for demand in check_formats(record.hint, record.final, record.final):
        if demand.passed or demand.name.startswith("in "):
            continue  # units are compared by their dimension above
        yield Finding(
            record.id,
            Check.FORM,
            "error" if demand.strict else "warning",
            f"The hint asks for the form '{demand.name}', which the final does not have.",
            "Change the final or the hint.",
            {"hint": record.hint, "demand": demand.name},
        )
    if record.type == "symbolic":
        yield from _left_side(record)


_LEFT = re.compile(r"\$\s*([^$=]{1,60}?)\s*=\s*(?:\\l?dots|\.\.\.|…)\s*\$")


def _left_side(record: Record) -> Iterator[Finding]:
    """``$v = \\ldots$`` in the hint names what the final is about."""
    match = _LEFT.search(record.hint)
    if match is None:
        return
    wanted = read_final(match[1])
    verdict = read_final(record.final.partition("=")[0].strip("$ "))
    if "=" in record.final and wanted == verdict:
        return
    yield Finding(
        record.id,
        Check.FORM,
        "error" if "=" in record.final else "warning",
        f"The hint asks for an equation {match[1]} = ..., which the final is not.",
        f"Begin the final with {match[1]} =, or change the hint.",
        {"hint": record.hint, "demand": f"{match[1]} ="},
    )
