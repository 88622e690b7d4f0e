"""Entry point: commands are loaded when called, and every mistake of a user is one line."""

from __future__ import annotations

import difflib
import importlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from ecliptic.errors import EclipticError
from ecliptic.files import reason

COMMANDS = {
    "run": ("ecliptic.cli.run:run", "Run a solver on a suite, grade, and show the result."),
    "import": ("ecliptic.cli.importing:import_", "Convert a published benchmark into a suite."),
    "generate": ("ecliptic.cli.generate:generate", "Make new tasks from a seed."),
    "ingest": ("ecliptic.cli.ingest:ingest", "Turn a LaTeX problem set into draft records."),
    "grade": ("ecliptic.cli.grade:grade", "Grade answers to question records and say why."),
    "suite": ("ecliptic.cli.suite:suite", "Make, verify and show audited suites."),
    "audit": ("ecliptic.cli.audit:audit", "Check that tasks are solvable, or gold answers right."),
    "report": ("ecliptic.cli.report:report", "Write a static site from the logs of runs."),
    "leaderboard": ("ecliptic.cli.leaderboard:leaderboard", "Pass rates by agent, from logs."),
    "compare": ("ecliptic.cli.compare:compare", "Compare two agents on the same tasks."),
    "serve": ("ecliptic.cli.serve:serve", "Serve a suite over HTTP and MCP."),
    "study": ("ecliptic.cli.study:study", "Run a table of suites, agents and models."),
    "skills": ("ecliptic.cli.skills:skills", "List, show, check and distil skills for agents."),
    "archive": ("ecliptic.cli.archive:archive", "Velocities of real stars: list, read, fetch."),
    "show": ("ecliptic.cli.show:show", "Draw a task, a submission and its residuals."),
}
DONE, SOME_FAILED, USERS_MISTAKE, INTERRUPTED = 0, 1, 2, 130


class LazyGroup(click.Group):
    """A group that knows names and one-line helps, and imports a command only to run it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of a first use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module that holds the command."""
        if cmd_name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[cmd_name][0].partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As usual, but a misspelt name gets a suggestion."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            close = difflib.get_close_matches(name, COMMANDS, n=1)
            hint = f"did you mean '{close[0]}'?" if close else f"known: {', '.join(COMMANDS)}"
            raise click.UsageError(f"no command '{name}'; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="ecliptic", message="%(package)s %(version)s")
def cli() -> None:
    """Verifiable scientific-reasoning tasks for AI agents.

    Exit status: 0 done, 1 some tasks failed to run or files to import, 2 a mistake in what was
    asked for (one line says which).
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its status."""
    sys.exit(run_cli(arguments))


def run_cli(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status instead of leaving the process."""
    try:
        status = cli.main(args=arguments, prog_name="ecliptic", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return DONE
    except click.ClickException as error:
        return _complain(error.format_message(), USERS_MISTAKE)
    except EclipticError as error:
        return _complain(str(error), error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has gone (`ecliptic ... | head`): not a mistake of anyone.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _complain(where + reason(error), USERS_MISTAKE)
    return status if isinstance(status, int) else DONE


def _complain(message: str, status: int) -> int:
    click.echo(f"ecliptic: {' '.join(message.split())}", err=True)
    return status
