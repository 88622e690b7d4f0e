"""``ecliptic archive refit``, ``agreement`` and ``published``: what the refits say."""

from __future__ import annotations

import json
from pathlib import Path

import click


def _written(path: Path, text: str) -> None:
    from ecliptic.files import output_errors, write_bytes

    path.parent.mkdir(parents=True, exist_ok=True)
    with output_errors(path):
        write_bytes(path, text.encode())


@click.command()
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="File of all refits (.json), of the form of the shipped refits.json.",
)
@click.argument("stars", nargs=-1)
def refit(stars: tuple[str, ...], out: Path) -> None:
    """Fit the shipped stars anew (all, or STARS)."""
    from ecliptic.rv.archive import stars as shipped
    from ecliptic.rv.archive.shipped_tasks import refit_star, refits_json

    tasks = []
    for name in stars or shipped():
        task = refit_star(name)
        assert task.truth.refit is not None
        click.echo(f"{task.source_id}: residuals of {task.truth.refit.rms_ms:.3g} m/s")
        tasks.append(task)
    _written(out, json.dumps(refits_json(tasks), indent=1) + "\n")
    click.echo(f"{len(tasks)} refits -> {out}")


@click.command()
@click.option("--out", type=click.Path(path_type=Path), help="Write a page (.md).")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the picture.")
def agreement(out: Path | None, plot: Path | None) -> None:
    """Compare published values with the refits of the shipped stars."""
    from ecliptic.rv.archive import stars
    from ecliptic.rv.archive.agreement import agreement_table, rows_of, summary
    from ecliptic.rv.archive.agreement_page import agreement_page
    from ecliptic.rv.archive.shipped_tasks import read_task

    tasks = [read_task(name) for name in stars()]
    rows = rows_of(tasks)
    if out is None:
        click.echo(agreement_table(rows))
        click.echo(f"\n{summary(rows)}")
    else:
        picture = plot.name if plot is not None else ""
        _written(out, agreement_page(tasks, rows, picture))
        click.echo(f"{summary(rows)} -> {out}")
    if plot is not None:
        from ecliptic.rv.agreement_figure import agreement_figure
        from ecliptic.rv.plots import save_figure

        save_figure(agreement_figure(rows), plot)
        click.echo(f"picture: {plot}")


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Write a page (.md).")
@click.option("--tasks", type=click.Path(path_type=Path), help="Write the refitted tasks: a suite.")
@click.option("--overwrite", is_flag=True, help="Replace the suite that is there.")
def published(path: Path, out: Path | None, tasks: Path | None, overwrite: bool) -> None:
    """Refit the real stars of the published Stargazer benchmark at PATH, and say what was wrong.

    PATH is what `ecliptic import stargazer` takes. The page and the refitted tasks hold nothing of
    the benchmark's files but what was measured on them.
    """
    from ecliptic.rv.published_real.page import published_page, summary_line
    from ecliptic.rv.published_real.review import review_bank

    reviews = []
    for review in review_bank(path):
        click.echo(summary_line(review))
        reviews.append(review)
    if out is not None:
        _written(out, published_page(reviews))
        click.echo(f"page: {out}")
    if tasks is not None:
        from ecliptic.suite import write_suite

        kept = [review.task for review in reviews]
        count = write_suite(kept, tasks, name="published-real", overwrite=overwrite)
        click.echo(f"{count} tasks -> {tasks}")
