"""``ecliptic archive``: velocities of real stars become tables and tasks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ecliptic.rv.archive import ArchivalSeries

FORMATS = "radvel, exostriker, kima, juliet, dace, ipac, rvbank, orbitize, ecsv"
UNITS = ("m/s", "km/s")


@click.group()
def archive() -> None:
    """Velocities of real stars: list, read, fetch, refit."""


def _pairs(_: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    pairs = {}
    for value in values:
        name, equals, text = value.rpartition("=")
        if not equals or not name:
            raise click.BadParameter(f"'{value}' is not of the form {parameter.metavar}")
        pairs[name] = text
    return pairs


_OUT = click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="A task (.json), or the velocities alone (.ecsv).",
)
_OVERWRITE = click.option("--overwrite", is_flag=True, help="Replace the file that is there.")
_MASS = click.option("--mass", "mass_sun", type=float, help="Mass of the star in solar masses.")
_PLANETS = click.option(
    "--planet",
    "planets",
    multiple=True,
    metavar="DAYS[:SIGMA]",
    help="Published period of a planet that the task is to ask for; may be repeated. Phase, "
    "amplitude and eccentricity are fitted.  [default: the shipped values of the star]",
)
_UNIT = click.option("--unit", type=click.Choice(UNITS), help="Of the velocities.")
_OFFSET = click.option("--time-offset", type=float, help="Days to add for full Julian dates.")


@archive.command("list")
def list_() -> None:
    """List the shipped stars."""
    from ecliptic.rv.archive import published_values, read_star, stars

    click.echo(f"{'star':<12}{'points':>7}{'days':>7}  planets      instruments")
    for name in stars():
        series, star = read_star(name), published_values(name)
        span = series.times_bjd[-1] - series.times_bjd[0]
        letters = "".join(p.letter if p.seen == "blind" else f"({p.letter})" for p in star.planets)
        labels = ", ".join(series.instrument_labels)
        click.echo(f"{name:<12}{len(series):>7}{span:>7.0f}  {letters:<11}  {labels}")
    click.echo("\n(in brackets: not expected of a blind analysis)")


@archive.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--format", "file_format", required=True, help=f"One of {FORMATS}.")
@click.option("--star", default="", help="Name of the star.")
@click.option("--instrument", help="Where the file names none.")
@click.option("--sigma", "sigma_ms", type=float, help="Error in m/s where the file holds none.")
@click.option(
    "--split",
    multiple=True,
    callback=_pairs,
    metavar="INSTRUMENT=UPGRADE",
    help="Part an instrument at an upgrade (harps, hires).",
)
@click.option("--names", help="Columns of a kima file, separated by commas.")
@click.option("--velocity", help="Which of the velocities of HARPS-RVBank.")
@_UNIT
@_OFFSET
@_MASS
@_PLANETS
@_OUT
@_OVERWRITE
def read(
    file: Path,
    file_format: str,
    star: str,
    instrument: str | None,
    sigma_ms: float | None,
    split: dict[str, str],
    names: str | None,
    velocity: str | None,
    unit: Any,
    time_offset: float | None,
    mass_sun: float | None,
    planets: tuple[str, ...],
    out: Path,
    overwrite: bool,
) -> None:
    """Read FILE and write its velocities, or a task made of them.

    Nothing is guessed: what the file leaves open must be stated.
    """
    from ecliptic.cli.archive_tasks import refuse
    from ecliptic.rv.archive import read_series

    refuse(out, overwrite)
    options: dict[str, Any] = {}
    if names is not None:
        options["names"] = tuple(names.split(","))
    if velocity is not None:
        options["velocity"] = velocity
    series = read_series(
        file,
        file_format,
        star=star,
        velocity_unit=unit,
        time_offset_days=time_offset,
        instrument=instrument,
        sigma_ms=sigma_ms,
        split=split,
        **options,
    )
    _write(series, star or series.star, mass_sun, planets, out)


@archive.command()
@click.argument("star")
@click.option("--curve", "curves", type=int, multiple=True, help="Only these files; repeatable.")
@click.option("--uid", help="The archive's number of a star outside the Hipparcos catalogue.")
@click.option("--url", help="Of the archive or a copy.")
@click.option("--refresh", is_flag=True, help="Fetch anew what is kept in the cache.")
@_UNIT
@_OFFSET
@_MASS
@_PLANETS
@_OUT
@_OVERWRITE
def fetch(
    star: str,
    curves: tuple[int, ...],
    uid: str | None,
    url: str | None,
    refresh: bool,
    unit: Any,
    time_offset: float | None,
    mass_sun: float | None,
    planets: tuple[str, ...],
    out: Path,
    overwrite: bool,
) -> None:
    """Get the velocities of STAR from the NASA Exoplanet Archive.

    The archive's TAP service finds the star and its mass; its tables of velocities are kept in a
    cache.
    """
    from ecliptic.cli.archive_tasks import refuse
    from ecliptic.rv.archive import fetch_star

    refuse(out, overwrite)
    fetched = fetch_star(
        star,
        curves=curves or None,
        uid=uid,
        velocity_unit=unit,
        time_offset_days=time_offset,
        url=url,
        refresh=refresh,
    )
    for table in fetched.tables:
        click.echo(f"fetched {table}")
    mass = fetched.star_mass_sun if mass_sun is None else mass_sun
    _write(fetched.series, star, mass, planets, out)


def _write(
    series: ArchivalSeries,
    star: str,
    mass_sun: float | None,
    planets: tuple[str, ...],
    out: Path,
) -> None:
    from ecliptic.cli.archive_tasks import task_of, write_task
    from ecliptic.rv.archive import write_ecsv

    labels = ", ".join(series.instrument_labels)
    if out.suffix == ".ecsv":
        write_ecsv(series, out)
        click.echo(f"{len(series)} velocities of {labels} -> {out}")
        return
    task = task_of(series, star, mass_sun, planets)
    write_task(task, out)
    refit = task.truth.refit
    assert refit is not None
    for planet in (*refit.planets, *refit.tolerated):
        P, K = planet.period_days, planet.semi_amplitude_ms
        click.echo(
            f"{planet.name or '-':>3}  P {P.value:.8g} d ({P.sigma or 0.0:.2g})  K {K.value:.4g} "
            f"m/s ({K.sigma or 0.0:.2g})"
        )
    click.echo(
        f"{len(task.observation.times_days)} velocities of {labels}, residuals of "
        f"{refit.rms_ms:.3g} m/s -> {out}"
    )


def _register() -> None:
    from ecliptic.cli import archive_reports

    for command in (archive_reports.refit, archive_reports.agreement, archive_reports.published):
        archive.add_command(command)


_register()
