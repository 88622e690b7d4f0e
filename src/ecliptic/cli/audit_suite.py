"""``ecliptic audit`` for suites of radial-velocity tasks."""

from __future__ import annotations

from pathlib import Path

import click

from ecliptic.errors import OutputError

DONE, SOME_FAILED, INTERRUPTED = 0, 1, 130
DEFAULT_DRAWS = 25
MAX_FAILURES_NAMED = 10
LEGEND = (
    "truth, oracle: tasks that it passes; floor: tasks that a submission without insight passes;\n"
    "ceiling: share of fresh noise that the oracle passes"
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
    truth: Path | None = None,
    engine: str | None = None,
    address: str | None = None,
) -> int:
    """Audit a suite, print the table, and return the exit status."""
    from ecliptic.cli.engine_options import chosen_engine
    from ecliptic.cli.progress import ProgressDisplay
    from ecliptic.run.audits import audit_tasks
    from ecliptic.rv.plots import check_format
    from ecliptic.suite import load_suite

    if plot is not None:
        check_format(plot)
    suite = load_suite(source, truth=truth)
    target = out or default_out(truth or source, suite.name)
    display = ProgressDisplay()
    try:
        with chosen_engine(engine, workers, address) as chosen, display:
            summary = audit_tasks(
                suite,
                target,
                protocol=protocol,
                draws=draws,
                seed=seed,
                workers=workers,
                fresh=fresh,
                progress=display,
                streams=None if chosen is None else chosen.outcomes,
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
