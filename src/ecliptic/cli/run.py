"""``ecliptic run``: solvers and language models on the tasks of a suite."""

from __future__ import annotations

from typing import ClassVar

import click

from ecliptic.cli.run_helio import helio
from ecliptic.cli.run_stargazer import stargazer


class DefaultGroup(click.Group):
    """A group whose options alone mean its main job."""

    default: ClassVar[str] = "stargazer"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the main job where no subcommand is named."""
        if not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


@click.group(cls=DefaultGroup)
def run() -> None:
    """Run a solver or a language model on tasks, grade, and show the result.

    Without a subcommand: `stargazer` with the shipped suite `quick` of 12 tasks.
    """


run.add_command(stargazer)
run.add_command(helio)
