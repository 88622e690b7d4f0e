"""``ecliptic leaderboard``."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click

from ecliptic.analysis import FORMATS, GROUPINGS, leaderboard_tables, read_bounds, render
from ecliptic.analysis import leaderboard as standings_of
from ecliptic.analysis.formats import Format
from ecliptic.analysis.leaderboards import Grouping
from ecliptic.cli.log_reading import read_logs

_WHY_NOT = {
    "threshold": ": none has a match score, which is of protocol 'paper'; for 'strict' see the "
    "thresholds in `ecliptic report`",
    "criterion": ": none has criteria of ours",
    "diagnosis": ": none has a diagnosis of the grader",
}


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="csv and json hold plain numbers.",
)
@click.option(
    "--by",
    type=click.Choice(GROUPINGS),
    help="Divide each agent's line: kind is the tier or the type of question, threshold moves the "
    "bar of the match.",
)
def leaderboard(logs: tuple[Path, ...], form: str, by: str | None) -> int:
    """Pass rates by agent, with intervals, ceilings and costs.

    LOGS are .eval files of Inspect, folders of `ecliptic run`, or folders that hold such ones.
    Attempts that an error ended are counted apart. Ceiling and floor are those of the suite's
    audit: what an oracle passes on fresh noise, and what passes without insight.
    """
    attempts = read_logs(logs)
    grouping = cast("Grouping | None", by)
    standings = standings_of(attempts, grouping, read_bounds(attempts))
    if not standings:
        click.echo(f"no attempt can be divided by {by}{_WHY_NOT.get(by or '', '')}", err=True)
        return 0
    click.echo(render(leaderboard_tables(standings, by), cast("Format", form)))
    return 0
