"""``ecliptic generate``: new tasks from a seed."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ecliptic.cli.engine_options import engine_options
from ecliptic.cli.generate_helio import helio
from ecliptic.cli.progress import counted
from ecliptic.errors import UsageError

if TYPE_CHECKING:
    from ecliptic.rv.tasks import RVTask

DEFAULT_COUNT = 12


@click.group(no_args_is_help=True)
def generate() -> None:
    """Make new tasks from a seed."""


generate.add_command(helio)


@generate.command()
@click.option(
    "--recipe",
    default="ecliptic",
    show_default=True,
    metavar="ecliptic|paper",
    help="What tasks are drawn from; paper: the published distributions.",
)
@click.option(
    "--tier",
    metavar="easy|medium|hard|frontier|faint",
    help="Only this tier (paper: the first three).  [default: easy to frontier in turn; "
    "paper: as it comes]",
)
@click.option("--count", type=int, default=DEFAULT_COUNT, show_default=True, help="Tasks to make.")
@click.option(
    "--seed", type=int, help="0 to 2^128 - 1; the same seed gives the same tasks.  [default: fresh]"
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
@click.option(
    "--cadence",
    default="survey",
    show_default=True,
    metavar="survey|uniform",
    help="survey: nights, seasons, weather, Moon.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="A folder (one JSON file a task) or NAME.parquet.  [default: ./suites/NAME]",
)
@click.option("--overwrite", is_flag=True, help="Replace the suite that --out holds.")
@engine_options(
    "Make a folder of Parquet parts with several workers: processes of this machine, or a Ray "
    "cluster. The same command goes on where it was stopped."
)
@click.option("--workers", type=click.IntRange(1), help="With --engine: tasks at the same time.")
def rv(
    recipe: str,
    tier: str | None,
    count: int,
    seed: int | None,
    forward_model: str,
    variant: str | None,
    cadence: str,
    out: Path | None,
    overwrite: bool,
    engine: str | None,
    workers: int | None,
    address: str | None,
) -> int:
    """Make radial-velocity tasks: one star each, with its truth sealed beside it.

    Example: ecliptic generate rv --tier hard --count 40 --seed 7 --out suites/hard.parquet
    """
    from ecliptic.rv import acceptance
    from ecliptic.rv.generator import generate_many
    from ecliptic.suite import write_suite

    if engine is None and (workers, address) != (None, None):
        raise UsageError("--workers and --address need --engine local or --engine ray")
    used = secrets.randbits(128) if seed is None else seed
    draws = acceptance.Tally()
    tasks = generate_many(
        used,
        count,
        recipe=recipe,
        tier=tier,
        forward_model=forward_model,
        variant=variant,
        cadence=cadence,
        tally=draws,
    )
    if out is None:
        # Not the seed: folder names travel with suites, and the seed tells the truth.
        kind = "-nbody" if forward_model == "nbody" else ""
        kind += "" if variant is None else f"-{variant}"
        out = Path("suites", f"rv-{recipe}{kind}-{tier or 'all'}-{count}")
    if engine is not None:
        from ecliptic.cli.generate_parts import generate_parts
        from ecliptic.distributed.star_shards import StarShards

        shards = StarShards(used, count, recipe, tier, forward_model, variant, cadence)
        return generate_parts(shards, out, engine, workers, address, overwrite, seed is not None)
    tally = Tally()
    begin = time.perf_counter()
    made = counted(tally.watch(tasks), count, "generate")
    written = write_suite(made, out, overwrite=overwrite)
    seconds = time.perf_counter() - begin
    click.echo(f"{written} tasks in {out} ({seconds:.1f} s)")
    click.echo(tally.summary())
    if draws.rejected:
        told = ", ".join(f"{why} {count}" for why, count in draws.rejected.most_common())
        click.echo(f"rejected {told}")
    origin = "" if seed is not None else f"  (drawn now; --seed {used} makes these tasks again)"
    click.echo(f"seed     {used}{origin}")
    return 0


@dataclass
class Tally:
    """Counts what passes by."""

    tiers: Counter[str] = field(default_factory=Counter)
    planets: Counter[int] = field(default_factory=Counter)
    draws: int = 0

    def watch(self, tasks: Iterable[RVTask]) -> Iterator[RVTask]:
        """The same tasks, counted as they are taken."""
        for task in tasks:
            self.tiers[task.tier] += 1
            self.planets[len(task.truth.planets)] += 1
            self.draws += task.meta["attempt"] + 1
            yield task

    def summary(self) -> str:
        """Three lines: tiers, planets, and how many draws the tier took."""
        more = [tier for tier in ("frontier", "faint") if self.tiers[tier]]
        shown = ["easy", "medium", "hard", *more]
        tiers = ", ".join(f"{self.tiers[tier]} {tier}" for tier in shown)
        planets = ", ".join(f"{self.planets[n]} with {n}" for n in sorted(self.planets))
        made = self.tiers.total()
        return (
            f"tiers    {tiers}\n"
            f"planets  {planets}\n"
            f"draws    {self.draws / made:.2f} a task ({made / self.draws:.1%} accepted)"
        )
