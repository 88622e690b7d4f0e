"""``ecliptic grade``: grade answers to question records, explain one, or measure a verifier."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ecliptic.cli.engine_options import chosen_engine, engine_options
from ecliptic.cli.grade_table import TYPES
from ecliptic.errors import UsageError

if TYPE_CHECKING:
    from ecliptic.grading.rules import Rules
    from ecliptic.grading.verifier import Verifier

_File = click.Path(path_type=Path)


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
@click.option(
    "--claims",
    type=_File,
    help="With --verifier: a file (JSON lines) that keeps the claims it drafts of textual golds.",
)
@engine_options("This process, or a Ray cluster.")
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
    claims: Path | None,
    pairs: Path | None,
    engine: str | None,
    address: str | None,
) -> int:
    """Grade answers to question records.

    Prints a table by type and by diagnosis. Exit status: 0 done, 1 some lines could not be read
    or matched, 2 a mistake in what was asked for.
    """
    if measured is not None:
        from ecliptic.cli.grade_measure import measure

        return measure(measured, pairs)
    rules = _rules(changes)
    verifier = _verifier(model, claims)
    if explain:
        from ecliptic.cli.grade_explain import explain_one

        return explain_one(records, answers, record_id, gold, answer, kind, hint, rules, verifier)
    if records is None or answers is None:
        raise UsageError("give --records and --answers, or --explain with --gold and --answer")
    from ecliptic.cli.grade_all import grade_all

    with chosen_engine(engine, None, address) as chosen:
        return grade_all(records, answers, out, rules, verifier, chosen)


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


def _verifier(model: str | None, claims: Path | None) -> Verifier | None:
    if model is None:
        if claims is not None:
            raise UsageError("--claims needs --verifier")
        return None
    from ecliptic.grading.chat_models import load_model
    from ecliptic.grading.claim_drafts import ClaimDrafts
    from ecliptic.grading.verifier import Verifier

    return Verifier(load_model(model), drafts=ClaimDrafts(claims))
