"""``ecliptic grade --measure-verifier``: error rates of a chat model on labelled pairs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ecliptic.cli.grade_answers import DONE, SOME_FAILED, name_problems
from ecliptic.cli.grade_table import rates_table
from ecliptic.errors import TaskError, UsageError


def measure(model: str, path: Path | None) -> int:
    """Print the error rates of a model as a verifier."""
    from ecliptic.grading.chat_models import load_model
    from ecliptic.grading.verifier_rates import measure_verifier
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
        name_problems(problems)
        raise UsageError(f"{path}: no labelled pair could be read")
    rates = measure_verifier(pairs, load_model(model))
    for text in rates_table(rates):
        click.echo(text)
    name_problems(problems)
    return SOME_FAILED if problems else DONE
