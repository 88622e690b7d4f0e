"""Answers that are handed to ``ecliptic grade``, and what could not be read of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from ecliptic.cli.grade_table import MAX_NAMED
from ecliptic.errors import TaskError

DONE, SOME_FAILED = 0, 1
ANSWER_FIELDS = ("answer", "prediction", "response", "output")


@dataclass(frozen=True, slots=True)
class Answer:
    """One line of the file of answers."""

    id: str
    answer: Any
    key: str


def read_answers(path: Path) -> tuple[list[Answer], list[str]]:
    """Answers in order, and what was wrong with the other lines."""
    from ecliptic.helio.records import read_lines

    answers: list[Answer] = []
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
        answers.append(Answer(value["id"], value[field], key))
    return answers, problems


def name_problems(problems: list[str]) -> None:
    """Say the first few problems, and how many more there are."""
    for problem in problems[:MAX_NAMED]:
        click.echo(problem, err=True)
    if len(problems) > MAX_NAMED:
        click.echo(f"... and {len(problems) - MAX_NAMED} more", err=True)
