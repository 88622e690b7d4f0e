"""What the commands of ``ecliptic archive`` share: a task of a series, and its file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ecliptic.errors import OutputError, UsageError

if TYPE_CHECKING:
    from ecliptic.rv.archive import ArchivalSeries
    from ecliptic.rv.archive.literature import PublishedStar
    from ecliptic.rv.archive.seeds import Seed
    from ecliptic.rv.tasks import RVTask


def refuse(out: Path, overwrite: bool) -> None:
    """Raise before any work is done where ``out`` could not be written."""
    if out.suffix not in (".json", ".ecsv"):
        raise UsageError(f"--out {out}: must end in .json (a task) or .ecsv (velocities)")
    if out.exists() and not overwrite:
        raise OutputError(f"{out}: exists; take another --out, or --overwrite")


def task_of(
    series: ArchivalSeries, name: str, mass_sun: float | None, planets: tuple[str, ...]
) -> RVTask:
    """A task whose planets are those of the command line, else the shipped values of the star.

    Raises
    ------
    UsageError
        Neither is there, or the mass is not known.
    """
    from ecliptic.rv.archive.model_choice import declared_family
    from ecliptic.rv.archive.refitting import archival_task
    from ecliptic.rv.archive.seeds import seeds_of

    star = _shipped(name)
    seeds: tuple[Seed, ...]
    if planets:
        seeds = tuple(_seed(text, place) for place, text in enumerate(planets))
    elif star is not None:
        seeds = seeds_of(star)
    else:
        raise UsageError(
            f"'{name}' is no shipped star: state its planets with --planet DAYS, or write the "
            "velocities alone with --out NAME.ecsv"
        )
    mass = star.star_mass_sun.value if mass_sun is None and star is not None else mass_sun
    if mass is None:
        raise UsageError(f"the mass of '{name}' is not known; state it with --mass")
    if not mass > 0.0:
        raise UsageError(f"--mass must be > 0, not {mass:g}")
    observation = series.observation(mass).model_copy(update={"indicators": ()})
    family = declared_family(observation, seeds, star if not planets else None)
    return archival_task(
        observation.model_copy(update={"family": family}),
        seeds,
        source_id=name or series.star,
        source="" if star is None or planets else star.source,
    )


def _shipped(name: str) -> PublishedStar | None:
    from ecliptic.rv.archive import published_values

    try:
        return published_values(name)
    except UsageError:
        return None


def _seed(text: str, place: int) -> Seed:
    from ecliptic.rv.archive.seeds import Seed
    from ecliptic.rv.refit_records import Measured

    period, _, sigma = text.partition(":")
    try:
        value = Measured(value=float(period), sigma=float(sigma) if sigma else None)
    except ValueError:
        value = Measured(value=0.0)
    if not value.value > 0.0:
        raise click.BadParameter(f"'{text}' is not DAYS or DAYS:SIGMA", param_hint="--planet")
    return Seed(name="bcdefghijklmnopqrstuvwxyz"[place % 25], published={"period_days": value})


def write_task(task: RVTask, out: Path) -> None:
    """One task as JSON."""
    from ecliptic.files import output_errors, write_bytes

    out.parent.mkdir(parents=True, exist_ok=True)
    with output_errors(out):
        write_bytes(out, (json.dumps(task.to_dict()) + "\n").encode())
