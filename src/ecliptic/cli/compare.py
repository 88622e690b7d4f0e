"""``ecliptic compare``."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import click

from ecliptic.analysis import (
    FORMATS,
    Attempt,
    by_arm,
    compare_all,
    comparison_table,
    find_arm,
    render,
)
from ecliptic.analysis.arms import split_names
from ecliptic.analysis.formats import Format
from ecliptic.cli.log_reading import read_logs
from ecliptic.errors import UsageError

Arms = dict[str, list[Attempt]]


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--agents",
    help="Names, parted by commas: compare every two of these, out of all LOGS. Part of a name is "
    "enough where only one agent has it.",
)
@click.option(
    "--common",
    is_flag=True,
    help="Where tasks or numbers of attempts differ, compare on what both have.",
)
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True)
def compare(logs: tuple[Path, ...], agents: str | None, common: bool, form: str) -> int:
    """Compare two agents on the same tasks.

    `ecliptic compare A B`: two logs or folders, each of one agent. `ecliptic compare LOGS` and
    `ecliptic compare --agents react,mentor LOGS`: every two agents, or every two of those named.
    Refused where the tasks, the version of the suite, the protocol or the numbers of attempts
    differ.
    """
    arms = _two_sides(logs) if agents is None and len(logs) == 2 else _named(logs, agents)
    comparisons = compare_all(arms, common=common)
    click.echo(render([comparison_table(comparisons)], cast("Format", form)))
    return 0


def _named(logs: tuple[Path, ...], agents: str | None) -> Arms:
    arms = by_arm(read_logs(logs))
    chosen = list(arms)
    if agents is not None:
        chosen = list(dict.fromkeys(find_arm(name, arms) for name in split_names(agents)))
    if len(chosen) < 2:
        raise UsageError(
            f"there is nothing to compare {', '.join(chosen)} with: the logs hold "
            f"{', '.join(arms)}; name two agents (--agents), or two folders of logs"
        )
    return {name: arms[name] for name in chosen}


def _two_sides(logs: tuple[Path, ...]) -> Arms:
    sides: Arms = {}
    for log in logs:
        arms = by_arm(read_logs([log]))
        if len(arms) > 1:
            raise UsageError(
                f"{log}: holds {len(arms)} agents ({', '.join(arms)}); say which to compare: "
                "--agents NAME,NAME"
            )
        ((name, attempts),) = arms.items()
        sides[name if name not in sides else f"{name} in {log}"] = attempts
    return sides
