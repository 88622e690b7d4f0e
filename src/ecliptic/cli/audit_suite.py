"""``ecliptic audit`` for suites of radial-velocity tasks."""

from __future__ import annotations

from pathlib import Path

import click

from ecliptic.errors import OutputError

DONE, SOME_FAILED, INTERRUPTED = 0, 1, 130
DEFAULT_DRAWS = 25
MAX_FAILURES_NAMED = 10
_File = click.Path(path_type=Path)
LEGEND = (
    "truth, oracle: tasks that it passes; floor: tasks that a submission without insight passes;\n"
    "ceiling: share of fresh noise that the oracle passes"
)


@click.command()
@click.argument("suite")
@click.option("--protocol", default="strict", show_default=True, help="strict or paper.")
@click.option(
    "--draws",
    type=click.IntRange(0),
    default=DEFAULT_DRAWS,
    show_default=True,
    help="Fresh noise realisations a task; 100 for a figure to publish, 0 for none.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Of the fresh noise; generated tasks were accepted on that of seed 0.",
)
@click.option(
    "--workers", type=click.IntRange(1, 512), default=2, show_default=True, help="Processes."
)
@click.option(
    "--out",
    type=_File,
    help="JSON lines, one a task [default: NAME.audit.jsonl in the suite's folder, or beside its "
    "Parquet file]. The same command again goes on with what is there.",
)
@click.option("--plot", type=_File, help="Also draw ceilings, as .png, .pdf or .svg.")
@click.option("--fresh", is_flag=True, help="Replace the audits that --out holds.")
def audit(
    suite: str,
    protocol: str,
    draws: int,
    seed: int,
    workers: int,
    out: Path | None,
    plot: Path | None,
    fresh: bool,
) -> int:
    """Check that the tasks of SUITE are solvable, and what can be reached on them.

    For each task: the truth and an oracle are graded; every planet must be demanded by the data
    and its period be the only one that fits; the share of fresh noise that the oracle passes is
    the ceiling; submissions without insight must fail. Prints a table by tier. Tasks that could
    not be audited are counted apart; then the exit status is 1.
    """
    return audit_suite(
        suite,
        protocol=protocol,
        draws=draws,
        seed=seed,
        workers=workers,
        out=out,
        plot=plot,
        fresh=fresh,
    )


def audit_suite(
    source: str | Path,
    *,
    protocol: str = "strict",
    draws: int = DEFAULT_DRAWS,
    seed: int = 0,
    workers: int = 2,
    out: Path | None = None,
    plot: Path | None = None,
    fresh: bool = False,
) -> int:
    """Audit a suite, print the table, and return the exit status."""
    from ecliptic.cli.progress import ProgressDisplay
    from ecliptic.run.audits import audit_tasks
    from ecliptic.rv.plots import check_format
    from ecliptic.suite import load_suite

    if plot is not None:
        check_format(plot)
    suite = load_suite(source)
    target = out or default_out(source, suite.name)
    display = ProgressDisplay()
    try:
        with display:
            summary = audit_tasks(
                suite,
                target,
                protocol=protocol,
                draws=draws,
                seed=seed,
                workers=workers,
                fresh=fresh,
                progress=display,
            )
    except KeyboardInterrupt:
        again = " (without --fresh)" if fresh else ""
        click.echo(
            f"ecliptic: interrupted with {display.standing}; audits so far are in {target}; the "
            f"same command{again} goes on from there",
            err=True,
        )
        return INTERRUPTED
    except OutputError as error:
        raise OutputError(f"{error} ({display.standing}; the same command resumes)") from None
    from ecliptic.analysis.audit_table import audit_table

    click.echo(audit_table(summary.lines).to_text())
    click.echo(LEGEND)
    if summary.resumed:
        click.echo(f"{summary.resumed} audits were there already")
    click.echo(f"audits: {target}")
    if plot is not None:
        from ecliptic.analysis.audit_figure import audit_figure
        from ecliptic.rv.plots import save_figure

        save_figure(audit_figure(summary.lines, f"{suite.name}, protocol {protocol}"), plot)
        click.echo(f"picture: {plot}")
    return _name_failures(summary.failures)


def _name_failures(failures: dict[str, str]) -> int:
    for name, why in list(failures.items())[:MAX_FAILURES_NAMED]:
        click.echo(f"{name}: {' '.join(why.removeprefix(f'{name}: ').split())}", err=True)
    if len(failures) > MAX_FAILURES_NAMED:
        click.echo(f"... and {len(failures) - MAX_FAILURES_NAMED} more", err=True)
    if failures:
        click.echo("these tasks could not be audited; the same command tries again", err=True)
    return SOME_FAILED if failures else DONE


def default_out(source: str | Path, name: str) -> Path:
    """In a suite's folder, beside a file, or here for a suite that is shipped."""
    where = Path(source).expanduser()
    if where.is_dir():
        return where / f"{name}.audit.jsonl"
    if where.exists():
        return where.with_name(f"{where.stem}.audit.jsonl")
    return Path(f"{name}.audit.jsonl")
