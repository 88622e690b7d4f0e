"""``ecliptic grade``: grade answers to question records, explain one, or measure a verifier."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ecliptic.cli.grade_table import MAX_NAMED, TYPES, rates_table, verdict_table
from ecliptic.errors import TaskError, UsageError

if TYPE_CHECKING:
    from ecliptic.grading.rules import Rules
    from ecliptic.grading.verifier import Verifier
    from ecliptic.helio.records import Record

DONE, SOME_FAILED = 0, 1
ANSWER_FIELDS = ("answer", "prediction", "response", "output")
_SILENT_SECONDS = 2.0
_File = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class _Answer:
    """One line of the file of answers."""

    id: str
    answer: Any
    key: str


@click.command()
@click.option("--records", type=_File, help="Question records, JSON lines.")
@click.option(
    "--answers",
    type=_File,
    help='Answers, JSON lines: {"id": ..., "answer": ...}; an id may come several times.',
)
@click.option("--out", type=_File, help="Write a verdict a line; a stopped run goes on there.")
@click.option("--explain", is_flag=True, help="Show for one answer how its verdict came about.")
@click.option("--id", "record_id", help="With --explain: the record, from --records.")
@click.option("--gold", help="With --explain: the gold answer.")
@click.option("--answer", help="With --explain: the answer ('-' reads it from standard input).")
@click.option(
    "--type", "kind", type=click.Choice(TYPES), help="With --gold; inferred when left out."
)
@click.option("--hint", default="", help="With --gold: the form that is asked for.")
@click.option(
    "--rule",
    "changes",
    multiple=True,
    metavar="NAME=VALUE",
    help="Change a convention, such as relative_tolerance=0.01; may be repeated.",
)
@click.option(
    "--verifier",
    "model",
    metavar="MODEL",
    help="A chat model for undecided answers: package.module:name, or a file of replies (.jsonl).",
)
@click.option(
    "--measure-verifier",
    "measured",
    metavar="MODEL",
    help="Error rates of a chat model as a verifier, on the labelled --pairs.",
)
@click.option("--pairs", type=_File, help="Labelled pairs, JSON lines: gold, pred, expected.")
def grade(
    records: Path | None,
    answers: Path | None,
    out: Path | None,
    explain: bool,
    record_id: str | None,
    gold: str | None,
    answer: str | None,
    kind: str | None,
    hint: str,
    changes: tuple[str, ...],
    model: str | None,
    measured: str | None,
    pairs: Path | None,
) -> int:
    """Grade answers to question records.

    Prints a table by type and by diagnosis. Exit status: 0 done, 1 some lines could not be read
    or matched, 2 a mistake in what was asked for.
    """
    if measured is not None:
        return _measure(measured, pairs)
    rules = _rules(changes)
    verifier = _verifier(model)
    if explain:
        return _explain(records, answers, record_id, gold, answer, kind, hint, rules, verifier)
    if records is None or answers is None:
        raise UsageError("give --records and --answers, or --explain with --gold and --answer")
    return _grade_all(records, answers, out, rules, verifier)


def _rules(changes: tuple[str, ...]) -> Rules:
    from ecliptic.grading.rules import DEFAULT_RULES

    named: dict[str, Any] = {}
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals:
            raise UsageError(f"--rule '{change}' is not of the form NAME=VALUE")
        try:
            named[name.strip()] = json.loads(text)
        except ValueError:
            named[name.strip()] = text
    return DEFAULT_RULES.updated(named)


def _verifier(model: str | None) -> Verifier | None:
    if model is None:
        return None
    from ecliptic.grading.verifier import Verifier, load_model

    return Verifier(load_model(model))


def _explain(
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
        found, _ = _read_answers(answers)
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


def _read_answers(path: Path) -> tuple[list[_Answer], list[str]]:
    """Answers in order, and what was wrong with the other lines."""
    from ecliptic.helio.records import read_lines

    answers: list[_Answer] = []
    problems: list[str] = []
    seen: Counter[str] = Counter()
    for number, value in read_lines(path):
        if isinstance(value, TaskError):
            problems.append(str(value))
            continue
        where = f"{path}: line {number}"
        if not isinstance(value, Mapping) or not isinstance(value.get("id"), str):
            problems.append(f"{where}: field 'id' must be the id of a record")
            continue
        field = next((name for name in ANSWER_FIELDS if name in value), None)
        if field is None:
            problems.append(f"{where}: field 'answer' is missing")
            continue
        seen[value["id"]] += 1
        key = f"{value['id']}#{seen[value['id']]}"
        answers.append(_Answer(value["id"], value[field], key))
    return answers, problems


def _is_line(line: Any) -> bool:
    return isinstance(line, dict) and {"key", "status", "verdict"} <= line.keys()


def _grade_all(
    records_path: Path,
    answers_path: Path,
    out: Path | None,
    rules: Rules,
    verifier: Verifier | None,
) -> int:
    from ecliptic.grading.grader import grade as grade_one
    from ecliptic.helio.records import read_records
    from ecliptic.run.journal import Journal, encode

    read = read_records(records_path)
    answers, faults = _read_answers(answers_path)
    problems = [*map(str, read.problems), *faults]
    by_id = {record.id: record for record in read}
    known = [item for item in answers if item.id in by_id]
    problems += [
        f"{answers_path}: no record '{item.id}' in {records_path}"
        for item in answers
        if item.id not in by_id
    ]
    if not known:
        _name(problems)
        raise UsageError(f"{answers_path}: no answer belongs to a record of {records_path}")
    finished = _finished(out)
    lines: list[dict[str, Any]] = []
    report = _progress(len(known))
    journal = None if out is None else Journal(out, _is_line)
    resumed = 0
    try:
        for number, item in enumerate(known, 1):
            record = by_id[item.id]
            key = f"{item.key}:{_digest(record, item.answer, rules, verifier is not None)}"
            line = finished.get(key)
            if line is None:
                try:
                    verdict = grade_one(record, item.answer, rules=rules, verifier=verifier)
                except UsageError as error:  # a fault of this record alone
                    problems.append(f"{records_path}: record '{item.id}': {error}")
                    report(number)
                    continue
                line = {
                    "key": key,
                    "id": item.id,
                    "status": "done",
                    "type": record.type,
                    "verdict": verdict.to_dict(),
                }
                if journal is not None:
                    journal.append(encode(line))
            else:
                resumed += 1
            lines.append(line)
            report(number)
    finally:
        if journal is not None:
            journal.close()
    if out is not None:
        _write(out, lines)
    for text in verdict_table(lines):
        click.echo(text)
    unanswered = len(by_id.keys() - {item.id for item in known})
    if unanswered:
        click.echo(f"{unanswered} of {len(by_id)} records have no answer", err=True)
    if resumed:
        click.echo(f"{resumed} verdicts were taken from {out}", err=True)
    if out is not None:
        click.echo(f"{len(lines)} verdicts -> {out}")
    _name(problems)
    return SOME_FAILED if problems else DONE


def _digest(record: Record, answer: Any, rules: Rules, verified: bool) -> str:
    """Names what a verdict depends on, so that a changed question or rule is graded anew."""
    parts = [record.to_dict(), answer, rules.overridden(), verified]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _finished(out: Path | None) -> dict[str, dict[str, Any]]:
    """Verdicts of an earlier run; a file that is something else is not touched."""
    if out is None or not out.exists():
        return {}
    found: dict[str, dict[str, Any]] = {}
    with out.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                value = json.loads(line)
            except ValueError:
                if line.endswith(b"\n"):
                    raise UsageError(
                        f"{out}: line {number} is no verdict; choose another --out"
                    ) from None
                continue  # a line that was cut short: graded anew
            if not isinstance(value, dict) or not {"key", "status", "verdict"} <= value.keys():
                raise UsageError(f"{out}: line {number} is no verdict; choose another --out")
            found[value["key"]] = value
    return found


def _write(out: Path, lines: list[dict[str, Any]]) -> None:
    """One verdict an answer, in the order of the answers, in one step."""
    from ecliptic.files import atomic_file
    from ecliptic.run.journal import encode

    with atomic_file(out) as file:
        for line in lines:
            file.write(encode(line))


def _name(problems: list[str]) -> None:
    for problem in problems[:MAX_NAMED]:
        click.echo(problem, err=True)
    if len(problems) > MAX_NAMED:
        click.echo(f"... and {len(problems) - MAX_NAMED} more", err=True)


def _progress(total: int) -> Any:
    """A counter on the terminal, shown only when the work takes longer than a moment."""
    start = time.monotonic()
    shown = False

    def report(done: int) -> None:
        nonlocal shown
        if not sys.stderr.isatty():
            return
        if done == total:
            if shown:
                click.echo("\r\033[K", err=True, nl=False)
        elif time.monotonic() - start > _SILENT_SECONDS and done % 10 == 0:
            shown = True
            rate = done / (time.monotonic() - start)
            left = f"{(total - done) / rate:.0f} s left"
            click.echo(f"\r\033[Kgrading {done}/{total}, {left}", err=True, nl=False)

    return report


def _measure(model: str, path: Path | None) -> int:
    from ecliptic.grading.verifier import load_model, measure_verifier
    from ecliptic.helio.records import read_lines

    if path is None:
        raise UsageError("--measure-verifier needs --pairs")
    pairs: list[Mapping[str, Any]] = []
    problems: list[str] = []
    for number, value in read_lines(path):
        if isinstance(value, TaskError):
            problems.append(str(value))
        elif not isinstance(value, Mapping) or not {"gold", "pred", "expected"} <= value.keys():
            problems.append(f"{path}: line {number}: must have gold, pred and expected")
        else:
            pairs.append(value)
    if not pairs:
        _name(problems)
        raise UsageError(f"{path}: no labelled pair could be read")
    rates = measure_verifier(pairs, load_model(model))
    for text in rates_table(rates):
        click.echo(text)
    _name(problems)
    return SOME_FAILED if problems else DONE
