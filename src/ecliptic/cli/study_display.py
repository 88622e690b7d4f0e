"""A study in the terminal: its grid and estimate before, its figures after."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ecliptic.studies.plan import StudyPlan
    from ecliptic.studies.running import StudyOutcome

DONE, SOME_FAILED, INTERRUPTED = 0, 1, 130


def grid_text(plan: StudyPlan) -> str:
    """Suites, arms, models and seeds; then what the cells that are left will take."""
    from ecliptic.studies.running import by_reason

    study = plan.study
    lines = [f"study {study.name}" + (f": {study.title}" if study.title else "")]
    arms: dict[str, list[str]] = {}
    for cell in plan.cells:
        own = arms.setdefault(cell.subject.label, [])
        if cell.arm not in own:
            own.append(cell.arm)
    lines += [f"  {label}: {', '.join(own)}" for label, own in arms.items()]
    if study.models:
        lines.append(f"  models: {', '.join(study.models)}")
    if study.seeds:
        lines.append(f"  sampling seeds: {', '.join(map(str, study.seeds))}")
    done = len(plan.cells) - len(plan.todo)
    finished = f", {done} of them finished" if done else ""
    lines.append(f"  {_count(len(plan.cells), 'cell')}{finished}; {_attempts(study.epochs)}")
    refused = by_reason({str(cell): why for cell, why in plan.refused.items()})
    lines += [f"  cannot run: {cells}: {why}" for why, cells in refused.items()]
    return "\n".join([*lines, *_estimates(plan)])


def _attempts(epochs: int) -> str:
    return f"{_count(epochs, 'attempt')} of an agent on each task"


def _estimates(plan: StudyPlan) -> Iterator[str]:
    if not plan.estimates:
        return
    from ecliptic.evals.estimate import Estimate, estimate_table
    from ecliptic.evals.serving import LOCAL

    unpriced = []
    for model in plan.study.models:
        arms: dict[str, list[Estimate]] = {}
        for cell, each in plan.estimates.items():
            if cell.model == model:
                arms.setdefault(cell.arm, []).append(each)
        if not arms:
            continue
        summed = [
            Estimate(
                arm,
                sum(each.attempts for each in own),
                sum(each.calls for each in own),
                sum(each.read for each in own),
                sum(each.written for each in own),
            )
            for arm, own in arms.items()
        ]
        yield f"\n{model}\n{estimate_table(summed, plan.prices.get(model))}"
        if model not in plan.prices and model != LOCAL:
            unpriced.append(model)
    note = (
        f"; no prices known of {', '.join(unpriced)}, so no cost: the field `prices` gives them"
        if unpriced
        else ""
    )
    yield f"(rough: models that reason at length write several times as much{note})"


def report_study(plan: StudyPlan, outcome: StudyOutcome, *, with_report: bool) -> int:
    """Figures and places on stdout, what is unfinished on stderr; the exit status."""
    from ecliptic.studies.results import (
        attempts_of,
        comparison_text,
        leaderboard_text,
        routing_text,
        write_report,
    )
    from ecliptic.studies.running import unfinished
    from ecliptic.studies.study_folder import FAILED, INCOMPLETE

    attempts = [] if outcome.interrupted else attempts_of(plan.out)
    if attempts:
        click.echo("\n" + leaderboard_text(attempts))
        compared = comparison_text(attempts)
        if compared:
            click.echo("\n" + compared)
        if plan.study.routing:
            for text in routing_text(plan.study, plan.cells, plan.out):
                click.echo("\n" + text)
        if with_report:
            written = write_report(plan.out)
            if written:
                click.echo("\n" + written)
    click.echo(f"study: {plan.out}")
    if outcome.interrupted:
        click.echo(
            f"ecliptic: interrupted; {_count(len(outcome.of('done')), 'cell')} of "
            f"{len(plan.cells)} finished, finished attempts are kept; the same command (without "
            "--fresh) goes on from there",
            err=True,
        )
        return INTERRUPTED
    failed, incomplete = outcome.of(FAILED), outcome.of(INCOMPLETE)
    if outcome.limited:
        click.echo(
            "ecliptic: stopped at the limit: attempts that could not be paid for were not begun; "
            "the same command with a larger limit goes on",
            err=True,
        )
    if failed:
        click.echo(
            f"ecliptic: {_count(len(failed), 'cell')} could not run: {unfinished(failed)} (the "
            "same command tries again)",
            err=True,
        )
    other = [each for each in incomplete if each[1].reason != "run_budget"]
    if other:
        click.echo(
            f"ecliptic: {_count(len(other), 'cell')} with attempts that ended in an error and are "
            f"in no rate: {unfinished(other)} (the same command makes those again)",
            err=True,
        )
    return SOME_FAILED if failed or incomplete else DONE


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
