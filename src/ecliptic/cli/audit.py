"""``ecliptic audit``: check what a file or a suite holds, before anybody is graded on it."""

from __future__ import annotations

from pathlib import Path

import click

from ecliptic.cli.audit_suite import DEFAULT_DRAWS
from ecliptic.cli.engine_options import engine_options
from ecliptic.errors import UsageError

_File = click.Path(path_type=Path)
RECORDS = ("findings",)
SUITES = ("protocol", "draws", "seed", "workers", "plot", "fresh", "truth", "engine", "address")
"""Options that make sense for one kind alone."""


@click.command()
@click.argument("source", metavar="SUITE|RECORDS.jsonl")
@click.option(
    "--out",
    type=_File,
    help="Records: a report in Markdown. Suites: JSON lines, one a task [default: "
    "NAME.audit.jsonl in the suite's folder, or beside its Parquet file]; the same command again "
    "goes on with what is there.",
)
@click.option("--findings", type=_File, help="Records: write the findings as JSON lines.")
@click.option("--protocol", default="strict", show_default=True, help="Suites: strict or paper.")
@click.option(
    "--draws",
    type=click.IntRange(0),
    default=DEFAULT_DRAWS,
    show_default=True,
    help="Suites: fresh noise realisations a task; 100 for a figure to publish, 0 for none.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Suites: of the fresh noise; generated tasks were accepted on that of seed 0.",
)
@click.option(
    "--workers",
    type=click.IntRange(1, 512),
    default=2,
    show_default=True,
    help="Suites: processes.",
)
@click.option("--plot", type=_File, help="Suites: also draw ceilings, as .png, .pdf or .svg.")
@click.option("--fresh", is_flag=True, help="Suites: replace the audits that --out holds.")
@click.option("--truth", type=_File, help="Suites: the private part of a sealed one.")
@engine_options("Suites: processes of this machine, or a Ray cluster.")
@click.pass_context
def audit(
    ctx: click.Context,
    source: str,
    out: Path | None,
    findings: Path | None,
    protocol: str,
    draws: int,
    seed: int,
    workers: int,
    plot: Path | None,
    fresh: bool,
    truth: Path | None,
    engine: str | None,
    address: str | None,
) -> int:
    """Audit the tasks of a suite, or the gold answers of question records.

    Of each task of a SUITE: the truth and an oracle are graded; every planet must be demanded by
    the data and its period be the only one that fits; the share of fresh noise that the oracle
    passes is the ceiling; submissions without insight must fail. Prints a table by tier. Tasks
    that could not be audited are counted apart; then the exit status is 1.

    Of each record of a file of JSON lines: does the final parse, carry the unit that is asked
    for, follow from its steps and satisfy its own equations? Exit status 1: errors were found, or
    lines that cannot be read.
    """
    if Path(source).suffix in {".jsonl", ".ndjson"}:
        _refuse(ctx, SUITES, f"{source} holds question records")
        from ecliptic.cli.audit_records import audit_record_file

        return audit_record_file(Path(source), out, findings)
    _refuse(ctx, RECORDS, f"{source} is a suite")
    from ecliptic.cli.audit_suite import audit_suite

    return audit_suite(
        source,
        protocol=protocol,
        draws=draws,
        seed=seed,
        workers=workers,
        out=out,
        plot=plot,
        fresh=fresh,
        truth=truth,
        engine=engine,
        address=address,
    )


def _refuse(ctx: click.Context, options: tuple[str, ...], why: str) -> None:
    for name in options:
        if ctx.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE:
            raise UsageError(f"--{name} cannot be used here: {why}")
