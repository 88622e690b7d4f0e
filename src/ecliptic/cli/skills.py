"""``ecliptic skills``: list, show and check skills, and have a model write some."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ecliptic.cli.option_types import NAMED_PATH, NOT_NEGATIVE
from ecliptic.errors import UsageError

if TYPE_CHECKING:
    from ecliptic.evals.estimate import Prices
    from ecliptic.skills.distillation import Plan

_Folder = NAMED_PATH
_WORLDS = {"ecliptic/stargazer": "rv", "ecliptic/helio": "helio"}


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def skills() -> None:
    """Skills: worked methods that an agent reads (https://agentskills.io)."""


@skills.command("list")
@click.option("--folder", type=_Folder, help="Skills of a folder instead of the shipped ones.")
@click.option("--world", help="Only those for this world: rv or helio.")
def list_(folder: Path | None, world: str | None) -> int:
    """Name, world, size and description of each skill."""
    from ecliptic.skills import load_skills

    for skill in load_skills(world=world, folder=folder):
        worlds = ", ".join(skill.worlds) or "any world"
        click.echo(f"{skill.name} ({worlds}, {len(skill.body.splitlines())} lines)")
        click.echo(click.wrap_text(skill.description, 96, "    ", "    "))
    return 0


@skills.command()
@click.argument("name")
@click.option("--folder", type=_Folder, help="Skills of a folder instead of the shipped ones.")
@click.option("--file", default="", help="A file beside the skill instead of its text.")
def show(name: str, folder: Path | None, file: str) -> int:
    """What an agent reads of a skill."""
    from ecliptic.skills import SkillReader, load_skills

    click.echo(SkillReader(load_skills([name], folder=folder))(name, file))
    return 0


@skills.command()
@click.argument("folder", type=_Folder)
def check(folder: Path) -> int:
    """Check a skill, or all skills of FOLDER, against the format."""
    from ecliptic.skills.library import load_skills
    from ecliptic.skills.skill import FILE_NAME, read_skill_folder

    one = (folder / FILE_NAME).is_file()
    inner = [folder] if one else sorted(path.parent for path in folder.glob(f"*/{FILE_NAME}"))
    wrong = 0
    for each in inner:
        try:
            skill = read_skill_folder(each)
        except UsageError as error:
            wrong += 1
            click.echo(f"wrong  {error}")
        else:
            click.echo(f"valid  {skill.name}")
    if not wrong:
        load_skills(folder=folder)  # an empty folder, or needs that cannot be met
    return 1 if wrong else 0


@skills.command()
@click.argument("logs", nargs=-1, required=True, type=_Folder)
@click.option("--model", "name", required=True, help="The model that writes, PROVIDER/MODEL.")
@click.option("--out", required=True, type=_Folder, help="A skill's folder is made in here.")
@click.option(
    "--attempts",
    type=click.IntRange(1, 100),
    default=6,
    show_default=True,
    help="Attempts that it reads for each kind of task, half of them failed.",
)
@click.option("--world", help="Of this world's tasks alone, and marked as for it: rv or helio.")
@click.option("--price-in", type=NOT_NEGATIVE, help="Of a million tokens read.")
@click.option("--price-out", type=NOT_NEGATIVE, help="Of a million tokens written.")
@click.option("--overwrite", is_flag=True, help="Replace a skill of the same name.")
@click.option("--dry-run", is_flag=True, help="Only say what it would take.")
def distil(
    logs: tuple[Path, ...],
    name: str,
    out: Path,
    attempts: int,
    world: str | None,
    price_in: float | None,
    price_out: float | None,
    overwrite: bool,
    dry_run: bool,
) -> int:
    """Have a model write skills from finished attempts in LOGS of Inspect (files or folders).

    It reads condensed conversations and whether they passed; never the truth. Try such skills on
    other tasks than those that they were written from: provenance.json says which these are.
    """
    import anyio

    from ecliptic.agents.clean_replies import clean_replies
    from ecliptic.evals.models_by_name import prices_of
    from ecliptic.evals.serving import reachable_model
    from ecliptic.files import check_folder
    from ecliptic.skills.distillation import plan, write_skill
    from ecliptic.skills.transcripts import read_attempts

    plans = _of_world(plan(read_attempts(logs), attempts), world)
    model = reachable_model(name)
    clean_replies(model)  # what no file can hold could not be kept
    click.echo(_estimate(plans, prices_of(model, price_in, price_out)))
    if dry_run:
        return 0
    check_folder(out)  # before a reply is paid for that could not be kept
    for each in plans:

        async def write(each: Plan = each) -> str:
            done = await write_skill(each, model, out, world=world, overwrite=overwrite)
            mended = ", mended once" if done.use.repaired else ""
            return (
                f"{each.task}: {done.folder} ({done.use.read_tokens:,} tokens read, "
                f"{done.use.written_tokens:,} written{mended})"
            )

        click.echo(anyio.run(write))
    return 0


def _of_world(plans: list[Plan], world: str | None) -> list[Plan]:
    """Without the tasks of another world: a skill from them would be marked as for this one."""
    own = [each for each in plans if world is None or _WORLDS.get(each.task, world) == world]
    if not own:
        held = ", ".join(each.task for each in plans)
        raise UsageError(f"--world {world}: the logs hold attempts on {held} only")
    return own


def _estimate(plans: list[Plan], prices: Prices | None) -> str:
    from ecliptic.skills.distillation import REPLY_TOKENS

    lines = []
    for each in plans:
        passed = sum(attempt.passed for attempt in each.attempts)
        lines.append(
            f"{each.task}: {passed} passed and {len(each.attempts) - passed} failed attempts"
        )
    read, written = sum(each.read_tokens for each in plans), REPLY_TOKENS * len(plans)
    line = f"estimate: {len(plans)} calls, {read:,} tokens read, {written:,} written"
    if prices is not None:
        line += f", cost {(read * prices.read + written * prices.written) / 1e6:,.2f}"
    return "\n".join([*lines, f"{line} (at most about twice that with repairs)"])
