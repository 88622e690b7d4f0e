"""From a seed to records: problems are drawn, proven and written out, part by part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count as counting
from string import ascii_lowercase
from typing import Any

from ecliptic.errors import ProofError, UsageError
from ecliptic.helio.families.answers import Form, Part, Textual, form_of
from ecliptic.helio.families.catalogue import family_of, topics_of_families
from ecliptic.helio.families.drawing import Draw
from ecliptic.helio.families.proof import prove
from ecliptic.helio.hints import hint_for
from ecliptic.helio.records import Record
from ecliptic.task import content_id

MAX_ATTEMPTS = 200
"""Draws of one problem until its text differs from all before it."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a problem is made of, apart from its number."""

    seed: int
    family: str
    form: Form
    hints: bool = True


def problem(recipe: Recipe, index: int, attempt: int = 0) -> tuple[Record, ...]:
    """All parts of one problem as records, proven; the last has the recipe's form.

    Raises
    ------
    UsageError
        The family has no such form.
    ProofError
        An answer could not be proven; names family, form and index.
    """
    family = family_of(recipe.family)
    if recipe.form not in family.forms:
        raise UsageError(
            f"family '{recipe.family}' has no {recipe.form} form; it has {', '.join(family.forms)}"
        )
    draw = Draw(recipe.seed, recipe.family, recipe.form, index, attempt)
    parts = family.writer(recipe.form)(draw)
    assert form_of(parts[-1].answer) == recipe.form
    group = content_id("problem", *(part.question for part in parts))
    records: list[Record] = []
    for number, part in enumerate(parts):
        try:
            proven = prove(part.answer, draw.points)
        except ProofError as error:
            where = f"{recipe.family}, {recipe.form}, index {index}, attempt {attempt}"
            raise ProofError(f"{where}: {error}") from None
        preamble = tuple(
            _told(label, earlier) for label, earlier in zip(ascii_lowercase, records, strict=False)
        )
        kind = form_of(part.answer)
        records.append(
            Record(
                id=content_id("helio", *preamble, part.question, kind),
                sub_id=ascii_lowercase[number] if len(parts) > 1 else "",
                preamble=preamble,
                question=part.question,
                hint=hint_for(part.answer) if recipe.hints else "",
                step=part.steps,
                final=proven.final,
                type=kind,
                meta={
                    "family": recipe.family,
                    "topic": topics_of_families()[recipe.family],
                    "problem": group,
                    "assumptions": list(family.assumptions),
                    "sources": list(family.sources),
                    "verification": {
                        "first": part.answer.routes.first,
                        "second": part.answer.routes.second,
                        "difference": float(f"{proven.difference:.2g}"),
                        "points": proven.points,
                    },
                    **_grading(part),
                },
            )
        )
    return tuple(records)


def _told(label: str, record: Record) -> str:
    return f"({label}) {record.question} Answer: {record.final}"


def _grading(part: Part) -> dict[str, Any]:
    """What the grader reads: claims of a text, changed rules."""
    answer = part.answer
    options: dict[str, Any] = {}
    if isinstance(answer, Textual):
        options["claims"] = [claim.text for claim in answer.claims]
    if answer.rules:
        options["rules"] = dict(answer.rules)
    return options


def problems(recipe: Recipe, seen: set[str], *, start: int = 0) -> Iterator[tuple[Record, ...]]:
    """Problems without end, none with a text that is in ``seen``, to which each is added.

    Raises
    ------
    ProofError
        A family draws the same texts again and again.
    """
    for index in counting(start):
        for attempt in range(MAX_ATTEMPTS):
            records = problem(recipe, index, attempt)
            texts = {_text(records, number) for number in range(len(records))}
            if not texts & seen:
                seen |= texts
                yield records
                break
        else:
            raise ProofError(
                f"{recipe.family}, {recipe.form}: no new text in {MAX_ATTEMPTS} draws after "
                f"{index - start} problems"
            )


def _text(records: Sequence[Record], number: int) -> str:
    return "\n".join((*records[number].preamble, records[number].question))
