"""What a study came to: leaderboard, comparisons, routing, report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ecliptic.analysis import Attempt, read_attempts
from ecliptic.errors import EclipticError, UsageError
from ecliptic.studies.definition import Study
from ecliptic.studies.grid import Cell
from ecliptic.studies.study_folder import CELLS

REPORT = "report"
_MOST_COMPARED = 6
"""Arms of which every two are compared; more are left to ``ecliptic compare``."""


def attempts_of(out: Path) -> list[Attempt]:
    """All attempts in a study's folder; none where nothing has run."""
    try:
        return read_attempts(out / CELLS)
    except UsageError:
        return []


def leaderboard_text(attempts: Sequence[Attempt]) -> str:
    """Pass rates by suite and arm, with intervals; and by tier or type."""
    from ecliptic.analysis import leaderboard, leaderboard_tables, read_bounds, render

    bounds = read_bounds(attempts)
    whole = leaderboard_tables(leaderboard(attempts, None, bounds), None)
    return render(whole, "text")


def comparison_text(attempts: Sequence[Attempt]) -> str:
    """Every two arms of a suite on the tasks that both have, Holm-adjusted over these."""
    from ecliptic.analysis import by_arm, compare_all, comparison_table, render

    suites: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        suites.setdefault(attempt.suite, []).append(attempt)
    told = []
    for suite, own in suites.items():
        arms = {
            name: rows
            for name, rows in by_arm(own).items()
            if any(row.passed is not None for row in rows)
        }
        if len(arms) > _MOST_COMPARED:
            told.append(
                f"{suite}: {len(arms)} agents; compare those you mean: ecliptic compare --agents "
                f"{next(iter(arms)).partition(' ')[0]},... {attempts[0].log.parent.parent}"
            )
        elif len(arms) > 1:
            try:
                compared = compare_all(arms, common=True)
            except UsageError as error:
                told.append(f"{suite}: not compared: {error}")
            else:
                told.append(render([comparison_table(compared)], "text"))
    return "\n\n".join(told)


def routing_text(study: Study, cells: Sequence[Cell], out: Path) -> Iterator[str]:
    """For each model: fixed patterns, the rule router, the oracle; or why not."""
    from ecliptic.analysis.routing import compare_routing, routing_table
    from ecliptic.studies.route_choices import ROUTER, rule_choices

    attempts = attempts_of(out)
    choices = rule_choices(study, cells, out)
    patterns = {cell.agent for cell in cells if cell.model} - {ROUTER}
    by_model: dict[str, list[Attempt]] = {}
    for row in attempts:
        pattern = row.agent.partition("+")[0]
        if row.model and pattern in patterns and (row.suite, row.task) in choices:
            # The conditions are the same for all, so a pattern's own name is enough.
            own = replace(row, agent=pattern)
            by_model.setdefault(row.model, []).append(own)
    if not by_model:
        yield "routing: no attempt of a fixed pattern has a choice of the router beside it"
    for model, own_rows in by_model.items():
        try:
            yield f"routing, {model}\n{routing_table(compare_routing(own_rows, choices))}"
        except UsageError as error:
            yield f"routing, {model}: not compared: {error}"


def write_report(out: Path) -> str:
    """The static site of all logs; its place, or why there is none."""
    try:
        from ecliptic.report import write_report as write

        write([out / CELLS], out / REPORT)
    except EclipticError as error:
        return f"no report: {error}"
    return f"report: {out / REPORT / 'index.html'}"
