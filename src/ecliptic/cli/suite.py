"""``ecliptic suite``: make, verify and show suites."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ecliptic.errors import OutputError, SuiteError, UsageError

if TYPE_CHECKING:
    from ecliptic.run import Progress

DONE, FAULTS, INTERRUPTED = 0, 1, 130
DEFAULT_TIERS = "easy=30,medium=30,hard=30,frontier=30"
MAX_NAMED = 20
_Folder = click.Path(path_type=Path)


@click.group(no_args_is_help=True)
def suite() -> None:
    """Make fresh suites, verify them, show their ceilings and floors."""


@suite.command()
@click.argument("name")
@click.option("--out", type=_Folder, required=True, help="The folder to write; must not exist.")
@click.option(
    "--tiers",
    metavar="TIER=COUNT,...",
    help=f"Tiers (easy, medium, hard, frontier, faint) and tasks of each.  "
    f"[default: {DEFAULT_TIERS}]",
)
@click.option("--tier", help="A single tier, with --count.")
@click.option("--count", type=click.IntRange(1), help="Tasks of --tier.")
@click.option(
    "--seed", type=int, help="0 to 2^128 - 1; the same seed gives the same tasks.  [default: fresh]"
)
@click.option("--sealed", is_flag=True, help="Keep public and private part apart.")
@click.option(
    "--draws",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="Fresh noise realisations a task, for the published ceilings.",
)
@click.option(
    "--forward-model",
    default="keplerian",
    show_default=True,
    metavar="keplerian|nbody",
    help="nbody: planets pull on each other (needs the extra 'nbody').",
)
@click.option(
    "--variant",
    metavar="matern32|quasi_periodic|spots|drifts",
    help="Noise that the declared models do not hold, labelled in the sealed part.",
)
@click.option("--panel/--no-panel", default=True, help="Measure simple solvers for the card.")
@click.option("--url", help="Where the suite will be found, for its Croissant description.")
@click.option(
    "--workers", type=click.IntRange(1, 512), default=2, show_default=True, help="Processes."
)
def create(
    name: str,
    out: Path,
    tiers: str | None,
    tier: str | None,
    count: int | None,
    seed: int | None,
    sealed: bool,
    draws: int,
    forward_model: str,
    variant: str | None,
    panel: bool,
    url: str | None,
    workers: int,
) -> int:
    """Make the suite NAME of the recipe `ecliptic`: audited tasks, card, checksums.

    Every task is audited for publication; one that fails is replaced by the next. Stopped, even by
    `kill -9`, it goes on when the same command is given again; until then OUT.making, which nobody
    else may read, holds the work and the seed.

    With --sealed OUT holds `public` (observations, and a commitment to each truth) and `private`
    (truths, salts, seed, audits).

    Example: ecliptic suite create held-out --tier hard --count 50 --sealed --out suites/held-out
    """
    from ecliptic.cli.progress import ProgressDisplay
    from ecliptic.cli.suite_tables import figures_table, panel_table
    from ecliptic.run.creation import create_suite, work_folder
    from ecliptic.run.creation_request import Request

    request = Request.of(
        name,
        _tiers(tiers, tier, count),
        seed=seed,
        draws=draws,
        sealed=sealed,
        forward_model=forward_model,
        variant=variant,
    )
    display = _Displays(ProgressDisplay)
    try:
        with display:
            made = create_suite(
                request,
                out,
                seed_given=seed is not None,
                workers=workers,
                panel=panel,
                url=url,
                report=display,
            )
    except KeyboardInterrupt:
        click.echo(
            f"ecliptic: interrupted with {display.standing}; the work so far is in "
            f"{work_folder(out)}; the same command goes on from there",
            err=True,
        )
        return INTERRUPTED
    except OutputError as error:
        if not work_folder(out).exists():
            raise
        raise OutputError(f"{error} ({display.standing}; the same command resumes)") from None
    click.echo(figures_table(made.figures))
    refused = sum(each["draws"]["refused_in_publication"] for each in made.figures.values())
    if refused:
        click.echo(f"{refused} tasks failed the audit for publication and were replaced")
    if made.rates:
        click.echo("\n" + panel_table(made.rates))
    if made.resumed:
        click.echo(f"{made.resumed} tasks were made before")
    if made.places.private is None:
        click.echo(f"suite: {made.places.public}")
    else:
        click.echo(f"public part: {made.places.public}")
        click.echo(f"private part (truths, salts, seed): {made.places.private}")
    return DONE


def _tiers(tiers: str | None, tier: str | None, count: int | None) -> dict[str, int]:
    if tiers is not None and (tier is not None or count is not None):
        raise UsageError("--tiers and --tier/--count exclude each other; give one of them")
    if (tier is None) != (count is None):
        raise UsageError("--tier and --count belong together; give both")
    if tier is not None and count is not None:
        return {tier: count}
    found: dict[str, int] = {}
    for part in (tiers or DEFAULT_TIERS).split(","):
        name, _, number = part.strip().partition("=")
        if not number.strip().isdigit() or name in found:
            raise UsageError(f"--tiers: '{part}' is not of the form TIER=COUNT, each tier once")
        found[name] = int(number)
    return found


class _Displays:
    """One bar after another: for the tasks, then for each solver of the panel."""

    def __init__(self, factory: Any) -> None:
        self._factory, self._label, self._bar = factory, "", factory()

    @property
    def standing(self) -> str:
        """Where the part in hand stands."""
        return str(self._bar.standing)

    def __enter__(self) -> _Displays:
        self._bar.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.__exit__()

    def __call__(self, label: str, progress: Progress) -> None:
        if label != self._label:
            if self._label:
                self._bar.__exit__()
                self._bar = self._factory().__enter__()
                click.echo(label, err=True)
            self._label = label
        self._bar(progress)


@suite.command()
@click.argument("path")
@click.option("--truth", type=_Folder, help="The private part of a sealed suite.")
def verify(path: str, truth: Path | None) -> int:
    """Compare checksums, ids and commitments; exit status 1 where one does not hold."""
    from ecliptic.suite import verify_suite

    found = verify_suite(path, truth)
    for fault in found.faults[:MAX_NAMED]:
        click.echo(fault, err=True)
    if len(found.faults) > MAX_NAMED:
        click.echo(f"... and {len(found.faults) - MAX_NAMED} more", err=True)
    parts = [f"{found.files} files", f"{found.tasks} tasks"]
    if found.commitments is not None:
        parts.append(f"{found.commitments} commitments")
    state = f"{len(found.faults)} faults" if found.faults else "no fault"
    click.echo(f"{path}: {', '.join(parts)} hold; {state}")
    return FAULTS if found.faults else DONE


@suite.command()
@click.argument("path")
def show(path: str) -> int:
    """Show what a suite holds: tiers, ceilings, floors, simple solvers."""
    from ecliptic.cli.suite_tables import counts_table, figures_table, panel_table
    from ecliptic.suite import load_suite

    opened = load_suite(path)
    more = {} if opened.manifest is None else opened.manifest.more
    sealed = "; the truth is sealed" if opened.sealed else ""
    protocol = f", protocol {opened.protocol}" if opened.protocol else ""
    click.echo(f"{opened.name}: {len(opened)} tasks{protocol}{sealed}\n")
    if "tiers" in more:
        try:
            tables = [figures_table(more["tiers"])]
            if more.get("panel"):
                tables.append(panel_table(more["panel"]))
        except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError):
            raise SuiteError(f"{path}: suite.json: tiers or panel were changed by hand") from None
        click.echo("\n\n".join(tables))
    else:
        click.echo(counts_table(opened))
        click.echo("no ceilings are on file; `ecliptic audit` measures them")
    if isinstance(more.get("commitment"), str):
        click.echo(f"\ncommitment {more['commitment']}")
    return DONE
