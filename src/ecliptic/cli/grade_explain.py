"""``ecliptic grade --explain``: how the verdict on one answer came about."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ecliptic.cli.grade_answers import DONE, read_answers
from ecliptic.errors import UsageError

if TYPE_CHECKING:
    from ecliptic.grading.rules import Rules
    from ecliptic.grading.verifier import Verifier
    from ecliptic.helio.records import Record


def explain_one(
    records: Path | None,
    answers: Path | None,
    record_id: str | None,
    gold: str | None,
    answer: str | None,
    kind: str | None,
    hint: str,
    rules: Rules,
    verifier: Verifier | None,
) -> int:
    """Grade one answer and print what was extracted, read, compared and found."""
    from ecliptic.grading.explanation import explain
    from ecliptic.grading.grader import grade as grade_one

    record: Record | None = None
    if record_id is not None:
        if records is None:
            raise UsageError("--id needs --records")
        record = _record(records, record_id)
    elif gold is None:
        raise UsageError("--explain needs --gold, or --records with --id")
    given: Any = sys.stdin.read() if answer == "-" else answer
    if given is None and answers is not None and record_id is not None:
        found, _ = read_answers(answers)
        matching = [item for item in found if item.id == record_id]
        if not matching:
            raise UsageError(f"{answers}: no answer to '{record_id}'")
        given = matching[-1].answer
    if given is None:
        raise UsageError("--explain needs --answer (or --answers with --id)")
    verdict = grade_one(
        record, given, gold=gold, type=kind, hint=hint, rules=rules, verifier=verifier
    )
    if record is not None and record.question:
        click.echo(f"question     {' '.join(record.question.split())[:400]}")
    click.echo(explain(verdict))
    return DONE


def _record(path: Path, record_id: str) -> Record:
    import difflib

    from ecliptic.helio.records import read_records

    known = {record.id: record for record in read_records(path)}
    if record_id not in known:
        close = difflib.get_close_matches(record_id, known, n=1)
        hint = f"; did you mean '{close[0]}'?" if close else ""
        raise UsageError(f"{path}: no record '{record_id}'{hint}")
    return known[record_id]
