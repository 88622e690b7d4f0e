"""``ecliptic grade --records --answers``: a verdict a line, a table, and a run that can go on."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ecliptic.cli.grade_answers import DONE, SOME_FAILED, name_problems, read_answers
from ecliptic.cli.grade_table import TYPES, verdict_table
from ecliptic.errors import UsageError

if TYPE_CHECKING:
    from ecliptic.distributed import Engine
    from ecliptic.grading.rules import Rules
    from ecliptic.grading.verifier import Verifier
    from ecliptic.helio.records import Record

_SILENT_SECONDS = 2.0


_OUTCOMES = ("correct", "incorrect", "undecided")
_MAX_NAMED = 10


def is_line(line: Any) -> bool:
    """Whether a line of a journal is a verdict, with all that the table shows."""
    if not _is_meant(line) or not all(
        isinstance(line.get(name), str) for name in ("key", "id", "status", "type")
    ):
        return False
    verdict = line["verdict"]
    if not isinstance(verdict, dict) or line["type"] not in TYPES:
        return False
    diagnosis = verdict.get("diagnosis", "")
    return (
        verdict.get("outcome") in _OUTCOMES
        and isinstance(verdict.get("details"), dict)
        and (
            diagnosis is None
            or (isinstance(diagnosis, dict) and isinstance(diagnosis.get("code"), str))
        )
    )


def _is_meant(line: Any) -> bool:
    """Whether a line has the names of a verdict, sound or not."""
    return isinstance(line, dict) and {"key", "status", "verdict"} <= line.keys()


def grade_all(
    records_path: Path,
    answers_path: Path,
    out: Path | None,
    rules: Rules,
    verifier: Verifier | None,
    engine: Engine | None = None,
) -> int:
    """Grade every answer that belongs to a record, here or on an engine."""
    from ecliptic.helio.records import read_records
    from ecliptic.run.journal import Journal, encode

    read = read_records(records_path)
    answers, faults = read_answers(answers_path)
    problems = [*map(str, read.problems), *faults]
    by_id = {record.id: record for record in read}
    known = [item for item in answers if item.id in by_id]
    problems += [
        f"{answers_path}: no record '{item.id}' in {records_path}"
        for item in answers
        if item.id not in by_id
    ]
    if not known:
        name_problems(problems)
        raise UsageError(f"{answers_path}: no answer belongs to a record of {records_path}")
    finished = _finished(out)
    keys = [
        f"{item.key}:{_digest(by_id[item.id], item.answer, rules, verifier is not None)}"
        for item in known
    ]
    resumed = sum(key in finished for key in keys)
    todo = [number for number, key in enumerate(keys) if key not in finished]
    pairs = [(by_id[known[number].id], known[number].answer) for number in todo]
    if engine is None:
        graded = _graded_here(pairs, rules, verifier)
    elif verifier is not None:
        raise UsageError("--verifier and --engine do not go together: leave one out")
    else:
        from ecliptic.distributed.grading import verdicts

        graded = verdicts(pairs, rules, engine)
    report = _progress(len(known))
    journal = None if out is None else Journal(out, is_line)
    try:
        for done, (place, verdict) in enumerate(graded, resumed + 1):
            number = todo[place]
            name = known[number].id
            if isinstance(verdict, str):
                problems.append(f"{records_path}: record '{name}': {verdict}")
                report(done)
                continue
            line = {
                "key": keys[number],
                "id": name,
                "status": "done",
                "type": by_id[name].type,
                "verdict": verdict,
            }
            if journal is not None:
                journal.append(encode(line))
            finished[keys[number]] = line
            report(done)
    finally:
        if journal is not None:
            journal.close()
    lines = [finished[key] for key in keys if key in finished]
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
    name_problems(problems)
    return SOME_FAILED if problems else DONE


def _graded_here(
    pairs: Sequence[tuple[Record, Any]], rules: Rules, verifier: Verifier | None
) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """For each pair its number and its verdict as JSON, or what is wrong with the record."""
    from ecliptic.grading.grader import grade

    for number, (record, answer) in enumerate(pairs):
        try:
            yield number, grade(record, answer, rules=rules, verifier=verifier).to_dict()
        except UsageError as error:  # a fault of this record alone
            yield number, str(error)


def _digest(record: Record, answer: Any, rules: Rules, verified: bool) -> str:
    """Names what a verdict depends on, so that a changed question or rule is graded anew."""
    parts = [record.to_dict(), answer, rules.overridden(), verified]
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _finished(out: Path | None) -> dict[str, dict[str, Any]]:
    """Verdicts of an earlier run without damaged lines; another file is not touched."""
    if out is None or not out.exists():
        return {}
    found: dict[str, dict[str, Any]] = {}
    damaged: list[int] = []
    meant = False
    with out.open("rb") as file:
        for number, line in enumerate(file, 1):
            value: Any = None
            with suppress(ValueError, RecursionError):
                value = json.loads(line)
            if isinstance(value, dict) and not _is_meant(value):
                raise UsageError(f"{out}: line {number} is no verdict; choose another --out")
            meant = meant or _is_meant(value)
            if is_line(value):
                found[value["key"]] = value
            elif line.endswith(b"\n"):  # else it was cut short: graded anew
                damaged.append(number)
    if damaged and not meant:
        raise UsageError(f"{out}: line {damaged[0]} is no verdict; choose another --out")
    if damaged:
        shown = ", ".join(map(str, damaged[:_MAX_NAMED]))
        more = " and others" if len(damaged) > _MAX_NAMED else ""
        click.echo(f"{out}: damaged lines are dropped and graded anew: {shown}{more}", err=True)
    return found


def _write(out: Path, lines: list[dict[str, Any]]) -> None:
    """One verdict an answer, in the order of the answers, in one step."""
    from ecliptic.files import atomic_file
    from ecliptic.run.journal import encode

    with atomic_file(out) as file:
        for line in lines:
            file.write(encode(line))


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
